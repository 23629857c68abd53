"""The worker of batches: in order, one at a time, interrupted in every way."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ghost.errors import GhostError, StoreFullError
from ghost.jobs import BatchEngine, BatchView
from ghost.records import BATCH_INTERRUPTED, BatchState, BatchStore, Database, ItemState, NewBatch, NewItem, runs
from ghost.types import RunStatus
from tests import forks
from tests.jobs.conftest import Make, wait_for
from tests.pages.benches import real_bench
from tests.ui.bench import ScriptedBench
from tests.ui.samples import broken_run

GIVE_UP = 5
"""Failures in a row."""


def batch(count: int = 3, name: str = "A batch", **changes: Any) -> NewBatch:
    return NewBatch(name, tuple(NewItem(n, f"{name}, claim {n}") for n in range(1, count + 1)), **changes)


def rests(view: BatchView) -> bool:
    return not view.running


def texts(bench: ScriptedBench) -> list[str]:
    return [run.claim.text for run in bench.runs.kept.values()]


def test_every_claim_is_checked_in_order_with_what_the_batch_says(make_engine: Make) -> None:
    bench, engine = make_engine()
    batch_id = engine.start(batch(web=False))
    view = wait_for(engine, batch_id, rests)
    assert view.batch.state is BatchState.DONE
    assert view.tally.states == {ItemState.DONE: 3}
    assert texts(bench) == [f"A batch, claim {n}" for n in (1, 2, 3)]
    assert bench.asked_for_web == [False] * 3
    items = bench.batches.items(batch_id)
    assert [item.run_id for item in items] == list(bench.runs.kept)
    assert all(item.label and item.seconds is not None for item in items)
    assert view.pace is not None
    assert view.seconds_left == 0


def test_a_batch_keeps_its_pipeline_when_it_is_resumed(make_engine: Make) -> None:
    bench, engine = make_engine()
    batch_id = bench.batches.create(batch(2, pipeline="single-conversation"))
    engine.resume(batch_id)
    view = wait_for(engine, batch_id, lambda v: v.batch.state is BatchState.DONE)
    assert view.batch.pipeline == "single-conversation"
    assert [asked["pipeline"] for asked in bench.options] == ["single-conversation"] * 2


def test_a_pause_lets_the_claim_at_work_end_and_resuming_goes_on(make_engine: Make) -> None:
    bench, engine = make_engine(stops_before="sufficiency")
    batch_id = engine.start(batch())
    wait_for(engine, batch_id, lambda v: v.item is not None)
    engine.pause(batch_id)
    view = engine.snapshot(batch_id)
    assert view
    assert view.batch.state is BatchState.PAUSED
    assert view.running
    bench.gate.set()
    view = wait_for(engine, batch_id, rests)
    assert view.tally.states == {ItemState.DONE: 1, ItemState.QUEUED: 2}
    engine.resume(batch_id)
    wait_for(engine, batch_id, lambda v: v.batch.state is BatchState.DONE)
    assert len(texts(bench)) == len(set(texts(bench))) == 3


def test_cancelling_ends_within_a_second_and_can_be_taken_back(make_engine: Make) -> None:
    bench, engine = make_engine(stops_before="sufficiency")
    batch_id = engine.start(batch())
    wait_for(engine, batch_id, lambda v: v.item is not None)
    engine.cancel(batch_id)
    view = wait_for(engine, batch_id, rests, seconds=1)
    assert view.batch.state is BatchState.CANCELLED
    assert view.tally.states == {ItemState.CANCELLED: 3}
    bench.gate.set()
    engine.resume(batch_id)
    assert wait_for(engine, batch_id, rests).tally.states == {ItemState.DONE: 3}


def test_a_single_check_goes_first(make_engine: Make) -> None:
    others: list[int] = [1]
    bench, engine = make_engine(busy=lambda: bool(others))
    batch_id = engine.start(batch())
    view = wait_for(engine, batch_id, lambda v: bool(v.waits))
    assert "single check" in view.waits
    time.sleep(0.05)
    assert texts(bench) == []
    others.clear()
    assert wait_for(engine, batch_id, rests).tally.of(ItemState.DONE) == 3


def test_batches_take_turns(make_engine: Make) -> None:
    bench, engine = make_engine(stops_before="sufficiency")
    first, second = engine.start(batch(name="First")), engine.start(batch(name="Second"))
    view = wait_for(engine, second, lambda v: bool(v.waits))
    assert "another batch" in view.waits
    bench.gate.set()
    wait_for(engine, second, rests)
    assert [text[:5] for text in texts(bench)] == ["First"] * 3 + ["Secon"] * 3
    assert engine.snapshot(first).batch.state is BatchState.DONE  # type: ignore[union-attr]


def test_what_fails_is_told_and_tried_again_on_request(make_engine: Make) -> None:
    bench, engine = make_engine(script=broken_run(RunStatus.FAILED, "The disk is full."))
    batch_id = engine.start(batch(2))
    view = wait_for(engine, batch_id, rests)
    assert view.tally.states == {ItemState.FAILED: 2}
    assert bench.batches.items(batch_id)[0].error
    assert engine.retry(batch_id) == 2
    wait_for(engine, batch_id, lambda v: v.batch.state is BatchState.DONE and not v.running)
    assert len(bench.runs.kept) == 4


@pytest.mark.parametrize("error", [GhostError("The model is gone."), ZeroDivisionError("by zero")])
def test_failures_in_a_row_pause_the_batch_with_the_reason(make_engine: Make, error: Exception) -> None:
    bench, engine = make_engine(stops_before="classify", fails=error)
    bench.gate.set()
    batch_id = engine.start(batch(GIVE_UP + 4))
    view = wait_for(engine, batch_id, rests)
    assert view.batch.state is BatchState.PAUSED
    assert view.tally.states == {ItemState.FAILED: GIVE_UP, ItemState.QUEUED: 4}
    assert f"{GIVE_UP} failures in a row" in view.batch.note
    assert str(error) in view.batch.note


def test_a_store_that_cannot_write_stops_the_batch_and_says_so(
    make_engine: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, engine = make_engine()

    def full(*_: object) -> None:
        raise StoreFullError("The disk is full. Free some space and try again.")

    with monkeypatch.context() as patch:
        patch.setattr(bench.batch_queue, "done", full)
        batch_id = engine.start(batch(2))
        view = wait_for(engine, batch_id, lambda v: bool(v.problem))
        assert "The disk is full." in view.problem
        view = wait_for(engine, batch_id, rests)
        assert view.tally.states == {ItemState.RUNNING: 1, ItemState.QUEUED: 1}
    engine.resume(batch_id)
    view = wait_for(engine, batch_id, lambda v: v.batch.state is BatchState.DONE)
    assert view.problem == ""
    assert view.tally.states == {ItemState.DONE: 2}


def test_closing_leaves_a_batch_that_the_next_start_resumes(make_engine: Make) -> None:
    bench, engine = make_engine(stops_before="sufficiency")
    batch_id = engine.start(batch())
    wait_for(engine, batch_id, lambda v: v.item is not None)
    began = time.monotonic()
    engine.close()
    assert time.monotonic() - began < 1.5
    kept = bench.batches.get(batch_id)
    assert kept
    assert (kept.state, kept.note) == (BatchState.PAUSED, BATCH_INTERRUPTED)
    bench.gate.set()
    later = BatchEngine(bench)
    later.resume(batch_id)
    assert wait_for(later, batch_id, rests).tally.states == {ItemState.DONE: 3}
    later.close()


def test_a_batch_that_this_program_left_running_is_shown_as_paused_and_an_unknown_one_not_at_all(
    make_engine: Make,
) -> None:
    bench, engine = make_engine()
    batch_id = bench.batches.create(batch())
    bench.batch_queue.begin(batch_id)  # and then the engine that did so was lost
    view = engine.snapshot(batch_id)
    assert (view.batch.state, view.batch.note) == (BatchState.PAUSED, BATCH_INTERRUPTED)
    assert engine.snapshot("nonsense") is None
    with pytest.raises(GhostError, match="no batch"):
        engine.resume("nonsense")


WORK = """
import sys, time
from pathlib import Path
from ghost.jobs import BatchEngine
from tests.pages.benches import real_bench

