"""Work over the queue on a real PostgreSQL server, done by real worker processes."""

import time
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select, text

from ghost.errors import ClaimError, StoreAwayError
from ghost.events import ResearchEnded, RunEnded, RunStarted, StepFinished
from ghost.jobs import NO_WORKER, Queue, RunOptions
from ghost.records import GIVEN_UP, ItemState, NewBatch, NewItem, RunEvents, WorkEnded, run_steps, runs
from ghost.types import Claim, Run, RunStatus
from tests.jobs.conftest import wait_for
from tests.jobs.shared import SharedBench
from tests.jobs.shared_pages import CLAIM, SCRIPT, Page, ended, wait_until
from tests.ui.researching import plan as scripted_plan


def stored(bench: SharedBench, run_id: str) -> Run:
    run = bench.runs.get(run_id)
    assert run
    return run


def test_without_a_worker_a_page_says_so_and_a_cancelled_claim_ends_at_once(open_page: Any) -> None:
    (bench, jobs), (_, others) = open_page(), open_page()
    run_id, ask_id = jobs.runner.start(CLAIM), jobs.asker.start("Is it so?", "c1")
    batch_id = jobs.batches.start(NewBatch("A batch", (NewItem(1, "A claim"),)))
    for each in (jobs, others):
        assert (each.runner.snapshot(run_id).detail, each.runner.active()) == (NO_WORKER, [run_id])
        assert each.asker.snapshot(ask_id).doing == NO_WORKER
        assert each.batches.snapshot(batch_id).waits == NO_WORKER
    others.runner.cancel(run_id)
    others.asker.cancel(ask_id)
    assert others.runner.snapshot(run_id).status is RunStatus.CANCELLED
    assert wait_for(jobs.runner, run_id, ended).status is RunStatus.CANCELLED
    assert bench.runs.get(run_id).status is RunStatus.CANCELLED
    assert wait_for(jobs.asker, ask_id, ended).cancelled
    research_id = jobs.research.start(scripted_plan())
    with pytest.raises(ClaimError, match="going on"):
        others.research.start(scripted_plan(), research_id=research_id)
    others.research.cancel(research_id)
    assert bench.research.get(research_id).status is RunStatus.CANCELLED
    assert wait_for(jobs.research, research_id, lambda v: v.stage == "ended").status is RunStatus.CANCELLED
    assert isinstance(jobs.research.log(research_id).since(0)[0][-1], ResearchEnded)
    assert others.research.resume(research_id) == research_id
    jobs.research.cancel(research_id)
    assert Queue(bench.database).standing().waiting == {"turn": 1}
    with pytest.raises(ClaimError):
        jobs.runner.start(Claim("  "))
    with pytest.raises(ClaimError):
        jobs.asker.start(" ")


