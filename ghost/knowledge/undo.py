"""Undoing a change: each passage it concerned becomes what it was before."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select, update

from ghost.errors import StoreError
from ghost.knowledge.change_log import State, can_be_undone, change_of, history_line, states, write_change, write_lines
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.revisions import apply_state, recount, text_to_embed
from ghost.knowledge.rows import next_watermark
from ghost.records import changes, history, passages

_TOO_LATE = "Nothing was undone: it was changed again since. Undo the later change first."


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done to one passage."""

    row: Row[Any]
    now: State
    wanted: State
    action: str
    """What is taken back."""

    @property
    def text(self) -> str | None:
        """What the encoder has to read for it."""
        return text_to_embed(self.now, self.wanted)


@dataclass(frozen=True, slots=True)
class Undo:
    """What taking a change back would do."""

    plans: tuple[Plan, ...]
    left: tuple[str, ...]
    """Passages that were changed again since; they stay as they are."""
    whole: bool = True
    """Whether the change counts as taken back then."""


def plan_undo(connection: Connection, change: str, only: str = "") -> Undo:
    """How a change can be taken back, for ``only`` this passage if one is named. Raises StoreError when it cannot."""
    kept = change_of(connection, change)
    if kept is None:
        raise StoreError("Nothing was undone: there is no such change.")
    if kept.undone_by:
        raise StoreError("Nothing was undone: this change was taken back already.")
    query = select(history).where(history.c.change == change, history.c.before != "").order_by(history.c.id)
    query = query.where(history.c.passage_id == only) if only else query
    lines = connection.execute(query).all()
    found = states(connection, [row.passage_id for row in lines])
    plans, left = [], []
    for entry in lines:
        row, now = found[entry.passage_id]
        before, after = json.loads(entry.before), json.loads(entry.after)
        if can_be_undone(entry.action, after, now):
            plans.append(Plan(row, now, now | before, entry.action))
        else:
            left.append(entry.passage_id)
    if not plans:
        raise StoreError(_TOO_LATE)
    return Undo(tuple(plans), tuple(left), whole=not only or kept.passages == 1)


def apply_undo(
    connection: Connection,
    change: str,
    undo: Undo,
    vectors: Mapping[str, np.ndarray],
    book: CredibilityBook,
    as_change: str,
    now: datetime,
) -> None:
    """Do what was planned, as a change that can be undone itself. ``vectors``: by passage id, of texts read anew.

    Raises StoreError when something has changed since the plan was made.
    """
    current = states(connection, [p.row.id for p in undo.plans])
    if any(current[p.row.id][1] != p.now for p in undo.plans):
        raise StoreError(_TOO_LATE)
    _put_all(connection, undo, vectors, book)
    lines = []
    for p in undo.plans:
        names = [name for name in p.wanted if p.wanted[name] != p.now[name]]
        before, after = ({name: state[name] for name in names} for state in (p.now, p.wanted))
        old_text = p.now["text"] if "text" in names else ""
        lines.append(
            history_line(p.row.id, "undone", f"took back: {p.action}", now, as_change, before, after, old_text)
        )
    actions = ", ".join(sorted({p.action for p in undo.plans}))
    write_change(connection, as_change, "undone", f"took back: {actions}", len(undo.plans), now)
    write_lines(connection, lines)
    if undo.whole:
        connection.execute(update(changes).where(changes.c.id == change).values(undone_by=as_change))
    # Undoing an undo does the first change again, which can then be undone once more.
    connection.execute(update(changes).where(changes.c.undone_by == change).values(undone_by=""))
    recount(connection, {s["merged_into"] for p in undo.plans for s in (p.now, p.wanted)} - {""})


def _put_all(connection: Connection, undo: Undo, vectors: Mapping[str, np.ndarray], book: CredibilityBook) -> None:
    mark = next_watermark(connection)
    by_status: dict[str, list[str]] = {}
    for p in undo.plans:
        if {name for name in p.wanted if p.wanted[name] != p.now[name]} <= {"status"}:
            by_status.setdefault(p.wanted["status"], []).append(p.row.id)
        else:
            apply_state(connection, p.row, p.now, p.wanted, vectors.get(p.row.id), mark, book)
    for status, ids in by_status.items():
        for start in range(0, len(ids), 500):
            part = passages.c.id.in_(ids[start : start + 500])
            connection.execute(update(passages).where(part).values(status=status, changed=mark))
