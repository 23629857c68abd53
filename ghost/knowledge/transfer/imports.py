"""Taking a checked file into the knowledge base, wholly or not at all, and undoing that."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, func, literal, select, update

from ghost.errors import Cancelled, StoreError, TakenOverError
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.change_log import history_line, write_lines
from ghost.knowledge.rows import embedded_text, key_of, next_watermark
from ghost.knowledge.storage import FILLED, STAMPED, delete_hidden, set_columns, stored_rows
from ghost.knowledge.transfer.import_file import ImportCheck, JudgedPassage, never
from ghost.knowledge.values import Action, Outcome, Progress, no_progress
from ghost.records import (
    IMPORT_INTERRUPTED,
    ImportedPassage,
    ImportRecord,
    ImportStatus,
    ImportStore,
    hold_import,
    import_passages,
    imports,
    passages,
    record_imported,
    set_import_status,
    utc_now,
)
from ghost.types import Status

READ_AT_ONCE = 64
"""Passages between two looks whether to stop: less than a second's work."""
TAKING = "Taking in passages"
Noted = Callable[[Connection, int], None]
_FRESH = (Action.ADDED, Action.QUARANTINED)


class ImportStateError(StoreError):
    """An import is not in the state in which this can be done with it."""


def run_import(
    knowledge: KnowledgeBase, store: ImportStore, check: ImportCheck, import_id: str,
    progress: Progress = no_progress, cancelled: Callable[[], bool] = never,
) -> ImportRecord:  # fmt: skip
    """Bring all passages of a checked file in. Raises Cancelled and StoreError; then none of them is there.

    They are written page by page, so that runs that go on meanwhile are not held up, but out of sight; a last
    transaction brings all of them to light. What a killed process leaves is taken away at the next start, or by the
    next attempt at the same import. Raises TakenOverError when another process has made one.
    """
    attempt = store.begin(import_id, check.file.name, check.file.format.value, check.file.rows)
    try:
        if attempt > 1:
            _discard(knowledge, import_id, attempt, progress)
        counts = _write(knowledge, import_id, attempt, check.judged, progress, cancelled)
        with knowledge.writing() as connection:
            hold_import(connection, import_id, attempt)
            _reveal(connection, import_id)
            store.finish(connection, import_id, counts)
    except TakenOverError:
        raise
    except (Exception, KeyboardInterrupt) as error:  # whatever else ends this process leaves it to the next one
        stopped = isinstance(error, Cancelled)
        status = ImportStatus.CANCELLED if stopped else ImportStatus.FAILED
        with suppress(StoreError):  # what cannot be taken back now is taken back at the next start
            abandon_import(knowledge, store, import_id, status, "" if stopped else str(error), attempt, progress)
        raise
    knowledge.catch_up(progress)
    return _record_of(store, import_id, ImportStatus.FINISHED)


def abandon_import(
    knowledge: KnowledgeBase, store: ImportStore, import_id: str, status: ImportStatus, note: str = "",
    attempt: int = 0, progress: Progress = no_progress,
) -> bool:  # fmt: skip
    """End an import that is under way, and take back all that it has written, as if it had never been.

    Returns False, and does nothing, when it is not under way, or not in this attempt (0: whichever) any more. Raises
    StoreError, and TakenOverError when another process has taken it over meanwhile.
    """
    if not (taken := store.take_over(import_id, attempt)):
        return False
    _discard(knowledge, import_id, taken, progress)
    store.end(import_id, status, note, taken)
    knowledge.catch_up(progress)
    return True


def _discard(knowledge: KnowledgeBase, import_id: str, attempt: int, progress: Progress = no_progress) -> None:
    """Take away what earlier attempts have written. Raises TakenOverError."""
    mine = import_passages.c
    with knowledge.database.write() as connection:
        hold_import(connection, import_id, attempt)
        _swap(connection, import_id, 1, 0)
        total = connection.execute(select(func.count()).where(mine.import_id == import_id)).scalar_one()
    done = 0
    while True:
        with knowledge.database.write() as connection:
            hold_import(connection, import_id, attempt)
            page = select(mine.passage_id, mine.action).where(mine.import_id == import_id).limit(STAMPED)
            rows = connection.execute(page).all()
            named = mine.passage_id.in_([row.passage_id for row in rows])
            connection.execute(delete(import_passages).where(mine.import_id == import_id, named))
            done += delete_hidden(connection, [row.passage_id for row in rows if row.action != Action.MERGED])
        if not rows:
            return
        progress("Taking back passages", done, total)


