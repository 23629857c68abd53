"""Work over the queue on a real PostgreSQL server, done by real worker processes."""

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select, text

from ghost.errors import ClaimError
from ghost.events import ResearchEnded, RunEnded, RunStarted, StepFinished
from ghost.jobs import NO_WORKER, Queue, RunOptions
from ghost.records import GIVEN_UP, ItemState, NewBatch, NewItem, run_steps, runs
from ghost.types import Claim, RouteMode, Run, RunStatus
from tests.jobs.conftest import Page, ended, wait_for
from tests.jobs.shared import SharedBench
from tests.ui.asking import decision
from tests.ui.researching import plan as scripted_plan
from tests.ui.samples import false_run

SCRIPT = false_run()
CLAIM = Claim("The Great Wall of China is visible from the Moon")


def stored(bench: SharedBench, run_id: str) -> Run:
    run = bench.runs.get(run_id)
    assert run
    return run


def wait_until(reached: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def attempts(bench: SharedBench) -> list[int]:
    """At which attempt each run is."""
    with bench.database.read() as connection:
        return list(connection.execute(select(runs.c.attempt)).scalars())


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


def test_the_run_of_a_killed_worker_is_taken_up_again_and_stored_once(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    workers = start_workers(2)
    run_id = jobs.runner.start(Claim("This takes 2 seconds"))
    wait_for(jobs.runner, run_id, lambda v: len(v.steps) >= 3)
    with bench.database.read() as connection:
        owner = connection.execute(select(runs.c.owner)).scalar_one()
    next(worker for worker in workers if owner.split("/")[1] == str(worker.process.pid)).process.kill()
    view = wait_for(jobs.runner, run_id, ended, seconds=40)
    run = bench.runs.get(run_id)
    assert view.status is run.status is RunStatus.FINISHED
    assert view.steps == run.steps
    assert [step.name for step in run.steps] == [step.name for step in SCRIPT.steps]
    with bench.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(runs)).scalar() == 1
        assert connection.execute(select(runs.c.attempt)).scalar() == 2


def test_the_research_of_a_killed_worker_goes_on_where_it_was(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    workers = start_workers(2)
    planned = jobs.research.plan("A topic that takes 2 seconds")
    plan = wait_for(jobs.research, planned, lambda v: v.stage == "planned").plan
    research_id = jobs.research.start(plan)
    view = wait_for(jobs.research, research_id, lambda v: len(v.answers) >= 2)
    first = view.answers[0].text
    next(worker for worker in workers if f"process {worker.process.pid}." in first).process.kill()
    view = wait_for(jobs.research, research_id, lambda v: v.stage == "ended", seconds=40)
    kept = bench.research.get(research_id)
    assert view.status is kept.status is RunStatus.FINISHED
    assert view.answers == kept.answers
    assert [answer.question for answer in kept.answers] == [1, 2, 3, 4, 5]
    assert kept.answers[0].text == first
    assert kept.answers[-1].text != first


def test_the_question_of_a_killed_worker_is_answered_once_by_another_one(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    (first,) = start_workers(1)
    ask_id = jobs.asker.start("Is it so? It takes 2 seconds", "c1")
    begun = wait_for(jobs.asker, ask_id, lambda v: v.run and len(v.run.steps) >= 3)
    first.process.kill()
    start_workers(1)
    view = wait_for(jobs.asker, ask_id, ended, seconds=40)
    assert (view.error, view.run.run_id, view.run.status) == ("", begun.run.run_id, RunStatus.FINISHED)
    assert [step.name for step in view.run.steps] == [step.name for step in SCRIPT.steps]
    assert bench.asking.decisions.browse() == [view.decision]
    assert view.decision.id == ask_id
    assert attempts(bench) == [2]


@pytest.mark.parametrize("checked", [False, True], ids=["from a card", "by a check"])
def test_what_was_answered_before_its_worker_died_is_told_again(
    open_page: Any, start_workers: Any, checked: bool
) -> None:
    bench, jobs = open_page()
    ask_id = jobs.asker.start("Is it so?", "c1")
    run_id, answer = ("a" * 32, "") if checked else ("", "No, it is not.")
    mode = RouteMode.NOVEL if checked else RouteMode.EXACT
    kept = decision(1, mode, id=ask_id, run_id=run_id, answer=answer)
    bench.asking.decisions.add(kept)
    if checked:
        assert list(bench.verify(CLAIM, run_id=run_id))
    start_workers(1)
    view = wait_for(jobs.asker, ask_id, ended)
    assert (view.error, view.decision, view.sentences) == ("", kept, (answer,) if answer else ())
    assert bool(view.run and view.run.verdict) is checked
    assert bench.asking.decisions.browse() == [kept]
    assert bench.runs.count() == checked


def test_the_run_of_a_question_that_was_handed_back_ends_when_it_is_cancelled(open_page: Any) -> None:
    bench, jobs = open_page()
    ask_id, run_id = jobs.asker.start("Is it so?", "c1"), "a" * 32
    bench.asking.decisions.add(decision(1, RouteMode.NOVEL, id=ask_id, run_id=run_id))
    next(bench.verify(CLAIM, run_id=run_id))
    assert bench.runs.get(run_id).status is RunStatus.RUNNING
    jobs.asker.cancel(ask_id)
    assert jobs.asker.snapshot(ask_id).cancelled
    assert bench.runs.get(run_id).status is RunStatus.CANCELLED


def test_what_is_cancelled_after_its_worker_died_ends_as_cancelled(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    (worker,) = start_workers(1, slots=4)
    run_id, ask_id = jobs.runner.start(Claim("This takes 60 seconds")), jobs.asker.start("Is it so? It takes 60", "c1")
    research_id = jobs.research.start(scripted_plan("A topic that takes 60 seconds"))
    wait_for(jobs.runner, run_id, lambda v: v.step)
    wait_until(lambda: Queue(bench.database).standing().running.total() == 3)
    worker.process.kill()
    worker.process.join()
    for kind, id in ((jobs.runner, run_id), (jobs.asker, ask_id), (jobs.research, research_id)):
        kind.cancel(id)
    start_workers(1)
    assert wait_for(jobs.runner, run_id, ended, seconds=20).status is RunStatus.CANCELLED
    assert bench.runs.get(run_id).status is RunStatus.CANCELLED
    assert wait_for(jobs.asker, ask_id, ended, seconds=20).cancelled
    view = wait_for(jobs.research, research_id, lambda v: v.stage == "ended", seconds=20)
    assert view.status is RunStatus.CANCELLED


def test_a_worker_that_was_suspended_spoils_nothing_of_what_another_has_taken(
    open_page: Any, start_workers: Any
) -> None:
    bench, jobs = open_page()
    workers = start_workers(2)
    run_id = jobs.runner.start(Claim("This takes 9 seconds"))
    wait_for(jobs.runner, run_id, lambda v: v.step)
    with bench.database.read() as connection:
        owner = connection.execute(select(runs.c.owner)).scalar_one()
    first = next(worker for worker in workers if owner.split("/")[1] == str(worker.process.pid))
    os.kill(first.process.pid, signal.SIGSTOP)
    wait_until(lambda: attempts(bench) == [2])
    number = found.number if (found := Queue(bench.database).find(run_id)) else None
    os.kill(first.process.pid, signal.SIGCONT)
    wait_until(lambda: "Another worker has taken over" in first.output)
    fine = jobs.runner.start(CLAIM)
    assert wait_for(jobs.runner, fine, ended).status is RunStatus.FINISHED
    job = Queue(bench.database).find(run_id)
    assert job.number == number if job else bench.runs.get(run_id).status is RunStatus.FINISHED
    view = wait_for(jobs.runner, run_id, ended, seconds=20)
    assert view.status is RunStatus.FINISHED
    assert [step.name for step in view.steps] == [step.name for step in SCRIPT.steps]
    assert sorted(attempts(bench)) == [1, 2]


def test_a_claim_is_done_again_at_once_by_a_machine_whose_clock_is_wrong(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    start_workers(1, hours=5)
    run_id = jobs.runner.start(Claim("This loses the database"))
    assert wait_for(jobs.runner, run_id, ended, seconds=20).status is RunStatus.FINISHED
    assert bench.runs.get(run_id).status is RunStatus.FINISHED


def test_workers_whose_clocks_are_hours_apart_take_nothing_from_each_other(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    (ahead,), (behind,) = start_workers(1, slots=3, hours=7), start_workers(1, slots=3, hours=-7)
    ids = [jobs.runner.start(Claim(f"Claim {n} takes 2")) for n in range(4)]
    batch_id = jobs.batches.start(NewBatch("A batch", tuple(NewItem(n, f"Item {n} takes 0.2") for n in range(1, 11))))
    for run_id in ids:
        assert wait_for(jobs.runner, run_id, ended, seconds=30).status is RunStatus.FINISHED
    wait_for(jobs.batches, batch_id, lambda v: not v.running, seconds=30)
    assert attempts(bench) == [1] * 14
    starts = {bench.runs.get(run_id).started_at.replace(minute=0, second=0, microsecond=0) for run_id in ids}
    assert len(starts) > 1, "both clocks were wrong, and wrote what they say"
    assert [each.seconds < 600 for each in Queue(bench.database).standing().workers] == [True, True]
    long = jobs.runner.start(Claim("This takes 3 seconds"))
    wait_for(jobs.runner, long, lambda v: len(v.steps) >= 2)
    with bench.database.read() as connection:
        owner = connection.execute(select(runs.c.owner).where(runs.c.id == long)).scalar_one()
    next(each for each in (ahead, behind) if owner.split("/")[1] == str(each.process.pid)).process.kill()
    assert wait_for(jobs.runner, long, ended, seconds=30).status is RunStatus.FINISHED


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGUSR1")
@pytest.mark.parametrize("hours", [7, -7])
def test_a_clock_that_jumps_by_hours_in_the_middle_changes_nothing(
    open_page: Any, start_workers: Any, hours: int
) -> None:
    bench, jobs = open_page()
    (worker,) = start_workers(1, slots=3, hours=hours)
    run_id = jobs.runner.start(Claim("This takes 2 seconds"))
    batch_id = jobs.batches.start(NewBatch("A batch", tuple(NewItem(n, f"Item {n} takes 0.5") for n in range(1, 5))))
    wait_for(jobs.runner, run_id, lambda v: len(v.steps) >= 2)
    os.kill(worker.process.pid, signal.SIGUSR1)
    view = wait_for(jobs.runner, run_id, ended, seconds=30)
    assert view.status is RunStatus.FINISHED
    wait_for(jobs.batches, batch_id, lambda v: not v.running, seconds=30)
    later = jobs.runner.start(CLAIM)
    assert wait_for(jobs.runner, later, ended, seconds=30).status is RunStatus.FINISHED
    run = bench.runs.get(run_id)
    assert abs((run.finished_at - run.started_at).total_seconds()) > 12 * 3600, "the clock has jumped"
    assert attempts(bench) == [1] * 6
    assert "Traceback" not in worker.output


def test_a_claim_that_kills_every_worker_fails_after_three_tries(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    workers = start_workers(4)
    run_id = jobs.runner.start(Claim("This kills"))
    view, run = wait_for(jobs.runner, run_id, ended, seconds=60), bench.runs.get(run_id)
    assert view.status is run.status is RunStatus.FAILED
    assert "3 times" in run.error == view.error
    assert sum(worker.process.is_alive() for worker in workers) == 1
    fine = jobs.runner.start(CLAIM)
    assert wait_for(jobs.runner, fine, ended).status is RunStatus.FINISHED


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
