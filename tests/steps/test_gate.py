"""Nothing a judge writes may be shown unless the evidence of the run really says so."""

from dataclasses import replace

import pytest

from ghost.steps import pass_gate
from ghost.steps.gate import Refusal, check_citation, is_verbatim
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import (
    Draft,
    DraftCitation,
    DraftSentence,
    Label,
    Origin,
    ReasonCode,
    Stance,
    StanceLabel,
    StatementVerdict,
)

WALL = "The Great Wall of China is not visible to the naked eye from the Moon."
KEEPS = "Honey that is kept dry keeps for many years."
ROWS = [evidence(1, WALL, REFUTING), evidence(2, "The wall is over 20,000 kilometres long.", ON_TOPIC)]


def cite(number: int, quote: str, stance: StanceLabel = StanceLabel.REFUTES, statement: int = 1) -> DraftCitation:
    return DraftCitation(number, quote, stance, statement)


def draft(label: Label, *sentences: DraftSentence, confidence: float = 0.9) -> Draft:
    return Draft(label, confidence, sentences)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (WALL, WALL),
        ("is not visible to the naked eye", WALL),
        ("  is not\n visible   to the naked eye ", WALL),
        ('He said "it is over"', "He said “it is over” and left."),
        ("it’s over the wall", "Yes, it's over the wall now."),
        ("Short.", "Short."),
        ("水在一百度时沸腾，在高山上则更低", "众所周知，水在一百度时沸腾，在高山上则更低一些。"),
        ("caf\u0065\u0301 in the old town", "A café in the old town."),
        ("The turnout was 40", "The turnout was 40%, they say."),
        ("The turnout was 40", "The turnout was 40. 300 were turned away."),
        ("in the years 5", "It happened in the years 5, 6 and 7."),
        ("It opened in 2019", "It opened in 2019 400 metres away."),
        ("cost of 1 200 000 francs", "It had a cost of 1\u202f200\u202f000 francs."),
    ],
)
def test_a_verbatim_quote_stands(quote: str, text: str) -> None:
    assert is_verbatim(quote, text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", WALL),
        ("   ", WALL),
        ("is visible to the naked eye", WALL),
        ("the Moon", WALL),
        ("able to see the wall", "They were unable to see the wall."),
        ("50 people were hurt", "In all 150 people were hurt."),
        ("IS NOT VISIBLE TO THE NAKED EYE", WALL),
        ("visible … from the Moon", WALL),
        ("It had a cost of 1,200", "It had a cost of 1,200,000 pounds."),
        ("a cost of 1", "It had a cost of 1’200’000 francs."),
        ("a cost of 1 200", "It had a cost of 1\u2009200\u2009000 francs."),
        ("200,000 pounds", "It had a cost of 1,200,000 pounds."),
        ("The turnout was 40", "The turnout was 40.5 percent."),
        ("9 percent in May", "It was 1.9 percent in May."),
        ("5 percent in May", "It fell by .5 percent in May."),
        ("5 degrees in Oslo", "It was -5 degrees in Oslo."),
        ("5 degrees in Oslo", "It was −5 degrees in Oslo."),
        ("50 people were hurt", "In all 40–50 people were hurt."),
        ("which lasted for 2", "It is a war which lasted for 2½ years."),
    ],
)
def test_anything_else_does_not(quote: str, text: str) -> None:
    assert not is_verbatim(quote, text)


def test_an_invented_number_is_refused() -> None:
    found = check_citation(cite(7, WALL), ROWS)
    assert not found.accepted
    assert found.passage_id == ""
    assert "[7]" in found.why


def test_a_quote_from_another_passage_is_refused() -> None:
    found = check_citation(cite(2, WALL), ROWS)
    assert not found.accepted
    assert "verbatim" in found.why


def test_the_stance_model_overrules_only_when_it_is_confident_of_the_opposite() -> None:
    assert not check_citation(cite(1, WALL, StanceLabel.SUPPORTS), ROWS).accepted
    assert check_citation(cite(2, ROWS[1].passage.text, StanceLabel.SUPPORTS), ROWS).accepted


def test_evidence_for_one_statement_does_not_speak_for_another() -> None:
    rows = [evidence(1, WALL, REFUTING, statement=1)]
    assert not check_citation(cite(1, WALL, statement=2), rows).accepted


def test_the_stance_counts_for_the_statement_that_is_cited() -> None:
    rows = [evidence(1, WALL, REFUTING, statement=1), evidence(1, WALL, SUPPORTING, statement=2)]
    assert check_citation(cite(1, WALL, StanceLabel.SUPPORTS, statement=2), rows).accepted
    assert not check_citation(cite(1, WALL, StanceLabel.SUPPORTS, statement=1), rows).accepted


def test_a_decisive_verdict_with_a_fitting_citation_stands() -> None:
    report = pass_gate(draft(Label.FALSE, DraftSentence("[1] says otherwise.", (cite(1, WALL),))), ROWS)
    assert report.verdict.label is Label.FALSE
    assert report.verdict.explanation == "[1] says otherwise."
    assert (report.proposed, report.accepted, report.dropped_sentences) == (1, 1, 0)
    assert report.downgraded_from is None


@pytest.mark.parametrize("label", [Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING])
def test_a_decisive_verdict_without_a_fitting_citation_becomes_not_enough_evidence(label: Label) -> None:
    neutral = DraftSentence("[2] gives the length.", (cite(2, ROWS[1].passage.text, StanceLabel.NEUTRAL),))
    report = pass_gate(draft(label, neutral), ROWS)
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert report.downgraded_from is label
    assert report.verdict.confidence is None
    assert ReasonCode.CITATIONS_REJECTED in [r.code for r in report.verdict.reasons]


