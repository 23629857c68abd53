"""Tables as CSV that a spreadsheet shows and never obeys."""

import csv
import io
from collections.abc import Iterable, Sequence

_OBEYED = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins with one of these is a formula to a spreadsheet."""


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table in UTF-8 with a byte order mark, which spreadsheets need to read it as such.

    A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell(name) for name in header])
    writer.writerows([cell(value) for value in row] for row in rows)
    return "\ufeff" + out.getvalue()


def cell(value: object) -> str | int | float:
    """A value as it may stand in a cell; what is unknown is an empty one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    text = str(value).replace("\x00", "")
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_OBEYED) else text
