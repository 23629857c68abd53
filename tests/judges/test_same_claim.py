"""Two claims are the same only where they surely say the same."""

import json
import time
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference import load_stance_reader
from ghost.judges import same_claims
from ghost.testing import SUPPORTING, ScriptedReader

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "same_claims.jsonl").read_text(encoding="utf-8").splitlines()
]
"""``half``: the rules were written by looking at the pairs that are ``written``; the others were ``kept`` apart."""
BELIEVES = ScriptedReader(lambda passage, statement: SUPPORTING)


@pytest.mark.parametrize("half", ["written", "kept"])
def test_another_claim_on_the_same_event_is_never_the_same(half: str) -> None:
    rows = [row for row in PAIRS if row["half"] == half]
    reader = load_stance_reader(PROJECT / "ghost" / "models")
    found = same_claims([(row["review"], row["statement"]) for row in rows], reader)
    assert [row for row, same in zip(rows, found, strict=True) if same and not row["same"]] == []
    known = [same for row, same in zip(rows, found, strict=True) if row["same"]]
    assert sum(known) / len(known) >= 0.3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The mill made 40 tonnes of flour.", "The mill made 40 sacks of flour."),
        ("Sales fell by 5 percent.", "Sales fell to 5 percent."),
        ("The mill closed in 2012.", "The mill closed in 2013."),
        ("The mill closed in May.", "The mill closed in June."),
        ("The mill in Orsund closed.", "The mill in Vikby closed."),
        ("Anna Berg left the party.", "Karin Berg left the party."),
        ("The mill never closed.", "The mill closed."),
        ("All mills closed.", "Some mills closed."),
        ("The mill closed.", "The mill may have closed."),
        ("The owner said that the mill closed.", "The mill closed."),
        ("Denmark sued Sweden.", "Sweden sued Denmark."),
        ("Denmark was sued by Sweden.", "Denmark sued Sweden."),
        ("Dogs chase foxes.", "Foxes chase dogs."),
        ("Gold is heavier than lead.", "Lead is heavier than gold."),
        ("Orsund sold its mill.", "Vikby sold its mill."),
        ("", ""),
    ],
)
def test_what_makes_another_claim_of_one_whatever_the_model_thinks(one: str, other: str) -> None:
    assert same_claims([(one, other)], BELIEVES) == [False]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Denmark sued Sweden.", "Sweden was sued by Denmark."),
        ("The mill in Orsund closed in 2012.", "In 2012 the mill in Orsund closed."),
        ("Minister Anna Berg left the party.", "Anna Berg left the party."),
        ("Twelve mills closed.", "12 mills closed."),
        ("Sales fell by 5%.", "Sales fell by 5 percent."),
    ],
)
def test_what_may_be_the_same_is_left_to_the_model(one: str, other: str) -> None:
    assert same_claims([(one, other)], BELIEVES) == [True]


def test_claims_as_long_as_they_may_be_are_compared_at_once() -> None:
    started = time.process_time()
    for part in ("Berg in Rome ", "was sold by ", "not 5 ", "a than b "):
        same_claims([(part * 1_000, part * 999 + "x")], BELIEVES)
    assert time.process_time() - started < 2