def test_a_label_against_its_own_explanation_does_not_stand() -> None:
    report = pass_gate(draft(Label.TRUE, DraftSentence("[1] refutes it.", (cite(1, WALL),))), ROWS)
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE


@pytest.mark.parametrize(("groups", "label"), [((1, 1, 2), Label.TRUE), ((1, 3, 2), Label.NOT_ENOUGH_EVIDENCE)])
def test_a_label_is_outweighed_by_origins_and_not_by_their_copies(groups: tuple[int, ...], label: Label) -> None:
    texts = ("The wall is not to be seen from there.", "It cannot be seen from there.", "The wall is seen from there.")
    stances = (REFUTING, REFUTING, SUPPORTING)
    rows = [evidence(n, t, s, group=g) for n, (t, s, g) in enumerate(zip(texts, stances, groups, strict=True), 1)]
    sentences = [DraftSentence(f"[{e.number}] speaks of it.", (cite(e.number, e.passage.text, e.stance.label),))
                 for e in rows]  # fmt: skip
    decided = replace(draft(Label.TRUE, *sentences), statements=(StatementVerdict(1, Label.TRUE, 0.9, 0.9, 0.0),))
    assert pass_gate(decided, rows).verdict.label is label


@pytest.mark.parametrize("label", [Label.PARTIALLY_TRUE, Label.MISLEADING, Label.TRUE])
def test_a_verdict_on_one_statement_needs_its_citations_too(label: Label) -> None:
    said = (StatementVerdict(1, Label.FALSE, 0.9, 0.0, 0.9), StatementVerdict(2, label, 0.95, 0.9, 0.9, contested=True))
    decided = replace(draft(Label.FALSE, DraftSentence("[1] says no.", (cite(1, WALL),))), statements=said)
    first, second = pass_gate(decided, ROWS).verdict.statements
    assert first.label is Label.FALSE
    assert (second.label, second.contested) == (Label.NOT_ENOUGH_EVIDENCE, False)


def test_partially_true_needs_both_sides() -> None:
    one_side = draft(Label.PARTIALLY_TRUE, DraftSentence("[1] says no.", (cite(1, WALL),)))
    assert pass_gate(one_side, ROWS).verdict.label is Label.NOT_ENOUGH_EVIDENCE
    rows = [*ROWS, evidence(3, "Astronauts have photographed the wall from low orbit.", SUPPORTING)]
    other = DraftSentence("[3] says yes.", (cite(3, rows[2].passage.text, StanceLabel.SUPPORTS),))
    both = draft(Label.PARTIALLY_TRUE, one_side.sentences[0], other)
    assert pass_gate(both, rows).verdict.label is Label.PARTIALLY_TRUE


def test_sentences_whose_citations_all_fail_are_not_shown_but_kept_as_failures() -> None:
    good = DraftSentence("[1] refutes it.", (cite(1, WALL),))
    bad = DraftSentence("[9] proves it beyond doubt.", (cite(9, "made up"),))
    report = pass_gate(draft(Label.FALSE, good, bad), ROWS)
    assert report.sentences == ("[1] refutes it.",)
    assert "[9]" not in report.verdict.explanation
    assert [(c.n, c.accepted) for c in report.verdict.citations] == [(1, True), (9, False)]


def test_a_failed_mark_is_taken_out_of_a_sentence_that_stays() -> None:
    mixed = DraftSentence("Both say so [1] [9].", (cite(1, WALL), cite(9, "made up")))
    assert pass_gate(draft(Label.FALSE, mixed), ROWS).sentences == ("Both say so [1].",)


def test_a_sentence_that_leans_on_nothing_is_not_shown() -> None:
    report = pass_gate(draft(Label.FALSE, DraftSentence("Everyone knows this is false.")), ROWS)
    assert report.sentences == ()
    assert report.verdict.label is Label.NOT_ENOUGH_EVIDENCE


def test_text_from_outside_carries_a_label_only_where_the_stance_model_reads_it_that_way() -> None:
    enough, little = Stance(0.55, 0.05, 0.36, 0.04), Stance(0.45, 0.02, 0.49, 0.04)
    said = draft(Label.TRUE, DraftSentence("It keeps [1].", (cite(1, KEEPS, StanceLabel.SUPPORTS),)))
    for stance, origin, label in (
        (enough, Origin.WEB, Label.TRUE),
        (little, Origin.WEB, Label.NOT_ENOUGH_EVIDENCE),
        (little, Origin.IMPORT, Label.NOT_ENOUGH_EVIDENCE),
        (little, Origin.SEED, Label.TRUE),
        (little, Origin.CURATED, Label.TRUE),
    ):
        row = evidence(1, KEEPS, stance)
        report = pass_gate(said, [replace(row, passage=replace(row.passage, origin=origin))], ("Honey keeps.",))
        assert report.verdict.label is label
        assert report.accepted == 1, "the quote itself is genuine"
        assert (Refusal.NOT_AGREED in report.refusals) is (label is not Label.TRUE)


def test_a_question_is_never_quoted_as_support() -> None:
    asked = "Was the ferry line to Sund closed?"
    rows = [evidence(1, f"{asked} The council met on Monday.", SUPPORTING)]
    found = check_citation(cite(1, asked, StanceLabel.SUPPORTS), rows)
    assert (found.accepted, found.why) == (False, "The quote is a question, which states nothing.")
    assert check_citation(cite(1, asked, StanceLabel.NEUTRAL), rows).accepted
