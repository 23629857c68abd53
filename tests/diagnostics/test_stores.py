"""Sizes, places, and what a check and a rebuild say."""

from pathlib import Path

import pytest

from ghost.diagnostics import check_stores, free_bytes, places, rebuild_index, size_of, size_words
from ghost.errors import Cancelled
from ghost.jobs import Task
from ghost.knowledge import Health, KnowledgeBase
from ghost.types import NewPassage
from tests.knowledge.conftest import book, encoder, kb, open_kb

__all__ = ["book", "encoder", "kb", "open_kb"]


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Reports to no one."""


def test_sizes_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(b"12345")
    (tmp_path / "y").write_bytes(b"123")
    assert size_of(tmp_path) == 8
    assert size_of(tmp_path / "y") == 3
    assert size_of(tmp_path / "nothing") is None
    assert free_bytes(tmp_path / "not" / "there" / "yet")


@pytest.mark.parametrize(
    ("size", "words"),
    [(None, "–"), (0, "0 bytes"), (999, "999 bytes"), (1500, "2 KB"), (2_340_000, "2.3 MB"), (7e12, "7,000.0 GB")],
)
def test_size_words(size: int | None, words: str) -> None:
    assert size_words(size) == words


def test_the_index_on_a_server_has_no_place_here(tmp_path: Path) -> None:
    assert len(places(tmp_path / "ghost.db", tmp_path / "chroma", "")) == 3
    assert len(places(tmp_path / "ghost.db", tmp_path / "chroma", "http://127.0.0.1:8000")) == 2


def test_an_intact_knowledge_base(kb: KnowledgeBase) -> None:
    kb.add([NewPassage("Bees dance to tell where the flowers are.", "https://a.example/")])
    said = check_stores(kb, no_progress)
    assert said.startswith("All is well. The database has 1 active passages, the index 1 vectors")
    assert rebuild_index(kb, no_progress) == "The index was rebuilt with 1 vectors."


def test_a_rebuild_that_is_stopped_leaves_the_index_as_it_was(kb: KnowledgeBase) -> None:
    kb.add([NewPassage("Bees dance to tell where the flowers are.", "https://a.example/")])

    def work(task: Task[str]) -> str:
        def stopping(what: str, done: int, total: int) -> None:
            task.cancel()
            task.report(what, done, total)

        return rebuild_index(kb, stopping)

    task = Task(work)
    assert task.wait(30)
    assert isinstance(task.error, Cancelled)
    assert [c.passage.text for c in kb.search("bees dance", 1)] == ["Bees dance to tell where the flowers are."]
    assert check_stores(kb, no_progress).startswith("All is well.")
    assert rebuild_index(kb, no_progress)


def test_a_problem_is_reported_with_what_to_do() -> None:
    class Broken:
        def check(self) -> Health:
            return Health(5, 3, False, "", ("Row 7 is missing from an index.",), "m")

        def rebuild(self, progress: object = None) -> int:
            return 0

    said = check_stores(Broken(), no_progress)
    assert "Row 7 is missing from an index." in said
    assert "they differ" in said
    assert "Rebuild the index" in said
