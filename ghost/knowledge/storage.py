"""Writing passages, inside a transaction of the caller. The vector index is not touched here.

Every change that concerns the index stamps its rows with a new watermark, by which they are found and sent on.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, delete, insert, or_, select, update

from ghost.errors import StoreError
from ghost.knowledge.admission import OUTSIDE, QUARANTINED, Admission
from ghost.knowledge.change_log import CHUNK, State, history_line, states, write_change, write_lines
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.near_duplicates import Lookup, bands, drop_bands, first_elsewhere, is_elsewhere
from ghost.knowledge.rows import id_of, key_of, next_watermark, to_row
from ghost.knowledge.values import Action, Outcome, Use
from ghost.records import (
    ImportStatus,
    batched,
    history,
    import_passages,
    imports,
    merges,
    passages,
    split_words,
    to_column,
    uses,
)
from ghost.types import Intake, Kind, NewPassage, Origin, Status

STAMPED = 400
"""Passages that get one stamp together: fewer than the index reads at a time (``index_sync.PAGE``)."""
FILLED = ("publisher", "topic", "published_at", "as_of")
"""What a duplicate may add where nothing is known yet."""
_MERGED = ("id", "merge_key", "origin", "status", *FILLED, "retrieved_at", "intake", "frame")


def stored_rows(connection: Connection, keys: Sequence[str]) -> dict[str, Row[Any]]:
    """For each merge key that is there already: the row it belongs to.

    A passage whose text was edited since is found by its id, so that the old text does not come back beside it.
    """
    columns = [passages.c[name] for name in _MERGED]
    ids = {id_of(key): key for key in keys}
    known = or_(passages.c.merge_key.in_(keys), passages.c.id.in_(list(ids)))
    rows = connection.execute(select(*columns).where(known)).all()
    found = {ids[row.id]: row for row in rows if row.id in ids} | {row.merge_key: row for row in rows}
    return {key: found[key] for key in keys if key in found}


def insert_or_merge(
    connection: Connection, admissions: Sequence[Admission], vectors: Mapping[str, np.ndarray], model: str,
    now: datetime, book: CredibilityBook, change: str, hidden: bool = False,
) -> list[Outcome]:  # fmt: skip
    """Insert what is new, merge what is there. ``vectors``: by merge key, for whatever may be new.

    What came in belongs to the ``change``, by which it can be taken out again; an empty one is none. ``hidden`` rows
    are retired until they are given their status, so that no search finds them before.
    """
    keys = [_key(a.passage) if a.passage else "" for a in admissions]
    there = stored_rows(connection, list({key for key in keys if key}))
    mark = next_watermark(connection)
    of = bands([a.passage.text if a.passage else "" for a in admissions])
    look = Lookup(connection, of)
    fresh: dict[str, dict[str, Any]] = {}
    log: list[dict[str, Any]] = []
    outcomes: list[Outcome] = []
    for admission, key, its_bands in zip(admissions, keys, of, strict=True):
        new = admission.passage
        if new is None:
            outcomes.append(Outcome(Action.REFUSED, reason=admission.reason))
        elif key in there:
            outcomes.append(_merge(connection, there[key], new, mark, now, log, change, hidden))
        elif key in fresh:
            fresh[key] |= _fill(fresh[key], new) | _read_now(fresh[key], new)
            outcomes.append(Outcome(Action.MERGED, fresh[key]["id"], "the same text from the same source"))
        else:
            alike = look.find(new.text, its_bands)
            if twin := _same_page_and_words(new, alike):
                outcomes.append(_merge(connection, twin, new, mark, now, log, change, hidden))
                continue
            row = to_row(new, key, vectors[key], model, mark, now, book)
            mate = look.find_in_batch(new.text, its_bands, new.source_url)
            row["kin"], copied = _copy_note(first_elsewhere(alike, new.source_url), mate)
            if hidden:
                row["status"] = Status.RETIRED.value
            fresh[key] = row
            look.remember(its_bands, row)
            reason = "; ".join(part for part in (admission.reason, admission.notice, copied) if part)
            outcomes.append(_arrival(row["id"], new, reason, now, log, change))
    if fresh:
        connection.execute(insert(passages), list(fresh.values()))
        look.store()
    write_lines(connection, log)
    came = sum(bool(entry["before"]) for entry in log)
    if came:
        write_change(connection, change, "added", _batch_note(admissions), came, now)
    return outcomes


def set_status(
    connection: Connection, ids: Sequence[str], status: Status, note: str, change: str, now: datetime
) -> list[str]:
    """Retire or bring back passages; returns those that were something else before. Raises StoreError on unknown ids.

    A duplicate that is brought back speaks for itself again; its statistics are for the caller to count anew.
    """
    found = known_states(connection, ids)
    after = {"status": status.value, **({"merged_into": ""} if status is Status.ACTIVE else {})}
    lines = []
    for i in dict.fromkeys(ids):
        state = found[i][1]
        if state["status"] != status:
            before = {name: state[name] for name in after}
            lines.append(history_line(i, _status_action(state["status"], status), note, now, change, before, after))
    concerned = [entry["passage_id"] for entry in lines]
    if not concerned:
        return []
    set_columns(connection, concerned, status=status.value)
    if status is Status.ACTIVE:
        for part in batched(concerned, CHUNK):
            connection.execute(delete(merges).where(merges.c.passage_id.in_(part)))
    deeds = {entry["action"] for entry in lines}
    write_change(connection, change, deeds.pop() if len(deeds) == 1 else "restored", note, len(concerned), now)
    write_lines(connection, lines)
    return concerned


def set_columns(connection: Connection, ids: Sequence[str], **values: Any) -> None:
    """Give these passages other values, in stamps small enough for the index to follow page by page."""
    for part in batched(ids, STAMPED):
        some = update(passages).where(passages.c.id.in_(part))
        connection.execute(some.values(changed=next_watermark(connection), **values))


def known_states(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[Row[Any], State]]:
    """``states`` of these passages. Raises StoreError on unknown ids."""
    found = states(connection, ids)
    if missing := sorted(set(ids) - set(found)):
        raise StoreError(f"Nothing was changed: there is no passage {', '.join(missing[:5])}.")
    return found


def delete_hidden(connection: Connection, ids: Sequence[str]) -> int:
    """Delete those of the passages that were written hidden and never revealed; returns how many.

    Nothing else is ever deleted.
    """
    hidden = passages.c.id.in_(ids), passages.c.status == Status.RETIRED.value
    rows = connection.execute(select(passages.c.seq, passages.c.id, passages.c.text).where(*hidden)).all()
    drop_bands(connection, [(row.seq, row.text) for row in rows])
    connection.execute(delete(history).where(history.c.passage_id.in_([row.id for row in rows])))
    connection.execute(delete(passages).where(*hidden))
    return len(rows)


def record_use(connection: Connection, run_id: str, used: Sequence[Use], now: datetime) -> None:
    """Record the uses of one run and update the statistics. Repeating it changes nothing."""
    by_id = {use.passage_id: use for use in used}
    c = passages.c
    known = select(c.id, c.verification_count, c.avg_relevance).where(c.id.in_(list(by_id)))
    rows = connection.execute(known).all()
    before = {row.passage_id: row for row in connection.execute(select(uses).where(uses.c.run_id == run_id))}
    at = to_column(now)
    for row in rows:
        use, old = by_id[row.id], before.get(row.id)
        count, total = row.verification_count, row.avg_relevance * row.verification_count
        values: dict[str, Any] = {"relevance": use.relevance, "stance": use.stance.value, "cited": use.cited}
        if old is None:
            connection.execute(insert(uses).values(run_id=run_id, passage_id=row.id, at=at, **values))
            mean = (total + use.relevance) / (count + 1)
            statistics: dict[str, Any] = {"verification_count": count + 1, "avg_relevance": mean}
            statistics |= {"access_count": c.access_count + 1, "last_accessed": at}
        else:
            values["cited"] = use.cited or old.cited
            mine = update(uses).where(uses.c.run_id == run_id, uses.c.passage_id == row.id)
            connection.execute(mine.values(**values))
            statistics = {"avg_relevance": (total - old.relevance + use.relevance) / max(count, 1)}
        connection.execute(update(passages).where(passages.c.id == row.id).values(**statistics))


def _same_page_and_words(new: NewPassage, alike: Sequence[Row[Any]]) -> Row[Any] | None:
    """What was read on the same page before, in the same words. A page that is read again is not a second source."""
    if new.origin not in OUTSIDE:
        return None
    mine = split_words(new.text)
    read = (r for r in alike if r.intake != Intake.ENTERED and not is_elsewhere(r.source_url, new.source_url))
    return next((r for r in read if split_words(r.text) == mine), None)


def _copy_note(stored: Row[Any] | None, mate: dict[str, Any] | None) -> tuple[str, str]:
    """The id that marks a passage as a copy of another source's, and a remark on it."""
    other: Mapping[Any, Any] | None = mate if stored is None else stored._mapping
    if other is None:
        return "", ""
    where = other["domain"] or other["title"] or "another source"
    note = f"nearly the same text as {other['id']} from {where}: the two count as one origin"
    return other["kin"] or other["id"], note


