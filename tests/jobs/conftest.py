"""A runner and a batch engine over a workbench that plays its runs from a script, and what a shared database needs."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from config import Settings
from ghost.jobs import BatchEngine, Runner
from ghost.testing import PostgresServer
from tests.databases import EmptyDatabases
from tests.jobs.shared import WorkerProcess
from tests.jobs.shared_pages import Page, page
from tests.ui.bench import ScriptedBench

Make = Callable[..., tuple[ScriptedBench, Any]]


def wait_for(jobs: Any, job_id: str, reached: Callable[[Any], bool], seconds: float = 10.0) -> Any:
    """The first snapshot of which this is so."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        view = jobs.snapshot(job_id)
        if view and reached(view):
            return view
        time.sleep(0.005)
    raise AssertionError(f"never reached; the last view is {jobs.snapshot(job_id)}")


@pytest.fixture
def make_engine(tmp_path: Path) -> Iterator[Make]:
    """Makes a bench and its batch engine; both are closed at the end of the test."""
    made: list[tuple[ScriptedBench, BatchEngine]] = []

    def build(busy: Callable[[], bool] = lambda: False, **script: Any) -> tuple[ScriptedBench, BatchEngine]:
        bench = ScriptedBench(Settings(data_dir=tmp_path), **script)
        made.append((bench, BatchEngine(bench, busy, poll_seconds=0.005)))  # type: ignore[arg-type]
        return made[-1]

    yield build
    for bench, engine in made:
        bench.gate.set()
        engine.close()
        bench.close()


@pytest.fixture
def make_runner(tmp_path: Path) -> Iterator[Make]:
    """Makes a bench and its runner, which is closed at the end of the test."""
    runners: list[Runner] = []

    def build(workers: int = 2, **script: Any) -> tuple[ScriptedBench, Runner]:
        bench = ScriptedBench(Settings(data_dir=tmp_path), **script)
        runners.append(Runner(bench, workers))  # type: ignore[arg-type]
        return bench, runners[-1]

    yield build
    for runner in runners:
        runner.close()


@pytest.fixture
def open_page(postgres_url: str) -> Iterator[Callable[[], Page]]:
    """Opens what a page or an API works with, over the shared database."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(page(postgres_url))


@pytest.fixture
def start_workers(postgres_url: str) -> Iterator[Callable[..., list[WorkerProcess]]]:
    """Starts workers, all at once, which are ended after the test."""
    made: list[WorkerProcess] = []

    def start(count: int = 1, slots: int = 2, hours: float = 0.0) -> list[WorkerProcess]:
        new = [WorkerProcess(postgres_url, slots, hours) for _ in range(count)]
        made.extend(new)
        return [worker.wait_ready() for worker in new]

    yield start
    for worker in made:
        worker.remove()


@pytest.fixture(scope="module")
def pages(postgres_server: PostgresServer, empty_databases: EmptyDatabases) -> Iterator[tuple[Page, Page]]:
    """Two pages over a database with a worker of three slots, for the tests that end no worker."""
    name = empty_databases.lend()
    url = postgres_server.url(name)
    worker = WorkerProcess(url, slots=3)
    with page(url) as one, page(url) as two:
        worker.wait_ready()
        yield one, two
    assert "Traceback" not in worker.output
    assert "takes" not in worker.output  # no claim is in the log, whatever happens to it
    worker.remove()
    empty_databases.take_back(name)
