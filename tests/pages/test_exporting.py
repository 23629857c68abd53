"""Export on the page of the knowledge base: at once, and in the background where it is much."""

import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from ghost.errors import StoreError
from ghost.knowledge import export_passages
from ghost.types import NewPassage
from ghost.ui.knowledge import export as export_section
from ghost.workbench import Workbench
from tests.pages.sections import OTTERS, bench, opened, until
from tests.pages.visits import SECONDS, Open, Patch, Use, shown

__all__ = ["bench"]


@pytest.fixture(autouse=True)
def _soon_large(monkeypatch: Patch, bench: Workbench) -> None:
    monkeypatch.setattr(export_section, "AT_ONCE", 1)
    monkeypatch.setattr(export_section, "REPORT_EVERY", 1)
    bench.knowledge.add([NewPassage(OTTERS), NewPassage("The Moon is about 384,400 kilometres from the Earth.")])


def labels(at: AppTest) -> list[str]:
    return [button.proto.label for button in at.get("download_button")]


@pytest.fixture
def page(use: Use, bench: Workbench) -> Open:
    """Opens the page over the bench of the test."""
    return lambda *args, **params: opened(use(bench), *args, **params)


def test_a_large_export_is_prepared_and_then_handed_out(page: Open, bench: Workbench) -> None:
    at = page(section="import")
    assert not any("2 passages" in label for label in labels(at))
    at.button(key="exporting_prepare").click().run()
    until(at, lambda: any("Export 2 passages (0.0 MB)" in label for label in labels(at)))
    made = at.session_state["exporting_made"].task.result()
    assert made == b"".join(export_passages(bench.knowledge, "jsonl"))
    at.segmented_control(key="exporting_form").set_value("csv").run()
    assert "exporting_made" not in at.session_state
    assert at.button(key="exporting_prepare")


def test_a_file_is_handed_out_also_when_passages_come_in_meanwhile(page: Open, bench: Workbench) -> None:
    at = page(section="import")
    at.button(key="exporting_prepare").click().run()
    until(at, lambda: any("Export 2 passages" in label for label in labels(at)))
    bench.knowledge.add([NewPassage("Mercury is the planet that is nearest to the Sun.")])
    at.run()
    assert any("Export 2 passages" in label for label in labels(at))
    assert "were added or changed since this file was made" in shown(at)
    at.button(key="exporting_prepare").click().run()
    until(at, lambda: any("Export 3 passages" in label for label in labels(at)))


def test_a_large_export_can_be_stopped(page: Open, monkeypatch: Patch) -> None:
    gate = threading.Event()

    def slow(*_: object) -> Iterator[bytes]:
        yield b"one"
        gate.wait(SECONDS)
        yield b"two"

    monkeypatch.setattr(export_section, "export_passages", slow)
    at = page(section="import")
    at.button(key="exporting_prepare").click().run()
    assert "exporting_prepare" not in [b.key for b in at.button]
    at.button(key="exporting_cancel").click().run()
    gate.set()
    until(at, lambda: "Cancelled. No file was made." in shown(at))
    assert at.button(key="exporting_prepare")


def test_a_store_that_fails_meanwhile_is_told(page: Open, monkeypatch: Patch) -> None:
    def broken(*_: object) -> Iterator[bytes]:
        raise StoreError("The disk cannot be read.")

    monkeypatch.setattr(export_section, "export_passages", broken)
    at = page(section="import")
    at.button(key="exporting_prepare").click().run()
    until(at, lambda: "The disk cannot be read. No file was made." in shown(at))
