"""A file as text, and its records: CSV as spreadsheets and databases write it, or JSON, a value a line or one list;
and passages on their way out, one after the other, so that they need not all be in memory.
"""

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.transfer.import_file import MAX_IMPORT_BYTES, ImportFileError, RowProblem
from ghost.knowledge.transfer.rows import ALIASES, EXPORT_ONLY, comparable_name, match_columns
from ghost.knowledge.values import EVERYTHING, PassageFilter
from ghost.text import ENCODINGS, csv_pieces, decode_file, end_of_row, guarded, unguarded
from ghost.types import Passage

DELIMITERS = (",", ";", "\t", "|")
MAX_COLUMNS = 200
_EXPORTED = frozenset({"id", "credibility", "indexed_at"})
"""Columns that only our exports have. There an apostrophe before a formula guards the cell and is not text."""
_json = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive (an Excel or LibreOffice workbook is one too)", "Unpack it, or save it as CSV"),
    (b"PK\x05\x06", "an empty ZIP archive", "Choose a CSV, JSON or JSON Lines file"),
    (b"\x1f\x8b", "compressed with gzip", "Unpack it first"),
    (b"BZh", "compressed with bzip2", "Unpack it first"),
    (b"\xfd7zXZ", "compressed with xz", "Unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it first"),
    (b"Rar!", "a RAR archive", "Unpack it first"),
    (b"%PDF", "a PDF document", "Copy its text into a CSV file, or add it under Browse"),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "Save the table as CSV"),
    (b"SQLite format 3", "a SQLite database", "Export a table of it as CSV"),
    (b"\x89PNG", "a picture", "Choose a CSV, JSON or JSON Lines file"),
    (b"\xff\xd8\xff", "a picture", "Choose a CSV, JSON or JSON Lines file"),
)
_NULS = 0.01
"""Share of NUL bytes above which a file is not text."""
_LOST = "Some characters of the file could not be read and appear as � in the passages."
_CHECK = "Check that letters such as é, ł or ж look right below; if not, choose another encoding."
_BINARY = "The file is binary data, not text. Nothing was imported. Save the table as CSV in UTF-8."


def check_size(data: bytes) -> None:
    """Raises ImportFileError for a file that has nothing, or too much, in it."""
    if not data:
        raise ImportFileError("The file is empty. Nothing was imported.")
    if len(data) > MAX_IMPORT_BYTES:
        raise ImportFileError(
            f"The file is too large: {len(data) / 1e6:,.0f} MB, and at most {MAX_IMPORT_BYTES / 1e6:,.0f} MB can be "
            "imported at once. Nothing was imported. Cut it into several files."
        )


def decode(data: bytes, encoding: str = "") -> tuple[str, str]:
    """The text, and a remark on how it was read (usually empty). Raises ImportFileError for anything but text.

    ``encoding`` is used unless the bytes prove another one.
    """
    check_size(data)
    for signature, what, remedy in _SIGNATURES:
        if data.startswith(signature):
            raise ImportFileError(f"The file is {what}, not a table of passages. Nothing was imported. {remedy}.")
    try:
        found = decode_file(data, encoding)
    except ValueError as error:
        if data.count(0) > _NULS * len(data):
            raise ImportFileError(_BINARY) from error
        raise ImportFileError(f"{error} Nothing was imported.") from error
    if found.text.count("\0") > _NULS * len(found.text):
        raise ImportFileError(_BINARY)
    if not found.text.strip():
        raise ImportFileError("The file contains only white space. Nothing was imported.")
    if found.guessed:
        name = ENCODINGS.get(found.encoding, found.encoding)
        return found.text, f"The file is not UTF-8 and was read as {name}. {_CHECK}"
    return found.text, _LOST if "\ufffd" in found.text else ""


