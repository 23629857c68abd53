"""Tables for spreadsheet programs, in which no text from outside is ever taken for a formula."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

_STARTS = re.escape("=+-@＝＋－＠")
_BLANKS = r"\s\u200b\ufeff"
_FORMULA = re.compile(rf"^(?=[{_BLANKS}]*[{_STARTS}]|[\t\r\n])")
_LATER = re.compile(rf"([;\t\r\n][\s\"]*+)([{_STARTS}]?)")
"""Where a cell would begin for a program that takes another character than the comma for the separator."""
_MARK = "\ufeff"

# The same, and wherever it could be taken for that afterwards: so each apostrophe that is put there can be found again.
_RUNS = rf"(?=[{_BLANKS}']*[{_STARTS}]|'*[\t\r\n])"
_GUARD, _GUARDED = re.compile(rf"^{_RUNS}"), re.compile(rf"^'{_RUNS}")
_BEGINNING = re.compile(rf"([;\t\r\n][\s\"']*+)([{_STARTS}])?")
"""What may stand before what would be run. Each run of blanks is taken once: a long one must not cost its square."""
_PLACE = re.compile(r"[;\t\r\n][\s\"]*+")
_TAKEN = re.compile(r"([;\t\r\n][\s\"]*+)('(?='|\Z))?")


def safe_cell(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run; other text is as it was, NULs apart."""
    return _LATER.sub(lambda m: f"{m[1]}'{m[2]}" if m[2] else m[1], _FORMULA.sub("'", text.replace("\x00", "")))


def guarded(text: str) -> str:
    """As ``safe_cell``, so that ``unguarded`` gives the text back: what looks guarded already gets one more."""
    return _within(_GUARD.sub("'", text.replace("\x00", "")), lambda blanks: _PLACE.sub(r"\g<0>'", blanks))


def unguarded(text: str) -> str:
    """The way back from ``guarded``: takes away the apostrophes that it has put there, and no others."""
    return _GUARDED.sub("", _within(text, lambda blanks: _TAKEN.sub(r"\1", blanks)))


def _within(text: str, change: Callable[[str], str]) -> str:
    """The text with every beginning changed that has something behind it which would be run."""
    return _BEGINNING.sub(lambda m: change(m[1]) + m[2] if m[2] else m[1], text)


def _cell(value: object, guard: Callable[[str], str]) -> str:
    """What is unknown is empty; a number is never a formula, also not a negative one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else guard(str(value))


def csv_pieces(
    head: Sequence[str], rows: Iterable[Iterable[object]], guard: Callable[[str], str] = safe_cell
) -> Iterator[bytes]:
    """A CSV file in UTF-8, line by line, its head first, with the mark by which spreadsheets know that it is.

    Every cell is quoted and safe, None is an empty one.
    """
    out = io.StringIO()
    out.write(_MARK)
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    for row in chain([head], rows):
        writer.writerow([_cell(value, guard) for value in row])
        yield out.getvalue().encode("utf-8", "replace")
        out.seek(0)
        out.truncate()


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """``csv_pieces`` in one piece."""
    return b"".join(csv_pieces(head, rows))


def end_of_row(text: str, start: int, delimiter: str) -> int | None:
    """Where the row of a CSV file that begins at ``start`` ends, with its line break; None where it is not CSV.

    For rows that the csv module refuses because a cell is too long: it would go on in the middle of the cell.
    """
    d = re.escape(delimiter)
    cell = re.compile(rf'(?:"(?:[^"]++|"")*+"|[^"{d}\r\n][^{d}\r\n]*+|)({d}|\r\n|\r|\n|\Z)')
    while found := cell.match(text, start):
        start = found.end()
        if found[1] != delimiter:
            return start
    return None
