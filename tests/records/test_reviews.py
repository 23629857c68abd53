"""What the analyst says of runs: kept beside the machine's verdict, counted, taken back."""

import pytest

from ghost.errors import ClaimError, StoreError
from ghost.records import MAX_REVIEW_NOTE, Database, OverriddenRun, ReviewStore, RunStore, agreement, wilson_interval
from ghost.types import ErrorKind, Label, Review
from tests.records.kept import START, keep


@pytest.fixture
def store(database: Database) -> ReviewStore:
    keep(database, "r1")
    keep(database, "r2", label=Label.TRUE, minutes=1)
    keep(database, "r3", label=None, minutes=2)
    return ReviewStore(database)


def test_both_verdicts_are_kept_and_the_machines_never_changes(store: ReviewStore, database: Database) -> None:
    made = store.override("r1", Label.MISLEADING, " It deceives. ")
    run = RunStore(database).get("r1")
    assert run
    assert run.verdict
    assert (run.verdict.label, run.label) == (Label.FALSE, Label.MISLEADING)
    assert run.review.override == made
    assert made.reason == "It deceives."
    listed = {r.id: (r.label, r.override) for r in RunStore(database).list()}
    assert listed == {"r1": (Label.FALSE, Label.MISLEADING), "r2": (Label.TRUE, None), "r3": (None, None)}


def test_the_newest_override_that_stands_counts(store: ReviewStore) -> None:
    store.override("r1", Label.TRUE, "first")
    second = store.override("r1", Label.MISLEADING, "second")
    assert store.of("r1").override == second
    assert store.withdraw(second.id)
    assert not store.withdraw(second.id)
    found = store.of("r1").override
    assert found
    assert found.reason == "first"
    assert store.reinstate(second.id)
    assert store.of("r1").override == second
    assert not store.reinstate(second.id)


def test_the_same_verdict_confirms_and_needs_no_reason(store: ReviewStore) -> None:
    store.override("r2", Label.TRUE)
    store.override("r1", Label.TRUE, "It is so.")
    assert [(o.run_id, o.machine, o.analyst, o.agrees, o.reason) for o in store.overrides()] == [
        ("r1", Label.FALSE, Label.TRUE, False, "It is so."),
        ("r2", Label.TRUE, Label.TRUE, True, ""),
    ]


@pytest.mark.parametrize("reason", ["", " \n "])
def test_another_verdict_needs_a_reason(store: ReviewStore, reason: str) -> None:
    with pytest.raises(ClaimError, match="say why"):
        store.override("r1", Label.TRUE, reason)
    assert store.of("r1") == Review()


def test_only_a_verdict_can_be_overridden_and_only_a_run_that_is_there(store: ReviewStore) -> None:
    with pytest.raises(StoreError, match="no verdict"):
        store.override("r3", Label.TRUE, "x")
    with pytest.raises(StoreError, match="no such check"):
        store.override("nobody", Label.TRUE, "x")
    with pytest.raises(StoreError, match="no such check"):
        store.report_error("nobody", ErrorKind.MISREAD)
    with pytest.raises(ClaimError, match="at most"):
        store.report_error("r1", ErrorKind.MISREAD, "x" * (MAX_REVIEW_NOTE + 1))
    with pytest.raises(ClaimError, match="what is wrong"):
        store.report_error("r1", ErrorKind.OTHER, "")


def test_errors_and_marks_are_kept_with_their_time_and_all_is_in_the_log(store: ReviewStore) -> None:
    error = store.report_error("r1", ErrorKind.MISREAD, "It \ud800 says <b>otherwise</b>")
    mark = store.mark("r1", "passage", "p1", "outdated", "active")
    assert error.note == "It ? says <b>otherwise</b>"
    assert store.of("r1") == Review(None, (error,), (mark,))
    assert store.marks_of(["p1", "p2"]) == {"p1": mark}
    store.withdraw(mark.id)
    assert store.of("r1").marks == ()
    assert store.marks_of(["p1"]) == {}
    log = store.acts("r1")
    assert [(type(act.what).__name__, act.stands) for act in log] == [("SourceMark", False), ("ErrorReport", True)]
    assert log[0].withdrawn_at
    assert log[0].withdrawn_at >= mark.at
    assert store.acts("r2") == []


def test_agreement_counts_what_is_the_same() -> None:
    pairs = {"a": (Label.TRUE, Label.TRUE), "b": (Label.TRUE, Label.FALSE), "c": (Label.FALSE, Label.FALSE)}
    found = agreement(OverriddenRun(run_id, *labels, START) for run_id, labels in pairs.items())
    assert (found.n, found.agree, found.share) == (3, 2, pytest.approx(2 / 3))
    assert found.counts == {Label.TRUE: {Label.TRUE: 1}, Label.FALSE: {Label.TRUE: 1, Label.FALSE: 1}}
    assert [each.run_id for each in found.differing] == ["b"]
    assert wilson_interval(8, 10) == pytest.approx((0.49, 0.94), abs=0.005)
    nothing = agreement([])
    assert (nothing.n, nothing.share, nothing.interval, nothing.differing) == (0, None, (0.0, 1.0), ())
