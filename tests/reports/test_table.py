"""Tables for spreadsheets: no cell is a formula."""

import csv
import io

import pytest

from ghost.reports.table import cell, csv_text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1", "\x00=1"])
def test_what_a_spreadsheet_would_obey_is_text(text: str) -> None:
    assert str(cell(text)).startswith("'")


def test_values_stay_what_they_are() -> None:
    assert [cell(v) for v in (None, True, -1.5, 3, "plain", "a=b")] == ["", "yes", -1.5, 3, "plain", "a=b"]


def test_the_table_reads_back() -> None:
    text = csv_text(["Name", "=x"], [['a,"b"', 1], ["two\nlines", None]])
    assert text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert rows == [["Name", "'=x"], ['a,"b"', "1"], ["two\nlines", ""]]
