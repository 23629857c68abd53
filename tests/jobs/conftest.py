"""A runner and a batch engine over a workbench that plays its runs from a script."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config import Settings
from ghost.jobs import BatchEngine, Runner
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
