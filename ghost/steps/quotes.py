"""What a language model quotes of a page, held against the page: what does not stand there is dropped and counted."""

from dataclasses import dataclass
from typing import Any

from ghost.judges import SourceReading
from ghost.steps.page_text import PageText
from ghost.types import NewPassage, Passage, StanceLabel


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a reading that stand in the page."""

    rows: tuple[tuple[int, Passage, NewPassage], ...]
    """Statement, passage with the quote in it, and the same as it may be admitted."""
    stand: bool
    """Whether to go by it: it found nothing, or something that is there. Else the stance model reads the page."""
    row: dict[str, Any]


def quotes_of(reading: SourceReading, text: PageText) -> Quoted:
    """Each quote with the sentences it stands in, and what the quotes come to for each statement."""
    rows: dict[tuple[int, str], tuple[int, Passage, NewPassage]] = {}
    sides: dict[int, set[str]] = {}
    missing = 0
    for quote in reading.quotes:
        if (made := text.quoted(quote.text)) is None:
            missing += 1
            continue
        rows.setdefault((quote.statement, made[0].id), (quote.statement, *made))
        if quote.stance in (StanceLabel.SUPPORTS, StanceLabel.REFUTES):
            sides.setdefault(quote.statement, set()).add(quote.stance.lower())
    said = {n: next(iter(s)) if len(s) == 1 else "both" for n, s in sides.items()}
    stand = bool(rows) or not missing
    return Quoted(
        tuple(rows.values()),
        stand,
        {
            "by": reading.judge,
            "chunks": reading.chunks,
            "quotes": len(reading.quotes),
            "not_in_page": missing,
            "verdict": {str(number): side for number, side in said.items()},
            **({} if stand else {"replaced": "none of its quotes stands in the page, so the stance model read it"}),
        },
    )
