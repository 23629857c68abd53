"""Sizes, places, and what a check and a rebuild say."""

import time
from pathlib import Path

import pytest

from ghost.inspection import bytes_in_words, stores
from ghost.inspection.stores import places, room_left, size_of
from ghost.jobs import Chores, ChoreState, Progress
from ghost.knowledge import Health, KnowledgeBase
from ghost.types import NewPassage
from tests.knowledge.conftest import book, encoder, kb, open_kb

__all__ = ["book", "encoder", "kb", "open_kb"]


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def test_sizes_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(b"12345")
    (tmp_path / "y").write_bytes(b"123")
    assert size_of(tmp_path) == 8
    assert size_of(tmp_path / "y") == 3
    assert size_of(tmp_path / "nothing") is None
    assert room_left(tmp_path / "not" / "there" / "yet")


@pytest.mark.parametrize(
    ("size", "words"),
    [(None, "–"), (0, "0 bytes"), (999, "999 bytes"), (1500, "2 KB"), (2_340_000, "2.3 MB"), (7e12, "7,000.0 GB")],
)
def test_bytes_in_words(size: int | None, words: str) -> None:
    assert bytes_in_words(size) == words


def test_the_index_on_a_server_has_no_place_here(tmp_path: Path) -> None:
    assert len(places(tmp_path / "ghost.db", tmp_path / "chroma", "")) == 3
    assert len(places(tmp_path / "ghost.db", tmp_path / "chroma", "http://127.0.0.1:8000")) == 2


def test_a_sound_knowledge_base_is_said_to_be(kb: KnowledgeBase) -> None:
    kb.add([NewPassage("Bees dance to tell where the flowers are.", "https://a.example/")])
    said = stores.check(kb, no_progress)
    assert said.startswith("All is well. The database has 1 active passages, the index 1 vectors")
    assert stores.rebuild(kb, no_progress) == "The index was built again with 1 vectors."


def test_a_rebuild_that_is_stopped_leaves_the_index_as_it_was(kb: KnowledgeBase) -> None:
    kb.add([NewPassage("Bees dance to tell where the flowers are.", "https://a.example/")])
    chores = Chores()

    def work(_progress: Progress) -> str:
        def stopping(what: str, done: int, total: int) -> None:
            chores.cancel("rebuild")
            _progress(what, done, total)

        return stores.rebuild(kb, stopping)

    chores.start("rebuild", work)
    while (chore := chores.snapshot("rebuild")) and chore.running:
        time.sleep(0.01)
    assert chore
    assert chore.state is ChoreState.CANCELLED
    assert [c.passage.text for c in kb.search("bees dance", 1)] == ["Bees dance to tell where the flowers are."]
    assert stores.check(kb, no_progress).startswith("All is well.")
    assert stores.rebuild(kb, no_progress)


def test_what_is_wrong_is_told_with_what_to_do() -> None:
    class Broken:
        def check(self) -> Health:
            return Health(5, 3, False, "", ("Row 7 is missing from an index.",), "m")

        def rebuild(self, progress: object = None) -> int:
            return 0

    said = stores.check(Broken(), no_progress)
    assert "Row 7 is missing from an index." in said
    assert "not in step" in said
    assert "Rebuild the index" in said
