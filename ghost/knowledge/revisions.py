"""What happens to a passage that gets another text or other details, or is merged into another one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, Self

import numpy as np
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ghost.errors import StoreError
from ghost.knowledge.change_log import PLAIN, State, history_line, states, write_change, write_lines
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.near_duplicates import Lookup, bands, first_elsewhere, replace_bands
from ghost.knowledge.rows import embedded_text, key_of, pack
from ghost.knowledge.storage import set_columns, stored_rows
from ghost.records import merges, passages, uses
from ghost.types import NO_FRAME, Frame, Kind, Origin, Passage, Status


@dataclass(frozen=True, slots=True)
class Revision:
    """What a passage says and what is known about it, as the analyst wants it."""

    text: str
    source_url: str = ""
    title: str = ""
    publisher: str = ""
    topic: str = ""
    language: str = "en"
    published_at: date | None = None
    origin: Origin = Origin.CURATED
    as_of: str = ""
    kind: Kind = Kind.EXCERPT
    trusted: bool = False
    frame: Frame = NO_FRAME

    @classmethod
    def of(cls, p: Passage) -> Self:
        """The passage as it is, to be changed with ``dataclasses.replace``."""
        return cls(**{field.name: getattr(p, field.name) for field in fields(cls)})


def text_to_embed(before: State, after: State) -> str | None:
    """The text that the encoder has to read again for a change from one state to another; None when it need not."""
    old, new = (embedded_text(state["text"], state["title"]) for state in (before, after))
    return new if new != old else None


def apply_state(
    connection: Connection, row: Row[Any], now: State, wanted: State, vector: np.ndarray | None, mark: int,
    book: CredibilityBook,
) -> None:  # fmt: skip
    """Bring a passage from the state it is in to another one. Raises StoreError when another passage is that already.

    ``vector`` is that of the new text where ``text_to_embed`` asked for one. Statistics are not touched.
    """
    values: dict[str, Any] = {name: wanted[name] for name in PLAIN if wanted[name] != now[name]}
    if wanted["published_at"] != now["published_at"]:
        values["published_at"] = date.fromisoformat(wanted["published_at"]) if wanted["published_at"] else None
    if wanted["trusted"] != now["trusted"]:
        values["trusted"] = bool(wanted["trusted"])
    if "text" in values or "source_url" in values:
        values |= _identity(connection, row, wanted, book)
    if vector is not None:
        values["embedding"] = pack(vector)
    connection.execute(update(passages).where(passages.c.id == row.id).values(changed=mark, **values))
    if "text" in values:
        replace_bands(connection, row.seq, now["text"], wanted["text"])
    if wanted["merged_into"] != now["merged_into"]:
        set_merged(connection, row.id, wanted["merged_into"])


def set_merged(connection: Connection, passage_id: str, kept: str) -> None:
    """Note which passage speaks for this one; empty when it speaks for itself."""
    connection.execute(delete(merges).where(merges.c.passage_id == passage_id))
    if kept:
        connection.execute(insert(merges).values(passage_id=passage_id, kept_id=kept))


def _identity(connection: Connection, row: Row[Any], wanted: State, book: CredibilityBook) -> dict[str, Any]:
    """What follows from text and address."""
    text, url = wanted["text"], wanted["source_url"]
    key = key_of(text, url)
    twin = stored_rows(connection, [key]).get(key)
    if twin is not None and twin.id != row.id:
        raise StoreError(f"Nothing was changed: passage {twin.id} has this text from the same source already.")
    of = bands([text])
    alike = (other for other in Lookup(connection, of).find(text, of[0]) if other.id != row.id)
    found = first_elsewhere(alike, url)
    return {
        "merge_key": key,
        "text_length": len(text),
        "domain": book.domain(url),
        "source_type": book.source_type(url).value,
        "kin": (found.kin or found.id) if found is not None and found.kin != row.id else "",
    }


def merge(connection: Connection, kept: str, others: Sequence[str], note: str, change: str, now: datetime) -> int:
    """Retire the others in favour of the one that is kept, and give it their statistics; returns how many were.

    Raises StoreError when one of them is not there, or the kept one cannot be found by a run.
    """
    others = [i for i in dict.fromkeys(others) if i != kept]
    found = states(connection, [kept, *others])
    missing = [i for i in (kept, *others) if i not in found]
    if missing:
        raise StoreError(f"Nothing was merged: there is no passage {', '.join(missing[:5])}.")
    if found[kept][1]["status"] != Status.ACTIVE:
        raise StoreError(f"Nothing was merged: passage {kept}, which was to be kept, is not active. Restore it first.")
    concerned = [i for i in others if found[i][1]["status"] != Status.RETIRED]
    if not concerned:
        return 0
    after = {"status": Status.RETIRED.value, "merged_into": kept}
    reason = f"merged into {kept}" + (f": {note}" if note else "")
    lines = []
    for i in concerned:
        before = {name: found[i][1][name] for name in after}
        lines.append(history_line(i, "merged", reason, now, change, before, after))
        set_merged(connection, i, kept)
    lines.append(history_line(kept, "joined", f"speaks for {', '.join(concerned)} too", now, change))
    set_columns(connection, concerned, status=Status.RETIRED.value)
    write_change(connection, change, "merged", note, len(concerned) + 1, now)
    write_lines(connection, lines)
    recount(connection, [kept])
    return len(concerned)


def family(connection: Connection, passage_id: str) -> list[str]:
    """The passage and all those it speaks for, also through others."""
    whole = select(passages.c.id.label("id")).where(passages.c.id == passage_id).cte("family", recursive=True)
    whole = whole.union(select(merges.c.passage_id).join(whole, merges.c.kept_id == whole.c.id))
    return list(connection.execute(select(whole.c.id)).scalars())


def relatives(connection: Connection, passage_id: str) -> tuple[str, list[str]]:
    """The passage that speaks for this one (empty when none does), and those that this one speaks for."""
    kept = connection.execute(select(merges.c.kept_id).where(merges.c.passage_id == passage_id)).scalar() or ""
    return kept, [i for i in family(connection, passage_id) if i != passage_id]


def recount(connection: Connection, ids: Iterable[str]) -> None:
    """Make the statistics of these passages, and of those that speak for them, those of all runs that used them.

    A run that used two of a family counts once.
    """
    todo, done = [i for i in dict.fromkeys(ids) if i], set[str]()
    while todo:
        current = todo.pop()
        if current in done:
            continue
        done.add(current)
        best = func.max(uses.c.relevance).label("relevance")
        by_run = select(best, func.max(uses.c.at).label("at")).group_by(uses.c.run_id)
        runs = by_run.where(uses.c.passage_id.in_(family(connection, current))).subquery()
        n, mean, last = connection.execute(select(func.count(), func.avg(runs.c.relevance), func.max(runs.c.at))).one()
        values = {"verification_count": n, "avg_relevance": mean or 0.0, "access_count": n, "last_accessed": last}
        connection.execute(update(passages).where(passages.c.id == current).values(**values))
        todo += connection.execute(select(merges.c.kept_id).where(merges.c.passage_id == current)).scalars()
