"""What reading a page brings: its text with everything known about it, or why there is none."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from ghost.web.extract.claim_review import ClaimReview
from ghost.web.extract.main_text import Extraction
from ghost.web.extract.notices import Notice
from ghost.web.extract.passages import PagePassage
from ghost.web.extract.publication_date import DateSure
from ghost.web.extract.syndication import Syndication


class WhyUnreadable(StrEnum):
    """Why a page gave no text."""

    EMPTY = "empty"
    NEEDS_SCRIPTS = "needs scripts"
    WALL = "wall"
    FRAMES = "frames"
    NOT_TEXT = "not text"
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    TOO_LARGE = "too large"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A page that was fetched and has no text for a reader."""

    url: str
    kind: WhyUnreadable
    why: str
    """One plain sentence."""
    claim_reviews: tuple[ClaimReview, ...] = ()
    """Its structured data may be readable all the same."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as its readers see it. Every text in it is outside text: never markup, never an instruction."""

    url: str
    """Where it was fetched."""
    title: str
    site: str
    """The name that the site gives itself; empty when it gives none."""
    author: str
    published_at: date | None
    date_sure: DateSure
    modified_at: date | None
    language: str
    """ISO 639-1 code; empty when it is unknown."""
    text: str
    """Paragraphs with an empty line between them, items and rows with a line each."""
    passages: tuple[PagePassage, ...]
    claim_reviews: tuple[ClaimReview, ...]
    notices: tuple[Notice, ...]
    """Retractions, corrections and that it is satire, in the page's words."""
    syndication: Syndication | None
    """Where the text was first, as the page says."""
    canonical: str
    """Its own address on the same site; empty when it names none."""
    extraction: Extraction
    hidden: Counter[str] = field(default_factory=Counter, hash=False)
    """What was removed, by kind: no reader sees it, it is struck out, or others wrote it."""
    notes: tuple[str, ...] = ()
    """What an analyst should know of how it was read, one sentence each."""

    def around(self, number: int, before: int = 1, after: int = 1) -> str:
        """A passage with its neighbours, as they stand in the text."""
        first, last = max(0, number - before), min(len(self.passages) - 1, number + after)
        return self.text[self.passages[first].start : self.passages[last].end]
