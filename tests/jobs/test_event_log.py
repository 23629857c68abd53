"""What readers of an event log get: everything once, in order, however late they come."""

import threading
from dataclasses import replace

from ghost.errors import StoreFullError
from ghost.events import ClaimClassified, EvidenceWeighed, RunEnded, RunStarted, StepFinished, VerdictReached
from ghost.jobs import EventLog, Runner, stored_events
from ghost.types import Claim, RunStatus
from tests.jobs.conftest import Make, wait_for
from tests.ui.samples import broken_run, false_run


def test_readers_get_all_events_whenever_they_come() -> None:
    log: EventLog[int] = EventLog()
    told = threading.Event()
    log.append(1)
    stop = log.listen(told.set)
    assert log.since(0) == ((1,), False)
    assert not told.is_set()
    log.append(2)
    assert told.is_set()
    assert log.since(1) == ((2,), False)
    stop()
    stop()
    told.clear()
    log.end()
    log.end()
    assert not told.is_set()
    assert log.since(0) == ((1, 2), True)
    assert log.since(7) == ((), True)


def test_a_run_leaves_its_events_and_is_told_the_same_from_the_store(make_runner: Make) -> None:
    bench, runner = make_runner()
    run_id = runner.start(Claim("The Great Wall of China is visible from the Moon"))
    wait_for(runner, run_id, lambda view: view.ended)
    events, _ = runner.log(run_id).since(0)
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    later = Runner(bench)
    assert later.log(run_id) is None
    stored = later.stored(run_id)
    assert stored
    for kind in (StepFinished, ClaimClassified, VerdictReached):
        live, kept = ([e for e in some if isinstance(e, kind)] for some in (events, stored))
        assert live == kept, kind
    assert [e for e in events if isinstance(e, EvidenceWeighed)][-1] == [
        e for e in stored if isinstance(e, EvidenceWeighed)
    ][-1]
    assert later.stored("unknown") is None
    later.close()


def test_a_run_that_breaks_off_ends_its_log_with_the_failure(make_runner: Make) -> None:
    bench, runner = make_runner(stops_before="rerank", fails=StoreFullError("The disk is full."))
    bench.gate.set()
    run_id = runner.start(Claim("The Moon is made of cheese"))
    wait_for(runner, run_id, lambda view: view.ended)
    events, _ = runner.log(run_id).since(0)
    assert isinstance(events[-1], RunEnded)
    assert events[-1].status is RunStatus.FAILED
    assert events[-1].error == runner.snapshot(run_id).error


def test_the_events_of_a_stored_run_only_get_more() -> None:
    whole = false_run()
    before: list[object] = []
    for upto in range(len(whole.steps) + 1):
        found = whole.classification if upto else None
        so_far = replace(whole, status=RunStatus.RUNNING, steps=whole.steps[:upto], classification=found, verdict=None)
        now = stored_events(so_far)
        assert now[: len(before)] == before
        before = now
    assert stored_events(whole)[: len(before)] == before
    ended = stored_events(broken_run(RunStatus.INTERRUPTED, "It ended."))[-1]
    assert isinstance(ended, RunEnded)
    assert ended.error == "It ended."
