"""What the analyst does to the knowledge base. Each action is a change that can be undone. Nothing is deleted."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from sqlalchemy import Connection

from ghost.errors import ClaimError, StoreError
from ghost.inference import Encoder
from ghost.knowledge import change_log, revisions, undo
from ghost.knowledge.admission import admit
from ghost.knowledge.change_log import Change, State, history_line, new_change, states, write_change, write_lines
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.revisions import Revision, apply_state, text_to_embed
from ghost.knowledge.rows import next_watermark
from ghost.knowledge.storage import set_status
from ghost.records import Database, utc_now
from ghost.types import NewPassage, Status


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of a change that was to be taken back."""

    change: Change
    """The change that took it back, which can be undone itself."""
    left: tuple[str, ...]
    """Passages that were changed again since; they were left as they are."""


class Curation:
    """Edits, retires, restores, merges, and takes any of it back. Safe to use from any thread."""

    def __init__(
        self,
        database: Database,
        encoder: Encoder,
        book: CredibilityBook,
        writing: threading.RLock,
        send: Callable[[], None],
    ) -> None:
        """``writing`` is held while something changes; ``send`` brings the vector index up to date afterwards."""
        self._database = database
        self._encoder = encoder
        self._book = book
        self._writing = writing
        self._send = send

    def revise(self, passage_id: str, wanted: Revision, note: str = "") -> Change | None:
        """Change what a passage says or what is known about it; None when that is what it was.

        Its id stays, and the old text stays in its history and in the runs that used it. Raises ClaimError when the
        text cannot be a passage, StoreError when there is no such passage or another one has this text already. A
        text that looks like an instruction puts the passage into quarantine.
        """
        with self._writing:
            with self._database.read() as connection:
                found = states(connection, [passage_id])
            if not found:
                raise StoreError(f"Nothing was changed: there is no passage {passage_id}.")
            row, now = found[passage_id]
            after, reason = _admitted(wanted, now, note)
            names = [name for name in after if after[name] != now[name]]
            if not names:
                return None
            again = text_to_embed(now, after)
            vector = self._encoder.encode([again])[0] if again is not None else None
            change, at = new_change(), utc_now()
            with self._database.write() as connection:
                apply_state(connection, row, now, after, vector, next_watermark(connection), self._book)
                old, new = ({name: state[name] for name in names} for state in (now, after))
                old_text = now["text"] if "text" in names else ""
                write_lines(connection, [history_line(passage_id, "edited", reason, at, change, old, new, old_text)])
                write_change(connection, change, "edited", reason, 1, at)
            self._send()
            return self._kept(change)

    def retire(self, ids: Sequence[str], note: str = "") -> Change | None:
        """Take passages out of every search without losing them. None when all of them are retired already."""
        return self._set_status(ids, Status.RETIRED, note, new_change())

    def retire_as(self, change: str, ids: Sequence[str], note: str = "") -> Change | None:
        """The same under an id that the caller got from ``new_change`` and has noted before."""
        return self._set_status(ids, Status.RETIRED, note, change)

    def restore(self, ids: Sequence[str], note: str = "") -> Change | None:
        """Bring retired passages back, accept quarantined ones; None when all of them are active already."""
        return self._set_status(ids, Status.ACTIVE, note, new_change())

    def merge(self, kept: str, others: Sequence[str], note: str = "") -> Change | None:
        """Retire duplicates in favour of one passage, which gets their statistics; None when there is nothing to do.

        Raises StoreError when one of them is not there, or the kept one is not active.
        """
        change = new_change()
        with self._writing:
            with self._database.write() as connection:
                merged = revisions.merge(connection, kept, others, note, change, utc_now())
            if not merged:
                return None
            self._send()
            return self._kept(change)

    def undo(self, change: str, passage_id: str = "") -> Undone:
        """Take a change back, for all its passages that were not changed again since, or for one of them only.

        Raises StoreError when there is no such change, it was taken back already, or every passage was changed since.
        """
        back = new_change()
        with self._writing:
            with self._database.read() as connection:
                plan = undo.plan_undo(connection, change, passage_id)
            texts = {p.row.id: text for p in plan.plans if (text := p.text) is not None}
            vectors = dict(zip(texts, self._encoder.encode(list(texts.values())), strict=True)) if texts else {}
            with self._database.write() as connection:
                undo.apply_undo(connection, change, plan, vectors, self._book, back, utc_now())
            self._send()
            return Undone(self._kept(back), plan.left)

    def changes(self, limit: int = 25, offset: int = 0) -> list[Change]:
        """What was done, newest first."""
        with self._database.read() as connection:
            return change_log.page(connection, limit, offset)

    def change(self, change: str) -> Change | None:
        """The change with this id."""
        with self._database.read() as connection:
            return change_log.change_of(connection, change)

    def count(self) -> int:
        """How many changes there are."""
        with self._database.read() as connection:
            return change_log.count(connection)

    def concerned(self, change: str, limit: int = 10) -> list[str]:
        """Ids of the first passages that a change concerned."""
        with self._database.read() as connection:
            return change_log.passages_changed(connection, change, limit)

    def _set_status(self, ids: Sequence[str], status: Status, note: str, change: str) -> Change | None:
        with self._writing:
            with self._database.write() as connection:
                concerned = _with_statistics(connection, list(dict.fromkeys(ids)), status, note, change)
            if not concerned:
                return None
            self._send()
            return self._kept(change)

    def _kept(self, change: str) -> Change:
        with self._database.read() as connection:
            found = change_log.change_of(connection, change)
        assert found is not None
        return found


def _with_statistics(connection: Connection, ids: Sequence[str], status: Status, note: str, change: str) -> int:
    """Set the status, and count anew for those that a restored duplicate was merged into."""
    before = {state["merged_into"] for _, state in states(connection, ids).values()} - {""}
    concerned = set_status(connection, ids, status, note, change, utc_now())
    if status is Status.ACTIVE:
        revisions.recount(connection, before)
    return len(concerned)


def _admitted(wanted: Revision, now: State, note: str) -> tuple[State, str]:
    """What the passage becomes when the door has looked at it again, and the note that goes with it."""
    new = NewPassage(
        status=Status(now["status"]), note=note, **{field.name: getattr(wanted, field.name) for field in fields(wanted)}
    )
    passage = admit(new).passage
    if passage is None:
        raise ClaimError(f"The passage was not changed: {admit(new).reason}.")
    day = passage.published_at
    kept = {name: str(getattr(passage, name)) for name in now if name not in ("merged_into", "published_at")}
    return {**now, **kept, "published_at": day.isoformat() if day else ""}, passage.note
