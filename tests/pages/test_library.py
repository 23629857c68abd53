"""The starter library on the page of the knowledge base: packs are switched, and changes written to their files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import seed_kb
from ghost.knowledge import KnowledgeBase, Revision
from ghost.types import NewPassage, Origin
from ghost.workbench import Workbench
from tests.pages.sections import Page, at_address, bench, page
from tests.pages.visits import Patch, click, shown

__all__ = ["bench", "page"]
WALL = "The Great Wall of China cannot be seen from the Moon with the unaided eye."
ORBIT = "From low Earth orbit the Great Wall is generally not visible to the unaided eye."
OTTERS = "Otters hold hands while they sleep."
BEES = "Bees dance to show the way to flowers."


@pytest.fixture
def kb(bench: Workbench) -> KnowledgeBase:
    bench.knowledge.add([
        NewPassage(WALL, "https://www.nasa.gov/wall", "China's wall", Origin.SEED, publisher="NASA"),
        NewPassage(ORBIT, "https://www.britannica.com/wall", publisher="Britannica"),
    ])  # fmt: skip
    return bench.knowledge


def ids(kb: KnowledgeBase) -> dict[str, str]:
    """Text of each passage -> its id."""
    return {p.text: p.id for p in kb.list()}


def library(folder: Path, monkeypatch: Patch, **packs: str) -> Path:
    """A library of these packs, each of one text."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(seed_kb, "FOLDER", folder)
    for name, text in packs.items():
        fact = {"text": text, "source": f"https://www.nasa.gov/{'wall' if text == WALL else 'orbit'}"}
        (folder / f"{name}.jsonl").write_text(json.dumps(fact) + "\n", encoding="utf-8")
    return folder


def test_packs_are_written_and_restored(page: Page, kb: KnowledgeBase, tmp_path: Path, monkeypatch: Patch) -> None:
    folder = library(tmp_path / "packs", monkeypatch, walls=WALL)
    before = (folder / "walls.jsonl").read_text(encoding="utf-8")
    at = page("knowledge", section="seeds")
    (wall,) = kb.get([ids(kb)[WALL]])
    kb.curation.revise(wall.id, replace(Revision.of(wall), text="The wall cannot be seen from the Moon."))
    click(at_address(at, passage=ids(kb)[ORBIT]), "knowledge_seed")
    assert "**1 difference** from walls.jsonl: 1 changed." in shown(at_address(at, section="seeds"))
    assert (folder / "walls.jsonl").read_text(encoding="utf-8") == before
    click(at, "knowledge_seed_write")
    assert "1 fact written to walls.jsonl" in shown(at)
    assert "The wall cannot be seen from the Moon." in (folder / "walls.jsonl").read_text(encoding="utf-8")
    at.selectbox(key="knowledge_pack_file").set_value("yours").run()
    assert "**1 difference** from yours.jsonl: 1 new." in shown(at)
    click(at, "knowledge_seed_write")
    assert "agree: 2 facts" in shown(at)
    assert json.loads((folder / "yours.jsonl").read_text(encoding="utf-8"))["text"] == ORBIT
    assert seed_kb.seed_if_changed(kb) is None
    at.selectbox(key="knowledge_pack_file").set_value("walls").run()
    click(at, "knowledge_seed_back")
    assert (folder / "walls.jsonl").read_text(encoding="utf-8") == before
    assert "**1 difference**" in shown(at)
    file = library(tmp_path / "bad", monkeypatch) / "bad.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    assert "bad.jsonl cannot be read" in at.run().error[0].value.replace("\\", "")
    file.write_text("{", encoding="utf-8")
    assert "Line 1 is no fact" in at.run().error[0].value


def test_a_pack_is_switched_off_and_on_again_but_not_against_the_settings(
    page: Page, bench: Workbench, kb: KnowledgeBase, tmp_path: Path, monkeypatch: Patch
) -> None:
    library(tmp_path / "packs", monkeypatch, animals=OTTERS, bees=BEES)
    kb.retire([ids(kb)[WALL]])
    seed_kb.seed(kb)
    active = kb.stats().active
    at = page("knowledge", section="seeds")
    assert at.toggle(key="knowledge_pack_bees").value is True
    at.toggle(key="knowledge_pack_bees").set_value(False).run()
    assert not at.exception
    assert "The pack Bees is off. 1 passage retired." in shown(at)
    assert at.toggle(key="knowledge_pack_bees").value is False
    assert kb.stats().active == active - 1
    assert "agree: 1 fact." in shown(at)  # what is off is not said to be left out
    at.toggle(key="knowledge_pack_bees").set_value(True).run()
    assert "The pack Bees is on. 1 passage restored to the previous state." in shown(at)
    assert kb.stats().active == active
    click(at, "knowledge_undo")
    assert at.toggle(key="knowledge_pack_bees").value is False
    assert kb.stats().active == active - 1
    monkeypatch.setattr(bench, "settings", bench.settings.model_copy(update={"packs_off": ("bees",)}))
    at.run()
    assert at.toggle(key="knowledge_pack_bees").disabled
    assert not at.toggle(key="knowledge_pack_animals").disabled
