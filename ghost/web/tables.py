"""Rows of a table as lines that can be read on their own."""

from ghost.web.tree import Node, text_within

CELL_CHARS = 400
"""A cell with more text than that is part of a page's layout, not of its figures."""
MAX_ROWS = 2_000
MAX_CELLS = 50

Cell = tuple[str, bool]
"""The text of a cell, and whether it is a heading."""


def rows(table: Node) -> list[str]:
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
    # Three digits tell whether there are too many; all of them may be more than Python makes a number of.
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
