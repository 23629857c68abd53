"""Servers that go away. While the vector index does, workers take nothing, say so, and go on when it is back; what the
database interrupts is done again. No claim fails for it, except one under which they go away each time.
"""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy import text

from ghost.jobs import INDEX_AWAY, Queue
from ghost.records import OUTAGES, OUTAGES_GIVEN_UP, ItemState, NewBatch, NewItem
from ghost.testing import ChromaServer, PostgresServer
from ghost.types import Claim, RunStatus
from tests.jobs.conftest import wait_for
from tests.jobs.shared import SharedBench, WorkerProcess
from tests.jobs.shared_pages import CLAIM, Page, attempts, ended, page, wait_until
from tests.ui.researching import plan as scripted_plan


@pytest.fixture
def chroma() -> Iterator[ChromaServer]:
    """A Chroma server that a test may stop."""
    server = ChromaServer()
    yield server
    server.remove()


@pytest.fixture
def worker(postgres_url: str, chroma: ChromaServer) -> Iterator[WorkerProcess]:
    process = WorkerProcess(postgres_url, slots=4, chroma=chroma.url)
    yield process.wait_ready()
    process.remove()


@pytest.fixture
def opened(postgres_url: str) -> Iterator[Page]:
    with ExitStack() as stack:
        yield stack.enter_context(page(postgres_url))


def paused(bench: SharedBench) -> bool:
    return [each.paused for each in Queue(bench.database).standing().workers] == [True]


def test_no_work_is_taken_and_none_is_lost_while_the_index_is_away(
    opened: Page, worker: WorkerProcess, chroma: ChromaServer
) -> None:
    bench, jobs = opened
    items = tuple(NewItem(n, f"Claim {n} searches") for n in range(1, 13))
    first = jobs.runner.start(Claim("This searches"))
    assert wait_for(jobs.runner, first, ended).status is RunStatus.FINISHED
    chroma.stop()
    run_id = jobs.runner.start(Claim("This searches and takes 0.2"))
    research_id = jobs.research.start(scripted_plan("A topic that searches"))
    ask_id = jobs.asker.start("Is there one that searches?", "c1")
    batch_id = jobs.batches.start(NewBatch("A batch", items))
    wait_until(lambda: paused(bench))
    assert wait_for(jobs.runner, run_id, lambda v: v.detail).detail == INDEX_AWAY
    assert wait_for(jobs.batches, batch_id, lambda v: v.waits).waits == INDEX_AWAY
    assert worker.output.count("No work is taken until the vector index answers again") == 1
    states = bench.batches.tally(batch_id).states
    assert states == {ItemState.QUEUED: 12}
    chroma.start()
    assert wait_for(jobs.runner, run_id, ended, seconds=30).status is RunStatus.FINISHED
    assert wait_for(jobs.research, research_id, lambda v: v.stage == "ended", seconds=30).status is RunStatus.FINISHED
    answer = wait_for(jobs.asker, ask_id, ended, seconds=30)
    assert (answer.error, answer.run.status) == ("", RunStatus.FINISHED)
    tally = wait_for(jobs.batches, batch_id, lambda v: not v.running, seconds=30).tally
    assert tally.states == {ItemState.DONE: 12}
    assert {item.attempts for item in bench.batches.items(batch_id)} == {1}
    assert worker.output.count("The vector index answers again") == 1
    assert not paused(bench)


@pytest.mark.parametrize("kind", ["claim", "batch"])
def test_an_outage_of_the_index_counts_once_however_many_workers_meet_it(
    opened: Page, postgres_url: str, chroma: ChromaServer, kind: str
) -> None:
    bench, jobs = opened
    with ExitStack() as stack:
        for worker in [WorkerProcess(postgres_url, slots=2, chroma=chroma.url) for _ in range(2)]:
            stack.callback(worker.remove)
            worker.wait_ready()
        chroma.stop()
        if kind == "claim":
            jobs.runner.start(Claim("This searches"))
        else:
            jobs.batches.start(NewBatch("A batch", (NewItem(1, "This searches"),)))
        wait_until(lambda: [each.paused for each in Queue(bench.database).standing().workers] == [True, True])
    assert attempts(bench) == [1]


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """One that a test may crash."""
    server = PostgresServer()
    yield server
    server.remove()


def test_a_crash_of_the_server_is_no_try_of_what_it_interrupts(own_server: PostgresServer) -> None:
    with ExitStack() as stack:
        bench, jobs = stack.enter_context(page(own_server.url()))
        for _ in range(2):
            stack.callback(WorkerProcess(own_server.url(), slots=4, grace=1).wait_ready().remove)
        batch_id = jobs.batches.start(NewBatch("A batch", tuple(NewItem(n, f"Claim {n} takes 1.5") for n in range(4))))
        ids = [jobs.runner.start(Claim(f"Claim {n} takes 2")) for n in range(2)]
        for run_id in ids:
            wait_for(jobs.runner, run_id, lambda v: v.step)
        ids.append(jobs.runner.start(Claim("This crashes")))
        for run_id in ids:
            assert wait_for(jobs.runner, run_id, ended, seconds=60).status is RunStatus.FINISHED
        view = wait_for(jobs.batches, batch_id, lambda v: not v.running, seconds=60)
        assert view.tally.states == {ItemState.DONE: 4}
        assert {item.attempts for item in bench.batches.items(batch_id)} == {1}
        assert max(attempts(bench)) > 1


def test_what_servers_go_away_under_each_time_is_given_up(opened: Page, postgres_url: str) -> None:
    bench, jobs = opened
    run_id, ask_id = jobs.runner.start(CLAIM), jobs.asker.start("Is it so?", "c1")
    research_id = jobs.research.start(scripted_plan("A topic"))
    with bench.database.write() as connection:
        most = {"most": f'{{"outages": {OUTAGES}}}'}
        connection.execute(text("UPDATE procrastinate_jobs SET args = args || CAST(:most AS jsonb)"), most)
    worker = WorkerProcess(postgres_url)
    try:
        for kind, id in ((jobs.runner, run_id), (jobs.asker, ask_id), (jobs.research, research_id)):
            view = wait_for(kind, id, lambda v: v.error, seconds=30)
            assert view.error == OUTAGES_GIVEN_UP
    finally:
        worker.remove()
    assert bench.runs.get(run_id).status is RunStatus.FAILED
