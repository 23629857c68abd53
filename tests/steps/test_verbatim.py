"""A passage with the very words of a statement supports it, unless it looks as if it only repeats them."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference import load_stance_reader
from ghost.judges import VERBATIM, RatingReader, Rule, decide_statement, shipped
from ghost.judges.decision import TAKES_SIDE
from ghost.steps.gate.citations import may_carry_label
from ghost.steps.rerank import read_by_sentence
from ghost.steps.rerank.close_reading import AGREES, REPEATED, apply_verbatim_match, claim_sentences
from ghost.testing import ScriptedReader, evidence
from ghost.types import Citation, Evidence, Label, Origin, Stance, StanceLabel, Statement
from ghost.web import worded

CLOSED = "The bridge was closed."
LIKELY = Stance(0.7, 0.2, 0.05, 0.05)
AGAINST = Stance(0.02, 0.9, 0.06, 0.02)
VAGUE = Stance(0.2, 0.2, 0.5, 0.1)
SURE = Stance(0.95, 0.02, 0.02, 0.01)
RULE = Rule(shipped().odds.bound)
TABLE = Path(__file__).parents[1] / "data" / "verbatim_passages.jsonl"


def passage(text: str, stance: Stance, origin: Origin = Origin.WEB) -> Evidence:
    one = evidence(1, text, stance)
    return replace(one, passage=replace(one.passage, origin=origin))


def said(text: str, whole: Stance, statement: str = CLOSED, claim: str = "", origin: Origin = Origin.WEB) -> Evidence:
    return apply_verbatim_match(passage(text, whole, origin), whole, statement, claim_sentences(claim))


@pytest.mark.parametrize("text", [CLOSED, "the bridge was closed!", "  The bridge  was closed"])
def test_the_statement_itself_supports_it_whatever_a_model_reads(text: str) -> None:
    assert said(text, AGAINST).stance.supports == VERBATIM


def test_digits_of_another_script_and_ligatures_are_the_same_words() -> None:
    assert (
        said("The ﬁrst pier opened in 1932.", VAGUE, "The first pier opened in １９３２.").stance.supports == VERBATIM
    )


@pytest.mark.parametrize("text", ["The bridge was closed?", "“The bridge was closed.”", "Was the bridge closed?"])
def test_a_question_and_a_quotation_are_not_the_statement(text: str) -> None:
    assert said(text, AGAINST).stance.supports < AGREES


def test_among_other_sentences_the_model_has_to_agree() -> None:
    text = f"{CLOSED} It rained."
    found = said(text, LIKELY)
    assert (found.stance.supports, found.focus, found.nearness) == (VERBATIM, CLOSED, 1.0)
    assert said(text, AGAINST).stance == AGAINST


def test_it_is_the_whole_passage_with_which_the_model_has_to_agree() -> None:
    text = f"{CLOSED} It rained."
    reader = RatingReader(ScriptedReader(lambda passage, statement: AGAINST))
    (found,) = read_by_sentence([passage(text, AGAINST)], [Statement(1, CLOSED)], reader)
    assert found.stance.supports < VERBATIM


def test_a_fact_of_the_starter_library_says_each_of_its_sentences() -> None:
    text = f"{CLOSED} The tunnel is not."
    assert said(text, AGAINST, origin=Origin.SEED).stance.supports == VERBATIM


@pytest.mark.parametrize(
    "text",
    [f"{CLOSED} None of that happened.", f"A rumour went round in May. {CLOSED}", f"{CLOSED} So the novel begins.",
     f"“{CLOSED}” The mayor smiled.", f"{CLOSED} Is that so?", f"{CLOSED} This misconception has been discredited.",
     f"{CLOSED} Das ist falsch.", f"“It rained. {CLOSED} We left,” the leaflet goes on."],
)  # fmt: skip
def test_words_that_may_only_be_repeated_decide_nothing(text: str) -> None:
    found = said(text, SURE).stance
    assert found.supports == REPEATED < TAKES_SIDE
    assert sum((found.supports, found.refutes, found.neutral, found.off_topic)) == pytest.approx(1.0)


def test_a_title_in_quotation_marks_makes_no_quotation() -> None:
    statement = "“Night Boat” was painted in Oslo."
    assert said(f"{statement} It rained.", LIKELY, statement).stance.supports == VERBATIM


def test_pages_that_repeat_a_claim_only_to_doubt_it_leave_it_open() -> None:
    text = f"{CLOSED} None of that happened."
    rows = [replace(said(text, SURE), number=n, group=n, nearness=0.8, credibility=0.95) for n in (1, 2, 3)]
    assert decide_statement(Statement(1, CLOSED), rows, rule=RULE).label is Label.NOT_ENOUGH_EVIDENCE
    quote = Citation(1, "p1", CLOSED, StanceLabel.SUPPORTS, True, "", 1)
    assert not may_carry_label(quote, rows, None)


def test_nearly_the_same_words_are_doubted_too_and_never_made_sure() -> None:
    statement = "The old bridge was closed in May."
    assert said("Old bridge closed in May. That is a myth. It rained.", SURE, statement).stance.supports == REPEATED
    assert said("It is not true that the old bridge was closed in May.", SURE, statement).stance.supports == REPEATED
    assert said("The old bridge closed in May. It rained.", SURE, statement).stance == SURE


def test_what_was_cut_out_of_a_sentence_of_the_claim_is_said_where_that_stands() -> None:
    claim = "The tunnel was sold. The bridge was closed, and the ferry was painted."
    found = said(f"{claim} It rained.", LIKELY, claim=claim)
    assert (found.stance.supports, found.focus) == (VERBATIM, "The bridge was closed, and the ferry was painted.")
    assert said(claim, LIKELY).stance == LIKELY
    assert said(claim, LIKELY, "The tunnel was closed.", claim).stance == LIKELY
    assert said(claim, LIKELY, "The bridge was not closed.", claim).stance == LIKELY
    assert said(claim, VAGUE, claim=claim).stance == VAGUE


def test_a_report_that_is_pasted_as_a_claim_does_not_make_true_what_it_reports() -> None:
    claim = "Some people believe that the bridge was closed."
    assert said(claim, SURE, claim=claim).stance.supports == REPEATED


def test_what_the_claim_says_as_well_raises_no_doubt_but_the_model_has_to_agree() -> None:
    claim = f"{CLOSED} It was not sold."
    assert said(claim, LIKELY, claim=claim).stance.supports == VERBATIM
    assert said(claim, AGAINST, claim=claim).stance == AGAINST


def test_a_rating_of_the_very_words_is_as_sure_as_a_quotation() -> None:
    for rating, side in (("False", "refutes"), ("True", "supports")):
        found = said(worded("ClaimLens", "The bridge was closed", rating), VAGUE)
        assert getattr(found.stance, side) == VERBATIM
    other = worded("ClaimLens", "The bridge was sold", "False")
    assert said(other, VAGUE) == passage(other, VAGUE)


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
    true, kinds = Counter[str](), Counter(row["kind"] for row in rows)
    for row, statement, e in zip(rows, statements, read_by_sentence(read, statements, reader), strict=True):
        true[row["kind"]] += decide_statement(statement, [e], rule=RULE).label is Label.TRUE
    assert true["asserted"] >= 13, f"of {kinds['asserted']}"
    assert sum(n for kind, n in true.items() if not kind.startswith("asserted")) <= 4, true
