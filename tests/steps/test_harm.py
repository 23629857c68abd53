"""How much harm a claim could do by its words."""

import pytest

from ghost.budget import Budget, Limits
from ghost.events import result_of
from ghost.steps import harm_of, verdict
from ghost.testing import SUPPORTING, ScriptedJudge, evidence
from ghost.types import Claim, Draft, Harm, Label, Statement


@pytest.mark.parametrize(
    ("claim", "harm"),
    [
        ("Vaccines cause autism.", Harm.HIGH),
        ("Drinking bleach cures COVID-19.", Harm.HIGH),
        ("The election of 2024 was stolen.", Harm.HIGH),
        ("Children were kidnapped by migrants in Port Ansel.", Harm.HIGH),
        ("The earthquake makes everybody evacuate the city.", Harm.HIGH),
        ("Insulin is a hormone.", Harm.MEDIUM),
        ("The polling stations close at six.", Harm.MEDIUM),
        ("The Great Wall of China is visible from the Moon.", None),
        ("Canberra is the capital of Australia.", None),
        ("Bees make honey from nectar.", None),
        ("Einstein died in 1955.", None),
    ],
)
def test_words_tell_how_much_harm_a_claim_could_do(claim: str, harm: Harm | None) -> None:
    found, words = harm_of(claim)
    assert found is harm
    assert bool(words) is (harm is not None)
    assert all(word in claim.lower() for word in words)


def test_the_verdict_and_its_trace_have_it() -> None:
    claim, statements = Claim("Vaccines cause autism."), (Statement(1, "Vaccines cause autism."),)
    judge = ScriptedJudge(Draft(Label.NOT_ENOUGH_EVIDENCE, None, ()))
    rows = [evidence(1, "Something.", SUPPORTING)]
    outcome = result_of(verdict(claim, statements, rows, (), (), judge, Budget(Limits())))
    assert outcome.value.verdict.harm is Harm.HIGH
    assert outcome.outputs["harm_words"] == ["vaccines", "cause"]
