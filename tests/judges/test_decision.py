"""From evidence to the probability of each answer and to a verdict, on hand-made evidence."""

from dataclasses import replace

import pytest

from ghost.judges import Odds, Rule, combine, decide_statement, features, shipped
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import (
    Evidence,
    Label,
    Leaning,
    ReasonCode,
    SourceType,
    Stance,
    Statement,
    StatementVerdict,
)
from ghost.web import worded

S = Statement(1, "Water boils at 100 degrees.")


BOTH = [evidence(1, "yes", SUPPORTING, credibility=0.95), evidence(2, "no", REFUTING, credibility=0.95)]
"""Two strong sources that contradict each other."""


CALIBRATED = Rule(decides=shipped().odds.bound)
"""The rule of every run: the bound of the calibration, which is no lower than the floor."""
ODDS_ONLY = replace(shipped().odds, reading=0.0)
"""The odds decide, however plainly a passage was read."""


def contested_odds() -> Odds:
    """Odds by which strong words on both sides make a contest."""
    usual = shipped().odds
    return replace(usual, bias={**usual.bias, Label.PARTIALLY_TRUE: usual.bias[Label.PARTIALLY_TRUE] + 2.0})


def verdict(label: Label, confidence: float | None = 0.9) -> StatementVerdict:
    return StatementVerdict(1, label, confidence, 0.0, 0.0)


def test_one_strong_source_decides_either_way() -> None:
    assert decide_statement(S, [evidence(1, "yes", SUPPORTING)]).label is Label.TRUE
    assert decide_statement(S, [evidence(1, "no", REFUTING)]).label is Label.FALSE


def test_evidence_that_takes_no_side_decides_nothing_and_says_why() -> None:
    found = decide_statement(S, [evidence(1, "about water", ON_TOPIC), evidence(2, "about cats", OFF_TOPIC)])
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert [r.code for r in found.reasons] == [ReasonCode.NOT_DECISIVE]
    assert decide_statement(S, []).reasons[0].code is ReasonCode.NO_SOURCES


def test_two_independent_origins_are_stronger_than_one_and_copies_are_not() -> None:
    one = decide_statement(S, [evidence(1, "a", SUPPORTING)])
    two = decide_statement(S, [evidence(1, "a", SUPPORTING), evidence(2, "b", SUPPORTING)])
    copies = decide_statement(S, [evidence(n, "a", SUPPORTING, group=1) for n in range(1, 7)])
    assert two.support > one.support == copies.support
    assert (two.confidence or 0) > (one.confidence or 0) == copies.confidence


def test_a_weak_source_alone_does_not_decide() -> None:
    hunch = Stance(0.92, 0.02, 0.04, 0.02)
    found = decide_statement(S, [evidence(1, "maybe", hunch, credibility=0.2)])
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert found.reasons[0].code is ReasonCode.WEAK_ORIGIN


def test_strong_evidence_on_both_sides_is_contested_where_the_odds_say_so() -> None:
    found = decide_statement(S, BOTH, odds=contested_odds())
    assert found.label is Label.PARTIALLY_TRUE
    assert found.contested


def test_strong_evidence_on_both_sides_stays_open_as_a_conflict_below_the_bound() -> None:
    found = decide_statement(S, BOTH, rule=CALIBRATED)
    assert (found.label, found.confidence, found.contested) == (Label.NOT_ENOUGH_EVIDENCE, None, False)
    assert [r.code for r in found.reasons] == [ReasonCode.CONFLICT]
    assert found.leaning
    assert found.leaning.probability < CALIBRATED.decides


def test_a_side_that_hardly_leads_decides_nothing_though_it_is_the_most_probable_answer() -> None:
    leaning = Stance(0.82, 0.06, 0.06, 0.06), Stance(0.06, 0.82, 0.06, 0.06)
    rows = [replace(evidence(n, f"page {n}", stance), nearness=0.7) for n, stance in enumerate(leaning, start=1)]
    found = decide_statement(S, rows, odds=ODDS_ONLY)
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert found.reasons[0].code is ReasonCode.CONFLICT
    assert decide_statement(S, [replace(rows[0], stance=SUPPORTING)], odds=ODDS_ONLY).label is Label.TRUE


