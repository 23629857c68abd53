"""Whatever somebody does on the pages, in whatever order: no page breaks."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from ghost.ui.shared import resources
from ghost.workbench import Workbench
from tests.pages.house import furnished, ids
from tests.pages.walks import Walk

SEEDS, ACTIONS = (int(number) for number in os.environ.get("WALKS", "3x50").split("x"))
"""How many walks of how many actions; ``WALKS=20x500`` before a release."""
FIRST = int(os.environ.get("WALKS_FROM", "0"))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    st.cache_resource.clear()
    st.cache_data.clear()
    made = furnished(tmp_path)
    monkeypatch.setattr(resources, "open_workbench", lambda: made)
    yield made
    resources.close(resources.opened())
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_no_page_breaks_whatever_is_done(bench: Workbench, seed: int) -> None:
    walk = Walk(seed, ids(bench))
    for number in range(ACTIONS):
        try:
            at = walk.step()
        except Exception as error:
            error.add_note(f"seed {seed}, action {number}, before: " + "\n".join(walk.done))
            raise
        if at.exception:
            wrong = "\n".join(f"{e.message}\n{e.stack_trace}" for e in at.exception)
            pytest.fail(f"seed {seed}, action {number}:\n{wrong}\nbefore: " + "\n".join(walk.done))