def _merge(
    connection: Connection, row: Row[Any], new: NewPassage, mark: int, now: datetime, log: list[dict[str, Any]],
    change: str, hidden: bool,
) -> Outcome:  # fmt: skip
    filled = _fill(row._mapping, new) | _read_now(row._mapping, new)
    if filled:
        connection.execute(update(passages).where(passages.c.id == row.id).values(changed=mark, **filled))
    status = row.status
    if status == Status.RETIRED and not hidden:
        if _reveal_hidden(connection, row.id, new.status, mark):
            return _arrival(row.id, new, "an import that is under way has it too", now, log, change)
        # Asked again, because a passage before this one may have brought it to light.
        status = connection.execute(select(passages.c.status).where(passages.c.id == row.id)).scalar_one()
    # The seed is offered at every start; that is not worth a line.
    if not (new.origin is Origin.SEED and row.origin == Origin.SEED):
        note = f"offered again as {_origin_names([new])}" + (f": {new.note}" if new.note else "")
        log.append(history_line(row.id, "merged", note, now))
    why = "the same text from the same source"
    if status != Status.ACTIVE:
        why += f", which is {status} and stays so"
    return Outcome(Action.MERGED, row.id, why)


def _reveal_hidden(connection: Connection, passage_id: str, status: Status, mark: int) -> bool:
    """Reveal a passage that a running import has written hidden. False when there is none.

    It then no longer belongs to the import: what was added by hand must stay when the import is stopped.
    """
    running = select(imports.c.id).where(imports.c.status == ImportStatus.RUNNING.value)
    mine = import_passages.c
    held = delete(import_passages).where(mine.passage_id == passage_id, mine.before != "", mine.import_id.in_(running))
    if connection.execute(held).rowcount == 0:
        return False
    connection.execute(update(passages).where(passages.c.id == passage_id).values(status=status.value, changed=mark))
    return True


