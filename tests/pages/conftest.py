"""The app over a workbench of this test's own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from config import PROJECT, Settings
from ghost.records import RunStore
from ghost.types import Run
from ghost.ui.shared import resources
from tests.pages.visits import SECONDS, Keep, Use
from tests.records.kept import keep_run
from tests.ui.bench import ScriptedBench


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """The app over a workbench, not yet run."""
    st.cache_resource.clear()
    st.cache_data.clear()

    def made(bench: ScriptedBench) -> AppTest:
        monkeypatch.setattr(resources, "open_workbench", lambda: bench)
        return AppTest.from_file(PROJECT / "app.py", default_timeout=SECONDS)

    yield made
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    """Plays hand-made runs."""
    return ScriptedBench(Settings(data_dir=tmp_path))


@pytest.fixture
def stored(bench: ScriptedBench) -> ScriptedBench:
    """Its runs are in a real store."""
    bench.runs = RunStore(bench.database)  # type: ignore[assignment]
    return bench


@pytest.fixture
def keep(stored: ScriptedBench) -> Keep:
    """Writes a run down as if it had just been made."""

    def write(run: Run) -> Run:
        keep_run(stored.database, run)
        return run

    return write


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], Any]]:
    """What each download button of the page would send, by its label."""
    made: dict[str, Callable[[], Any]] = {}
    draw = st.download_button

    def kept(label: str, data: Callable[[], Any], *rest: Any, **more: Any) -> bool:
        made[label] = data
        return draw(label, data, *rest, **more)

    monkeypatch.setattr(st, "download_button", kept)
    return made
