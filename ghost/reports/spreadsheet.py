"""Tables for spreadsheet programs, in which no text from outside is ever taken for a formula."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

_STARTS = re.escape("=+-@＝＋－＠")
_FORMULA = re.compile(rf"^(?=[\s\u200b\ufeff]*[{_STARTS}]|[\t\r\n])")
_LATER = re.compile(rf"([;\t\r\n] *)(?=[{_STARTS}])")
"""Where a cell would begin for a program that takes another character than the comma for the separator."""


def safe_cell(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run; other text is as it was, NULs apart."""
    return _LATER.sub(r"\1'", _FORMULA.sub("'", text.replace("\x00", "")))


def _cell(value: object) -> str:
    """What is unknown is empty; a number is never a formula, also not a negative one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else safe_cell(str(value))


def csv_lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a CSV file, its head first; every cell is quoted and safe, None is an empty one."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    for row in chain([head], rows):
        writer.writerow([_cell(value) for value in row])
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A whole CSV file in UTF-8, with the mark by which spreadsheets know that it is."""
    return b"\xef\xbb\xbf" + "".join(csv_lines(head, rows)).encode("utf-8", "replace")
