"""The text of a tree as blocks: paragraphs, headings, items of lists and rows of tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ghost.text import normalise
from ghost.web.extract.boilerplate import is_boilerplate, mostly_links
from ghost.web.extract.html import MAX_DEPTH, Node, text_within


class BlockKind(StrEnum):
    """What a block is on its page."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """One line of text that belongs together."""

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    group: int = 0
    """Blocks that follow one another and have one group (a list, a table, lines of an address) are read together."""


_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 head title caption figcaption".split())
_ITEMS = frozenset("li item dt dd".split())
_TERM, _DEFINITION = "dt", "dd"
_LISTS = frozenset("ul ol dl list table".split())
_BREAKING = frozenset(
    """
address article aside blockquote body center details dialog div fieldset figure footer form header hr html legend main
menu nav noframes option p pre quote row section select summary tbody td th thead tr cell
""".split()
)
_BREAKS = frozenset(("br", "lb"))
_NEVER = frozenset("script style template noscript iframe object embed svg math canvas audio video input".split())
MAX_BLOCKS = 20_000


def blocks_of(root: Node, drop_boilerplate: bool = False) -> list[Block]:
    """The blocks of a page's body or of what was extracted of it; without navigation, advertising and such if asked.

    Walks without recursion, so that no nesting of a page is too deep for it.
    """
    reader = _Reader(drop_boilerplate, sum(map(len, root.itertext())) if drop_boilerplate else 0)
    _walk(root, reader)
    reader.flush()
    return reader.blocks


class _Reader:
    """Gathers text until its block ends."""

    def __init__(self, drop_boilerplate: bool, page_chars: int) -> None:
        self.drop_boilerplate = drop_boilerplate
        self.page_chars = page_chars
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._linked = 0
        self._links = 0
        self._kinds = [BlockKind.PARAGRAPH]
        self._lists = 0
        self._group = 0
        self._soft = False
        self._role = ""
        self._term = False
        """Whether the last block is a term that waits for its definition."""

    def say(self, text: str | None) -> None:
        if text:
            self._parts.append(text)
            if self._links:
                self._linked += len(text.strip())

    def open(self, tag: str) -> None:
        """An element begins; ``dt`` and ``dd`` also by the names that trafilatura gives them."""
        if tag in _ITEMS or tag in _LISTS:
            self.flush()
            self._role = tag
        if tag == "a":
            self._links += 1
        if tag in _HEADINGS or tag in _ITEMS or tag in _LISTS or tag in _BREAKING:
            self.flush()
            kind = BlockKind.HEADING if tag in _HEADINGS else BlockKind.ITEM if tag in _ITEMS else self._kinds[-1]
            self._kinds.append(BlockKind.PARAGRAPH if tag in ("td", "th", "cell") else kind)
        if tag in _LISTS:
            self._group += self._lists == 0
            self._lists += 1

    def close(self, tag: str) -> None:
        if tag == "a":
            self._links -= 1
        if tag in _HEADINGS or tag in _ITEMS or tag in _LISTS or tag in _BREAKING:
            self.flush()
            self._kinds.pop()
        if tag in _LISTS:
            self._lists -= 1
            self._group += self._lists == 0

    def line_break(self) -> None:
        """Two breaks end a paragraph, one ends a line, unless the line goes on in the middle of its sentence."""
        if self._soft and not "".join(self._parts).strip():
            self._group += self._lists == 0
            return
        self.flush(soft=True)
        self._soft = True

    def rows(self, lines: Iterable[str]) -> None:
        self.flush()
        self._group += 1
        self.blocks += [Block(text, BlockKind.ROW, self._group) for line in lines if (text := normalise(line))]
        self._group += 1

    def flush(self, soft: bool = False) -> None:
        raw = "".join(self._parts)
        self._parts.clear()
        linked, self._linked = self._linked, 0
        text = normalise(raw)
        if not text:
            return
        kind = self._kinds[-1]
        if self.drop_boilerplate and mostly_links(text, linked):
            return
        last = self.blocks[-1] if self.blocks else None
        if self._term and last and self._role == _DEFINITION:
            kind, text = BlockKind.ROW, f"{last.text.removesuffix(':')}: {text}"
            self.blocks.pop()
        self._term = self._role == _TERM
        if self._soft and last and last.group == self._group and _goes_on(last.text, text):
            self.blocks[-1] = Block(f"{last.text} {text}", last.kind, last.group)
        else:
            self.blocks.append(Block(text, kind, self._group))
        self._soft = soft
        if not soft and not self._lists:
            self._group += 1


def _role(node: Node) -> str:
    rend = node.get("rend") or "" if node.tag == "item" else ""
    return rend[:2] if rend.startswith((_TERM, _DEFINITION)) else str(node.tag)


def _goes_on(before: str, after: str) -> bool:
    return before[-1] not in ".!?:;…。！？" and after[:1].islower()


def _walk(root: Node, reader: _Reader) -> None:
    reader.open(root.tag)
    reader.say(root.text)
    stack: list[tuple[Node, Iterator[Node]]] = [(root, iter(root))]
    while stack and len(reader.blocks) < MAX_BLOCKS:
        node, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            reader.close(node.tag)
            if stack:
                reader.say(node.tail)
        elif not isinstance(child.tag, str) or child.tag in _NEVER:
            reader.say(child.tail)
        elif child.tag in _BREAKS:
            reader.line_break()
            reader.say(child.tail)
        elif (reader.drop_boilerplate and is_boilerplate(child, reader.page_chars)) or len(stack) > MAX_DEPTH:
            reader.flush()
            reader.say(child.tail)
        elif child.tag == "table" and (lines := table_rows(child)):
            reader.rows(lines)
            reader.say(child.tail)
        else:
            reader.open(_role(child))
            reader.say(child.text)
            stack.append((child, iter(child)))


CELL_CHARS = 400
"""A cell with more text than that is part of a page's layout, not of its figures."""
MAX_ROWS = 2_000
MAX_CELLS = 50

