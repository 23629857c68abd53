"""What reading a page brings: its text, cut into passages, with everything known about it, or why there is none."""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import groupby

from ghost.text import Span, pieces, spans
from ghost.types import NO_FRAME, Frame
from ghost.web.extract.blocks import Block, BlockKind
from ghost.web.extract.claim_review import ClaimReview
from ghost.web.extract.dates import DateSure
from ghost.web.extract.main_text import Extraction
from ghost.web.extract.notices import Notice
from ghost.web.extract.page_metadata import Syndication

SENTENCES = 3
CHARS = 700
MAX_TEXT = 200_000
_HEADING_WORDS = 4
_HEADING_CHARS = 20
"""A heading with fewer words and characters ("Background") says nothing by itself. It stays in the text."""


@dataclass(frozen=True, slots=True)
class PagePassage:
    """One to three sentences of a page."""

    number: int
    """Its place among the passages of its page, from 0."""
    text: str
    start: int
    end: int
    """Where it stands: ``page.text[start:end] == text``."""
    heading: str = ""
    """The heading above it; context, not part of the passage."""
    prose: bool = False
    """Running text, each sentence of which may lean on the one before; not a heading, an item or a row."""
    frame: Frame = NO_FRAME
    """What the page says around it."""


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
    claim_reviews: tuple[ClaimReview, ...] = ()
    """Its structured data may be readable all the same."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as its readers see it. Every text in it is outside text: never markup, never an instruction."""

    url: str
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
    syndication: Syndication | None
    canonical: str
    """Its own address on the same site; empty when it names none."""
    extraction: Extraction
    hidden: Counter[str] = field(default_factory=Counter, hash=False)
    """What was removed, by kind: no reader sees it, it is struck out, or others wrote it."""
    notes: tuple[str, ...] = ()

    def around(self, number: int, before: int = 1, after: int = 1) -> str:
        """A passage with its neighbours, as they stand in the text."""
        first, last = max(0, number - before), min(len(self.passages) - 1, number + after)
        return self.text[self.passages[first].start : self.passages[last].end]


def lay_out(blocks: Iterable[Block], limit: int = MAX_TEXT) -> tuple[str, tuple[PagePassage, ...], bool]:
    """Blocks as one text: an empty line between paragraphs, a line for each item or row; its passages; whether cut."""
    parts: list[str] = []
    passages: list[PagePassage] = []
    size, heading, cut = 0, "", False
    for _, together in groupby(blocks, key=lambda b: (b.group, b.kind is BlockKind.HEADING)):
        lines = list(together)
        room = limit - size
        text = "\n".join(line.text for line in lines)
        if len(text) > room:
            text, cut = text[:room].rsplit(" ", 1)[0].rstrip(), True
        if text:
            titled = lines[0].kind is BlockKind.HEADING
            if not titled or len(text.split()) >= _HEADING_WORDS or len(text) >= _HEADING_CHARS:
                passages += _passages(text, lines, size, len(passages), "" if titled else heading)
            heading = text.replace("\n", " ")[:200] if titled else heading
            parts.append(text)
            size += len(text) + 2
        if cut:
            break
    return "\n\n".join(parts), tuple(passages), cut


def _passages(text: str, lines: Sequence[Block], offset: int, number: int, heading: str) -> list[PagePassage]:
    prose = lines[0].kind is BlockKind.PARAGRAPH
    return [
        PagePassage(number + n, text[start:end], offset + start, offset + end, heading, prose, frame)
        for n, ((start, end), frame) in enumerate(_joined(_units(text, lines)))
    ]


def _units(text: str, lines: Sequence[Block]) -> list[tuple[Span, Frame]]:
    """Sentences, or rows, with what stands around them: a row is one thing, whatever stops it has."""
    found: list[tuple[Span, Frame]] = []
    start = 0
    for line in lines:
        end = min(start + len(line.text), len(text))
        whole = [(start, end)] if line.kind is BlockKind.ROW else spans(text, start, end)
        for a, b in whole:
            at = bisect(line.frames, a - start, key=lambda framed: framed[0])
            frame = line.frames[at - 1][1] if at else NO_FRAME
            found += [(piece, frame) for piece in pieces(text, a, b, CHARS)]
        start = end + 1
    return found


def _joined(units: Iterable[tuple[Span, Frame]]) -> list[tuple[Span, Frame]]:
    found: list[tuple[Span, Frame]] = []
    count = 0
    for (start, end), frame in units:
        if found and found[-1][1] == frame and count < SENTENCES and end - found[-1][0][0] <= CHARS:
            found[-1] = ((found[-1][0][0], end), frame)
            count += 1
        else:
            found.append(((start, end), frame))
            count = 1
    return found