def _fill(old: Mapping[Any, Any], new: NewPassage) -> dict[str, Any]:
    filled = {name: getattr(new, name) for name in FILLED if not old[name] and getattr(new, name)}
    only_entered = new.intake is Intake.ENTERED and old["intake"] != Intake.ENTERED
    if only_entered:
        filled.pop("publisher", "")  # nobody is named by hand as the speaker of what was read
    if "published_at" in filled and new.as_late_as:
        filled["as_late_as"] = new.as_late_as
    if new.frame and not old["frame"] and not only_entered:  # nor is it said by hand what stands around it
        filled["frame"] = str(new.frame)
    retrieved = to_column(new.retrieved_at)
    if retrieved and (old["retrieved_at"] is None or retrieved > old["retrieved_at"]):
        filled["retrieved_at"] = retrieved
    return filled


def _read_now(old: Mapping[Any, Any], new: NewPassage) -> dict[str, Any]:
    """What changes for a passage whose very words Ghost has now read at their address."""
    if new.intake is not Intake.READ or old["intake"] == Intake.READ or old["merge_key"] != _key(new):
        return {}
    read = {"kind": Kind.EXCERPT.value, "intake": Intake.READ.value, "text_hash": new.text_hash}
    read["frame"] = str(new.frame)
    # Whoever typed the words in may have named anybody as their publisher.
    return read | ({"publisher": new.publisher} if old["intake"] == Intake.ENTERED else {})


def _key(new: NewPassage) -> str:
    return key_of(new.text, new.source_url)


def _arrival(
    passage_id: str, new: NewPassage, reason: str, now: datetime, log: list[dict[str, Any]], change: str
) -> Outcome:
    waits = new.status is Status.QUARANTINED
    note = new.note or f"came in as {_origin_names([new])}"
    before, after = ({"status": Status.RETIRED.value}, {"status": new.status.value}) if change else (None, None)
    log.append(history_line(passage_id, "quarantined" if waits else "added", note, now, change, before, after))
    return Outcome(Action.QUARANTINED if waits else Action.ADDED, passage_id, reason)


def _batch_note(admissions: Sequence[Admission]) -> str:
    """Where a batch came from: the note that all passages share, otherwise their origins."""
    offered = [a.passage for a in admissions if a.passage]
    notes = {p.note.partition(QUARANTINED)[0].rstrip("; ") for p in offered}
    return notes.pop() if len(notes) == 1 and all(notes) else f"came in as {_origin_names(offered)}"


def _origin_names(offered: Iterable[NewPassage]) -> str:
    return ", ".join(sorted({p.origin.value.replace("_", "-") for p in offered}))


def _status_action(before: str, after: Status) -> str:
    if after is Status.ACTIVE:
        return "accepted" if before == Status.QUARANTINED else "restored"
    return after.value
