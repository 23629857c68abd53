"""The rows of a CSV file of any length, of which a wrong quotation mark or too long a cell costs no other line."""

import csv
import itertools
import re
from collections.abc import Iterator, Sequence

from ghost.errors import ClaimError

LONGEST_ROW = 10_000_000
"""Characters within which a row with too long a cell must end; else a quotation mark was never closed."""


def csv_rows(file: Iterator[str], delimiter: str) -> Iterator[tuple[int, Sequence[str] | None]]:
    """The cells of each row with the number of its first line; None for those of a row that has too long a cell.

    Raises ClaimError where it cannot be known which line belongs to which row.
    """
    lines, start = _CsvLines(file), 1
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        cells: Sequence[str] | None = None
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "field larger" not in str(error) or not lines.read_row(delimiter):
                raise _unreadable(start, str(error)) from error
            reader = csv.reader(lines, delimiter=delimiter)
        if cells and len(lines.row) > 1 and (why := _misquoted(lines.row, delimiter)):
            raise _unreadable(start, why)
        yield start, cells
        start, lines.row = start + len(lines.row), []


class _CsvLines:
    """The lines of a file for the csv module, which keeps those of the row that is being read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.row: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.row.append(next(self._lines))
        return self.row[-1]

    def read_row(self, delimiter: str) -> bool:
        """Read on to the end of the row that was begun; False where it has none, or none near."""
        size, open_ = 0, False
        for line in itertools.chain(self.row.copy(), self):
            goes_on = _open_after(line, delimiter, open_)
            if not goes_on:
                return goes_on is False
            size, open_ = size + len(line), True
            if size > LONGEST_ROW:
                break
        return False


def _open_after(line: str, delimiter: str, open_: bool) -> bool | None:
    """Whether a quoted cell goes on after this line, which begins within one where ``open_``; None: it is no CSV."""
    cell = re.compile(rf'"(?:[^"]++|"")*+("?)|[^{re.escape(delimiter)}\r\n]*+')
    text, start = f'"{line}' if open_ else line, 0
    while True:
        found = cell.match(text, start)
        assert found  # it may be empty
        if found[1] == "":
            return True
        start = found.end() + 1
        if (after := text[found.end() : start]) != delimiter:
            return False if after in ("", "\r", "\n") else None


def _misquoted(row: Sequence[str], delimiter: str) -> str:
    """Why a row of several lines is none: a quotation mark too many makes the csv module take lines for one cell."""
    try:
        list(csv.reader(row, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "its quotation mark is never closed" if "unexpected end" in str(error) else str(error)
    return ""


def _unreadable(line: int, why: str) -> ClaimError:
    return ClaimError(f"Line {line:,} cannot be read: {why}. Is there a quotation mark too many?")
