"""A batch engine over a workbench that plays its runs from a script."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.jobs import BatchEngine
from tests.ui.bench import ScriptedBench

Made = tuple[ScriptedBench, BatchEngine]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Made]]:
    """Makes a bench and its engine; both are closed at the end of the test."""
    made: list[Made] = []

    def build(busy: Callable[[], bool] = lambda: False, **script: object) -> Made:
        bench = ScriptedBench(Settings(data_dir=tmp_path), **script)  # type: ignore[arg-type]
        made.append((bench, BatchEngine(bench, busy, poll_seconds=0.005)))
        return made[-1]

    yield build
    for bench, engine in made:
        bench.gate.set()
        engine.close()
        bench.close()