def discard_interrupted(knowledge: KnowledgeBase, store: ImportStore, progress: Progress = no_progress) -> int:
    """Take away what imports of processes that are gone have left; returns how many imports that were."""
    status, note, ended = ImportStatus.INTERRUPTED, IMPORT_INTERRUPTED, 0
    for import_id, attempt in store.cut_off():
        with suppress(TakenOverError):  # another process does it
            ended += abandon_import(knowledge, store, import_id, status, note, attempt, progress)
    return ended


def undo_import(
    knowledge: KnowledgeBase, store: ImportStore, import_id: str, progress: Progress = no_progress,
    noted: Noted = lambda *_: None,
) -> int:  # fmt: skip
    """Retire all that an import brought new, and empty what it filled in; returns how many passages were retired.

    What was retired before stays out of it, and is not brought back by ``restore`` either. ``noted`` hears of the
    number within the transaction. Raises StoreError, and ImportStateError for an import that is not there to be undone.
    """
    record = _record_of(store, import_id, ImportStatus.FINISHED)
    mine, fresh = import_passages.c, import_passages.c.action.in_([a.value for a in _FRESH])
    with knowledge.writing() as connection:
        _still(connection, record)
        here = select(passages.c.status).where(passages.c.id == mine.passage_id).scalar_subquery()
        connection.execute(
            update(import_passages)
            .where(mine.import_id == import_id, fresh, here != Status.RETIRED.value)
            .values(before=here)
        )
        changed = _move(connection, import_id, "retired", f"the import of {record.name} was undone")
        _swap(connection, import_id, 1, 0)
        set_import_status(connection, import_id, ImportStatus.UNDONE)
        noted(connection, changed)
    knowledge.catch_up(progress)
    return changed


def restore_import(
    knowledge: KnowledgeBase, store: ImportStore, import_id: str, progress: Progress = no_progress,
    noted: Noted = lambda *_: None,
) -> int:  # fmt: skip
    """Undo the undoing: what it retired gets the status back that it had; returns how many passages that were.

    ``noted`` and errors as for ``undo_import``.
    """
    record = _record_of(store, import_id, ImportStatus.UNDONE)
    mine = import_passages.c
    with knowledge.writing() as connection:
        _still(connection, record)
        changed = _move(connection, import_id, "restored", f"the import of {record.name} was brought back")
        connection.execute(update(import_passages).where(mine.import_id == import_id).values(before=""))
        _swap(connection, import_id, 0, 1)
        set_import_status(connection, import_id, ImportStatus.FINISHED)
        noted(connection, changed)
    knowledge.catch_up(progress)
    return changed


def _record_of(store: ImportStore, import_id: str, status: ImportStatus) -> ImportRecord:
    record = store.get(import_id)
    if record is None:
        raise ImportStateError(f"Nothing was changed: there is no import {import_id}.")
    if record.status is not status:
        raise ImportStateError(f"Nothing was changed: the import of {record.name} is {record.status.value}.")
    return record


def _still(connection: Connection, record: ImportRecord) -> None:
    """Raises ImportStateError when another process was faster."""
    status = connection.execute(select(imports.c.status).where(imports.c.id == record.id)).scalar()
    if status != record.status:
        raise ImportStateError(f"Nothing was changed: the import of {record.name} is {status}.")


