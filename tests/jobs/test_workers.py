"""Work over the queue on a real PostgreSQL server, done by real worker processes."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import func, select

from ghost.errors import ClaimError
from ghost.events import RunEnded, RunStarted, StepFinished
from ghost.jobs import NO_WORKER, Jobs, Queue, open_jobs
from ghost.records import ItemState, NewBatch, NewItem, run_steps, runs
from ghost.types import Claim, RunStatus
from tests.jobs.conftest import wait_for
from tests.jobs.shared import SharedBench, WorkerProcess
from tests.ui.samples import false_run

SCRIPT = false_run()
CLAIM = Claim("The Great Wall of China is visible from the Moon")


@pytest.fixture
def open_page(postgres_url: str) -> Iterator[Callable[[], tuple[SharedBench, Jobs]]]:
    """Opens what a page or an API works with, over the shared database."""
    made: list[tuple[SharedBench, Jobs]] = []

    def build() -> tuple[SharedBench, Jobs]:
        bench = SharedBench(postgres_url)
        made.append((bench, open_jobs(bench)))  # type: ignore[arg-type]
        return made[-1]

    yield build
    for bench, jobs in made:
        jobs.close()
        bench.close()


@pytest.fixture
def start_worker(postgres_url: str) -> Iterator[Callable[..., WorkerProcess]]:
    """Starts workers, which are ended after the test."""
    made: list[WorkerProcess] = []

    def start(slots: int = 3) -> WorkerProcess:
        made.append(WorkerProcess(postgres_url, slots))
        return made[-1].wait_ready()

    yield start
    for worker in made:
        worker.remove()


def ended(view: Any) -> bool:
    return bool(view.ended)


def test_a_worker_checks_what_a_page_puts_in_and_another_page_watches_it(open_page: Any, start_worker: Any) -> None:
    (bench, jobs), (_, others) = open_page(), open_page()
    run_id = jobs.runner.start(Claim("The wall takes 0.7 to see"))
    waiting = jobs.runner.snapshot(run_id)
    assert (waiting.detail, waiting.ended) == (NO_WORKER, False)
    assert jobs.runner.active() == others.runner.active() == [run_id]
    start_worker()
    elsewhere = wait_for(others.runner, run_id, lambda v: v.step == "sufficiency", seconds=20)
    assert elsewhere.evidence
    now, there = (wait_for(each.runner, run_id, ended) for each in (jobs, others))
    run = bench.runs.get(run_id)
    assert run.status is now.status is there.status is RunStatus.FINISHED
    assert run.verdict == now.verdict == there.verdict
    assert now.sentences == there.sentences != ()
    events, over = jobs.runner.log(run_id).since(0)
    assert over
    assert events == others.runner.log(run_id).since(0)[0]
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    assert sum(isinstance(event, StepFinished) for event in events) == len(run.steps)
    with pytest.raises(ClaimError):
        jobs.runner.start(Claim("  "))


def test_cancel_crosses_processes_within_a_second(open_page: Any, start_worker: Any) -> None:
    (bench, jobs), (_, others) = open_page(), open_page()
    waiting = jobs.runner.start(CLAIM)
    others.runner.cancel(waiting)  # there is no worker: it ends at once, stored as any cancelled run
    assert others.runner.snapshot(waiting).status is RunStatus.CANCELLED
    assert wait_for(jobs.runner, waiting, ended).status is RunStatus.CANCELLED
    assert bench.runs.get(waiting).status is RunStatus.CANCELLED
    start_worker()
    run_id = jobs.runner.start(Claim("This takes 60 seconds"))
    wait_for(jobs.runner, run_id, lambda v: v.step)
    others.runner.cancel(run_id)
    assert wait_for(jobs.runner, run_id, ended, seconds=1.0).status is RunStatus.CANCELLED
    assert bench.runs.get(run_id).status is RunStatus.CANCELLED
    others.runner.cancel(run_id)
    others.runner.cancel("nonsense")


def test_a_page_that_is_named_while_a_worker_checks_is_read(open_page: Any, start_worker: Any) -> None:
    _, jobs = open_page()
    start_worker()
    run_id = jobs.runner.start(Claim("This takes 2 seconds"), links=["https://example.org/first"])
    wait_for(jobs.runner, run_id, lambda v: v.step)
    assert jobs.runner.add_link(run_id, "https://example.org/second")
    assert jobs.runner.add_link(run_id, "https://example.org/second")
    view = wait_for(jobs.runner, run_id, ended)
    assert [s.url for s in view.sources] == ["https://example.org/first", "https://example.org/second"]
    assert not jobs.runner.add_link(run_id, "https://example.org/third")
    with pytest.raises(ClaimError):
        jobs.runner.add_link(run_id, "no address")


def test_the_run_of_a_killed_worker_is_taken_up_again_and_stored_once(open_page: Any, start_worker: Any) -> None:
    bench, jobs = open_page()
    first = start_worker()
    run_id = jobs.runner.start(Claim("This takes 2 seconds"))
    wait_for(jobs.runner, run_id, lambda v: len(v.steps) >= 3)
    first.process.kill()
    start_worker()
    view = wait_for(jobs.runner, run_id, ended, seconds=40)
    run = bench.runs.get(run_id)
    assert view.status is run.status is RunStatus.FINISHED
    assert view.steps == run.steps
    assert [step.name for step in run.steps] == [step.name for step in SCRIPT.steps]
    with bench.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(runs)).scalar() == 1
        assert connection.execute(select(runs.c.attempt)).scalar() == 2


def test_a_claim_that_kills_every_worker_fails_after_three_tries(open_page: Any, start_worker: Any) -> None:
    bench, jobs = open_page()
    run_id = jobs.runner.start(Claim("This kills"))
    batch_id = jobs.batches.start(NewBatch("A batch", (NewItem(1, "This one kills"), NewItem(2, "This one is fine"))))
    deadline = time.monotonic() + 150
    while not jobs.runner.snapshot(run_id).ended or jobs.batches.snapshot(batch_id).running:
        assert time.monotonic() < deadline
        worker = start_worker()
        while worker.process.is_alive() and not (
            jobs.runner.snapshot(run_id).ended and not jobs.batches.snapshot(batch_id).running
        ):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    view, run = jobs.runner.snapshot(run_id), bench.runs.get(run_id)
    assert view.status is run.status is RunStatus.FAILED
    assert "3 times" in run.error == view.error
    killer, fine = bench.batches.items(batch_id)
    assert (killer.state, fine.state) == (ItemState.FAILED, ItemState.DONE)
    assert "3 times" in killer.error


def test_a_worker_that_is_asked_to_end_finishes_or_gives_back(open_page: Any, start_worker: Any) -> None:
    bench, jobs = open_page()
    first = start_worker()
    short = jobs.runner.start(Claim("This takes 2 seconds"))
    long = jobs.runner.start(Claim("This takes 20 seconds"))
    for run_id in (short, long):
        wait_for(jobs.runner, run_id, lambda v: v.step)
    first.process.terminate()
    assert wait_for(jobs.runner, short, ended).status is RunStatus.FINISHED
    first.process.join(15)
    assert first.process.exitcode == 0
    assert jobs.runner.active() == [long]
    assert bench.runs.get(long).status is RunStatus.RUNNING
    start_worker()
    wait_for(jobs.runner, long, lambda v: v.step == "rerank", seconds=20)  # at once, not after a silence
    jobs.runner.cancel(long)
    wait_for(jobs.runner, long, ended)


def test_a_batch_leaves_room_for_single_claims_and_batches_take_turns(open_page: Any, start_worker: Any) -> None:
    bench, jobs = open_page()
    start_worker(slots=2)
    large, small = (
        jobs.batches.start(NewBatch(name, tuple(NewItem(n, f"{name} {n} takes 0.1") for n in range(1, count + 1))))
        for name, count in (("Large", 300), ("Small", 10))
    )
    wait_for(jobs.batches, large, lambda v: v.tally.ended > 3)
    waits = []
    for number in range(5):
        began = time.monotonic()
        run_id = jobs.runner.start(Claim(f"A single claim {number}"))
        wait_for(jobs.runner, run_id, lambda v: v.steps, seconds=5)
        waits.append(time.monotonic() - began)
        wait_for(jobs.runner, run_id, ended)
    assert max(waits) < 1.0
    wait_for(jobs.batches, small, lambda v: not v.running, seconds=20)
    assert jobs.batches.snapshot(large).tally.ended < 60  # by turns: not after the large one
    jobs.batches.cancel(large)
    wait_for(jobs.batches, large, lambda v: v.item is None, seconds=2)
    assert bench.batches.tally(large).of(ItemState.CANCELLED) > 200


def test_two_pages_and_two_workers(open_page: Any, start_worker: Any) -> None:
    (bench, jobs), (_, others) = open_page(), open_page()
    workers = [start_worker(), start_worker()]
    assert len(Queue(bench.database).standing().workers) == 2
    ids = [each.runner.start(Claim(f"Claim {n} takes 0.3")) for n in range(6) for each in (jobs, others)]
    batch_id = others.batches.start(NewBatch("A batch", tuple(NewItem(n, f"Item {n}") for n in range(1, 31))))
    for run_id in ids:
        for each in (jobs, others):
            assert wait_for(each.runner, run_id, ended, seconds=30).status is RunStatus.FINISHED
    view = wait_for(jobs.batches, batch_id, lambda v: not v.running, seconds=30)
    assert view.tally.states == {ItemState.DONE: 30}
    with bench.database.read() as connection:
        rows = connection.execute(select(runs.c.owner, runs.c.attempt)).all()
        steps = connection.execute(select(func.count()).select_from(run_steps)).scalar()
    assert len(rows) == len(ids) + 30
    assert len({row.owner for row in rows}) == 2
    assert {row.attempt for row in rows} == {1}
    assert steps == len(rows) * len(SCRIPT.steps)
    assert all("Traceback" not in worker.output for worker in workers)


def test_questions_are_answered_by_workers(open_page: Any, start_worker: Any) -> None:
    (_, jobs), (_, others) = open_page(), open_page()
    ask_id = jobs.asker.start("Is the Great Wall of China visible from the Moon?", "c1")
    assert jobs.asker.snapshot(ask_id).doing == others.asker.snapshot(ask_id).doing == NO_WORKER
    start_worker()
    mine, there = (wait_for(each.asker, ask_id, ended, seconds=20) for each in (jobs, others))
    assert mine.error == ""
    assert mine.decision == there.decision is not None
    assert mine.run == there.run
    with pytest.raises(ClaimError):
        jobs.asker.start(" ")
    stopped = jobs.asker.start("What takes 60 seconds?", "c2")
    jobs.asker.cancel(stopped)
    assert wait_for(jobs.asker, stopped, ended, seconds=2).cancelled
