"""CSV for spreadsheets."""

import csv
import io

import pytest

from ghost.reports.csv_table import csv_bytes


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1+cmd", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\n=1", "＝1", "\x00=1"])
def test_no_text_becomes_a_formula(text: str) -> None:
    assert read(csv_bytes(("a",), [(text,)]))[1][0].startswith("'")


def test_numbers_and_words_stay_what_they_are() -> None:
    rows = read(csv_bytes(("name", "value", "none", "sure"), [('Zürich, "city"\nnorth', -1.5, None, True)]))
    assert rows == [["name", "value", "none", "sure"], ['Zürich, "city"\nnorth', "-1.5", "", "yes"]]


def test_it_begins_with_the_mark_of_utf_8() -> None:
    assert csv_bytes(("a",), [("\ud800\x00",)]).startswith(b"\xef\xbb\xbf")
