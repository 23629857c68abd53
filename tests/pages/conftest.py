"""The app over a workbench of this test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from config import PROJECT, Settings
from ghost.ui.shared import resources
from tests.pages.visits import SECONDS, Use
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
