"""What would change a verdict, in sentences that the run itself bears out."""

from dataclasses import replace
from datetime import date

import pytest

from ghost.reports import what_would_change
from ghost.types import Claim, Label, Reason, ReasonCode, StatementVerdict, Verdict
from tests.reports.runs import evidence, finished, passage

CLAIM = Claim("A claim.")


def test_a_verdict_on_one_origin_says_which_one_it_hangs_on() -> None:
    run = finished()
    assert run.verdict
    said = what_would_change(CLAIM, run.verdict, run.evidence, searched=True)
    assert said == [
        "A second source.",
        "It rests on one source, NASA. If that is wrong, nothing settles the claim.",
        "A credible source that supports the claim would weaken or reverse the verdict.",
    ]


def test_copies_of_one_story_are_one_origin_and_many_sources_are_counted() -> None:
    run = finished()
    assert run.verdict
    verdict = replace(run.verdict, citations=(), reasons=())
    rows = [evidence(number=n, group=max(n, 2), passage=passage(id=f"p{n}", publisher=f"P{n}")) for n in range(1, 7)]
    said = what_would_change(CLAIM, verdict, rows, searched=True)
    assert said[0] == "It rests on 5 independent sources: P1, P3, P4 and 2 more. All of them would have to be wrong."
    twice = what_would_change(CLAIM, verdict, [replace(row, group=1) for row in rows], searched=True)
    assert twice[0].startswith("It rests on one source, P1")


@pytest.mark.parametrize("label", Label)
@pytest.mark.parametrize("confidence", [0.4, 0.95])
def test_every_verdict_says_something_and_nothing_twice(label: Label, confidence: float) -> None:
    reason = Reason(ReasonCode.NO_SOURCES, "No source.", "Add one.")
    both = (StatementVerdict(1, label, confidence, 0, 0, reasons=(reason,)),) * 2
    verdict = Verdict(label, confidence, "", reasons=(reason, reason), statements=both)
    said = what_would_change(CLAIM, verdict, [], searched=False)
    assert said
    assert len(said) == len(set(said))
    assert all(line.endswith((".", "!")) for line in said)


def test_what_was_not_looked_at_is_said() -> None:
    verdict = Verdict(Label.TRUE, 0.9, "")
    said = what_would_change(Claim("x", as_of=date(2020, 12, 31)), verdict, [], searched=False)
    assert any("Nothing published after 2020-12-31 was used." in line for line in said)
    assert any("The web was not searched" in line for line in said)
    off = Reason(ReasonCode.NO_PROVIDER, "The web is off.", "Add a source, or allow searches.")
    said = what_would_change(
        Claim("x"), Verdict(Label.NOT_ENOUGH_EVIDENCE, 0.9, "", reasons=(off,)), [], searched=False
    )
    assert said == ["Add a source, or allow searches."]
    opinion = what_would_change(Claim("x"), Verdict(Label.NOT_VERIFIABLE, 0.9, ""), [], searched=False)
    assert opinion == []
