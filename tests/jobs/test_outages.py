"""A vector index that is away: workers take nothing, say so, and go on when it is back. No claim fails for it."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from ghost.jobs import INDEX_AWAY, Queue
from ghost.records import ItemState, NewBatch, NewItem
from ghost.testing import ChromaServer
from ghost.types import Claim, RunStatus
from tests.jobs.conftest import wait_for
from tests.jobs.shared import SharedBench, WorkerProcess
from tests.jobs.test_workers import Page, ended, page, wait_until
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
