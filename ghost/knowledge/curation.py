"""What the analyst does to the knowledge base. Each action is a change that can be undone. Nothing is deleted."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select, update

from ghost.errors import ClaimError, StoreError
from ghost.inference import Encoder
from ghost.knowledge import change_log, revisions
from ghost.knowledge.admission import admit
from ghost.knowledge.change_log import (
    PAGE_CHECK,
    PLAIN,
    Change,
    State,
    can_be_undone,
    change_of,
    new_change,
    replacement_line,
    states,
    write_change,
    write_lines,
)
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.revisions import Revision, apply_state, text_to_embed
from ghost.knowledge.rows import next_watermark
from ghost.knowledge.storage import known_states, set_columns, set_status
from ghost.records import Database, changes, history, utc_now
from ghost.types import Intake, Kind, NewPassage, Status

_TOO_LATE = "Nothing was undone: it was changed again since. Undo the later change first."


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of a change that was to be taken back."""

    change: Change
    """The change that took it back, which can be undone itself."""
    left: tuple[str, ...]
    """Passages that were changed again since; they were left as they are."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What undoing does to one passage."""

    row: Row[Any]
    now: State
    wanted: State
    action: str
    """What is taken back."""


class Curation:
    """Edits, retires, restores, merges, and takes any of it back. Safe to use from any thread."""

    def __init__(
        self, database: Database, encoder: Encoder, book: CredibilityBook, writing: threading.RLock,
        send: Callable[[], None],
    ) -> None:  # fmt: skip
        """``writing`` is held while something changes; ``send`` brings the vector index up to date afterwards."""
        self._database = database
        self._encoder = encoder
        self._book = book
        self._writing = writing
        self._send = send

    def revise(self, passage_id: str, wanted: Revision, note: str = "") -> Change | None:
        """Change what a passage says or what is known about it; None when that is what it was.

        Its id stays, and the old text stays in its history and in the runs that used it. Raises ClaimError when the
        text cannot be a passage, StoreError when there is no such passage, another one has this text already, or
        another process changes the passage at the same time. A text that looks like an instruction puts the passage
        into quarantine.
        """
        with self._writing:
            with self._database.read() as connection:
                found = states(connection, [passage_id])
            if not found:
                raise StoreError(f"Nothing was changed: there is no passage {passage_id}.")
            row, now = found[passage_id]
            after, reason = _admitted(wanted, now, note)
            if after == now:
                return None
            again = text_to_embed(now, after)
            vector = self._encoder.encode([again])[0] if again is not None else None
            change, at = new_change(), utc_now()
            with self._database.write() as connection:
                _check_unchanged({passage_id: now}, states(connection, [passage_id]))
                apply_state(connection, row, now, after, vector, next_watermark(connection), self._book)
                write_lines(connection, [replacement_line(passage_id, "edited", reason, at, change, now, after)])
                write_change(connection, change, "edited", reason, 1, at)
            return self._sent(change)

    def retire(self, ids: Sequence[str], note: str = "") -> Change | None:
        """Take passages out of every search without losing them. None when all of them are retired already."""
        return self._set_status(ids, Status.RETIRED, note, new_change())

    def retire_as(self, change: str, ids: Sequence[str], note: str = "") -> Change | None:
        """The same under an id that the caller got from ``new_change`` and has noted before."""
        return self._set_status(ids, Status.RETIRED, note, change)

    def restore(self, ids: Sequence[str], note: str = "") -> Change | None:
        """Bring retired passages back, accept quarantined ones; None when all of them are active already."""
        return self._set_status(ids, Status.ACTIVE, note, new_change())

    def trust(self, ids: Sequence[str], note: str = "") -> Change | None:
        """Let a verdict rest on what was entered by hand from a source without a rating; None when nothing changes."""
        return self._set_trusted(ids, "yes", note)

    def distrust(self, ids: Sequence[str], note: str = "") -> Change | None:
        """Take ``trust`` back."""
        return self._set_trusted(ids, "", note)

    def merge(self, kept: str, others: Sequence[str], note: str = "") -> Change | None:
        """Retire duplicates in favour of one passage, which gets their statistics; None when there is nothing to do.

        Raises StoreError when one of them is not there, or the kept one is not active.
        """
        change = new_change()
        with self._writing:
            with self._database.write() as connection:
                merged = revisions.merge(connection, kept, others, note, change, utc_now())
            return self._sent(change) if merged else None

    def undo(self, change: str, passage_id: str = "") -> Undone:
        """Take a change back, for all its passages that were not changed again since, or for one of them only.

        Raises StoreError when there is no such change, it was taken back already, or every passage was changed since.
        """
        back = new_change()
        with self._writing:
            with self._database.read() as connection:
                plans, left, whole = _plan_undo(connection, change, passage_id)
            texts = {p.row.id: text for p in plans if (text := text_to_embed(p.now, p.wanted)) is not None}
            vectors = dict(zip(texts, self._encoder.encode(list(texts.values())), strict=True)) if texts else {}
            with self._database.write() as connection:
                _check_unchanged({p.row.id: p.now for p in plans}, states(connection, [p.row.id for p in plans]))
                _undo(connection, plans, vectors, self._book, back)
                if whole:
                    connection.execute(update(changes).where(changes.c.id == change).values(undone_by=back))
                # Undoing an undo does the first change again, which can then be undone once more.
                connection.execute(update(changes).where(changes.c.undone_by == change).values(undone_by=""))
            return Undone(self._sent(back), tuple(left))

    def changes(self, limit: int = 25, offset: int = 0) -> list[Change]:
        """What was done, newest first."""
        with self._database.read() as connection:
            return change_log.page(connection, limit, offset)

    def change(self, change: str) -> Change | None:
        """The change with this id."""
        with self._database.read() as connection:
            return change_of(connection, change)

    def count(self) -> int:
        """How many changes there are."""
        with self._database.read() as connection:
            return change_log.count(connection)

    def concerned(self, change: str, limit: int = 10) -> list[str]:
        """Ids of the first passages that a change concerned."""
        with self._database.read() as connection:
            return change_log.passages_changed(connection, change, limit)

    def _set_status(self, ids: Sequence[str], status: Status, note: str, change: str) -> Change | None:
        ids = list(dict.fromkeys(ids))
        with self._writing:
            with self._database.write() as connection:
                spoken_for = {state["merged_into"] for _, state in states(connection, ids).values()}
                concerned = set_status(connection, ids, status, note, change, utc_now())
                if status is Status.ACTIVE:
                    revisions.recount(connection, spoken_for)
            return self._sent(change) if concerned else None

    def _set_trusted(self, ids: Sequence[str], trusted: str, note: str) -> Change | None:
        change, at, action = new_change(), utc_now(), "trusted" if trusted else "no longer trusted"
        with self._writing:
            with self._database.write() as connection:
                found = known_states(connection, ids)
                concerned = {i: state for i, (_, state) in found.items() if state["trusted"] != trusted}
                if not concerned:
                    return None
                set_columns(connection, list(concerned), trusted=bool(trusted))
                lines = [
                    replacement_line(i, action, note, at, change, state, state | {"trusted": trusted})
                    for i, state in concerned.items()
                ]
                write_lines(connection, lines)
                write_change(connection, change, action, note, len(concerned), at)
            return self._sent(change)

    def _sent(self, change: str) -> Change:
        """The change that was written, once the vector index has it."""
        self._send()
        found = self.change(change)
        assert found is not None
        return found