def test_an_answer_below_the_bound_is_a_leaning_with_its_reason() -> None:
    hunch = replace(evidence(1, "It may boil at 100 degrees.", Stance(0.5, 0.1, 0.35, 0.05)), nearness=0.6)
    found = decide_statement(S, [hunch], odds=ODDS_ONLY, rule=CALIBRATED)
    assert (found.label, found.confidence) == (Label.NOT_ENOUGH_EVIDENCE, None)
    assert found.leaning
    assert found.leaning.label is Label.TRUE
    assert found.leaning.probability < CALIBRATED.decides
    assert [r.code for r in found.reasons] == [ReasonCode.BELOW_BOUND]
    low = Rule(decides=found.leaning.probability)
    assert decide_statement(S, [hunch], odds=ODDS_ONLY, rule=low).label is Label.TRUE


def test_a_reading_below_the_bound_of_its_model_settles_nothing_however_probable_the_answer() -> None:
    careful = replace(shipped().odds, reading=0.9)
    rows = [replace(evidence(n, f"page {n}", Stance(0.86, 0.02, 0.1, 0.02)), nearness=0.8) for n in (1, 2, 3)]
    found = decide_statement(S, rows, odds=careful)
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert [r.code for r in found.reasons] == [ReasonCode.BELOW_BOUND]
    assert found.leaning
    assert found.leaning.label is Label.TRUE
    plain = replace(rows[0], stance=Stance(0.95, 0.02, 0.02, 0.01))
    assert decide_statement(S, [plain, *rows[1:]], odds=careful).label is Label.TRUE


def test_statements_combine_into_a_claim() -> None:
    true, false, open_ = verdict(Label.TRUE), verdict(Label.FALSE), verdict(Label.NOT_ENOUGH_EVIDENCE, None)
    assert combine([true, true]).label is Label.TRUE
    assert combine([true, false]).label is Label.PARTIALLY_TRUE
    assert combine([false, open_]).label is Label.FALSE
    assert combine([true, open_]).label is Label.NOT_ENOUGH_EVIDENCE
    assert combine([true, verdict(Label.PARTIALLY_TRUE), open_]).label is Label.PARTIALLY_TRUE


def test_open_statements_lower_the_confidence_of_a_decided_claim() -> None:
    assert combine([verdict(Label.FALSE, 0.9), verdict(Label.NOT_ENOUGH_EVIDENCE, None)]).confidence == 0.45
    assert combine([verdict(Label.FALSE, 0.9), verdict(Label.FALSE, 0.9)]).confidence == 0.9


def test_a_claim_leans_only_where_all_of_its_statements_lean_the_same_way() -> None:
    def leans(label: Label, probability: float) -> StatementVerdict:
        return replace(verdict(Label.NOT_ENOUGH_EVIDENCE, None), leaning=Leaning(label, probability))

    true, truer, false = leans(Label.TRUE, 0.5), leans(Label.TRUE, 0.55), leans(Label.FALSE, 0.5)
    assert combine([truer, true]).leaning == Leaning(Label.TRUE, 0.5)
    assert combine([true, false]).leaning is None
    assert combine([true, verdict(Label.NOT_ENOUGH_EVIDENCE, None)]).leaning is None
    assert combine([true, verdict(Label.TRUE)]).leaning is None


def test_a_claim_is_no_surer_than_its_weakest_decided_statement() -> None:
    assert combine([verdict(Label.TRUE, 0.9), verdict(Label.TRUE, 0.7)]).confidence == 0.7


HONEY = Statement(1, "Honey cures colds.")
CONTEST = [
    replace(evidence(1, "Honey cures colds, a study says.", SUPPORTING, credibility=0.95), nearness=0.8),
    replace(evidence(2, "Honey does not cure colds.", REFUTING, credibility=0.95), nearness=0.8),
]
NOTHING = Stance(0.0, 0.0, 0.99, 0.01)


def rating(
    words: str,
    stance: Stance,
    number: int = 3,
    by: SourceType = SourceType.FACT_CHECKER,
    nearness: float = 0.9,
    claim: str = HONEY.text,
) -> Evidence:
    text = worded("ClaimLens", claim, words)
    return replace(evidence(number, text, stance, credibility=0.95, source_type=by), nearness=nearness)


def test_a_rating_of_the_claim_decides_between_sources_that_contradict_one_another() -> None:
    assert decide_statement(HONEY, CONTEST, odds=contested_odds()).label is Label.PARTIALLY_TRUE
    found = decide_statement(HONEY, [*CONTEST, rating("False", REFUTING)], odds=contested_odds())
    assert found.label is Label.FALSE
    assert not found.contested
    assert decide_statement(HONEY, [*CONTEST, rating("True", SUPPORTING)], odds=contested_odds()).label is Label.TRUE


