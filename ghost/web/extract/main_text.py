"""The main text of a page, by trafilatura, or all that a reader sees where there is none; and that of plain text."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from lxml import etree

from ghost.text import normalise
from ghost.web.extract.blocks import Block, BlockKind, blocks_of
from ghost.web.extract.html import Node, elements

_log = logging.getLogger(__name__)
MIN_CHARS = 100
"""Below this, trafilatura itself would fall back to everything on the page and call it main text."""
SHORT = 400
SHARE = 0.3
"""A main text that is short, and less than this part of what is visible, was cut at the wrong place."""
MIN_SEEN = 40
"""A short main text with more in it than what is visible without advertising has taken the advertising along."""
MAX_ELEMENTS = 20_000
"""Above this a page is not given to the extraction, whose time grows faster than the page."""
_MAX_DEPTH = 120
_MAX_TABLES = 500
"""What trafilatura does with more is in vain: the time it takes grows with the square of their number."""
_ATTRIBUTES = ("data-preloaded", "data-lp-replacement-content")
"""trafilatura reads text from these, which no reader sees."""
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_ITEM = re.compile(r"\s*(?P<mark>[-*•·–]|\(?(?P<number>\d{1,3})[.)])\s+(?=\S)")
_ENDED = (".", "!", "?", ":", ";")
_TITLE_CHARS = 120


class Extraction(StrEnum):
    """How the text of a page was found."""

    MAIN = "main"
    VISIBLE = "visible text"


@dataclass(frozen=True, slots=True)
class MainText:
    """The text of a page in blocks."""

    blocks: Sequence[Block]
    extraction: Extraction
    note: str = ""


def main_text(tree: Node, visible: Sequence[Block]) -> MainText:
    """The main text of what a reader sees; ``visible`` is used where the extraction fails or finds too little."""
    size = sum(1 for _ in elements(tree))
    tables = sum(1 for _ in elements(tree, "table"))
    if size > MAX_ELEMENTS or tables > _MAX_TABLES or _depth(tree) > _MAX_DEPTH:
        note = "The page is built of too many or too deeply nested parts to find its main text."
        return MainText(visible, Extraction.VISIBLE, note)
    blocks = _extracted(tree)
    found, seen = _chars(blocks), _chars(visible)
    if found < MIN_CHARS <= seen or (found < SHORT and (found < seen * SHARE or MIN_SEEN < seen < found)):
        return MainText(visible, Extraction.VISIBLE)
    return MainText(blocks, Extraction.MAIN) if found else MainText(visible, Extraction.VISIBLE)


def _extracted(tree: Node) -> list[Block]:
    for name in _ATTRIBUTES:
        for node in tree.xpath(f"//*[@{name}]"):
            del node.attrib[name]
    extract, config = _trafilatura()
    try:
        document = extract(tree, include_comments=False, include_tables=True, with_metadata=False, config=config)
    except Exception as error:  # whatever a hostile page makes it stumble over, the visible text is still there
        _log.info("Main text could not be extracted: %s", type(error).__name__)
        return []
    return blocks_of(document.body) if document is not None and document.body is not None else []


def _chars(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _depth(tree: Node) -> int:
    depth = deepest = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest - 1


@cache
def _trafilatura() -> Any:
    """Imported when the first page is read: it costs a third of a second. It is never given an address to go to."""
    from trafilatura import bare_extraction
    from trafilatura.settings import use_config

    for name in ("trafilatura", "htmldate", "justext", "readability", "courlan"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # they would write page text to the log
    config = use_config()
    config["DEFAULT"]["MIN_EXTRACTED_SIZE"] = str(MIN_CHARS)
    return bare_extraction, config


def text_blocks(text: str) -> list[Block]:
    """Paragraphs with their hard-wrapped lines joined; lines that begin with a mark are items of a list."""
    found: list[Block] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    for group, paragraph in enumerate(_PARAGRAPH.split(text)):
        for written, marked in _lines_joined(paragraph.split("\n")):
            if said := normalise(written):
                found.append(Block(said, BlockKind.ITEM if marked else BlockKind.PARAGRAPH, group))
    return found


def _lines_joined(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """The lines of a paragraph as they belong together, and whether each is an item, whose mark is left out."""
    marks = [_ITEM.match(line) for line in lines]
    parts: list[str] = []
    last: re.Match[str] | None = None  # of the item that the line before belongs to
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


def _goes_on(before: re.Match[str] | None, mark: re.Match[str] | None) -> bool:
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
