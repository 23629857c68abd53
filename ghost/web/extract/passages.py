"""The text of a page and its cut into passages that know where they stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from ghost.text import Span, pieces, spans
from ghost.web.extract.blocks import Block, BlockKind

SENTENCES = 3
CHARS = 700
MAX_TEXT = 200_000
"""Characters of text that are kept of a page; what follows is left out and said to be."""
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


@dataclass(frozen=True, slots=True)
class LaidOut:
    """The text of a page with its passages."""

    text: str
    passages: tuple[PagePassage, ...]
    cut: bool
    """Whether the page had more text than is kept."""


def lay_out(blocks: Iterable[Block], limit: int = MAX_TEXT) -> LaidOut:
    """Blocks as one text: an empty line between paragraphs, a line for each item or row."""
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
            if not titled or _tells(text):
                passages += _passages(text, lines, size, len(passages), "" if titled else heading)
            heading = text.replace("\n", " ")[:200] if titled else heading
            parts.append(text)
            size += len(text) + 2
        if cut:
            break
    return LaidOut("\n\n".join(parts), tuple(passages), cut)


def _tells(heading: str) -> bool:
    return len(heading.split()) >= _HEADING_WORDS or len(heading) >= _HEADING_CHARS


def _passages(text: str, lines: Sequence[Block], offset: int, number: int, heading: str) -> list[PagePassage]:
    found: list[PagePassage] = []
    for start, end in _joined(_units(text, lines)):
        place = number + len(found), text[start:end], offset + start, offset + end
        found.append(PagePassage(*place, heading, lines[0].kind is BlockKind.PARAGRAPH))
    return found


def _units(text: str, lines: Sequence[Block]) -> list[Span]:
    """Sentences, or rows: a row is one thing, whatever stops it has."""
    found: list[Span] = []
    start = 0
    for line in lines:
        end = min(start + len(line.text), len(text))
        whole = [(start, end)] if line.kind is BlockKind.ROW else spans(text, start, end)
        found += [piece for a, b in whole for piece in pieces(text, a, b, CHARS)]
        start = end + 1
    return found


def _joined(units: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    count = 0
    for start, end in units:
        if found and count < SENTENCES and end - found[-1][0] <= CHARS:
            found[-1] = (found[-1][0], end)
            count += 1
        else:
            found.append((start, end))
            count = 1
    return found
