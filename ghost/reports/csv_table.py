"""Tables as CSV that a spreadsheet opens as what they say, never as formulas."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from ghost.reports.spreadsheet import safe_cell


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """The table in UTF-8, with the mark by which spreadsheets know that it is; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_cell(name) for name in head])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else safe_cell(str(value))
