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


def verdict(label: Label, probability: float | None, **changes: object) -> Verdict:
    made = Verdict(label, None, "Because.", reasons=(WEAK,), probability=probability)
    return replace(made, **changes)  # type: ignore[arg-type]


def old(label: Label, confidence: float, **changes: object) -> Verdict:
    """As an older version stored it: what it called confidence was the judge's own probability."""
    return verdict(label, None, confidence=confidence, **changes)


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
    assert as_drawn(old(label, 0.9)) == verdict(label, None)


def test_an_old_verdict_follows_the_rule_of_today_statement_by_statement() -> None:
    weak, sure = (StatementVerdict(n, Label.TRUE, c, 0.5, 0.1) for n, c in ((1, 0.45), (2, 0.9)))
    drawn = as_drawn(old(Label.TRUE, 0.45, statements=(weak, sure)))
    assert drawn.statements == (
        replace(weak, label=Label.NOT_ENOUGH_EVIDENCE, confidence=None, leaning=Leaning(Label.TRUE, 0.45)),
        replace(sure, confidence=None, probability=0.9),
    )  # fmt: skip
    assert (drawn.label, drawn.leaning) == (Label.NOT_ENOUGH_EVIDENCE, Leaning(Label.TRUE, 0.45))
    assert as_drawn(drawn) == drawn
    assert opened(drawn.statements[1]) is drawn.statements[1]


def test_what_an_older_version_called_confidence_is_not_measured_and_the_judges_own_is_not_lost() -> None:
    drawn = as_drawn(old(Label.TRUE, 0.97))
    assert (drawn.label, drawn.confidence, drawn.probability) == (Label.TRUE, None, 0.97)
    now = verdict(Label.TRUE, 0.97, confidence=0.92)
    assert as_drawn(now) == now


@pytest.mark.parametrize("label", DECIDED)
def test_a_kind_of_verdict_that_is_too_often_wrong_is_left_open_however_sure_the_judge_is(label: Label) -> None:
    sure = verdict(label, 0.99)
    found = held_open(sure, BOUND, {label})
    assert (found.label, found.leaning) == (Label.NOT_ENOUGH_EVIDENCE, Leaning(label, 0.99))
    others = set(DECIDED) - {label}
    assert held_open(sure, BOUND, others) is sure