class Table:
    """The header and the rows of a CSV file."""

    def __init__(
        self,
        text: str,
        columns: Mapping[str, str] | None = None,
        aliases: Mapping[str, Sequence[str]] = ALIASES,
        exported: Collection[str] = _EXPORTED,
    ) -> None:
        """``columns`` says which column has which field. Without it the header is matched by ``aliases``.

        A table with all of the ``exported`` columns was written by Ghost: its cells lose their guarding apostrophes.
        Raises ImportFileError.
        """
        self._aliases = aliases
        self._exported = frozenset(exported)
        self._delimiter = self._separator(text)
        self._text = text
        self.header = tuple(next((cells for _, cells in self._rows() if isinstance(cells, list) and any(cells)), []))
        if len(self.header) > MAX_COLUMNS:
            raise ImportFileError(f"The first line has {len(self.header):,} columns. This is not a table of passages.")
        chosen = columns or match_columns(self.header, aliases)
        self.columns = {field: column for field, column in chosen.items() if column in self.header}
        if "text" not in self.columns and columns is None and len(self.header) == 1 and len(self.header[0]) > 30:
            raise ImportFileError(
                "The first line should name the columns, but it is a text itself. Nothing was imported. Write a line "
                "with the word text above it."
            )

    @property
    def unused(self) -> tuple[str, ...]:
        """Columns from which nothing is taken, apart from the figures of our own exports."""
        taken = set(self.columns.values())
        return tuple(c for c in self.header if c.strip() and c not in taken and _field(c) not in EXPORT_ONLY)

    def rows(self) -> Iterator[tuple[int, dict[str, str] | RowProblem]]:
        """Number and values of each row that is not blank, or what is wrong with it."""
        places = {field: self.header.index(column) for field, column in self.columns.items()}
        ours = {_field(column) for column in self.header} >= self._exported
        in_header = True
        for number, cells in self._rows():
            if isinstance(cells, RowProblem):
                yield number, cells
                continue
            if not any(cell.strip() for cell in cells):
                continue
            if in_header:
                in_header = False
                continue
            if len(self.header) == 1:  # a list of sentences, in which commas separate nothing
                cells = [self._delimiter.join(cells)]
            if len(cells) > len(self.header) and any(cell.strip() for cell in cells[len(self.header) :]):
                more = f"has {len(cells)} cells where the header has {len(self.header)}: is a quotation mark missing?"
                yield number, RowProblem(number, "", more, self._delimiter.join(cells)[:80])
                continue
            values = {field: cells[at] for field, at in places.items() if at < len(cells)}
            yield number, {field: unguarded(cell) for field, cell in values.items()} if ours else values

    def _rows(self) -> Iterator[tuple[int, list[str] | RowProblem]]:
        # Strict, because otherwise a cell with a wrong quotation mark would be taken in with half of its neighbour.
        source = io.StringIO(self._text, newline="")
        reader = csv.reader(source, delimiter=self._delimiter, strict=True)
        number = 0
        while True:
            number, start = number + 1, source.tell()
            try:
                yield number, next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                why = f"is not CSV ({error})"
                if "field larger" in str(error):
                    why = f"has a cell of more than {csv.field_size_limit():,} characters"
                    if end := end_of_row(self._text, start, self._delimiter):
                        source.seek(end)
                        reader = csv.reader(source, delimiter=self._delimiter, strict=True)
                yield number, RowProblem(number, "", f"{why}: is a quotation mark missing or not doubled?")

    def _separator(self, text: str) -> str:
        """What separates the columns, by the first line that is not blank."""
        line = next((line for line in text.splitlines() if line.strip()), "")[:10_000]
        if line.lower().startswith("sep=") and len(line) == 5:
            raise ImportFileError(
                "The first line is sep=…, which only Excel knows. Delete it and choose the file again."
            )

        def fit(delimiter: str) -> tuple[int, int]:
            try:
                cells = next(csv.reader([line], delimiter=delimiter), [])
            except csv.Error:
                return 0, 0
            return len(match_columns(cells, self._aliases)), len(cells)

        return max(DELIMITERS, key=fit)


def json_values(text: str) -> Iterator[tuple[int, Any]]:
    """Every value of a file with its number: its line, or its place where the file is one list.

    A line that cannot be read is a RowProblem. The others are still read.
    """
    if text.lstrip()[:1] in "[{":
        try:
            whole = _json.decode(text)
        except (ValueError, RecursionError):  # several values, or a broken one
            whole = None
        if whole is not None:
            yield from enumerate(whole if isinstance(whole, list) else [whole], 1)
            return
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip().removesuffix(",")
        if line in ("", "[", "]"):
            continue
        try:
            yield number, _json.decode(line)
        except json.JSONDecodeError as error:
            yield number, RowProblem(number, "", f"is not JSON ({error.msg} at character {error.pos + 1})", line[:80])
        except (ValueError, RecursionError):
            why = "is JSON that is nested too deeply or has a number that is too long"
            yield number, RowProblem(number, "", why, line[:80])


def _field(column: str) -> str:
    return comparable_name(column).replace(" ", "_")


EXPORT_FORMATS = {"jsonl": "application/jsonl", "csv": "text/csv"}
"""The formats of an export with their media types."""
EXPORT_COLUMNS = (
    *("id", "text", "source_url", "title", "publisher", "topic", "language", "published_at", "as_of", "retrieved_at"),
    *("frame", "status", "kind", "intake", "origin", "domain", "source_type", "credibility", "indexed_at"),
    *("verification_count", "avg_relevance", "access_count", "last_accessed"),
)
"""The first ones are what an import takes; the others say what is known besides."""


def export_passages(knowledge: KnowledgeBase, form: str, filter: PassageFilter = EVERYTHING) -> Iterator[bytes]:
    """The passages that pass the filter, oldest first, in pieces of a file in UTF-8.

    ``form`` is ``jsonl``, which is complete and can be imported again, or ``csv`` for spreadsheets: what they would
    take for a formula has an apostrophe before it.
    """
    values = (_values(passage) for passage in knowledge.each(filter))
    if form == "csv":
        return csv_table(EXPORT_COLUMNS, (each.values() for each in values))
    return ((json.dumps(each, ensure_ascii=False) + "\n").encode() for each in values)


def _values(p: Passage) -> dict[str, Any]:
    """A passage as plain values, JSON-safe."""
    values = {name: getattr(p, name) for name in EXPORT_COLUMNS}
    for name in ("published_at", "retrieved_at", "indexed_at", "last_accessed"):
        values[name] = values[name].isoformat() if values[name] else None
    values |= {name: values[name].value for name in ("kind", "intake", "origin", "status", "source_type")}
    values["frame"] = str(p.frame)
    return values


def csv_table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    """A CSV file that a spreadsheet opens as text and never as formulas, and ``Table`` reads as it was."""
    return csv_pieces(columns, rows, guarded)
