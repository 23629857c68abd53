"""A file or a pasted text as rows of cells, whatever program has written it."""

import csv
import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from ghost.errors import ClaimError
from ghost.web import decode

MAX_BYTES = 20_000_000
MAX_ROWS = 10_000
MAX_LINES = 20 * MAX_ROWS
"""Lines of a file, with the blank ones and those inside a cell."""
MAX_COLUMNS = 200
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
CLAIM_HEADS = (
    "claim",
    "claims",
    "claim_text",
    "statement",
    "sentence",
    "text",
    "quote",
    "content",
    "headline",
    "tweet",
)
"""Heads by which the column of the claims is known, best first."""
_NOT_TEXT = {
    b"PK\x03\x04": "a workbook or an archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF",
    b"\x1f\x8b": "a compressed file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
_SAMPLE = 64_000
_WIDE = 2_000
"""Characters of a line by which its delimiter is told."""
_HEAD_CHARS = 60
"""A head of a column is not longer."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row."""

    line: int
    """Where it begins, from 1."""
    cells: tuple[str, ...]
    problem: str = ""
    """Why it could not be read; it has no cells then."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file contains, before anybody says which column is which."""

    name: str
    head: tuple[str, ...]
    """One name for each column, none of them empty and none twice."""
    rows: tuple[Row, ...]
    """Without the head; blank lines are rows without cells."""
    has_head: bool
    how: str
    """How it was read: encoding and delimiter, in a few words."""
    pasted: bool = False

    @property
    def claim_column(self) -> int:
        """The column that the claims are in, as far as can be told."""
        names = [name.strip().lower().replace(" ", "_") for name in self.head]
        for known in CLAIM_HEADS:
            if known in names:
                return names.index(known)
        sample = [row.cells for row in self.rows[:200] if row.cells]
        lengths = [sum(len(cells[n]) for cells in sample if n < len(cells)) for n in range(len(self.head))]
        return lengths.index(max(lengths)) if lengths else 0


def pasted(text: str) -> Sheet:
    """Lines of a pasted text, one claim each; raises ClaimError when there are too many."""
    rows = tuple(Row(n, (line,) if line.strip() else ()) for n, line in enumerate(_lines(text), start=1))
    _see_size(rows)
    return Sheet("Pasted lines", ("claim",), rows, has_head=False, how="one claim on each line", pasted=True)


def read_sheet(body: bytes, name: str, has_head: bool | None = None, encoding: str = "") -> Sheet:
    """A file of comma-separated values, or of lines, as rows; raises ClaimError when it is none.

    ``has_head`` says whether the first row names the columns; None lets the file decide. ``encoding`` is asked
    for where the bytes do not prove another one.
    """
    text, how = _text(body, encoding)
    lines, said = _lines(text), ""
    if lines and (first := lines[0].strip().strip('"').lower()).startswith("sep=") and len(first) == len("sep=;"):
        said = first[-1]  # Excel's own way to name the delimiter
        lines[0] = ""
    delimiter = said if said in DELIMITERS else _delimiter(lines)
    rows = list(itertools.dropwhile(lambda row: not row.cells and not row.problem, _rows(lines, delimiter)))
    if not rows:
        raise ClaimError("The file is empty: there is no claim in it.")
    headed = _looks_like_head(rows) if has_head is None else has_head
    first_row = rows.pop(0) if headed else Row(0, ())
    _see_size(rows)
    width = max((len(row.cells) for row in (*rows, first_row)), default=0)
    if width > MAX_COLUMNS:
        raise ClaimError(f"The file has {width:,} columns; at most {MAX_COLUMNS} can be kept. Remove some.")
    named = DELIMITERS[delimiter] if width > 1 else "one column"
    return Sheet(name, _names(first_row.cells, width), tuple(rows), headed, f"{how}, {named}")


def _text(body: bytes, encoding: str) -> tuple[str, str]:
    if len(body) > MAX_BYTES:
        size = len(body) / 1_000_000
        raise ClaimError(f"The file has {size:.0f} MB; at most {MAX_BYTES // 1_000_000} MB can be read. Split it.")
    for magic, what in _NOT_TEXT.items():
        if body.startswith(magic):
            raise ClaimError(f"This is {what}, not a text file. Save the list as CSV (UTF-8) and upload that.")
    found = decode(body, charset=encoding)
    sample = found.text[:_SAMPLE]
    odd = sum(c < " " and c not in "\t\r\n\f\v" for c in sample) + sample.count("\ufffd")
    if odd * 50 > len(sample) + 50:
        raise ClaimError("This is not a text file. Save the list as CSV (UTF-8) and upload that.")
    return found.text, f"{found.encoding.upper()} (guessed)" if "guessed" in found.note else found.encoding.upper()


def _lines(text: str) -> list[str]:
    """Lines as an editor counts them; only the ends that files have are ends. Raises ClaimError for too many."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    number = text.count("\n") + 1
    if number > MAX_LINES:
        blank = sum(1 for line in text.split("\n") if not line.strip())
        why, mend = ("Most of them are blank. ", "Remove those") if blank * 2 > number else ("", "Split the list")
        raise ClaimError(
            f"There are {number:,} lines; at most {MAX_LINES:,} can be read. {why}{mend} and hand in the list again."
        )
    return text.split("\n")


def _delimiter(lines: list[str]) -> str:
    """The character that cuts most of the first rows into the same number of cells, above one."""
    sample = [line[:_WIDE] for line in itertools.islice((line for line in lines if line.strip()), 50)]
    best, most = ",", 0.0
    for delimiter in DELIMITERS:
        widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count) if widths else 1
        score = widths.count(usual) / len(widths) * min(usual, 10) if usual > 1 else 0.0
        if score > most:
            best, most = delimiter, score
    return best


def _rows(lines: list[str], delimiter: str) -> Iterator[Row]:
    """The rows; one that cannot be read is named and the next one is read all the same."""
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if reader.line_num > start:  # a cell that grew over lines until it was too long: nobody closed it
                raise ClaimError(
                    f"Line {start:,} opens a quotation mark that swallows the lines up to {reader.line_num:,}. Close "
                    "it (or write it twice, if it belongs to the text), or shorten the cell if it is meant: a cell "
                    f"has at most {csv.field_size_limit():,} characters. Then upload the file again."
                ) from error
            yield Row(start, (), f"The line cannot be read: {error}.")
            continue
        if reader.line_num >= len(lines) and reader.line_num > start:
            _see_closed(lines[start - 1 :], delimiter, start)
        yield Row(start, tuple(cells) if any(cell.strip() for cell in cells) else ())


def _see_closed(lines: list[str], delimiter: str, start: int) -> None:
    """A quotation mark that nobody closes swallows every row behind it, so it must not pass in silence."""
    try:
        list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise ClaimError(
                f"Line {start:,} opens a quotation mark that is never closed, so everything behind it would be one "
                "cell. Close it (or write it twice, if it belongs to the text) and upload the file again."
            ) from error


def _looks_like_head(rows: list[Row]) -> bool:
    cells = [cell.strip() for cell in rows[0].cells]
    names = {cell.lower().replace(" ", "_") for cell in cells}
    if names & {*CLAIM_HEADS, "id", "url", "source", "label", "context", "date", "speaker", "author"}:
        return True
    if len(cells) < 2 or len(rows) < 2:
        return False
    return all(cell and len(cell) <= _HEAD_CHARS and not cell.endswith((".", "!", "?")) for cell in cells)


def _names(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    names: list[str] = []
    for number in range(width):
        name = " ".join(cells[number].split()) if number < len(cells) else ""
        name = name or f"column {number + 1}"
        while name in names:
            name += "_2"
        names.append(name)
    return tuple(names)


def _see_size(rows: tuple[Row, ...] | list[Row]) -> None:
    filled = sum(1 for row in rows if row.cells or row.problem)
    if filled > MAX_ROWS:
        raise ClaimError(
            f"There are {filled:,} claims; at most {MAX_ROWS:,} can be checked in one batch. Split the list and "
            "start a batch for each part."
        )
