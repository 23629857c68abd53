"""Blocks of a page that is plain text."""

import re

from ghost.sentences import normalise
from ghost.web.lines import Block, BlockKind

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_ITEM = re.compile(r"\s*(?:[-*•·–]|\(?\d{1,3}[.)])\s+(?=\S)")
_TITLE_CHARS = 120


def text_blocks(text: str) -> list[Block]:
    """Paragraphs with their hard-wrapped lines joined; lines that begin with a mark are items of a list."""
    found: list[Block] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    for group, paragraph in enumerate(_PARAGRAPH.split(text)):
        lines: list[tuple[str, bool]] = []
        for line in paragraph.split("\n"):
            item = _ITEM.match(line)
            if item or not lines:
                lines.append((line[item.end() :] if item else line, bool(item)))
            else:
                lines[-1] = (f"{lines[-1][0]} {line}", lines[-1][1])
        for written, marked in lines:
            if said := normalise(written):
                found.append(Block(said, BlockKind.ITEM if marked else BlockKind.PARAGRAPH, group))
    return found


def title_of(blocks: list[Block]) -> str:
    """The first line when it looks like a title: short, and not a sentence."""
    first = blocks[0].text if len(blocks) > 1 else ""
    return first if len(first) <= _TITLE_CHARS and not first.endswith((".", "!", "?", ":", ",", ";")) else ""
