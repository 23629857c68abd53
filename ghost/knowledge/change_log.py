"""The log of changes to the knowledge base: one change for each action, one line for each passage it concerned."""

import json
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, or_, select, update

from ghost.knowledge.rows import READABLE, key_of
from ghost.records import batched, changes, from_row, history, merges, passages, to_column
from ghost.types import Origin, Status

CHUNK = 1_000
"""How many ids are asked for at a time: a query takes so many variables and no more."""
PAGE_CHECK = ("page_check", "page_checked", "page_excerpts")
"""What came of comparing a passage with its page. It holds for the words and the address that were compared."""
PLAIN = (
    *("text", "source_url", "title", "publisher", "topic", "language", "origin", "status", "as_of"),
    *("kind", "intake", "text_hash", "frame", *PAGE_CHECK),
)
"""What a change can replace, besides the publication date, the analyst's trust and what a passage was merged into."""

_ARRIVALS = ("added", "quarantined")
"""Nothing is deleted, so taking an addition back is to retire what came in, whatever became of it since."""

State = dict[str, str]
"""What a passage is, as far as a change can replace it; dates as in ISO 8601, empty when unknown."""


@dataclass(frozen=True, slots=True)
class Change:
    """One action: a passage edited, five retired, a file imported."""

    id: str
    at: datetime
    action: str
    """added, edited, checked, retired, restored, accepted, merged, undone."""
    note: str
    passages: int
    """How many passages it concerned."""
    undone_by: str = ""
    """Id of the change that took it back."""


def new_change() -> str:
    """A fresh id for a change."""
    return uuid.uuid4().hex


def states(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[Row[Any], State]]:
    """The passages with these ids, as rows and as what they are now; unknown ids are left out."""
    found: dict[str, tuple[Row[Any], State]] = {}
    query: Select[Any] = select(*READABLE, func.coalesce(merges.c.kept_id, "").label("merged_into"))
    query = query.select_from(passages.outerjoin(merges, merges.c.passage_id == passages.c.id))
    for some in batched(ids, CHUNK):
        for row in connection.execute(query.where(passages.c.id.in_(some))):
            day = row.published_at.isoformat() if row.published_at else ""
            state = {name: getattr(row, name) for name in (*PLAIN, "merged_into")}
            found[row.id] = (row, state | {"published_at": day, "trusted": "yes" if row.trusted else ""})
    return found


def history_line(
    passage_id: str, action: str, note: str, now: datetime, change: str = "",
    before: Mapping[str, str] | None = None, after: Mapping[str, str] | None = None, old_text: str = "",
) -> dict[str, Any]:  # fmt: skip
    """A line of a passage's history; ``before`` and ``after``, with which it can be undone, say what was replaced."""
    replaced = {"before": json.dumps(before) if before else "", "after": json.dumps(after) if after else ""}
    line = {"passage_id": passage_id, "at": to_column(now), "action": action, "note": note}
    return {**line, "old_text": old_text, "change": change, **replaced}


def replacement_line(
    passage_id: str, action: str, note: str, now: datetime, change: str, old: State, new: State
) -> dict[str, Any]:
    """A line of the history for a passage that became another one: what differs, and the old text.

    How other words came in, their frame and their page check are kept too: the new ones may be read or checked before
    the change is taken back.
    """
    before, after = ({name: state[name] for name in new if new[name] != old[name]} for state in (old, new))
    if before.keys() & {"text", "source_url"}:
        before |= {name: old[name] for name in ("kind", "intake", "text_hash", "frame", *PAGE_CHECK)}
    return history_line(passage_id, action, note, now, change, before, after, before.get("text", ""))


def write_lines(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write lines of the history."""
    if lines:
        connection.execute(insert(history), list(lines))


def write_change(connection: Connection, change: str, action: str, note: str, passages: int, now: datetime) -> None:
    """Write a change, or count further passages to one that is written in several transactions."""
    counted = update(changes).where(changes.c.id == change).values(passages=changes.c.passages + passages)
    if connection.execute(counted).rowcount == 0:
        values = {"id": change, "at": to_column(now), "action": action, "note": note, "passages": passages}
        connection.execute(insert(changes).values(**values))


def change_of(connection: Connection, change: str) -> Change | None:
    """The change with this id."""
    row = connection.execute(select(changes).where(changes.c.id == change)).first()
    return from_row(Change, row) if row else None


def page(connection: Connection, limit: int, offset: int) -> list[Change]:
    query = select(changes).order_by(changes.c.seq.desc()).limit(limit).offset(offset)
    return [from_row(Change, row) for row in connection.execute(query)]


def count(connection: Connection) -> int:
    return connection.execute(select(func.count(changes.c.seq))).scalar_one()


def passages_changed(connection: Connection, change: str, limit: int) -> list[str]:
    """Ids of passages that a change concerned, in its order."""
    query = select(history.c.passage_id).where(history.c.change == change).order_by(history.c.id).limit(limit)
    return list(dict.fromkeys(connection.execute(query).scalars()))


def undone_among(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Which of these changes were taken back."""
    query = select(changes.c.id).where(changes.c.id.in_(list(ids)), changes.c.undone_by != "")
    return set(connection.execute(query).scalars())


def can_be_undone(action: str, after: State, now: State) -> bool:
    """Whether a line of the history can be taken back: the passage is still what the change made it."""
    if action in _ARRIVALS:
        return now["status"] != Status.RETIRED
    return all(now[name] == value for name, value in after.items())


_TOLD = ("text", "source_url", "origin")


def earlier_seeds(connection: Connection, keys: Collection[str]) -> dict[str, str]:
    """For each merge key that a passage had while it was a seed fact: the id of that passage.

    A passage is known by the key it has and by the one it came with; this finds what it was between two changes.
    """
    wanted = set(keys)
    if not wanted:
        return {}
    mine = history.c
    moved = or_(mine.old_text != "", mine.before.contains('"source_url"', autoescape=True))
    ids = list(connection.execute(select(mine.passage_id).where(moved).distinct()).scalars())
    was = {i: {name: state[name] for name in _TOLD} for i, (_, state) in states(connection, ids).items()}
    found: dict[str, str] = {}
    for some in batched(ids, CHUNK):
        lines = select(mine.passage_id, mine.old_text, mine.before).where(mine.passage_id.in_(some))
        lines = lines.order_by(mine.id.desc())
        for line in connection.execute(lines):
            state = was[line.passage_id]
            state |= {name: value for name, value in json.loads(line.before or "{}").items() if name in _TOLD}
            state["text"] = line.old_text or state["text"]
            if state["origin"] == Origin.SEED and (key := key_of(state["text"], state["source_url"])) in wanted:
                found.setdefault(key, line.passage_id)
    return found
