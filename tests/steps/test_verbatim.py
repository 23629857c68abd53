"""A passage with the very words of a statement supports it, unless it looks as if it only repeats them."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference.load import load_stance_reader
from ghost.judges.calibration import shipped
from ghost.judges.decision import Rule, decide_statement
from ghost.judges.ratings import VERBATIM, RatingReader
from ghost.steps.focus import focused
from ghost.steps.verbatim import AGREES, word_for_word
from ghost.testing import evidence
from ghost.types import Evidence, Label, Origin, Stance, Statement
from ghost.web.rating import worded

CLOSED = "The bridge was closed."
LIKELY = Stance(0.7, 0.2, 0.05, 0.05)
AGAINST = Stance(0.02, 0.9, 0.06, 0.02)
VAGUE = Stance(0.2, 0.2, 0.5, 0.1)
TABLE = Path(__file__).parents[1] / "data" / "verbatim_passages.jsonl"


def passage(text: str, stance: Stance, origin: Origin = Origin.WEB) -> Evidence:
    one = evidence(1, text, stance)
    return replace(one, passage=replace(one.passage, origin=origin))


@pytest.mark.parametrize("text", [CLOSED, "“The bridge was closed”", "the bridge was closed!"])
def test_the_statement_itself_supports_it_whatever_a_model_reads(text: str) -> None:
    assert word_for_word(passage(text, AGAINST), CLOSED).stance.supports == VERBATIM


def test_among_other_sentences_the_model_has_to_agree() -> None:
    text = f"{CLOSED} It rained."
    found = word_for_word(passage(text, LIKELY), CLOSED)
    assert (found.stance.supports, found.focus, found.nearness) == (VERBATIM, CLOSED, 1.0)
    assert word_for_word(passage(text, AGAINST), CLOSED).stance == AGAINST


def test_a_fact_of_the_starter_library_says_each_of_its_sentences() -> None:
    text = f"{CLOSED} The tunnel is not."
    assert word_for_word(passage(text, AGAINST, Origin.SEED), CLOSED).stance.supports == VERBATIM


@pytest.mark.parametrize(
    "text",
    [f"{CLOSED} None of that happened.", f"A rumour went round in May. {CLOSED}", f"{CLOSED} So the novel begins.",
     f"“{CLOSED}” The mayor smiled.", f"{CLOSED} Is that so?"],
)  # fmt: skip
def test_words_that_may_only_be_repeated_decide_nothing(text: str) -> None:
    found = word_for_word(passage(text, LIKELY), CLOSED).stance
    assert found.supports == AGREES
    assert sum((found.supports, found.refutes, found.neutral, found.off_topic)) == pytest.approx(1.0)


def test_nearly_the_same_words_are_doubted_too_and_never_made_sure() -> None:
    statement = "The old bridge was closed in May."
    denied, plain = f"Old bridge closed in May. That is a myth. {CLOSED}", "The old bridge closed in May. It rained."
    assert word_for_word(passage(denied, LIKELY), statement).stance.supports == AGREES
    assert word_for_word(passage(plain, LIKELY), statement).stance == LIKELY


def test_what_was_cut_out_of_the_claim_is_said_where_the_claim_is() -> None:
    claim = "The bridge was closed, and the ferry was sold."
    said = passage(claim, LIKELY)
    assert word_for_word(said, CLOSED, claim).stance.supports == VERBATIM
    assert word_for_word(said, CLOSED).stance == LIKELY
    assert word_for_word(said, "The tunnel was closed.", claim).stance == LIKELY
    assert word_for_word(passage(claim, VAGUE), CLOSED, claim).stance == VAGUE


def test_what_the_claim_says_as_well_raises_no_doubt() -> None:
    claim = f"{CLOSED} It was not sold."
    assert word_for_word(passage(claim, AGAINST), CLOSED, claim).stance.supports == VERBATIM


def test_a_rating_of_the_very_words_is_as_sure_as_a_quotation() -> None:
    for rating, side in (("False", "refutes"), ("True", "supports")):
        found = word_for_word(passage(worded("ClaimLens", "The bridge was closed", rating), VAGUE), CLOSED)
        assert getattr(found.stance, side) == VERBATIM
    other = passage(worded("ClaimLens", "The bridge was sold", "False"), VAGUE)
    assert word_for_word(other, CLOSED) == other


def test_passages_that_repeat_a_claim_to_deny_or_report_it_do_not_make_it_true() -> None:
    """Of the rows that nobody looked at while the words were chosen: how many of each kind come out as True."""
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()[1::2]]
    statements = [Statement(n, row["claim"]) for n, row in enumerate(rows)]
    reader = RatingReader(load_stance_reader(PROJECT / "ghost" / "models"))
    stances = reader.read([(row["evidence"], row["claim"]) for row in rows])
    read = [
        replace(passage(row["evidence"], stance), statement=n, nearness=0.8)
        for n, (row, stance) in enumerate(zip(rows, stances, strict=True))
    ]
    rule, true, kinds = Rule(shipped().odds.bound), Counter[str](), Counter(row["kind"] for row in rows)
    for row, statement, e in zip(rows, statements, focused(read, statements, reader), strict=True):
        true[row["kind"]] += decide_statement(statement, [e], rule=rule).label is Label.TRUE
    assert true["asserted"] >= 13, f"of {kinds['asserted']}"
    assert sum(n for kind, n in true.items() if not kind.startswith("asserted")) <= 4, true
