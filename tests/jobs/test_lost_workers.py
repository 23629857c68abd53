"""Workers that are killed, suspended or have a wrong clock: another takes over, and nothing is done twice."""

import os
import signal
import sys
from typing import Any

import pytest
from sqlalchemy import func, select

from ghost.jobs import Queue
from ghost.records import NewBatch, NewItem, runs
from ghost.types import Claim, RouteMode, RunStatus
from tests.jobs.conftest import wait_for
from tests.jobs.shared_pages import CLAIM, SCRIPT, attempts, ended, wait_until
from tests.ui.asking import decision
from tests.ui.researching import plan as scripted_plan


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
