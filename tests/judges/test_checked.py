"""What a fact-checker's rating of the very claim decides, on hand-made evidence."""

from dataclasses import replace

import pytest

from ghost.judges import decide_statement
from ghost.judges.embedded.fact_checks import misleading, rated_side
from ghost.testing import OFF_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import Evidence, Label, ReasonCode, SourceType, Stance, StanceLabel, Statement
from ghost.web import worded
from tests.judges.test_decision import contested_odds

S = Statement(1, "Honey cures colds.")
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
    claim: str = S.text,
) -> Evidence:
    text = worded("ClaimLens", claim, words)
    return replace(evidence(number, text, stance, credibility=0.95, source_type=by), nearness=nearness)


def test_a_rating_of_the_claim_decides_between_sources_that_contradict_one_another() -> None:
    assert decide_statement(S, CONTEST, odds=contested_odds()).label is Label.PARTIALLY_TRUE
    found = decide_statement(S, [*CONTEST, rating("False", REFUTING)], odds=contested_odds())
    assert found.label is Label.FALSE
    assert not found.contested
    assert decide_statement(S, [*CONTEST, rating("True", SUPPORTING)], odds=contested_odds()).label is Label.TRUE


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
    assert rated_side(S.text, [*CONTEST, other]) is None


def test_fact_checkers_who_differ_leave_the_contest_as_it_is() -> None:
    both = [*CONTEST, rating("False", REFUTING), rating("True", SUPPORTING, 4)]
    assert rated_side(S.text, both) is None
    assert decide_statement(S, both).label not in (Label.TRUE, Label.FALSE)


def test_what_a_fact_checker_calls_misleading_is_not_simply_false() -> None:
    check = rating("Misleading", NOTHING)
    assert misleading(S.text, [check])
    refuted = decide_statement(S, [CONTEST[1], check])
    assert refuted.label is Label.NOT_ENOUGH_EVIDENCE
    assert [r.code for r in refuted.reasons] == [ReasonCode.CONFLICT]
    to_the_letter = decide_statement(S, [*CONTEST, check])
    assert to_the_letter.label is Label.TRUE
    assert not to_the_letter.contested


def test_a_rating_as_false_outranks_one_as_misleading() -> None:
    rows = [CONTEST[1], rating("Misleading", NOTHING), rating("False", REFUTING, 4)]
    assert decide_statement(S, rows).label is Label.FALSE


def test_nothing_is_misleading_where_nothing_takes_a_side() -> None:
    found = decide_statement(S, [evidence(1, "Bees fly.", OFF_TOPIC), rating("Misleading", NOTHING)])
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert ReasonCode.CONFLICT not in [r.code for r in found.reasons]
    assert rated_side(S.text, [rating("Misleading", NOTHING)]) is None
    assert StanceLabel.SUPPORTS is rated_side(S.text, [rating("True", SUPPORTING)])


@pytest.mark.parametrize(
    ("words", "nearness", "label"),
    [("Misleading", 0.85, Label.NOT_ENOUGH_EVIDENCE), ("Half true", 0.85, Label.NOT_ENOUGH_EVIDENCE),
     ("Misleading", 0.75, Label.TRUE), ("True", 0.85, Label.TRUE)],
)  # fmt: skip
def test_what_may_be_the_claim_in_other_words_and_misleads_is_not_called_true(
    words: str, nearness: float, label: Label
) -> None:
    check = rating(words, NOTHING, nearness=nearness, claim="Whoever eats honey gets over a cold faster.")
    found = decide_statement(S, [CONTEST[0], check])
    assert found.label is label
    assert [r.code for r in found.reasons] == [ReasonCode.CONFLICT] * (label is not Label.TRUE)
