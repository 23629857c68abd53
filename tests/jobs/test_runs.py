"""Runs outside the page: what a snapshot shows, cancelling, failing, and reading older runs from the store."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ghost.errors import ClaimError, StoreFullError
from ghost.jobs import Runner, RunView
from ghost.types import Claim, RunStatus
from tests.jobs.conftest import Make, wait_for
from tests.pages.benches import real_bench
from tests.ui.samples import broken_run, false_run

CLAIM = Claim("The Great Wall of China is visible from the Moon")
WORKERS = 2


def ended(view: RunView) -> bool:
    return view.ended


def until_idle(runner: Runner) -> None:
    deadline = time.monotonic() + 5
    while runner.active() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert runner.active() == []


def test_a_run_can_be_watched_to_its_end_and_is_then_read_from_the_store(make_runner: Make) -> None:
    bench, runner = make_runner(stops_before="sufficiency")
    run_id = runner.start(CLAIM)
    view = wait_for(runner, run_id, lambda v: v.step == "sufficiency")
    assert view.number == 4
    assert [s.name for s in view.steps] == ["classify", "retrieve", "rerank"]
    assert view.evidence
    assert view.verdict is None
    assert not view.ended
    assert runner.active() == [run_id]
    bench.gate.set()
    now = wait_for(runner, run_id, ended)
    run = false_run()
    assert (now.status, now.verdict, now.evidence) == (RunStatus.FINISHED, run.verdict, run.evidence)
    assert (now.steps, now.classification, now.usage) == (run.steps, run.classification, run.usage)
    assert run.verdict
    assert now.sentences == (run.verdict.explanation,)
    assert (now.step, now.number) == ("", 0)
    assert view.step == "sufficiency"  # a view never changes
    until_idle(runner)
    later = Runner(bench)
    stored = later.snapshot(run_id)
    later.close()
    assert stored
    assert (stored.verdict, stored.evidence, stored.steps) == (now.verdict, now.evidence, now.steps)


def test_an_interrupted_and_an_unknown_run(make_runner: Make) -> None:
    bench, runner = make_runner()
    run = broken_run(RunStatus.INTERRUPTED, "The program ended before this run did.")
    bench.runs.kept[run.id] = run
    view = runner.snapshot(run.id)
    assert (view.ended, view.error, len(view.steps)) == (True, run.error, 3)
    assert runner.snapshot("nonsense") is None
    runner.cancel("nonsense")
    assert runner.active() == []


def test_cancel_and_close_end_a_run_within_a_second(make_runner: Make) -> None:
    _, runner = make_runner(stops_before="sufficiency")
    first, second = runner.start(CLAIM), runner.start(CLAIM)
    for run_id in (first, second):
        wait_for(runner, run_id, lambda v: v.step == "sufficiency")
    runner.cancel(first)
    assert runner.snapshot(first).cancelling
    view = wait_for(runner, first, ended, seconds=1.0)
    assert (view.status, view.verdict, len(view.steps)) == (RunStatus.CANCELLED, None, 3)
    runner.close()
    assert runner.snapshot(second).status is RunStatus.CANCELLED


def test_a_waiting_run_ends_at_once_when_cancelled_though_all_workers_are_busy(make_runner: Make) -> None:
    bench, runner = make_runner(WORKERS, stops_before="classify")
    *busy, waiting, last = [runner.start(CLAIM) for _ in range(WORKERS + 2)]
    assert runner.active() == [*busy, waiting, last]
    for run_id in busy:
        wait_for(runner, run_id, lambda v: v.step == "classify")
    runner.cancel(waiting)
    view = runner.snapshot(waiting)
    assert view.status is RunStatus.CANCELLED
    assert bench.runs.kept[waiting].status is RunStatus.CANCELLED
    assert runner.active() == [*busy, last]
    runner.cancel(waiting)
    bench.gate.set()
    for run_id in (*busy, last):
        assert wait_for(runner, run_id, ended).status is RunStatus.FINISHED
    assert runner.snapshot(waiting) == view


def test_a_waiting_run_that_is_cancelled_is_stored_like_any_cancelled_run(tmp_path: Path) -> None:
    with real_bench(tmp_path) as workbench:
        runner = Runner(workbench, workers=0)
        run_id = runner.start(CLAIM)
        runner.cancel(run_id)
        run, view = workbench.runs.get(run_id), runner.snapshot(run_id)
    assert run
    assert view
    assert (run.status, run.error) == (RunStatus.CANCELLED, "The run was cancelled.")
    assert [(s.name, s.decision) for s in run.steps] == [("classify", "stopped")]
    assert (view.status, view.error, view.steps) == (run.status, run.error, run.steps)


def test_workers_and_who_cancels_never_follow_the_same_run(make_runner: Make) -> None:
    _, runner = make_runner(stops_before="classify")  # the gate stays shut: only cancelling ends a run
    ids = [runner.start(CLAIM) for _ in range(60)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(runner.cancel, [*ids, *ids]))
    assert {wait_for(runner, run_id, ended).status for run_id in ids} == {RunStatus.CANCELLED}
    until_idle(runner)


@pytest.mark.parametrize(("error", "words"), [
    (StoreFullError("The disk is full. Free some space and check again."), "The disk is full."),
    (ZeroDivisionError("by zero"), "Unexpected ZeroDivisionError: by zero"),
])  # fmt: skip
def test_an_exception_ends_the_run_as_failed_and_the_pool_goes_on(
    make_runner: Make, error: Exception, words: str
) -> None:
    bench, runner = make_runner(stops_before="sufficiency", fails=error)
    bench.gate.set()
    for _ in range(WORKERS + 1):
        view = wait_for(runner, runner.start(CLAIM), ended)
        assert (view.status, view.verdict, len(view.steps)) == (RunStatus.FAILED, None, 3)
        assert view.error.startswith(words)


def test_an_unusable_claim_is_refused_at_once_and_nothing_runs(make_runner: Make) -> None:
    _, runner = make_runner()
    with pytest.raises(ClaimError, match="no claim"):
        runner.start(Claim("  \n "))
    with pytest.raises(ClaimError, match="Found at"):
        runner.start(Claim("A claim", found_at="javascript:alert(1)"))
    assert runner.active() == []
