"""CSV as spreadsheets and databases write it."""

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ghost.knowledge.packs.fields import OURS, guess, key
from ghost.knowledge.packs.values import PackError, Problem
from ghost.text import unguarded

Columns = dict[str, str]
DELIMITERS = (",", ";", "\t", "|")
MAX_COLUMNS = 200
_MARKS = frozenset({"id", "credibility", "indexed_at"})
"""Columns by which an export of ours is known: only there an apostrophe before a formula is a guard and no text."""


class Table:
    """The header and the rows of a CSV file."""

    def __init__(
        self,
        text: str,
        columns: Mapping[str, str] | None = None,
        guess: Callable[[Iterable[str]], Columns] = guess,
        marks: Collection[str] = _MARKS,
    ) -> None:
        """``columns`` says which column has which field; without it ``guess`` takes the header. Raises PackError.

        A table with all columns in ``marks`` was written by us: the apostrophes that guard its cells are taken away.
        """
        self._guess = guess
        self._marks = frozenset(marks)
        self._delimiter = self._separator(text)
        self._text = text
        self.header = tuple(next((cells for _, cells in self._rows() if isinstance(cells, list) and any(cells)), []))
        if len(self.header) > MAX_COLUMNS:
            raise PackError(f"The first line has {len(self.header):,} columns. This is not a table of passages.")
        self.columns = {f: c for f, c in (columns or guess(self.header)).items() if c in self.header}
        if "text" not in self.columns and columns is None and len(self.header) == 1 and len(self.header[0]) > 30:
            raise PackError(
                "The first line should name the columns, but it is a text itself. Nothing was imported. Write a line "
                "with the word text above it."
            )

    @property
    def unused(self) -> tuple[str, ...]:
        """Columns that nothing is taken from and that are not our own figures."""
        taken = set(self.columns.values())
        return tuple(c for c in self.header if c.strip() and c not in taken and key(c).replace(" ", "_") not in OURS)

    def rows(self) -> Iterator[tuple[int, dict[str, str] | Problem]]:
        """Number and values of each row that is not blank, or what is wrong with it."""
        places = {f: self.header.index(c) for f, c in self.columns.items()}
        ours = {key(c).replace(" ", "_") for c in self.header} >= self._marks
        first = True
        for number, cells in self._rows():
            if isinstance(cells, Problem):
                yield number, cells
                continue
            if not any(cell.strip() for cell in cells):
                continue
            if first:
                first = False
                continue
            if len(self.header) == 1:  # a list of sentences, whose commas separate nothing
                cells = [self._delimiter.join(cells)]
            if len(cells) > len(self.header) and any(cell.strip() for cell in cells[len(self.header) :]):
                more = f"has {len(cells)} cells where the header has {len(self.header)}: is a quotation mark missing?"
                yield number, Problem(number, "", more, self._delimiter.join(cells)[:80])
                continue
            yield (
                number,
                {f: unguarded(cells[at]) if ours else cells[at] for f, at in places.items() if at < len(cells)},
            )

    def _rows(self) -> Iterator[tuple[int, list[str] | Problem]]:
        # Strict, because otherwise a cell with a wrong quotation mark would be taken in with half of its neighbour.
        reader = csv.reader(io.StringIO(self._text, newline=""), delimiter=self._delimiter, strict=True)
        number = 0
        while True:
            number += 1
            try:
                yield number, next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                why = "has a cell that is too long" if "field larger" in str(error) else f"is not CSV ({error})"
                yield number, Problem(number, "", f"{why}: is a quotation mark missing or not doubled?")

    def _separator(self, text: str) -> str:
        """What separates the columns, by the first line that is not blank."""
        line = next((line for line in text.splitlines() if line.strip()), "")[:10_000]
        if line.lower().startswith("sep=") and len(line) == 5:
            raise PackError("The first line is sep=…, which only Excel knows. Delete it and choose the file again.")

        def fit(delimiter: str) -> tuple[int, int]:
            try:
                cells = next(csv.reader([line], delimiter=delimiter), [])
            except csv.Error:
                return 0, 0
            return len(self._guess(cells)), len(cells)

        return max(DELIMITERS, key=fit)