Cell = tuple[str, bool]
"""The text of a cell, and whether it is a heading."""


def table_rows(table: Node) -> list[str]:
    """A line for each row: ``City: Berlin; Year: 2020``; empty when the table only arranges the page.

    The names of the columns stand in every line, because a passage is read without the rows above it.
    """
    grid = [cells for cells in map(_cells, _rows(table)) if any(text for text, _ in cells)]
    caption = next((text_within(c) for c in table if c.tag == "caption"), "")
    if len(grid) > 2 and len(named := [text for text, _ in grid[0] if text]) == 1:  # a title over all columns
        caption, grid = caption or named[0], grid[1:]
    widest = max(map(len, grid), default=0)
    if len(grid) < 2 or widest < 2 or any(len(text) > CELL_CHARS for cells in grid for text, _ in cells):
        return []
    head = _head(grid)
    lines = [_line(cells, head) for cells in (grid[1:] if head else grid)]
    return [line for line in (caption, *lines) if line]


def _rows(table: Node) -> list[Node]:
    """The rows of the table; none when it has another in it, which is layout."""
    if next(iter(table.iterdescendants("table")), None) is not None:
        return []
    return list(table.iterdescendants("tr", "row"))[:MAX_ROWS]


def _cells(row: Node) -> list[Cell]:
    found: list[Cell] = []
    for cell in row:
        if cell.tag in ("td", "th", "cell"):
            heading = cell.tag == "th" or cell.get("role") == "head"
            text = text_within(cell, CELL_CHARS + 1)
            found += [(text, heading)] * _span(cell)
    return found[:MAX_CELLS]


def _span(cell: Node) -> int:
    written = (cell.get("colspan") or cell.get("span") or "1").strip()
    # Three digits are enough to see that there are too many. Python refuses to convert thousands of them.
    return min(int(written[:3]), MAX_CELLS) if written.isascii() and written.isdigit() and int(written[:3]) else 1


def _head(grid: list[list[Cell]]) -> list[str]:
    """The names of the columns, if the first row has them."""
    first = grid[0]
    named = [text for text, heading in first if heading or not text]
    return [text for text, _ in first] if len(named) == len(first) and any(t for t, _ in first) else []


def _line(cells: list[Cell], head: list[str]) -> str:
    if head and len(head) == len(cells):
        return "; ".join(
            f"{name}: {text}" if name else text for name, (text, _) in zip(head, cells, strict=True) if text
        )
    texts = [text for text, _ in cells if text]
    if len(texts) == 2:
        return f"{texts[0].removesuffix(':')}: {texts[1]}"
    return "; ".join(dict.fromkeys(texts) if len(cells) > len(texts) else texts)
