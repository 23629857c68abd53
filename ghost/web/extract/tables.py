"""Tables of figures: each value with its row and its columns, whatever cells were merged.

A passage is read without the rows above it, so the names of the columns stand in every line. Tables that only arrange
a page are left as they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from ghost.text import normalise
from ghost.web.extract.html import INLINE, Node, attribute, elements, text_within
from ghost.web.extract.vocabulary import words

CELL_CHARS = 400
"""A cell with more text than that is part of a page's layout, not of its figures."""
GROUP_CHARS = 80
"""A row of one cell with more text than this is a note, not the name of the rows below it."""
MAX_ROWS = 2_000
MAX_CELLS = 50
MAX_HEADS = 3
MAX_CHARS = 200_000
"""Of a table, eight for each place in it and those of its cell: a merged cell may claim a thousand places."""
MAX_SETTLED = 15_000
"""Cells of a page's tables that are written anew."""
LINK_SHARE = 0.7
_IN_LINE = INLINE | frozenset("img hi ref graphic".split())
_CELLS = ("td", "th", "cell")
_TOTALS = words("tables", "totals")
_GOES_ON = tuple(",;:/–-(.!?")
_CONTINUES = tuple(",;:/–)(.%")


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """One cell as written; where it is merged it stands in several places of the grid."""

    text: str
    heading: bool


_EMPTY = _Cell("", heading=False)
_Grid = list[list[_Cell]]


@dataclass(frozen=True, slots=True)
class _Figures:
    caption: str
    head: list[str]
    """A name for each column; empty where there are none."""
    rows: list[list[str]]
    cut: bool
    """Whether the table goes on."""


def settle_tables(tree: Node) -> bool:
    """Write each table of figures as a plain grid with one head row; whether the end of one is left out.

    The extraction of the main text joins the lines of a cell, drops its lists, and leaves merged cells empty.
    """
    inside: set[Node] = set()
    left, cut = MAX_SETTLED, False
    for table in list(elements(tree, "table")):
        found = None if table in inside else _figures(table)
        if found is None or (not found.head and _is_of_links(table)):
            continue
        cut = cut or found.cut
        left -= sum(map(len, found.rows))
        if left < 0:  # it stays as it is, and is read up to the same limits
            continue
        inside.update(table.iter("table"))
        del table[:]
        table.text = None
        if found.caption:
            _add_row(table, [found.caption], "td")
        if found.head:
            _add_row(table, found.head, "th")
        for row in found.rows:
            _add_row(table, row, "td")
    return cut


def table_rows(table: Node) -> list[str]:
    """A line for each row: ``City: Berlin; Year: 2020``; empty when the table only arranges the page."""
    found = _figures(table, room=2)  # ``settle_tables`` has said what it left out, and added rows and cells of its own
    if found is None:
        return []
    return [line for line in (found.caption, *(_line(row, found.head) for row in found.rows)) if line]


def _add_row(table: Node, texts: Sequence[str], tag: str) -> None:
    row = etree.SubElement(table, "tr")
    for text in texts:
        etree.SubElement(row, tag).text = text


def _is_of_links(table: Node) -> bool:
    size = len(text_within(table, MAX_CHARS))
    return sum(len(text_within(link)) for link in elements(table, "a")) > LINK_SHARE * size


def _figures(table: Node, room: int = 1) -> _Figures | None:
    grid, cut = _grid(table, room)
    caption = next((text_within(c) for c in table if c.tag == "caption"), "")
    if len(grid) > 2 and _is_alone(grid[0]):  # a title over all columns
        caption, grid = caption or grid[0][0].text, grid[1:]
    if len(grid) < 2 or len(grid[0]) < 2 or any(len(cell.text) > CELL_CHARS for row in grid for cell in row):
        return None
    heads = _head_rows(grid)
    if not heads and next(table.iterdescendants("table"), None) is not None:
        return None
    head = [_named(names) for names in zip(*grid[:heads], strict=True)]
    return _Figures(caption, *(_grouped(head, grid[heads:]) if head else ([], [_texts(row) for row in grid])), cut)


def _is_alone(row: Sequence[_Cell]) -> bool:
    """Whether the first cell is all that a row has to say."""
    return bool(row[0].text) and all(cell is row[0] or not cell.text for cell in row)


def _head_rows(grid: _Grid) -> int:
    """How many rows at the top name the columns."""
    heads = 0
    most = 1 if all(cell.heading or not cell.text for row in grid for cell in row) else MAX_HEADS
    for row in grid[: min(most, len(grid) - 1)]:
        if not all(cell.heading or not cell.text for cell in row) or (heads and _is_alone(row)):
            break
        heads += 1
    return heads or int(_is_named_by_words(grid))


def _is_named_by_words(grid: _Grid) -> bool:
    """Whether the first row names columns though only the first cell of every row is marked as a head."""
    headed = len(grid[0]) > 2 and all(row[0].heading for row in grid)
    figures = [[any(c.isdigit() for c in cell.text) for cell in row[1:]] for row in grid]
    return headed and not any(figures[0]) and all(map(any, figures[1:]))


def _named(cells: Sequence[_Cell]) -> str:
    """The name of a column below each other in several head rows: ``Women Dead``."""
    return " ".join(dict.fromkeys(cell.text for cell in cells if cell.text))