@pytest.mark.parametrize(
    "other",
    [
        rating("False", REFUTING, by=SourceType.NEWS),
        rating("False", REFUTING, nearness=0.5),
        rating("False", Stance(0.0, 0.3, 0.6, 0.1)),
        rating("False", REFUTING, claim="Honey cures colds and dangerous fevers."),
        rating("False", REFUTING, claim="Honey does not cure colds."),
        evidence(3, "ClaimLens: honey and colds, what is known", REFUTING, source_type=SourceType.FACT_CHECKER),
    ],
)
def test_only_a_fact_checkers_plain_rating_of_this_claim_decides(other: Evidence) -> None:
    found = decide_statement(HONEY, [*CONTEST, other], odds=contested_odds())
    assert found.label not in (Label.TRUE, Label.FALSE)


def test_fact_checkers_who_differ_leave_the_contest_as_it_is() -> None:
    both = [*CONTEST, rating("False", REFUTING), rating("True", SUPPORTING, 4)]
    assert decide_statement(HONEY, both).label not in (Label.TRUE, Label.FALSE)


def test_what_a_fact_checker_calls_misleading_is_not_simply_false() -> None:
    check = rating("Misleading", NOTHING)
    refuted = decide_statement(HONEY, [CONTEST[1], check])
    assert refuted.label is Label.NOT_ENOUGH_EVIDENCE
    assert [r.code for r in refuted.reasons] == [ReasonCode.CONFLICT]
    to_the_letter = decide_statement(HONEY, [*CONTEST, check])
    assert to_the_letter.label is Label.TRUE
    assert not to_the_letter.contested


def test_a_rating_as_false_outranks_one_as_misleading() -> None:
    rows = [CONTEST[1], rating("Misleading", NOTHING), rating("False", REFUTING, 4)]
    assert decide_statement(HONEY, rows).label is Label.FALSE


def test_nothing_is_misleading_where_nothing_takes_a_side() -> None:
    found = decide_statement(HONEY, [evidence(1, "Bees fly.", OFF_TOPIC), rating("Misleading", NOTHING)])
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert ReasonCode.CONFLICT not in [r.code for r in found.reasons]


@pytest.mark.parametrize(
    ("words", "nearness", "label"),
    [("Misleading", 0.85, Label.NOT_ENOUGH_EVIDENCE), ("Half true", 0.85, Label.NOT_ENOUGH_EVIDENCE),
     ("Misleading", 0.75, Label.TRUE), ("True", 0.85, Label.TRUE)],
)  # fmt: skip
def test_what_may_be_the_claim_in_other_words_and_misleads_is_not_called_true(
    words: str, nearness: float, label: Label
) -> None:
    check = rating(words, NOTHING, nearness=nearness, claim="Whoever eats honey gets over a cold faster.")
    found = decide_statement(HONEY, [CONTEST[0], check])
    assert found.label is label
    assert [r.code for r in found.reasons] == [ReasonCode.CONFLICT] * (label is not Label.TRUE)


def test_probabilities_sum_to_one_whatever_the_features() -> None:
    for row in ((0.0, 0.0, 0.5), (7.0, -7.0, 1.0), (-7.0, 7.0, -1.0)):
        chances = shipped().odds.probabilities(row)
        assert len(chances) == 4
        assert sum(chances.values()) == pytest.approx(1.0)


def test_the_features_are_the_strongest_word_of_each_side_and_further_origins() -> None:
    rows = [
        evidence(1, "a", SUPPORTING, credibility=0.5),
        evidence(2, "b", SUPPORTING, credibility=0.5),
        evidence(3, "b again", SUPPORTING, group=2, credibility=0.5),
        evidence(4, "c", REFUTING, credibility=0.5),
    ]
    found = features(rows)
    alone = features(rows[:1])
    two = features(rows[:2])
    assert two[0] == found[0] > alone[0]  # two origins say so; the copy counts for nothing
    assert found[1] > alone[1]


@pytest.mark.parametrize(
    ("rows", "label"),
    [
        ([SUPPORTING], Label.TRUE),
        ([REFUTING], Label.FALSE),
        ([ON_TOPIC], Label.NOT_ENOUGH_EVIDENCE),
        ([SUPPORTING, REFUTING], Label.PARTIALLY_TRUE),
    ],
)
def test_plain_cases_come_out_plainly(rows: list[Stance], label: Label) -> None:
    found = [evidence(n, str(n), stance) for n, stance in enumerate(rows, start=1)]
    chances = shipped().odds.probabilities(features(found))
    assert max(chances, key=lambda answer: chances[answer]) is label