def _check_unchanged(before: Mapping[str, State], now: Mapping[str, tuple[Any, State]]) -> None:
    """Raise StoreError where another process has changed a passage since it was read."""
    for passage_id, state in before.items():
        if passage_id not in now or now[passage_id][1] != state:
            raise StoreError(
                f"Nothing was changed: passage {passage_id} was changed by somebody else at the same moment. Look at "
                "it again before you repeat your change."
            )


def _admitted(wanted: Revision, now: State, note: str) -> tuple[State, str]:
    """What the passage becomes when the door has looked at it again, and the note that goes with it."""
    details: dict[str, Any] = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
    admission = admit(NewPassage(status=Status(now["status"]), note=note, **details))
    passage = admission.passage
    if passage is None:
        raise ClaimError(f"The passage was not changed: {admission.reason}.")
    day = passage.published_at
    kept = {name: str(getattr(passage, name)) for name in now if name in PLAIN and name not in PAGE_CHECK}
    same = (passage.text, passage.source_url) == (now["text"], now["source_url"])
    # Other words nobody has read at the address, or compared with it.
    read = same and passage.kind is Kind.EXCERPT
    kept["intake"], kept["text_hash"] = (now["intake"], now["text_hash"]) if read else (Intake.ENTERED.value, "")
    kept |= {} if same else dict.fromkeys(PAGE_CHECK, "")
    more = {"published_at": day.isoformat() if day else "", "trusted": "yes" if passage.trusted else ""}
    return {**now, **kept, **more}, passage.note


def _plan_undo(connection: Connection, change: str, only: str) -> tuple[list[_Plan], list[str], bool]:
    """How a change can be taken back, what was changed again since, and whether it counts as taken back then.

    With ``only`` it is taken back for this passage. Raises StoreError when it cannot be.
    """
    kept = change_of(connection, change)
    if kept is None:
        raise StoreError("Nothing was undone: there is no such change.")
    if kept.undone_by:
        raise StoreError("Nothing was undone: this change was taken back already.")
    query = select(history).where(history.c.change == change, history.c.before != "").order_by(history.c.id)
    lines = connection.execute(query.where(history.c.passage_id == only) if only else query).all()
    found = states(connection, [line.passage_id for line in lines])
    plans, left = [], []
    for line in lines:
        row, now = found[line.passage_id]
        if can_be_undone(line.action, json.loads(line.after), now):
            plans.append(_Plan(row, now, now | json.loads(line.before), line.action))
        else:
            left.append(line.passage_id)
    if not plans:
        raise StoreError(_TOO_LATE)
    return plans, left, not only or kept.passages == 1


def _undo(
    connection: Connection, plans: Sequence[_Plan], vectors: Mapping[str, np.ndarray], book: CredibilityBook, back: str
) -> None:
    """Do what was planned, as the change ``back``. ``vectors``: by passage id, of texts read anew.

    Raises StoreError when something has changed since the plan was made.
    """
    current = states(connection, [p.row.id for p in plans])
    if any(current[p.row.id][1] != p.now for p in plans):
        raise StoreError(_TOO_LATE)
    mark, at = next_watermark(connection), utc_now()
    by_status: dict[str, list[str]] = {}
    for p in plans:
        if p.wanted == p.now | {"status": p.wanted["status"]}:
            by_status.setdefault(p.wanted["status"], []).append(p.row.id)
        else:
            apply_state(connection, p.row, p.now, p.wanted, vectors.get(p.row.id), mark, book)
    for status, ids in by_status.items():
        set_columns(connection, ids, status=status)
    write_lines(
        connection,
        [replacement_line(p.row.id, "undone", f"took back: {p.action}", at, back, p.now, p.wanted) for p in plans],
    )
    actions = ", ".join(sorted({p.action for p in plans}))
    write_change(connection, back, "undone", f"took back: {actions}", len(plans), at)
    revisions.recount(connection, {s["merged_into"] for p in plans for s in (p.now, p.wanted)})
