"""Ratings as fact-checkers write them, and what the vocabulary makes of them."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from ghost.web import Meaning, announced, kinds_of, meaning

LABELS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "rating_labels.jsonl").read_text(encoding="utf-8").splitlines()
]
"""``half``: the vocabulary was written by looking at those that are ``written``; the others were ``kept`` apart."""
SIDES = ("true", "false")
FLOORS = {"written": 0.96, "kept": 0.95}
"""Share of the ratings whose side, or that they take none, is told rightly."""


def side(means: str) -> str:
    return means if means in SIDES else "neither"


@pytest.mark.parametrize("half", FLOORS)
def test_what_a_rating_means(half: str) -> None:
    rows = [row for row in LABELS if row["half"] == half]
    found = [(row, means.value if (means := meaning(row["rating"])) else "none") for row in rows]
    called = Counter((row["means"] if got == "true" else "") for row, got in found)
    assert {*called} <= {"", "true"}, "a rating that is not true is called true"
    assert not [row for row, got in found if got == "false" and row["means"] == "true"]
    right = sum(side(row["means"]) == side(got) for row, got in found)
    assert right / len(rows) >= FLOORS[half]


def test_the_list_is_long_and_of_every_kind() -> None:
    assert len(LABELS) >= 250
    assert len({row["means"] for row in LABELS}) == 7
    assert len({row["language"] for row in LABELS}) >= 6


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("Right until last spring, and no more", Meaning.MIXED),
        ("Genuine recording, false translation", None),
        ("True; the rest is invented", Meaning.MIXED),
        ("False claim; the video is real", Meaning.FALSE),
        ("Stimmt nicht", Meaning.FALSE),
        ("No rating", None),
        ("No, it did not", Meaning.FALSE),
        ("FALSE (with the reasons below)", Meaning.FALSE),
        ("Incorrect because it leaves out children", Meaning.FALSE),
        ("false flag operation", None),
    ],
)
def test_every_word_of_a_true_rating_is_known(words: str, means: Meaning | None) -> None:
    assert meaning(words) is means


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("1 on a scale from 1 (worst) to 5 (best)", Meaning.FALSE),
        ("2 on a scale from 1 (worst) to 5 (best)", Meaning.FALSE),
        ("3 on a scale from 1 (worst) to 5 (best)", Meaning.MIXED),
        ("5 on a scale from 1 (worst) to 5 (best)", Meaning.TRUE),
        ("1 on a scale from 6 (worst) to 1 (best)", Meaning.TRUE),
        ("Piffle (1 on a scale from 1 (worst) to 5 (best))", Meaning.FALSE),
        ("Piffle (2 on a scale from 1 (worst) to 5 (best))", None),
        ("True until May (1 on a scale from 1 (worst) to 5 (best))", Meaning.MIXED),
        ("Piffle (5 on a scale from 1 (worst) to 5 (best))", None),
        ("True (1 on a scale from 1 (worst) to 5 (best))", None),
        ("False (5 on a scale from 1 (worst) to 5 (best))", Meaning.FALSE),
        ("9 on a scale from 1 (worst) to 5 (best)", None),
    ],
)
def test_a_number_speaks_where_words_do_not(words: str, means: Meaning | None) -> None:
    assert meaning(words) is means


def test_what_is_announced_as_a_rating_and_what_is_a_rating_at_all() -> None:
    assert announced("Our rating: Pants on Fire!") is Meaning.FALSE
    assert announced("The mayor: false") is None
    assert all(kinds_of("Hoax Alert"))
    assert not all(kinds_of("False friends"))


def test_a_rating_of_a_million_characters_is_read_at_once() -> None:
    started = time.perf_counter()
    for part in ("true, ", "not ", "(((", "a.b:", "half true "):
        meaning(part * 200_000)
    assert time.perf_counter() - started < 2
