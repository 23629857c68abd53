"""Keeping what came of comparing notes with their pages, inside a transaction of the caller."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, update

from ghost.knowledge.change_log import State, replacement_line, states, write_lines
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.revisions import apply_state
from ghost.knowledge.rows import next_watermark
from ghost.knowledge.values import NoteCheck
from ghost.records import passages, to_column
from ghost.types import Intake, NewPassage, PageCheck, Status


def still_hold(checks: Sequence[NoteCheck], now: Mapping[str, tuple[Row[Any], State]]) -> list[NoteCheck]:
    """The checks of notes that still have the words and the address that were compared."""
    said = {i: (state["text"], state["source_url"]) for i, (_, state) in now.items()}
    return [c for c in checks if said.get(c.note) == (c.text, c.source_url)]


def keep_checks(
    connection: Connection, checks: Sequence[NoteCheck], ids: Mapping[NewPassage, str],
    before: Mapping[str, tuple[Row[Any], State]], change: str, book: CredibilityBook, now: datetime,
) -> None:  # fmt: skip
    """Store the outcomes with their notes. ``ids`` are those of the excerpts, ``before`` is what the notes were.

    A note with the very words of its page has become an excerpt by now, which is taken back with the rest.
    """
    current, mark = states(connection, list(before)), next_watermark(connection)
    lines = []
    for check in checks:
        row, state = current[check.note]
        found = (i for e in check.excerpts if (i := ids.get(e, "")) and i != check.note)
        outcome = {"page_check": check.outcome.value, "page_checked": check.day, "page_excerpts": " ".join(found)}
        read_before = before[check.note][1]["intake"] != Intake.ENTERED.value
        if read_before:  # it stays, with a new day, or is over
            outcome = {} if check.outcome is PageCheck.FOUND else {"status": Status.RETIRED.value}
            if not outcome:
                read_now = update(passages).where(passages.c.id == check.note)
                connection.execute(read_now.values(retrieved_at=to_column(now)))
        apply_state(connection, row, state, state | outcome, None, mark, book)
        why = f"{check.outcome.value}: {check.why}"
        lines.append(replacement_line(check.note, "checked", why, now, change, before[check.note][1], state | outcome))
    write_lines(connection, lines)
