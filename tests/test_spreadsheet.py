"""Cells that a spreadsheet must not run."""

import csv
import io
import random

import pytest

from ghost.text import csv_bytes, guarded, safe_cell, unguarded


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "＝1",
        "\u200b=1",
        "\ufeff=1",
        "-",
    ],
)
def test_what_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == "'" + safe_cell(text)[1:]
    assert safe_cell(text)[1:].replace("'", "") == text.replace("'", "")


@pytest.mark.parametrize("text", ["", "Bees dance", "a = b", "3 - 2", "mail@example.org", "'=1", "1,5", "Größe"])
def test_other_text_is_left_as_it_is(text: str) -> None:
    assert safe_cell(text) == text


def test_a_cell_does_not_begin_a_formula_for_other_separators_either() -> None:
    assert safe_cell("a;=1+1") == "a;'=1+1"
    assert safe_cell("a\n=1") == "a\n'=1"
    assert safe_cell("a\t@x") == "a\t'@x"
    assert safe_cell('a;"=1') == "a;\"'=1"
    assert safe_cell('a; "\t" =1') == 'a; "\t" \'=1'


def test_files_are_quoted_marked_and_read_back() -> None:
    body = csv_bytes(["=head", "b"], [["x\ny", None], ['say "hi"', 3], ["\x00z", "\ud800"]])
    assert body.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    assert rows == [["'=head", "b"], ["x\ny", ""], ['say "hi"', "3"], ["z", "?"]]


def test_numbers_and_words_stay_what_they_are() -> None:
    head = ("name", "value", "none", "sure", "=x")
    data = csv_bytes(head, [('Zürich, "city"', -1.5, None, True, 3)]).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(data))) == [[*head[:4], "'=x"], ['Zürich, "city"', "-1.5", "", "yes", "3"]]


@pytest.mark.parametrize("piece", ["\n", "\t'", "\n'", "' ", ";\"'"])
def test_a_cell_full_of_blanks_costs_no_more_than_its_length(piece: str) -> None:
    """With the square of its length this would take an hour, and hold up everybody."""
    for text in (piece * 50_000, piece * 50_000 + "=1"):
        assert unguarded(guarded(text)) == text
        assert safe_cell(text).replace("'", "") == text.replace("'", "")


def test_a_guard_can_be_taken_away_again_and_nothing_else() -> None:
    for text in [
        "",
        "'",
        "'a",
        "'=1",
        "' =1",
        "''-",
        "a;'=1",
        "a; ' \n'=1",
        '"=1',
        "rock;'n' roll",
        "it's; '+1' it is",
    ]:
        assert unguarded(guarded(text)) == text
    some = random.Random(3)
    for _ in range(20_000):
        text = "".join(some.choices("=＋';\t\n\r \"\ufeffa", k=some.randrange(9)))
        there = guarded(text)
        assert unguarded(there) == text
        assert safe_cell(there) == there  # nothing is left in it that would run
