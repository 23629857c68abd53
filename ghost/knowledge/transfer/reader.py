"""Reads a file in any supported form as passages. The knowledge base is not asked and nothing is changed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from ghost.errors import Cancelled
from ghost.knowledge.admission import MAX_CHARS
from ghost.knowledge.chunking import cut
from ghost.knowledge.transfer.fact_checks import contains_review, read_review, reviews_in
from ghost.knowledge.transfer.import_file import (
    DEFAULT_OPTIONS,
    MAX_IMPORT_BYTES,
    MAX_IMPORT_ROWS,
    MAX_PROBLEMS,
    Entry,
    FileFormat,
    ImportFile,
    ImportFileError,
    ReadOptions,
    RowProblem,
    never,
)
from ghost.knowledge.transfer.rows import read_object, read_row
from ghost.knowledge.transfer.tables import Table, json_values
from ghost.text import ENCODINGS, decode_file
from ghost.types import NewPassage
from ghost.web import language_of

_SAMPLED = 20
"""Values at the beginning of a JSON file that tell fact-checks from passages."""


def read_import_file(
    data: bytes, name: str, options: ReadOptions = DEFAULT_OPTIONS, cancelled: Callable[[], bool] = never
) -> ImportFile:
    """Read a file. Problems with single rows are in the result. Raises ImportFileError if it has no passages at all."""
    text, note = decode(data, options.encoding)
    notes = [note] if note else []
    if _is_json(text, name):
        records = list(json_values(text))
        values = [value for _, value in records if not isinstance(value, RowProblem)]
        if not values:
            raise ImportFileError(_no_json(records))
        if any(contains_review(value) for value in values[:_SAMPLED]):
            latest = (datetime.now(UTC) + timedelta(days=1)).date()
            file = ImportFile(name, FileFormat.CLAIM_REVIEW, notes=tuple(notes))
            return _fill(file, _reviews(records), partial(read_review, latest=latest), options.cut, cancelled)
        file = ImportFile(name, FileFormat.JSONL, notes=tuple(notes))
        return _fill(file, records, read_object, options.cut, cancelled)
    table = Table(text, options.columns or None)
    if table.unused:
        names = ", ".join(table.unused[:10]) + ("…" if len(table.unused) > 10 else "")
        notes.append(f"Nothing is taken from these columns: {names}.")
    file = ImportFile(name, FileFormat.CSV, notes=tuple(notes), header=table.header, columns=table.columns)
    return _fill(file, table.rows() if "text" in table.columns else (), read_row, options.cut, cancelled)


def missing_columns(file: ImportFile) -> str:
    """Why nothing can be taken from a CSV file until the text column is chosen; otherwise empty."""
    if file.format is FileFormat.CSV and "text" not in file.columns:
        return "No column is called text. Choose the one that has the passages."
    return ""


def _is_json(text: str, name: str) -> bool:
    begin = text.lstrip()[:1]
    return begin == "{" or (begin == "[" and not name.lower().endswith((".csv", ".tsv")))


def _no_json(records: Iterable[tuple[int, Any]]) -> str:
    first = next((value for _, value in records if isinstance(value, RowProblem)), None)
    why = f" Line {first.row} {first.problem}." if first else ""
    return f"No line of the file can be read as JSON.{why} Nothing was imported. Save it as JSON Lines or CSV."


def _reviews(records: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Each fact-check as a row. A feed is often one value that holds thousands: those are numbered by their place."""
    for number, value in records:
        inside = list(reviews_in(value))
        for place, review in enumerate(inside or [value], 1):
            yield number if len(inside) < 2 else place, review


def _fill(
    file: ImportFile,
    records: Iterable[tuple[int, Any]],
    read: Callable[[int, Any], Iterable[NewPassage | RowProblem]],
    shorten: bool,
    cancelled: Callable[[], bool],
) -> ImportFile:
    """The file with its rows, each turned by ``read`` into passages and problems."""
    entries: list[Entry] = []
    problems: list[RowProblem] = []
    rows = more = 0
    for number, value in records:
        if cancelled():
            raise Cancelled("Reading was stopped. Nothing was imported.")
        rows += 1
        if rows > MAX_IMPORT_ROWS:
            raise ImportFileError(
                f"The file has more than {MAX_IMPORT_ROWS:,} rows. Nothing was imported. Cut it into several files."
            )
        found = [value] if isinstance(value, RowProblem) else list(read(number, value))
        wrong = [part for part in found if isinstance(part, RowProblem)]
        kept = wrong[: max(0, MAX_PROBLEMS - len(problems))]
        problems += kept
        more += len(wrong) - len(kept)
        passages = [part for part in found if isinstance(part, NewPassage)]
        if passages:
            entries.append(Entry(number, tuple(p for new in passages for p in _finished(new, file.name, shorten))))
    return replace(file, entries=tuple(entries), rows=rows, problems=tuple(problems), more_problems=more)


def _finished(new: NewPassage, name: str, shorten: bool) -> list[NewPassage]:
    """The passage with its language and where it came from. If too long, it is split into parts where allowed."""
    note = "; ".join(part for part in (f"imported from {name}", new.note) if part)
    new = replace(new, language=new.language or language_of(new.text) or "en", note=note)
    if not shorten or len(new.text) <= MAX_CHARS:
        return [new]
    return [replace(new, text=part) for part in cut(new.text)]


_SIGNATURES = (
    (
        b"PK\x03\x04",
        "a ZIP archive (an Excel or LibreOffice workbook is one too)",
        "Unpack it, or save the table as CSV",
    ),
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


def check_size(size: int) -> None:
    """Raise ImportFileError for a file that is empty or larger than can be taken in at once."""
    if not size:
        raise ImportFileError("The file is empty. Nothing was imported.")
    if size > MAX_IMPORT_BYTES:
        raise ImportFileError(
            f"The file is too large: {size / 1e6:,.0f} MB, and at most {MAX_IMPORT_BYTES / 1e6:,.0f} MB can be "
            "imported at once. Nothing was imported. Cut it into several files."
        )


def decode(data: bytes, encoding: str = "") -> tuple[str, str]:
    """The text, and a remark on how it was read (usually empty). Raises ImportFileError for anything but text.

    ``encoding`` is used unless the bytes prove another one.
    """
    check_size(len(data))
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
