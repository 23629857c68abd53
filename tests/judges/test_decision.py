"""The embedded judge's rule on hand-made evidence."""

from dataclasses import replace

from ghost.judges import Odds, Rule, combine, decide_statement, shipped
from ghost.judges.embedded.decision import side
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import Label, Leaning, ReasonCode, Stance, StanceLabel, Statement, StatementVerdict

S = Statement(1, "Water boils at 100 degrees.")


BOTH = [evidence(1, "yes", SUPPORTING, credibility=0.95), evidence(2, "no", REFUTING, credibility=0.95)]
"""Two strong sources that contradict each other."""


CALIBRATED = Rule(decides=shipped().odds.bound)
"""The rule of every run: the bound of the calibration, which is no lower than the floor."""


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
    one = side([evidence(1, "a", SUPPORTING)], StanceLabel.SUPPORTS).strength
    two = side([evidence(1, "a", SUPPORTING), evidence(2, "b", SUPPORTING)], StanceLabel.SUPPORTS).strength
    copies = [evidence(n, "a", SUPPORTING, group=1) for n in range(1, 7)]
    assert side(copies, StanceLabel.SUPPORTS).strength == one
    assert two > one
    assert side(copies, StanceLabel.SUPPORTS).origins == 1


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


def test_two_middling_sides_are_a_conflict() -> None:
    leaning = Stance(0.82, 0.06, 0.06, 0.06), Stance(0.06, 0.82, 0.06, 0.06)
    found = decide_statement(S, [evidence(1, "yes", leaning[0]), evidence(2, "no", leaning[1])])
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert found.reasons[0].code is ReasonCode.CONFLICT


def test_a_side_that_hardly_leads_decides_nothing_though_it_is_the_most_probable_answer() -> None:
    leaning = Stance(0.82, 0.06, 0.06, 0.06), Stance(0.06, 0.82, 0.06, 0.06)
    rows = [replace(evidence(n, f"page {n}", stance), nearness=0.7) for n, stance in enumerate(leaning, start=1)]
    found = decide_statement(S, rows)
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert found.reasons[0].code is ReasonCode.CONFLICT
    assert decide_statement(S, [replace(rows[0], stance=SUPPORTING)]).label is Label.TRUE


def test_an_answer_below_the_bound_is_a_leaning_with_its_reason() -> None:
    hunch = replace(evidence(1, "It may boil at 100 degrees.", Stance(0.55, 0.1, 0.3, 0.05)), nearness=0.6)
    found = decide_statement(S, [hunch], rule=CALIBRATED)
    assert (found.label, found.confidence) == (Label.NOT_ENOUGH_EVIDENCE, None)
    assert found.leaning
    assert found.leaning.label is Label.TRUE
    assert found.leaning.probability < CALIBRATED.decides
    assert [r.code for r in found.reasons] == [ReasonCode.BELOW_BOUND]
    assert decide_statement(S, [hunch], rule=Rule(decides=found.leaning.probability)).label is Label.TRUE


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


def test_an_abstention_has_no_confidence() -> None:
    assert decide_statement(S, [evidence(1, "about cats", OFF_TOPIC)]).confidence is None
    assert decide_statement(S, []).confidence is None
    open_ = verdict(Label.NOT_ENOUGH_EVIDENCE, None)
    assert combine([open_, open_]).confidence is None
    assert combine([verdict(Label.TRUE), open_]).confidence is None


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
