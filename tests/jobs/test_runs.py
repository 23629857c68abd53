"""Runs outside the page: what a snapshot shows, cancelling, failing, and reading older runs from the store."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config import Settings
from ghost.errors import ClaimError, StoreFullError
from ghost.jobs import Runner, RunView, view_of
from ghost.jobs.runs import WORKERS, after
from ghost.types import Claim, RunStatus
from ghost.workbench import build
from tests.ui.bench import ScriptedBench
from tests.ui.samples import broken_run, false_run

CLAIM = Claim("The Great Wall of China is visible from the Moon")


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., tuple[ScriptedBench, Runner]]]:
    runners = []

    def made(**script: object) -> tuple[ScriptedBench, Runner]:
        bench = ScriptedBench(Settings(data_dir=tmp_path), **script)  # type: ignore[arg-type]
        runner = Runner(bench)
        runners.append(runner)
        return bench, runner

    yield made
    for runner in runners:
        runner.close()


def wait_for(runner: Runner, run_id: str, reached: Callable[[RunView], bool], seconds: float = 5.0) -> RunView:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        view = runner.snapshot(run_id)
        if view and reached(view):
            return view
        time.sleep(0.005)
    raise AssertionError(f"never reached; the last view is {runner.snapshot(run_id)}")


def ended(view: RunView) -> bool:
    return view.ended


def test_a_run_ends_with_everything_its_events_said(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    _, runner = make()
    view = wait_for(runner, runner.start(CLAIM), ended)
    run = false_run()
    assert view.status is RunStatus.FINISHED
    assert view.verdict == run.verdict
    assert view.evidence == run.evidence
    assert view.steps == run.steps
    assert view.classification == run.classification
    assert view.sentences == (run.verdict.explanation,) if run.verdict else False
    assert (view.step, view.number) == ("", 0)
    assert view.usage == run.usage


def test_a_run_can_be_watched_and_leaves_the_active_ones_when_it_ends(
    make: Callable[..., tuple[ScriptedBench, Runner]],
) -> None:
    bench, runner = make(stops_before="sufficiency")
    run_id = runner.start(CLAIM)
    view = wait_for(runner, run_id, lambda v: v.step == "sufficiency")
    assert view.number == 4
    assert [s.name for s in view.steps] == ["classify", "retrieve", "rerank"]
    assert view.evidence
    assert view.verdict is None
    assert not view.ended
    assert runner.active() == [run_id]
    bench.gate.set()
    wait_for(runner, run_id, ended)
    deadline = time.monotonic() + 5
    while runner.active() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert runner.active() == []


def test_cancel_ends_a_run_within_a_second(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    _, runner = make(stops_before="sufficiency")
    run_id = runner.start(CLAIM)
    wait_for(runner, run_id, lambda v: v.step == "sufficiency")
    runner.cancel(run_id)
    assert runner.snapshot(run_id).cancelling  # type: ignore[union-attr]
    view = wait_for(runner, run_id, ended, seconds=1.0)
    assert view.status is RunStatus.CANCELLED
    assert view.verdict is None
    assert len(view.steps) == 3


def test_a_waiting_run_can_be_cancelled(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    bench, runner = make(stops_before="classify")
    ids = [runner.start(CLAIM) for _ in range(3)]
    assert runner.active() == ids
    runner.cancel(ids[2])
    bench.gate.set()
    assert wait_for(runner, ids[0], ended).status is RunStatus.FINISHED
    assert wait_for(runner, ids[2], ended).ended


def test_a_waiting_run_ends_at_once_when_cancelled_though_all_workers_are_busy(
    make: Callable[..., tuple[ScriptedBench, Runner]],
) -> None:
    bench, runner = make(stops_before="classify")
    *busy, waiting, last = [runner.start(CLAIM) for _ in range(WORKERS + 2)]
    for run_id in busy:
        wait_for(runner, run_id, lambda v: v.step == "classify")
    runner.cancel(waiting)
    view = runner.snapshot(waiting)
    assert view
    assert view.status is RunStatus.CANCELLED
    assert bench.runs.kept[waiting].status is RunStatus.CANCELLED
    assert runner.active() == [*busy, last]
    runner.cancel(waiting)
    bench.gate.set()
    for run_id in (*busy, last):
        assert wait_for(runner, run_id, ended).status is RunStatus.FINISHED
    assert runner.snapshot(waiting) == view


def test_a_waiting_run_that_is_cancelled_is_stored_like_any_cancelled_run(tmp_path: Path) -> None:
    with build(Settings(data_dir=tmp_path)) as workbench:
        runner = Runner(workbench, workers=0)
        run_id = runner.start(CLAIM)
        runner.cancel(run_id)
        run, view = workbench.runs.get(run_id), runner.snapshot(run_id)
    assert run
    assert view
    assert (run.status, run.error) == (RunStatus.CANCELLED, "The run was cancelled.")
    assert [(s.name, s.decision) for s in run.steps] == [("classify", "stopped")]
    assert (view.status, view.error, view.steps) == (run.status, run.error, run.steps)


def test_workers_and_who_cancels_never_follow_the_same_run(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    _, runner = make(stops_before="classify")  # the gate stays shut: only cancelling ends a run
    ids = [runner.start(CLAIM) for _ in range(60)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(runner.cancel, [*ids, *ids]))
    assert {wait_for(runner, run_id, ended).status for run_id in ids} == {RunStatus.CANCELLED}
    deadline = time.monotonic() + 5
    while runner.active() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert runner.active() == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StoreFullError("The disk is full. Free some space and check again."), "The disk is full."),
        (ZeroDivisionError("by zero"), "Unexpected ZeroDivisionError: by zero"),
    ],
)
def test_an_exception_ends_the_run_as_failed_with_what_it_had(
    make: Callable[..., tuple[ScriptedBench, Runner]], error: Exception, words: str
) -> None:
    bench, runner = make(stops_before="sufficiency", fails=error)
    run_id = runner.start(CLAIM)
    bench.gate.set()
    view = wait_for(runner, run_id, ended)
    assert view.status is RunStatus.FAILED
    assert view.error.startswith(words)
    assert view.verdict is None
    assert len(view.steps) == 3


def test_the_pool_survives_a_failed_run(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    bench, runner = make(stops_before="classify", fails=ZeroDivisionError("by zero"))
    bench.gate.set()
    for _ in range(4):
        assert wait_for(runner, runner.start(CLAIM), ended).status is RunStatus.FAILED


def test_an_unusable_claim_is_refused_at_once_and_nothing_runs(
    make: Callable[..., tuple[ScriptedBench, Runner]],
) -> None:
    _, runner = make()
    with pytest.raises(ClaimError, match="no claim"):
        runner.start(Claim("  \n "))
    with pytest.raises(ClaimError, match="Found at"):
        runner.start(Claim("A claim", found_at="javascript:alert(1)"))
    assert runner.active() == []


def test_after_a_restart_a_run_is_read_from_the_store(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    bench, first = make()
    run_id = first.start(CLAIM)
    live = wait_for(first, run_id, ended)
    second = Runner(bench)
    try:
        stored = second.snapshot(run_id)
    finally:
        second.close()
    assert stored
    assert (stored.verdict, stored.evidence, stored.steps) == (live.verdict, live.evidence, live.steps)


def test_an_interrupted_run_is_shown_with_what_was_kept(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    bench, runner = make()
    run = broken_run(RunStatus.INTERRUPTED, "The program ended before this run did.")
    bench.runs.kept[run.id] = run
    view = runner.snapshot(run.id)
    assert view
    assert view.ended
    assert view.error == run.error
    assert len(view.steps) == 3


def test_nobody_knows_an_unknown_run(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    _, runner = make()
    assert runner.snapshot("nonsense") is None
    runner.cancel("nonsense")
    assert runner.active() == []


def test_close_cancels_what_goes_on(make: Callable[..., tuple[ScriptedBench, Runner]]) -> None:
    _, runner = make(stops_before="sufficiency")
    run_id = runner.start(CLAIM)
    wait_for(runner, run_id, lambda v: v.step == "sufficiency")
    runner.close()
    view = runner.snapshot(run_id)
    assert view
    assert view.status is RunStatus.CANCELLED


def test_events_only_ever_make_new_views() -> None:
    from ghost.events import StepStarted

    before = view_of(false_run())
    changed = after(before, StepStarted("retrieve", 2, round=2))
    assert (changed.step, changed.number, changed.round) == ("retrieve", 2, 2)
    assert before.step == ""
