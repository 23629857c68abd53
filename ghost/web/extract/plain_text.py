"""Blocks of a page that is plain text."""

import re
from collections.abc import Iterator

from ghost.text import normalise
from ghost.web.extract.blocks import Block, BlockKind

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_ITEM = re.compile(r"\s*(?P<mark>[-*•·–]|\(?(?P<number>\d{1,3})[.)])\s+(?=\S)")
_ENDED = (".", "!", "?", ":", ";")
_TITLE_CHARS = 120

Mark = re.Match[str]


def text_blocks(text: str) -> list[Block]:
    """Paragraphs with their hard-wrapped lines joined; lines that begin with a mark are items of a list."""
    found: list[Block] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    for group, paragraph in enumerate(_PARAGRAPH.split(text)):
        for written, marked in _joined(paragraph.split("\n")):
            if said := normalise(written):
                found.append(Block(said, BlockKind.ITEM if marked else BlockKind.PARAGRAPH, group))
    return found


def _joined(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """The lines of a paragraph as they belong together, and whether each is an item, whose mark is left out."""
    marks = [_ITEM.match(line) for line in lines]
    parts: list[str] = []
    last: Mark | None = None  # of the item that the line before belongs to
    for at, (line, mark) in enumerate(zip(lines, marks, strict=True)):
        after = marks[at + 1] if at + 1 < len(lines) else None
        ended = not parts or parts[-1].rstrip().endswith(_ENDED)
        if mark and (ended or _goes_on(last, mark) or _goes_on(mark, after)):
            if parts:
                yield " ".join(parts), last is not None
            parts, last = [line[mark.end() :]], mark
        else:
            parts.append(line)
    yield " ".join(parts), last is not None


def _goes_on(before: Mark | None, mark: Mark | None) -> bool:
    """Whether two marks are of one list. A number at the start of a wrapped line is not: "about / 600. It was"."""
    if before is None or mark is None:
        return False
    if before["number"] and mark["number"]:
        return int(mark["number"]) == int(before["number"]) + 1
    return before["mark"] == mark["mark"]


def title_of(blocks: list[Block]) -> str:
    """The first line when it looks like a title: short, and not a sentence."""
    first = blocks[0].text if len(blocks) > 1 else ""
    return first if len(first) <= _TITLE_CHARS and not first.endswith((".", "!", "?", ":", ",", ";")) else ""
