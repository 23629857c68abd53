"""A file or a pasted text as rows of cells."""

import csv
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mode

from ghost.errors import ClaimError
from ghost.text import ENCODINGS, decode_file, end_of_row, is_address

MAX_BYTES = 20_000_000
MAX_ROWS = 10_000
MAX_LINES = 20 * MAX_ROWS
"""Lines of a file, including blank ones and those inside a cell."""
MAX_COLUMNS = 200
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
CLAIM_HEADS = (
    "claim", "claims", "claimtext", "claimreviewed", "statement", "sentence", "text", "quote", "content", "headline",
    "tweet",
)  # fmt: skip
"""Names by which the column of the claims is known, best first; letters and digits only."""
_OTHER_HEADS = {"id", "url", "source", "label", "context", "date", "speaker", "author"}
_NOT_TEXT = {
    b"PK\x03\x04": "a workbook or an archive", b"\xd0\xcf\x11\xe0": "an old Excel workbook", b"%PDF": "a PDF",
}  # fmt: skip
_SAMPLE_CHARS = 64_000
_SAMPLE_ROWS = 200
_WIDE = 2_000
"""Characters of a line that are looked at to find the delimiter."""
_HEAD_CHARS = 60
"""The longest name of a column."""
_SENTENCE_WORDS = 2
"""Mean number of words from which a column may hold claims."""
_NUMBER = re.compile(r"[\d.,:/%+\s-]+")
_WORD = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]{2}|[^\W\d_]+")
"""A word; two characters where words are written without spaces."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row."""

    line: int
    """Where it starts, from 1."""
    cells: tuple[str, ...]
    problem: str = ""
    """Why it could not be read; it has no cells then."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The contents of a file."""

    name: str
    head: tuple[str, ...]
    """A name for each column; none is empty and none occurs twice."""
    rows: tuple[Row, ...]
    """Without the head; blank lines are rows without cells."""
    has_head: bool
    how: str
    """How it was read: encoding and delimiter, in a few words."""
    pasted: bool = False
    delimiter: str = ""
    """What separates the cells; empty where each line is a claim."""

    @property
    def claim_column(self) -> int | None:
        """The column with the claims: by its name, else the one with the longest sentences. None when there is none.

        A column of addresses or numbers is never taken, whatever its name.
        """
        if len(self.head) == 1:
            return 0
        columns = _columns(self.rows, len(self.head))
        names = [_key(name) for name in self.head]
        for known in CLAIM_HEADS:
            if known in names and _words(columns[names.index(known)]):
                return names.index(known)
        words = [_words(column) for column in columns]
        longest = max(words, default=0.0)
        return words.index(longest) if longest >= _SENTENCE_WORDS else None


def sheet_of_text(text: str) -> Sheet:
    """Pasted lines, one claim each; raises ClaimError when there are too many."""
    return _one_column(text, "Pasted lines", "one claim per line", pasted=True)


def read_sheet(body: bytes, name: str, has_head: bool | None = None, encoding: str = "") -> Sheet:
    """A file with separated values, or a ``.txt`` with one claim per line; raises ClaimError for anything else.

    ``has_head`` says whether the first row names the columns; None detects it. ``encoding`` is used unless the bytes
    prove another one.
    """
    text, how = _text(body, encoding)
    if name.lower().endswith(".txt"):
        return _one_column(text, name, f"{how}, one claim per line", has_head)
    lines, delimiter = _lines(text), ""
    if named := re.fullmatch(r'"?sep=([,;\t|])"?', lines[0].strip(" ").lower()):
        delimiter, lines[0] = named[1], ""  # Excel's own way to name the delimiter
    delimiter = delimiter or _delimiter(lines)
    rows = _without_leading_blanks(_rows(lines, delimiter))
    headed = _looks_like_head(rows) if has_head is None else has_head
    first_row = rows.pop(0) if headed else Row(0, ())
    _check_size(rows)
    width = max((len(row.cells) for row in (*rows, first_row)), default=0)
    if width > MAX_COLUMNS:
        raise ClaimError(f"The file has {width:,} columns; at most {MAX_COLUMNS} can be kept. Remove some.")
    separated = DELIMITERS[delimiter] if width > 1 else "one column"
    names = _names(first_row.cells, width)
    return Sheet(name, names, tuple(rows), headed, f"{how}, {separated}", delimiter=delimiter)


def _one_column(text: str, name: str, how: str, has_head: bool | None = None, *, pasted: bool = False) -> Sheet:
    rows = [Row(n, (line,) if line.strip() else ()) for n, line in enumerate(_lines(text), start=1)]
    head = "claim"
    if not pasted:
        rows = _without_leading_blanks(rows)
        if has_head or (has_head is None and _key(rows[0].cells[0]) in CLAIM_HEADS):
            has_head, head = True, rows.pop(0).cells[0]
    _check_size(rows)
    return Sheet(name, _names((head,), 1), tuple(rows), bool(has_head), how, pasted)


def _without_leading_blanks(rows: "Sequence[Row] | Iterator[Row]") -> list[Row]:
    found = list(itertools.dropwhile(lambda row: not row.cells and not row.problem, rows))
    if not found:
        raise ClaimError("The file is empty: there is no claim in it.")
    return found


