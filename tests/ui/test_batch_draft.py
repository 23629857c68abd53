"""The draft of a batch: what is kept of it belongs to the list that is shown."""

from collections.abc import Iterator

import pytest
import streamlit as st

from ghost.jobs import Columns, sheet_of_text
from ghost.ui.batch import draft


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    draft.forget()
    yield
    draft.forget()


def test_lines_are_worked_out_once_for_each_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    # A sheet that is let go leaves its address to the next one.
    monkeypatch.setattr(draft, "id", lambda _: 1, raising=False)
    bees, wasps = sheet_of_text("Bees dance"), sheet_of_text("Wasps sting")
    first = draft.claim_list(bees, Columns(0), 100)
    assert draft.claim_list(bees, Columns(0), 100) is first
    assert [line.claim for line in draft.claim_list(wasps, Columns(0), 100).items] == ["Wasps sting"]
    assert "batch_lines" in st.session_state
