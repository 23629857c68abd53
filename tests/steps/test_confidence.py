"""The confidence that a verdict leaves the gate with: by what it rests on, and none where nothing was measured."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ghost.judges import Count, Shares, Step
from ghost.reports import confidence
from ghost.steps import pass_gate
from ghost.testing import SUPPORTING
from ghost.types import (
    Basis,
    Correction,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    Kind,
    Label,
    Leaning,
    StanceLabel,
    StatementVerdict,
    Verdict,
)
from tests.reports.runs import evidence, passage

OPEN = Label.NOT_ENOUGH_EVIDENCE
RIGHT = {Basis.NOTES: 90, Basis.RATED: 95, Basis.UNRATED: 70, Basis.SEVERAL: 98}
SHARES = Shares(
    judge="embedded", model="m", reader="", bases={b: (Step(low=0.6, n=98, right=r - 1),) for b, r in RIGHT.items()},
    pooled=(Step(low=0.6, n=400, right=300),), labels=dict.fromkeys((Label.TRUE, Label.FALSE), Count(n=100, right=90)),
)  # fmt: skip


def row(number: int, group: int, kind: Kind = Kind.EXCERPT, rated: bool = True, statement: int = 1) -> Evidence:
    text = f"Passage {number} says that the wall cannot be seen from there."
    source = passage(id=f"p{number}", text=text, kind=kind, rated=rated)
    return evidence(number=number, statement=statement, group=group, passage=source)


def draft(
    rows: list[Evidence], label: Label = Label.FALSE, sure: float = 0.9, side: StanceLabel = StanceLabel.REFUTES
) -> Draft:
    sentences = []
    for e in rows:
        quote = e.passage.text.rstrip(".")
        cited = DraftCitation(e.number, quote, side, e.statement)
        sentences.append(DraftSentence(f"[{e.number}] It says “{quote}”.", (cited,)))
    numbers = sorted({e.statement for e in rows})
    return Draft(label, sure, tuple(sentences), tuple(StatementVerdict(n, label, sure, 0.0, 0.9) for n in numbers))


def passed(rows: list[Evidence], shares: Shares | None = SHARES, **changes: object) -> Verdict:
    return pass_gate(replace(draft(rows), **changes), rows, ("x",), shares=shares).verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "basis"),
    [
        ([row(1, 1, Kind.NOTE), row(2, 1, Kind.NOTE)], Basis.NOTES),
        ([row(1, 1)], Basis.RATED),
        ([row(1, 1, rated=False)], Basis.UNRATED),
        ([row(1, 1, rated=False), row(2, 1)], Basis.RATED),
        ([row(1, 1, Kind.NOTE), row(2, 1, rated=False)], Basis.UNRATED),
        ([row(1, 1, rated=False), row(2, 2, rated=False)], Basis.SEVERAL),
        ([row(1, 1, Kind.NOTE), row(2, 2)], Basis.SEVERAL),
    ],
)
def test_the_confidence_is_that_of_verdicts_that_rest_on_the_same(rows: list[Evidence], basis: Basis) -> None:
    found = passed(rows)
    assert (found.label, found.basis, found.probability) == (Label.FALSE, basis, 0.9)
    assert found.confidence == RIGHT[basis] / 100
    assert [s.confidence for s in found.statements] == [found.confidence], "one number"


READ_BY_YOU = Correction(1, StanceLabel.REFUTES, "x", datetime.now(UTC))


@pytest.mark.parametrize("clicked", [StanceLabel.REFUTES, StanceLabel.NEUTRAL])
def test_a_verdict_that_a_person_had_a_hand_in_has_no_confidence(clicked: StanceLabel) -> None:
    by_you = replace(row(2, 2), correction=replace(READ_BY_YOU, label=clicked))
    found = pass_gate(draft([row(1, 1)]), [row(1, 1), by_you], ("x",), shares=SHARES).verdict
    assert (found.label, found.basis, found.confidence) == (Label.FALSE, None, None)
    assert {confidence(found), *map(confidence, found.statements)} == {"Confidence not measured for this verdict"}


def test_of_several_statements_only_the_one_that_a_person_has_read_has_no_confidence() -> None:
    rows = [row(1, 1), replace(row(2, 2, statement=2), correction=READ_BY_YOU)]
    found = passed(rows)
    assert [s.confidence for s in found.statements] == [0.95, None]
    assert (found.basis, found.confidence) == (Basis.RATED, 0.95), "it is false by the other one alone"
    both = draft(rows, Label.TRUE, side=StanceLabel.SUPPORTS)
    true = pass_gate(both, [replace(e, stance=SUPPORTING) for e in rows], ("x", "y"), shares=SHARES).verdict
    assert (true.label, true.basis, true.confidence) == (Label.TRUE, None, None)


def test_a_false_claim_of_several_statements_is_as_sure_as_its_best_founded_false_one() -> None:
    found = passed([row(1, 1), row(2, 2, rated=False, statement=2)])
    assert [s.confidence for s in found.statements] == [0.95, 0.7]
    assert (found.basis, found.confidence) == (Basis.RATED, 0.95)


def test_a_true_claim_of_several_statements_needs_all_of_them_to_be_right() -> None:
    rows = [replace(row(n, n, rated=n == 1, statement=n), stance=SUPPORTING) for n in (1, 2)]
    made = draft(rows, Label.TRUE, side=StanceLabel.SUPPORTS)
    found = pass_gate(made, rows, ("x",), shares=SHARES).verdict
    assert (found.label, found.basis, found.confidence) == (Label.TRUE, Basis.UNRATED, round(0.95 * 0.7, 2))


def test_a_partly_true_claim_is_no_surer_than_all_verdicts_of_that_label_were() -> None:
    rows = [replace(row(1, 1), stance=SUPPORTING), row(2, 2, statement=2)]
    made = draft(rows, Label.PARTIALLY_TRUE)
    sides = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)
    made = replace(
        made,
        sentences=tuple(
            replace(s, citations=(replace(s.citations[0], stance=side),))
            for s, side in zip(made.sentences, sides, strict=True)
        ),
        statements=tuple(
            replace(s, label=label) for s, label in zip(made.statements, (Label.TRUE, Label.FALSE), strict=True)
        ),
    )
    assert pass_gate(made, rows, ("x",), shares=SHARES).verdict.confidence is None, "never measured"
    for right, expected in ((78, 0.77), (98, 0.9)):
        labels = {**SHARES.labels, Label.PARTIALLY_TRUE: Count(n=100, right=right)}
        found = pass_gate(made, rows, ("x",), shares=SHARES.model_copy(update={"labels": labels})).verdict
        assert (found.label, found.confidence) == (Label.PARTIALLY_TRUE, expected)


def test_without_a_measurement_the_label_stands_and_has_no_number() -> None:
    found = passed([row(1, 1)], None)
    assert (found.label, found.confidence, found.probability) == (Label.FALSE, None, 0.9)
    assert [s.confidence for s in found.statements] == [None]


def test_what_is_left_open_has_neither_number_nor_basis() -> None:
    for found in (passed([row(1, 1)], confidence=0.55), passed([row(1, 1)], label=OPEN, confidence=None), passed([])):
        assert (found.label, found.confidence, found.probability, found.basis) == (OPEN, None, None, None)


def test_a_kind_of_verdict_that_is_too_often_wrong_leans_and_is_no_label() -> None:
    much = SHARES.model_copy(update={"labels": {Label.FALSE: Count(n=100, right=74)}})
    found = passed([row(1, 1)], much)
    assert (found.label, found.leaning) == (OPEN, Leaning(Label.FALSE, 0.9))
    assert [s.label for s in found.statements] == [OPEN]
    assert passed([row(1, 1)], SHARES).label is Label.FALSE, "the others are given"