def _text(body: bytes, encoding: str) -> tuple[str, str]:
    if len(body) > MAX_BYTES:
        size = len(body) / 1_000_000
        raise ClaimError(f"The file has {size:.0f} MB; at most {MAX_BYTES // 1_000_000} MB can be read. Split it.")
    for magic, what in _NOT_TEXT.items():
        if body.startswith(magic):
            raise ClaimError(f"This is {what}, not a text file. Save the list as CSV (UTF-8) and upload that.")
    no_text = ClaimError("This is not a text file. Save the list as CSV (UTF-8) and upload that.")
    sample = body[:_SAMPLE_CHARS]
    if sum(byte < 32 and byte not in b"\t\r\n\f\v\0" for byte in sample) * 50 > len(sample) + 50:
        raise no_text
    try:
        found = decode_file(body, encoding)
    except ValueError as error:
        raise ClaimError(str(error)) from error
    start = found.text[:_SAMPLE_CHARS]
    if (start.count("\0") + start.count("\ufffd")) * 50 > len(start) + 50:
        raise no_text
    label = ENCODINGS.get(found.encoding) or found.encoding.upper()
    return found.text, f"{label} (guessed)" if found.guessed else label


def _lines(text: str) -> list[str]:
    """Lines as an editor counts them. Raises ClaimError when there are too many."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    number = text.count("\n") + 1
    if number > MAX_LINES:
        raise ClaimError(
            f"There are {number:,} lines; at most {MAX_LINES:,} can be read. Remove blank ones or split the list."
        )
    return text.split("\n")


def _delimiter(lines: list[str]) -> str:
    """The character that splits most of the first rows into the same number of cells, more than one."""
    sample = [line[:_WIDE] for line in itertools.islice((line for line in lines if line.strip()), 50)]

    def score(delimiter: str) -> float:
        widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        common = mode(widths) if widths else 1
        return widths.count(common) / len(widths) * min(common, 10) if common > 1 else 0.0

    return max(DELIMITERS, key=score)  # the comma, where none splits anything


def _rows(lines: list[str], delimiter: str) -> Iterator[Row]:
    """The rows. One that cannot be read has its problem; reading goes on after it."""
    begun, reader = 0, csv.reader((line + "\n" for line in lines), delimiter=delimiter)
    while True:
        start = begun + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            rest, last = "\n".join(lines[start - 1 :]), begun + reader.line_num
            end = end_of_row(rest, 0, delimiter) if "field larger" in str(error) else None
            if end is None and last > start:  # the cell is too long because its quotation mark was never closed
                raise ClaimError(
                    f"Line {start:,} opens a quotation mark that swallows the lines up to {last:,}. Close "
                    "it (or write it twice, if it belongs to the text), or shorten the cell if it is meant: a cell "
                    f"has at most {csv.field_size_limit():,} characters. Then upload the file again."
                ) from error
            yield Row(start, (), f"The line cannot be read: {error}.")
            if end is not None:
                begun = start - 1 + len(rest[:end].removesuffix("\n").split("\n"))
                reader = csv.reader((line + "\n" for line in lines[begun:]), delimiter=delimiter)
            continue
        last = begun + reader.line_num
        if last >= len(lines) and last > start:
            _check_closed(lines[start - 1 :], delimiter, start)
        yield Row(start, tuple(cells) if any(cell.strip() for cell in cells) else ())


def _check_closed(lines: list[str], delimiter: str, start: int) -> None:
    """Raise ClaimError for a quotation mark that is never closed: it would silently swallow all rows after it."""
    try:
        list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise ClaimError(
                f"Line {start:,} opens a quotation mark that is never closed, so everything after it would be one "
                "cell. Close it (or write it twice, if it belongs to the text) and upload the file again."
            ) from error


def _looks_like_head(rows: list[Row]) -> bool:
    cells = [cell.strip() for cell in rows[0].cells]
    if {_key(cell) for cell in cells} & {*CLAIM_HEADS, *_OTHER_HEADS}:
        return True
    if len(rows) < 2 or any(not cell or is_address(cell) or _NUMBER.fullmatch(cell) for cell in cells):
        return False
    if len(cells) == 1:  # a single word is no claim, so it names the column where the others are sentences
        return len(_WORD.findall(cells[0])) == 1 and _words(_columns(rows[1:], 1)[0]) >= _SENTENCE_WORDS
    if not all(len(cell) <= _HEAD_CHARS and not cell.endswith((".", "!", "?")) for cell in cells):
        return False
    below = [_words(column) for column in _columns(rows[1:], len(cells))]
    longest = below.index(max(below))
    words = len(_WORD.findall(cells[longest]))
    return words < 3 or words * 2 < below[longest]  # else it is a claim like those below it


def _columns(rows: Sequence[Row], width: int) -> list[list[str]]:
    """The cells of each column that are not empty, of the first rows."""
    sample = [row.cells for row in rows if row.cells][:_SAMPLE_ROWS]
    return [[cell for cells in sample if n < len(cells) and (cell := cells[n].strip())] for n in range(width)]


def _words(column: Sequence[str]) -> float:
    """Mean number of words in a cell; 0 for a column of addresses or numbers."""
    other = sum(1 for cell in column if is_address(cell) or _NUMBER.fullmatch(cell))
    if not column or other * 2 >= len(column):
        return 0.0
    return sum(len(_WORD.findall(cell)) for cell in column if not is_address(cell)) / len(column)


def _key(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _names(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    names: list[str] = []
    for number in range(width):
        name = " ".join(cells[number].split()) if number < len(cells) else ""
        name = name or f"column {number + 1}"
        while name in names:
            name += "_2"
        names.append(name)
    return tuple(names)


def _check_size(rows: Sequence[Row]) -> None:
    filled = sum(1 for row in rows if row.cells or row.problem)
    if filled > MAX_ROWS:
        raise ClaimError(
            f"There are {filled:,} claims; at most {MAX_ROWS:,} can be checked in one batch. Split the list and "
            "start a batch for each part."
        )
