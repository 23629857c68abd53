"""The bound: below it no label is given, whoever proposes it and whenever it was stored."""

from dataclasses import replace

import pytest

from ghost.types import (
    BOUND,
    DECIDED,
    Label,
    Leaning,
    Reason,
    ReasonCode,
    StatementVerdict,
    Verdict,
    as_drawn,
    held_open,
    opened,
)  # fmt: skip

WEAK = Reason(ReasonCode.WEAK_ORIGIN, "One origin only.")


def verdict(label: Label, confidence: float | None, **changes: object) -> Verdict:
    return replace(Verdict(label, confidence, "Because.", reasons=(WEAK,)), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("label", DECIDED)
def test_a_label_below_the_bound_is_left_open_with_its_reason_and_leaning(label: Label) -> None:
    found = held_open(verdict(label, BOUND - 0.01, contested=True))
    assert (found.label, found.confidence, found.contested) == (Label.NOT_ENOUGH_EVIDENCE, None, False)
    assert [r.code for r in found.reasons] == [ReasonCode.BELOW_BOUND, ReasonCode.WEAK_ORIGIN]
    assert found.leaning == Leaning(label, BOUND - 0.01)
    sure = verdict(label, BOUND)
    assert held_open(sure) is sure
    assert held_open(sure, 0.7).label is Label.NOT_ENOUGH_EVIDENCE


@pytest.mark.parametrize("label", [Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE])
def test_an_old_abstention_loses_its_confidence_and_nothing_else(label: Label) -> None:
    old = verdict(label, 0.9)
    assert as_drawn(old) == replace(old, confidence=None)


def test_an_old_verdict_follows_the_rule_of_today_statement_by_statement() -> None:
    weak, sure = (StatementVerdict(n, Label.TRUE, c, 0.5, 0.1) for n, c in ((1, 0.45), (2, 0.9)))
    drawn = as_drawn(verdict(Label.TRUE, 0.45, statements=(weak, sure)))
    assert drawn.statements == (
        replace(weak, label=Label.NOT_ENOUGH_EVIDENCE, confidence=None, leaning=Leaning(Label.TRUE, 0.45)), sure,
    )  # fmt: skip
    assert (drawn.label, drawn.leaning) == (Label.NOT_ENOUGH_EVIDENCE, Leaning(Label.TRUE, 0.45))
    assert as_drawn(drawn) == drawn
    assert opened(sure) is sure
