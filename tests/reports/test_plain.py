"""What every report says in the same words."""

import pytest

from ghost.reports.plain import caution
from ghost.types import LEANING, Label, Verdict


@pytest.mark.parametrize("label", [Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING])
def test_an_unsure_decision_is_called_a_leaning(label: Label) -> None:
    assert caution(Verdict(label, LEANING - 0.01, ""))
    assert not caution(Verdict(label, LEANING, ""))


@pytest.mark.parametrize("label", [Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE])
def test_an_abstention_leans_nowhere(label: Label) -> None:
    assert not caution(Verdict(label, 0.2, ""))