BatchEngine(real_bench(Path(sys.argv[1]))).resume(sys.argv[2])
time.sleep(600)
"""


def test_a_batch_whose_process_is_killed_is_resumed_where_it_was(tmp_path: Path) -> None:
    """Over real stores: nothing is lost, and nothing is checked twice."""
    database = Database.open(tmp_path / "data" / "ghost.db")
    store = BatchStore(database)
    new = batch(40, web=False)
    batch_id = store.create(NewBatch(new.name, (*new.items, NewItem(41, new.items[0].claim, same_as=1)), web=False))
    process = forks.start(WORK, tmp_path, batch_id)
    try:
        deadline = time.monotonic() + 60
        while store.tally(batch_id).of(ItemState.DONE) < 3:
            assert process.is_alive(), "the process ended by itself"
            assert time.monotonic() < deadline
    finally:
        process.kill()
        process.join()
    before = {item.position: item.run_id for item in store.items(batch_id) if item.state is ItemState.DONE}
    assert store.tally(batch_id).left > 0
    database.close()

    with real_bench(tmp_path) as workbench:
        workbench.runs.mark_interrupted()  # as each start does
        workbench.batch_queue.recover()
        kept = workbench.batches.get(batch_id)
        assert kept
        assert (kept.state, kept.note) == (BatchState.PAUSED, BATCH_INTERRUPTED)
        assert workbench.batches.tally(batch_id).of(ItemState.RUNNING) == 0
        engine = BatchEngine(workbench)
        engine.resume(batch_id)
        wait_for(engine, batch_id, rests, seconds=60)
        engine.close()
        done = workbench.batches.items(batch_id)
        with workbench.knowledge.database.read() as connection:
            checked = connection.execute(select(runs.c.claim_text, runs.c.status)).all()
    assert {item.state for item in done} == {ItemState.DONE}
    assert {n: item.run_id for item in done if (n := item.position) in before} == before
    assert Counter(claim for claim, status in checked if status == "finished") == Counter(i.claim for i in new.items)
    assert sum(status == "interrupted" for _, status in checked) <= 1
