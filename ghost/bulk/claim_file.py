"""A list of claims of any length, read row by row: CSV, JSON lines or Parquet."""

import csv
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ghost.bulk.csv_rows import LONGEST_ROW, csv_rows
from ghost.errors import ClaimError
from ghost.jobs import CLAIM_HEADS, Row, Sheet, read_sheet
from ghost.text import decode_file

SAMPLE_BYTES = 48_000
"""The beginning of a file, from which its delimiter and its columns are told."""
SAMPLE_LINES = 2
"""Lines that belong to it in any case."""
ROWS = 1_000
"""Rows of a Parquet file that are in memory at a time."""
MOST_CUTS = 30
"""How many lines are taken off a beginning that ends within a quoted cell."""
_ID, _MARK = "id", "\ufeff"


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One row of the list."""

    line: int
    """Its number, from 1; in a CSV the line of the file where it starts."""
    id: str
    """From the column ``id``, else the number."""
    text: str
    problem: str = ""
    """Why the row cannot be read; it has no text then."""


class ClaimFile:
    """The file with the claims. Nothing of it stays in memory."""

    def __init__(self, path: Path, column: str = "", encoding: str = "") -> None:
        """``column`` names the one with the claims; empty finds it by its name or its sentences.

        Raises ClaimError when the file or the column cannot be used.
        """
        self.path = path
        self.encoding = encoding
        """As it was named; empty where it is found out."""
        try:
            self._kind = {".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(path.suffix.lower(), "csv")
            with path.open("rb") as file:
                self._sample = file.read(SAMPLE_BYTES)
                if self._sample.count(b"\n") < SAMPLE_LINES:  # of very many columns
                    self._sample += b"".join(file.readline(LONGEST_ROW) for _ in range(SAMPLE_LINES))
                self._cut = bool(file.read(1))
        except OSError as error:
            raise ClaimError(f"{path} cannot be read: {error.strerror or error}.") from error
        if not self._sample.strip():
            raise ClaimError(f"{path} is empty: there is no claim in it.")
        self._sheet = self._sampled() if self._kind == "csv" else None
        self.columns = self._names()
        self.column = self._chosen(column)

    @property
    def sha256(self) -> str:
        """Of the whole file, as it is now. Raises ClaimError when it cannot be read."""
        try:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ClaimError(f"{self.path} cannot be read: {error.strerror or error}.") from error

    def rows(self) -> Iterator[ClaimRow]:
        """All rows that are not blank, in their order. Raises ClaimError where reading cannot go on."""
        match self._kind:
            case "parquet":
                yield from self._of_values(enumerate(self._parquet(), start=1))
            case "jsonl":
                yield from self._json_lines()
            case _:
                yield from self._csv()

    def _sampled(self) -> Sheet:
        sample, cut = self._sample, self._cut
        for _ in range(MOST_CUTS):
            sample = sample[: sample.rstrip(b"\r\n").rfind(b"\n") + 1] if cut else sample
            try:
                return read_sheet(sample, self.path.name, encoding=self.encoding)
            except ClaimError:
                if not cut:
                    raise
        return read_sheet(sample, self.path.name, encoding=self.encoding)

    def _names(self) -> tuple[str, ...]:
        if self._sheet:
            return self._sheet.head
        if self._kind == "parquet":
            return tuple(self._opened().schema_arrow.names)
        found = _json(next((line for line in self._lines() if line.strip()), ""))
        return tuple(found) if isinstance(found, dict) else ("claim",)

    def _chosen(self, wanted: str) -> str:
        if wanted:
            named = next((name for name in self.columns if name.lower() == wanted.lower()), None)
            if named is None:
                raise ClaimError(f"There is no column {wanted!r}. There are: {', '.join(self.columns)}.")
            return named
        if self._sheet:
            found = self._sheet.claim_column
            if found is not None:
                return self.columns[found]
        known = {"".join(c for c in name.casefold() if c.isalnum()): name for name in reversed(self.columns)}
        for head in CLAIM_HEADS:
            if head in known and not self._sheet:
                return known[head]
        if len(self.columns) == 1:
            return self.columns[0]
        raise ClaimError(f"Name the column of the claims with --column: {', '.join(self.columns)}.")

    def _csv(self) -> Iterator[ClaimRow]:
        assert self._sheet
        place = self.columns.index(self.column)
        ids = next((n for n, name in enumerate(self.columns) if name.lower() == _ID and n != place), None)
        if self._sheet.delimiter:
            lines: Iterator[tuple[int, Sequence[str] | None]] = csv_rows(self._lines(), self._sheet.delimiter)
        else:
            lines = ((n, [line.rstrip("\r\n")]) for n, line in enumerate(self._lines(), start=1))
        headed = self._sheet.has_head
        for number, cells in lines:
            if cells is None:
                most = f"{csv.field_size_limit():,}"
                yield ClaimRow(number, str(number), "", f"The line has a cell of more than {most} characters.")
                continue
            if not any(cell.strip() for cell in cells) or (number == 1 and _names_delimiter(cells)):
                continue
            if headed:
                headed = False
                continue
            text = cells[place] if place < len(cells) else ""
            named = cells[ids].strip() if ids is not None and ids < len(cells) else ""
            yield ClaimRow(number, _id(named or number), text)

    def _json_lines(self) -> Iterator[ClaimRow]:
        for number, line in enumerate(self._lines(), start=1):
            if not line.strip():
                continue
            found = _json(line)
            if isinstance(found, str):
                yield ClaimRow(number, str(number), found)
            elif isinstance(found, dict):
                yield from self._of_values([(number, found)])
            else:
                yield ClaimRow(number, str(number), "", "The line is neither a JSON object nor a JSON string.")

    def _lines(self) -> Iterator[str]:
        """The lines with their ends, without the mark that a file may begin with."""
        try:
            with self.path.open(encoding=self._codec(), newline="") as file:
                if file.read(1) != _MARK:
                    file.seek(0)
                yield from file
        except (OSError, UnicodeDecodeError) as error:
            raise ClaimError(
                f"{self.path} cannot be read: {error}. Name its encoding with --encoding, or save it as UTF-8."
            ) from error

    def _codec(self) -> str:
        """The encoding; where the beginning is the same in all of them, what comes later decides."""
        sample = self._sample
        if sample.isascii() and b"\0" not in sample:
            with self.path.open("rb") as file:
                pieces = iter(lambda: file.read(SAMPLE_BYTES) + file.readline(LONGEST_ROW), b"")
                sample = next((piece for piece in pieces if not piece.isascii()), sample)
        elif self._cut:
            sample = sample[: sample.rfind(b"\n") + 1] or sample
        try:
            return decode_file(sample, self.encoding).encoding
        except ValueError as error:
            raise ClaimError(f"{self.path} cannot be read: {error}") from error

    def _of_values(self, rows: Any) -> Iterator[ClaimRow]:
        for number, values in rows:
            text, named = values.get(self.column), values.get(_ID)
            if text is not None and not isinstance(text, str):
                text, problem = "", "The claim is not a text."
            else:
                problem = ""
            yield ClaimRow(number, _id(number if named is None else named), text or "", problem)

    def _parquet(self) -> Iterator[Mapping[str, Any]]:
        import pyarrow

        names = [name for name in self.columns if name in (self.column, _ID)]
        try:
            for batch in self._opened().iter_batches(ROWS, columns=names):
                columns = {name: batch.column(batch.schema.names.index(name)) for name in names}
                for row in range(batch.num_rows):
                    yield {name: _value(column[row]) for name, column in columns.items()}
        except (OSError, pyarrow.ArrowException) as error:
            raise ClaimError(f"{self.path} is damaged, or of a kind that cannot be read: {error}") from error

    def _opened(self) -> Any:
        import pyarrow
        import pyarrow.parquet as parquet

        try:
            return parquet.ParquetFile(self.path)
        except (OSError, pyarrow.ArrowException) as error:
            raise ClaimError(f"{self.path} is not a Parquet file that can be read: {error}.") from error


def _id(named: Any) -> str:
    """An id as it can be stored: half characters, which JSON can spell, become question marks."""
    return str(named).encode("utf-8", "replace").decode()


def _value(cell: Any) -> Any:
    """A cell of a Parquet file; the bytes where it says that it is a text and is none."""
    try:
        return cell.as_py()
    except UnicodeDecodeError as error:
        return error.object


def _names_delimiter(cells: Sequence[str]) -> bool:
    """Whether this is the line ``sep=;``, Excel's own way to name the delimiter."""
    return cells[0].strip().lower().startswith("sep=")


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # the second for very deep nesting
        return None


def item_row(row: ClaimRow) -> Row:
    """The row as ``claims_of`` takes it."""
    return Row(row.line, (row.text,) if row.text.strip() else ("",), row.problem)