def test_an_event_that_could_not_be_reported_comes_before_the_next_one(
    open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, jobs = open_page()
    run_id, add, failed = jobs.runner.start(CLAIM), RunEvents.add, list[str]()

    def add_late(*args: Any) -> None:
        if len(failed) < 2:
            failed.append(run_id)
            if len(failed) == 2:
                add(*args)  # and the answer is lost
            raise StoreAwayError("The connection was lost.")
        add(*args)

    with monkeypatch.context() as patch:
        patch.setattr(RunEvents, "add", add_late)
        jobs.runner.cancel(run_id)
    told = [type(event).__name__ for event in RunEvents(bench.database).since(run_id, 0)[0]]
    assert (told[0], told[-2:]) == ("RunStarted", ["RunEnded", "WorkEnded"])
    assert len(told) == len(jobs.runner.log(run_id).since(0)[0]) + 1


def test_a_claim_that_was_to_stop_when_its_worker_ended_is_put_back_to_be_stopped(open_page: Any) -> None:
    bench, jobs = open_page()
    queue, run_id = Queue(bench.database), jobs.runner.start(CLAIM)
    with bench.database.write() as connection:  # as a worker takes it
        connection.execute(text("UPDATE procrastinate_jobs SET status = 'doing'"))
    jobs.runner.cancel(run_id)
    held = queue.find(run_id)
    assert queue.put_back(held)
    with bench.database.read() as connection:
        columns = "SELECT CAST(status AS text), args ->> 'stopped' FROM procrastinate_jobs ORDER BY id"
        assert connection.execute(text(columns)).all() == [("doing", None), ("todo", "true")]
    jobs.runner.cancel(run_id)  # once more, before another worker has it, and before this one has let go
    assert jobs.runner.snapshot(run_id).status is RunStatus.CANCELLED
    with bench.database.write() as connection:
        connection.execute(text("DELETE FROM procrastinate_jobs"))
    assert not queue.put_back(held), "it was taken from that worker"
    assert queue.find(run_id) is None


def test_what_could_not_say_that_it_stopped_is_not_lost(open_page: Any) -> None:
    bench, jobs = open_page()
    run_id = jobs.runner.start(CLAIM)
    with bench.database.write() as connection:  # as when the database was away while it was to stop
        connection.execute(text("UPDATE procrastinate_jobs SET status = 'failed', abort_requested = true"))
    assert Queue(bench.database).find(run_id).running
    jobs.runner.cancel(run_id)
    assert not jobs.runner.snapshot(run_id).ended


def test_a_worker_checks_what_a_page_puts_in_and_another_page_watches_it(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages
    run_id = jobs.runner.start(Claim("The wall takes 3 to see"))
    elsewhere = wait_for(others.runner, run_id, lambda v: v.evidence, seconds=20)
    assert not elsewhere.ended
    now, there = (wait_for(each.runner, run_id, ended) for each in (jobs, others))
    run = stored(bench, run_id)
    assert run.status is now.status is there.status is RunStatus.FINISHED
    assert run.verdict == now.verdict == there.verdict
    assert now.sentences == there.sentences != ()
    logs = [log for each in (jobs, others) if (log := each.runner.log(run_id))]
    deadline = time.monotonic() + 5
    while not all(log.since(0)[1] for log in logs):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    events, _ = logs[0].since(0)
    assert events == logs[1].since(0)[0]
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    assert sum(isinstance(event, StepFinished) for event in events) == len(run.steps)
    failed = wait_for(jobs.runner, jobs.runner.start(Claim("This fails")), ended)
    assert (failed.status, failed.error) == (RunStatus.FAILED, "This claim fails.")


def test_cancel_crosses_processes_within_a_second(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages
    run_id = jobs.runner.start(Claim("This takes 60 seconds"))
    wait_for(jobs.runner, run_id, lambda v: v.step)
    others.runner.cancel(run_id)
    assert wait_for(jobs.runner, run_id, ended, seconds=1.0).status is RunStatus.CANCELLED
    assert stored(bench, run_id).status is RunStatus.CANCELLED
    others.runner.cancel(run_id)
    others.runner.cancel("nonsense")


def test_a_page_that_is_named_while_a_worker_checks_is_read(pages: tuple[Page, Page]) -> None:
    (_, jobs), (_, others) = pages
    run_id = jobs.runner.start(Claim("This takes 2 seconds"), RunOptions(links=("https://example.org/first",)))
    wait_for(jobs.runner, run_id, lambda v: v.step)
    assert others.runner.add_link(run_id, "https://example.org/second")
    assert others.runner.add_link(run_id, "https://example.org/second")
    view = wait_for(jobs.runner, run_id, ended)
    assert [s.url for s in view.sources] == ["https://example.org/first", "https://example.org/second"]
    assert not others.runner.add_link(run_id, "https://example.org/third")
    with pytest.raises(ClaimError):
        jobs.runner.add_link(run_id, "no address")


def test_questions_are_answered_by_workers(pages: tuple[Page, Page]) -> None:
    (_, jobs), (_, others) = pages
    ask_id = jobs.asker.start("Does the wall take long to see? It takes 0.7 seconds.", "c1")
    wait_for(others.asker, ask_id, lambda v: v.doing)
    mine, there = (wait_for(each.asker, ask_id, ended, seconds=20) for each in (jobs, others))
    assert mine.error == ""
    assert mine.decision == there.decision is not None
    assert mine.run == there.run
    assert mine.run.status is RunStatus.FINISHED


def test_research_is_planned_and_carried_out_by_workers(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages
    research_id = jobs.research.plan("A topic that takes 1 second")
    wait_for(others.research, research_id, lambda v: v.stage == "planning")
    mine, there = (wait_for(each.research, research_id, lambda v: v.stage == "planned") for each in (jobs, others))
    assert mine.plan == there.plan is not None
    assert jobs.research.start(mine.plan, research_id=research_id) == research_id
    with pytest.raises(ClaimError, match="going on already"):
        others.research.start(mine.plan, research_id=research_id)
    view = wait_for(jobs.research, research_id, lambda v: v.stage == "ended")
    kept = bench.research.get(research_id)
    assert kept
    assert view.status is kept.status is RunStatus.FINISHED
    assert view.answers == kept.answers
    bad = wait_for(jobs.research, jobs.research.plan(" "), lambda v: v.stage == "ended")
    assert (bad.status, bad.unusable) == (RunStatus.FAILED, True)
    long = jobs.research.start(replace(mine.plan, topic="It takes 60 seconds"))
    wait_for(jobs.research, long, lambda v: v.judge is not None)
    others.research.cancel(long)
    assert wait_for(jobs.research, long, lambda v: v.stage == "ended", 1.0).status is RunStatus.CANCELLED


def test_a_batch_delays_no_single_claim_and_batches_take_turns(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages

    def waits() -> list[float]:
        found = []
        for number in range(5):
            began = time.monotonic()
            run_id = others.runner.start(Claim(f"A single claim {number}"))
            wait_for(others.runner, run_id, lambda v: v.steps)
            found.append(time.monotonic() - began)
            wait_for(others.runner, run_id, ended)
        return found

    alone = waits()
    large, small = (
        jobs.batches.start(NewBatch(name, tuple(NewItem(n, f"{name} {n} takes 0.1") for n in range(1, count + 1))))
        for name, count in (("Large", 500), ("Small", 10))
    )
    wait_for(jobs.batches, large, lambda v: v.tally.ended > 3)
    assert max(waits()) < max(alone) + 1.0
    wait_for(jobs.batches, small, lambda v: not v.running, seconds=30)
    assert bench.batches.tally(large).ended < 250  # by turns: not after the large one
    jobs.batches.cancel(large)
    wait_for(jobs.batches, large, lambda v: v.item is None, seconds=2)
    tally = bench.batches.tally(large)
    assert tally.of(ItemState.CANCELLED) + tally.of(ItemState.DONE) == 500


def test_what_is_given_up_leaves_no_run_behind_that_seems_to_go_on(pages: tuple[Page, Page]) -> None:
    (bench, jobs), _ = pages
    words = "One that always loses the database"
    batch_id = jobs.batches.start(NewBatch("A batch", (NewItem(1, words),)))
    ask_id = jobs.asker.start(words, "c1")
    wait_for(jobs.batches, batch_id, lambda v: not v.running)
    (item,) = bench.batches.items(batch_id)
    assert (item.state, item.error) == (ItemState.FAILED, "The database does not answer.")
    assert bench.runs.get(item.run_id).status is RunStatus.FAILED
    asked = wait_for(jobs.asker, ask_id, ended, seconds=30)
    assert asked.error == GIVEN_UP
    assert bench.runs.get(asked.decision.run_id).status is RunStatus.FAILED


def test_what_another_version_has_put_in_ends_and_says_what_to_do(pages: tuple[Page, Page]) -> None:
    (bench, _), _ = pages
    put = """
        INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, args, attempts)
        VALUES ('single', 'claim', 20, 'other', '{"id": "other", "payload": "{\\"claim\\": \\"It takes\\"}"}', 6)
    """
    with bench.database.write() as connection:
        connection.exec_driver_sql(put)
    wait_until(lambda: bool(RunEvents(bench.database).since("other", 0)[0]))
    ((end,), _) = RunEvents(bench.database).since("other", 0)
    assert isinstance(end, WorkEnded)
    assert end.error == (
        "What was put into the queue was stored in a form that this Ghost cannot read (asked_at, claim, options). Use "
        "the version of Ghost that has stored it, or a newer one."
    )
    wait_until(lambda: Queue(bench.database).find("other") is None)


def test_a_worker_that_is_asked_to_end_finishes_or_gives_back(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    (first,) = start_workers(1, slots=3)
    short = jobs.runner.start(Claim("This takes 2 seconds"))
    long = jobs.runner.start(Claim("This takes 30 seconds"))
    batch_id = jobs.batches.start(NewBatch("A batch", (NewItem(1, "A claim that takes 30 seconds"),)))
    for run_id in (short, long):
        wait_for(jobs.runner, run_id, lambda v: v.step)
    wait_for(jobs.batches, batch_id, lambda v: v.item is not None)
    first.process.terminate()
    assert wait_for(jobs.runner, short, ended).status is RunStatus.FINISHED
    first.process.join(15)
    assert first.process.exitcode == 0, first.output
    assert jobs.runner.active() == [long]
    assert bench.runs.get(long).status is RunStatus.RUNNING
    item = bench.batches.items(batch_id)[0]
    assert (item.state, item.attempts) == (ItemState.QUEUED, 0)
    start_workers(1, slots=3)
    wait_for(jobs.runner, long, lambda v: v.number == 1, seconds=20)
    wait_for(jobs.batches, batch_id, lambda v: v.item is not None)
    jobs.runner.cancel(long)
    jobs.batches.cancel(batch_id)
    wait_for(jobs.runner, long, ended)
    wait_for(jobs.batches, batch_id, lambda v: v.item is None)


def test_two_pages_and_two_workers(open_page: Any, start_workers: Any) -> None:
    (bench, jobs), (_, others) = open_page(), open_page()
    workers = start_workers(2, slots=3)
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