def _texts(row: Sequence[_Cell]) -> list[str]:
    """The texts of a row without column heads, a merged cell once."""
    return [cell.text if place == 0 or cell is not row[place - 1] else "" for place, cell in enumerate(row)]


def _grouped(head: list[str], grid: _Grid) -> tuple[list[str], list[list[str]]]:
    """The rows below a head; a row of a single merged cell names the rows below it, or is a note.

    Such cells get a column of their own, which has no name. A head that is repeated says nothing new.
    """
    rows: list[list[str]] = []
    group = ""
    for place, row in enumerate(grid):
        texts = [cell.text for cell in row]
        if texts == head:
            continue
        last = place + 1 == len(grid)
        if len(set(row)) > 1:
            rows.append(["" if last and _TOTALS.intersection(texts[0].lower().split()) else group, *texts])
        elif not last and len(texts[0]) <= GROUP_CHARS and not texts[0].endswith("."):
            group = texts[0]
        else:
            rows.append([texts[0], *[""] * len(head)])
    if any(row[0] for row in rows):
        return ["", *head], rows
    return head, [row[1:] for row in rows]


def _line(texts: list[str], head: list[str]) -> str:
    if head:
        return "; ".join(f"{name}: {text}" if name else text for name, text in zip(head, texts, strict=True) if text)
    said = [text for text in texts if text]
    return f"{said[0].removesuffix(':')}: {said[1]}" if len(said) == 2 else "; ".join(said)


def _grid(table: Node, room: int) -> tuple[_Grid, bool]:
    """The cells of a table by row and column, all rows of one length, without those that say nothing; whether cut.

    ``room``: how many times the limits it may have.
    """
    grid: _Grid = []
    carried: dict[int, tuple[_Cell, int]] = {}
    section, size = None, 0
    written = [row for row in table.iterdescendants("tr", "row") if _table_of(row) is table]
    cut = len(written) > room * MAX_ROWS
    for node in written[: room * MAX_ROWS]:
        if node.getparent() is not section:  # no cell is merged beyond its section
            section, carried = node.getparent(), {}
        row, carried, says = _row(node, carried)
        cut = cut or sum(cell.tag in _CELLS for cell in node) > MAX_CELLS
        size += sum(8 + len(cell.text) for cell in row)
        if size > room * MAX_CHARS:
            cut = True
            break
        if says:
            grid.append(row)
    width = max(map(len, grid), default=0)
    rows = [row + [_EMPTY] * (width - len(row)) for row in grid]
    kept = [n for n in range(width) if n == 0 or any(row[n] is not row[n - 1] and row[n] is not _EMPTY for row in rows)]
    return [[row[n] for n in kept] for row in rows], cut


def _table_of(node: Node) -> Node | None:
    return next(node.iterancestors("table"), None)


def _row(node: Node, above: dict[int, tuple[_Cell, int]]) -> tuple[list[_Cell], dict[int, tuple[_Cell, int]], bool]:
    """The cells of a row, what it leaves to the rows below, and whether it says anything itself."""
    row: list[_Cell] = []
    below = {column: (cell, rows - 1) for column, (cell, rows) in above.items() if rows > 1}
    says = False
    for written in node:
        if written.tag not in _CELLS:
            continue
        while len(row) in above:
            row.append(above[len(row)][0])
        cell = _cell(written)
        says = says or bool(cell.text)
        rows = _span(written, "rowspan") or MAX_ROWS
        for _ in range(min(_span(written, "colspan", "span") or 1, MAX_CELLS - len(row))):
            if rows > 1:
                below[len(row)] = (cell, rows - 1)
            row.append(cell)
    for column in sorted(above):
        if column >= len(row):
            row += [_EMPTY] * (column - len(row)) + [above[column][0]]
    return row, below, says


def _span(cell: Node, *names: str) -> int:
    written = next((value for name in names if (value := attribute(cell, name, 40))), "1")
    # Four digits are enough to see that there are too many. Python refuses to convert thousands of them.
    return int(written[:4]) if written.isascii() and written.isdigit() else 1


def _cell(node: Node) -> _Cell:
    marked = node.tag == "th" or node.get("role") == "head" or node.getparent().getparent().tag == "thead"
    lines = [text for line in _lines(node) if (text := normalise(line))]
    heading = marked or (len(lines) == 1 and _is_bold(node, lines[0]))
    text = lines[0] if lines else ""
    for line in lines[1:]:
        goes_on = heading or text.endswith(_GOES_ON) or line.startswith(_CONTINUES) or line[0].islower()
        text += f" {line}" if goes_on else f", {line}"
        if len(text) > CELL_CHARS:
            break
    return _Cell(text, heading)


def _is_bold(node: Node, text: str) -> bool:
    return any(text_within(bold, CELL_CHARS + 1) == text for bold in elements(node, "b", "strong"))


def _lines(cell: Node) -> Iterator[str]:
    """The lines in a cell: what breaks, paragraphs and lists part."""
    parts: list[str] = []
    size = 0
    for event, node in etree.iterwalk(cell, events=("start", "end")):
        if node is not cell and node.tag not in _IN_LINE:
            yield "".join(parts)
            parts.clear()
        if text := node.text if event == "start" else node.tail if node is not cell else None:
            parts.append(text[: CELL_CHARS + 1])
            size += len(text)
        if size > 4 * CELL_CHARS:
            break
    yield "".join(parts)
