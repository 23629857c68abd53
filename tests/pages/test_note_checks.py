"""Check against the source on the Knowledge base page: a note, a selection, a pack."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import seed_kb
from ghost.types import Kind, NewPassage, PageCheck
from ghost.workbench import Workbench
from tests.pages.benches import real_bench
from tests.pages.sections import Page, at_address, page, until
from tests.pages.test_library import library
from tests.pages.visits import Patch, click, shown
from tests.some_pages import SomePages

__all__ = ["page"]
OTTERS = "Otters hold hands while they sleep."
CAVES = "Otters sleep on their backs in caves."
WALL = "The Great Wall of China cannot be seen from the Moon with the unaided eye."
URL, GONE = "https://example.org/otters", "https://example.org/gone"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    pages = {URL: f"{OTTERS} <b>They</b> live on the coast.", "https://www.nasa.gov/wall": WALL}
    made = real_bench(tmp_path, fetcher=SomePages(pages))
    yield made
    made.close()


def noted(bench: Workbench, text: str, url: str) -> str:
    return bench.knowledge.add([NewPassage(text, url, "Otters", kind=Kind.NOTE)]).outcomes[0].passage_id


def outcome(bench: Workbench, note: str) -> PageCheck | None:
    return bench.knowledge.get([note])[0].page_check


def test_one_note_is_checked_and_the_check_undone(page: Page, bench: Workbench) -> None:
    note = noted(bench, OTTERS, URL)
    at = page("knowledge", passage=note)
    assert "Not checked against the page yet." in shown(at)
    click(at, "knowledge_check_note")
    until(at, lambda: "Found: example.org says the same." in shown(at))
    assert outcome(bench, note) is PageCheck.FOUND
    assert "The page says the same in these words:" in shown(at)
    assert "**Checked**" in shown(at)
    click(at, "knowledge_undo")
    assert outcome(bench, note) is None
    assert "Not checked against the page yet." in shown(at)


def test_what_the_page_does_not_say_and_what_is_not_reached_say_why(page: Page, bench: Workbench) -> None:
    note, gone = noted(bench, CAVES, URL), noted(bench, CAVES, GONE)
    at = click(page("knowledge", passage=note), "knowledge_check_note")
    until(at, lambda: "The page does not say it, so no verdict rests on it alone." in shown(at))
    at = click(at_address(at, passage=gone), "knowledge_check_note")
    until(at, lambda: "Not reached: The server has no such page (HTTP 404)." in shown(at))
    assert outcome(bench, gone) is None


def test_a_selection_is_checked(page: Page, bench: Workbench) -> None:
    notes = [noted(bench, OTTERS, URL), noted(bench, CAVES, URL), noted(bench, CAVES, "")]
    noted(bench, CAVES, GONE)
    at = page("knowledge", section="browse")
    at.checkbox(key="knowledge_browse_tick_all").check().run()
    click(at, "knowledge_browse_fact_check")
    until(at, lambda: "Checked against the source: 1 found, 1 not found there, 1 not reached." in shown(at))
    assert "First page not reached: The server has no such page (HTTP 404)." in shown(at)
    assert [outcome(bench, note) for note in notes] == [PageCheck.FOUND, PageCheck.NOT_FOUND, None]


def test_a_pack_is_checked(page: Page, bench: Workbench, tmp_path: Path, monkeypatch: Patch) -> None:
    library(tmp_path / "packs", monkeypatch, walls=WALL)
    seed_kb.seed(bench.knowledge)
    at = click(page("knowledge", section="seeds"), "knowledge_pack_check_walls")
    until(at, lambda: "Found: www.nasa.gov says the same." in shown(at))
    (fact,) = bench.knowledge.list()
    assert (fact.page_check, fact.kind) == (PageCheck.FOUND, Kind.EXCERPT)


def test_a_selection_without_a_page_is_not_checked(page: Page, bench: Workbench) -> None:
    noted(bench, CAVES, "")
    at = page("knowledge", section="browse")
    at.checkbox(key="knowledge_browse_tick_all").check().run()
    click(at, "knowledge_browse_fact_check")
    assert "None of them has a page that it can be checked at." in shown(at)