def _write(
    knowledge: KnowledgeBase, import_id: str, attempt: int, judged: Sequence[JudgedPassage], progress: Progress,
    cancelled: Callable[[], bool],
) -> dict[str, int]:  # fmt: skip
    """Write all passages out of sight; returns how many became what."""
    counts: Counter[Action] = Counter()
    for start in range(0, len(judged), STAMPED):
        page = judged[start : start + STAMPED]
        offered = {key_of(p.text, p.source_url): p for j in page if (p := j.admission.passage)}
        # Asked again, because the same text may have been added or retired since the check.
        there = knowledge.statuses(list(offered))
        new = [key for key in offered if key not in there]
        vectors: dict[str, np.ndarray] = {}
        for at in range(0, len(new), READ_AT_ONCE):
            if cancelled():
                raise Cancelled("The import was stopped. Nothing of it was kept.")
            some = new[at : at + READ_AT_ONCE]
            texts = [embedded_text(offered[key].text, offered[key].title) for key in some]
            vectors |= dict(zip(some, knowledge.encode(texts), strict=True))
            progress(TAKING, start + at, len(judged))
        with knowledge.database.write() as connection:
            hold_import(connection, import_id, attempt)
            before = _details(connection, offered)
            outcomes = knowledge.insert(connection, [j.admission for j in page], vectors, hidden=True)
            record_imported(connection, import_id, _brought(outcomes, page, before, _details(connection, offered)))
        counts.update(o.action for o in outcomes)
        progress(TAKING, start + len(page), len(judged))
    return {action.value: counts[action] for action in Action}


def _reveal(connection: Connection, import_id: str) -> None:
    """Give every passage the status it comes in with."""
    mine = import_passages.c
    ids = connection.execute(select(mine.passage_id).where(mine.import_id == import_id, mine.before != "")).scalars()
    status = select(mine.before).where(mine.import_id == import_id, mine.passage_id == passages.c.id).scalar_subquery()
    set_columns(connection, ids.all(), status=status)
    connection.execute(update(import_passages).where(mine.import_id == import_id).values(before=""))


_DETAILS = (*FILLED, "retrieved_at", "frame")


def _details(connection: Connection, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """By passage id: the details that a duplicate may fill in, JSON-safe."""
    rows = stored_rows(connection, list(keys)).values()
    return {row.id: {name: _plain(row._mapping[name]) for name in _DETAILS} for row in rows}


def _brought(
    outcomes: Sequence[Outcome], page: Sequence[JudgedPassage],
    before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]],
) -> list[ImportedPassage]:  # fmt: skip
    found = [
        ImportedPassage(o.passage_id, o.action.value, {}, j.admission.passage.status.value)
        for o, j in zip(outcomes, page, strict=True)
        if o.action in _FRESH and j.admission.passage
    ]
    for passage_id in dict.fromkeys(o.passage_id for o in outcomes if o.action is Action.MERGED):
        old, new = before.get(passage_id), after.get(passage_id)
        if old and new and (filled := {n: [old[n], new[n]] for n in _DETAILS if old[n] != new[n]}):
            found.append(ImportedPassage(passage_id, Action.MERGED.value, filled))
    return found


def _move(connection: Connection, import_id: str, action: str, note: str) -> int:
    """Retire what has a status noted, or give it that status back, each with a line in its history."""
    mine = import_passages.c
    noted = select(mine.passage_id).where(mine.import_id == import_id, mine.before != "")
    status: Any = literal(Status.RETIRED.value)
    if action == "restored":
        noted = noted.join(passages, passages.c.id == mine.passage_id).where(passages.c.status == status)
        status = select(mine.before).where(mine.import_id == import_id, mine.passage_id == passages.c.id)
        status = status.scalar_subquery()
    ids = connection.execute(noted).scalars().all()
    set_columns(connection, ids, status=status)
    write_lines(connection, [history_line(i, action, note, utc_now()) for i in ids])
    return len(ids)


def _swap(connection: Connection, import_id: str, now: int, then: int) -> None:
    """Give details the value they had before or after the import, unless they were changed since."""
    mine = import_passages.c
    query = select(mine.passage_id, mine.filled).where(mine.import_id == import_id, mine.filled != "")
    rows = connection.execute(query).all()
    mark = next_watermark(connection) if rows else 0
    for row in rows:
        for name, values in json.loads(row.filled).items():
            old, new = _typed(name, values[now]), _typed(name, values[then])
            still = update(passages).where(passages.c.id == row.passage_id, passages.c[name].is_not_distinct_from(old))
            connection.execute(still.values({name: new, "changed": mark}))


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _typed(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name == "published_at":
        return date.fromisoformat(value)
    return datetime.fromisoformat(value) if name == "retrieved_at" else value
