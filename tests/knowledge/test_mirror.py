"""The database is the truth: whatever happens to the index, it is brought in step."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT
from ghost.errors import StoreError, StoreFullError
from ghost.knowledge import KnowledgeBase
from ghost.knowledge.vectors import Record, VectorIndex
from ghost.testing import HashingEncoder
from ghost.types import NewPassage, Status
from tests.knowledge.helpers import edit

WALL = "The Great Wall of China is hardly visible to the naked eye from low Earth orbit."
MOON = "The Moon is about 384,400 kilometres from the Earth."
BEES = "Honey bees dance to tell other bees where flowers are."

Open = Callable[..., KnowledgeBase]


def healthy(kb: KnowledgeBase, count: int) -> bool:
    health = kb.check()
    return (health.sql_active, health.vectors, health.in_step, health.problems) == (count, count, True, ())


@pytest.fixture
def chroma(tmp_path: Path) -> Path:
    """Where the index of ``open_kb`` is."""
    return tmp_path / "chroma_db"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids sent to the index, from here on."""
    ids: list[str] = []
    upsert = VectorIndex.upsert

    def spy(self: VectorIndex, records: Sequence[Record]) -> None:
        ids.extend(r.id for r in records)
        upsert(self, records)

    monkeypatch.setattr(VectorIndex, "upsert", spy)
    return ids


def test_a_reader_of_chroma_finds_what_it_expects(open_kb: Open, chroma: Path) -> None:
    import chromadb
    from chromadb.config import Settings

    kb = open_kb()
    (wall,) = kb.add(
        [NewPassage(WALL, "https://www.nasa.gov/wall", "China's Wall", publisher="NASA", topic="space")]
    ).ids
    kb.close()
    client: Any = chromadb.PersistentClient(str(chroma), settings=Settings(anonymized_telemetry=False))
    (collection,) = client.list_collections()
    kept = client.get_collection(collection.name, embedding_function=None).get(
        include=["documents", "metadatas", "embeddings"]
    )
    client.close()
    assert collection.name == "knowledge_base"
    assert kept["ids"] == [wall]
    assert kept["documents"] == [WALL]
    assert kept["metadatas"] == [
        {
            "source_url": "https://www.nasa.gov/wall",
            "domain": "nasa.gov",
            "title": "China's Wall",
            "publisher": "NASA",
            "origin": "curated",
            "source_type": "government",
            "language": "en",
            "published_at": "",
            "topic": "space",
        }
    ]
    assert kept["embeddings"] is not None
    assert len(kept["embeddings"][0]) == 384


def test_opening_again_has_nothing_to_repair(open_kb: Open, encoder: HashingEncoder, sent: list[str]) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    kb.close()
    sent.clear()
    again = open_kb()
    assert again.repaired == ""
    assert sent == []
    assert healthy(again, 2)


@pytest.mark.parametrize("way", ["deleted", "garbage", "truncated", "a file", "no tables", "empty folder"])
def test_an_index_that_cannot_be_used_is_made_again(open_kb: Open, chroma: Path, encoder: Any, way: str) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    kb.close()
    read = encoder.texts_read
    file = chroma / "chroma.sqlite3"
    if way == "garbage":
        file.write_bytes(b"garbage" * 3_000)
    elif way == "truncated":
        file.write_bytes(file.read_bytes()[:50_000])
    elif way == "no tables":
        other = sqlite3.connect(file)
        other.execute("DROP TABLE collections")
        other.commit()
        other.close()
    else:
        shutil.rmtree(chroma)
        if way == "a file":
            chroma.write_text("not a folder")
        elif way == "empty folder":
            chroma.mkdir()

    again = open_kb()
    assert "rebuilt with 2 passages" in again.repaired
    assert healthy(again, 2)
    assert again.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)
    assert encoder.texts_read == read + 1  # the search; the vectors came from the database
    aside = list(chroma.parent.glob("chroma_db.damaged-*"))
    assert len(aside) == (way not in ("deleted", "empty folder"))
    again.close()
    assert open_kb().repaired == ""


def test_vectors_that_are_gone_although_they_are_counted_are_noticed(open_kb: Open, chroma: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(f"Note {i} says that {i * i} is a square") for i in range(1_200)])
    kb.close()
    (graph,) = (path for path in chroma.iterdir() if path.is_dir())
    shutil.rmtree(graph)
    again = open_kb()
    assert "rebuilt with 1200" in again.repaired
    assert healthy(again, 1_200)


def test_an_index_deleted_while_in_use_is_made_again(open_kb: Open, chroma: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    shutil.rmtree(chroma)
    assert kb.search(WALL, 1)[0].passage.text == WALL
    kb.add([NewPassage(BEES)])
    assert kb.search("bees", 1)[0].passage.text == BEES
    assert healthy(kb, 3)


@pytest.mark.parametrize("hook", ["before the index", "before the watermark"])
def test_killed_between_the_stores(open_kb: Open, tmp_path: Path, sent: list[str], hook: str) -> None:
    kb = open_kb()
    _wall, _moon = kb.add([NewPassage(WALL), NewPassage(MOON)]).ids
    kb.close()
    method = "upsert" if hook == "before the index" else "set_watermark"
    script = f"""
import os
from pathlib import Path
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.vectors import VectorIndex
from ghost.testing import HashingEncoder
from ghost.types import NewPassage
home = Path({str(tmp_path)!r})
kb = KnowledgeBase.open(home / "data" / "ghost.db", home / "chroma_db", "", HashingEncoder(), CredibilityBook({{}}, []))
VectorIndex.{method} = lambda *_: os._exit(9)
kb.add([NewPassage({BEES!r})])
"""
    assert subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=False).returncode == 9
    sent.clear()
    again = open_kb()
    assert again.repaired == "1 changed passages were sent to the vector index"
    assert sent == [p.id for p in again.list() if p.text == BEES]
    assert healthy(again, 3)
    assert again.search("honey bees dance", 1)[0].semantic is not None


def test_killed_while_the_index_is_rebuilt(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    kb.close()
    script = f"""
import os
from pathlib import Path
import ghost.knowledge.vectors as vectors
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.credibility import CredibilityBook
from ghost.testing import HashingEncoder
home = Path({str(tmp_path)!r})
kb = KnowledgeBase.open(home / "data" / "ghost.db", home / "chroma_db", "", HashingEncoder(), CredibilityBook({{}}, []))
drop = vectors._drop
def drop_and_die(client, name):
    drop(client, name)
    if not name.endswith("_new"):
        os._exit(9)
vectors._drop = drop_and_die
kb.rebuild()
"""
    assert subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=False).returncode == 9
    again = open_kb()
    assert "rebuilt with 2" in again.repaired
    assert healthy(again, 2)


def test_a_write_the_index_missed_is_kept_said_and_made_up_for(
    open_kb: Open, monkeypatch: pytest.MonkeyPatch, sent: list[str]
) -> None:
    kb = open_kb()
    wall, moon, _ = kb.add([NewPassage(WALL), NewPassage(MOON), NewPassage("Otters hold hands.")]).ids

    def fail(*_: object) -> None:
        raise StoreFullError("The disk with the vector index is full.")

    with monkeypatch.context() as patch:
        patch.setattr(VectorIndex, "upsert", fail)
        for write in (
            lambda: kb.add([NewPassage(BEES)]),
            lambda: kb.retire([wall]),
            lambda: edit(kb, moon, "Cheese, says the Moon."),
        ):
            with pytest.raises(StoreFullError):
                write()
    assert kb.get([wall])[0].status is Status.RETIRED
    assert {c.passage.text for c in kb.search("moon wall bees", 9)} >= {"Cheese, says the Moon.", BEES}
    kb.close()

    sent.clear()
    again = open_kb()
    assert again.repaired == "3 changed passages were sent to the vector index"
    assert wall not in sent
    assert healthy(again, 3)


def test_a_write_that_chroma_refuses_for_no_good_reason_ends_in_a_new_index(
    kb: KnowledgeBase, chroma: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.add([NewPassage(WALL)])

    def fail(*_: object) -> None:
        raise StoreError("Chroma does not feel like it.")

    monkeypatch.setattr(VectorIndex, "upsert", fail)
    kb.add([NewPassage(MOON)])
    assert healthy(kb, 2)
    assert not list(chroma.parent.glob("chroma_db.damaged-*"))


def test_an_index_of_a_restored_copy_is_made_again(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL)])
    kb.close()
    file = tmp_path / "data" / "ghost.db"
    copy = file.read_bytes()
    kb = open_kb()
    kb.add([NewPassage(MOON)])
    kb.close()
    file.write_bytes(copy)  # the index now knows a passage that the database does not
    again = open_kb()
    assert "rebuilt" in again.repaired
    assert healthy(again, 1)
    again.add([NewPassage(BEES)])
    assert {c.passage.text for c in again.search("moon bees wall", 9)} == {WALL, BEES}


def test_an_index_of_another_database_is_made_again(open_kb: Open, tmp_path: Path) -> None:
    for folder, fact in (("one", WALL), ("two", MOON)):
        kb = open_kb(folder=folder)
        kb.add([NewPassage(fact)])
        kb.close()
    shutil.rmtree(tmp_path / "one" / "chroma_db")
    shutil.copytree(tmp_path / "two" / "chroma_db", tmp_path / "one" / "chroma_db")
    again = open_kb(folder="one")
    assert "rebuilt with 1" in again.repaired
    assert again.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)


def test_another_model_reads_everything_again(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    retired, _, _ = kb.add([NewPassage(WALL), NewPassage(MOON), NewPassage(BEES)]).ids
    kb.retire([retired])
    kb.close()

    small = HashingEncoder(128)
    again = open_kb(small)
    assert again.repaired == "3 passages were read again with hashing@hashing-128"
    assert healthy(again, 2)
    assert again.search("bees dance", 1)[0].passage.text == BEES
    again.restore([retired])
    assert again.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)
    again.close()
    assert open_kb(small).repaired == ""


def test_a_change_of_model_that_was_cut_short_goes_on(open_kb: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    from ghost.knowledge import index_sync as mirror

    kb = open_kb()
    kb.add([NewPassage(f"Fact number {i} about the world") for i in range(10)])
    kb.close()
    monkeypatch.setattr(mirror, "PAGE", 4)

    class Tired(HashingEncoder):
        calls = 0

        def encode(self, texts: Sequence[str]):
            self.calls += 1
            if self.calls == 2:
                raise KeyboardInterrupt
            return super().encode(texts)

    with pytest.raises(KeyboardInterrupt):
        open_kb(Tired(64))
    again = open_kb(HashingEncoder(64))
    assert again.repaired.startswith("6 passages were read again")
    assert healthy(again, 10)


def test_rebuild_reports_its_progress(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(f"Fact number {i} about the world") for i in range(600)])
    seen: list[tuple[str, int, int]] = []
    assert kb.rebuild(lambda *step: seen.append(step)) == 600
    assert seen == [("Rebuilding the vector index", 512, 600), ("Rebuilding the vector index", 600, 600)]
    assert healthy(kb, 600)


def test_an_outlier_is_found_among_many_that_are_nearly_the_same(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(WALL), *(NewPassage(f"Entry {i // 20} {i} about quite another matter") for i in range(400))])
    for _ in range(3):  # the graph is random: each build is another one
        kb.rebuild()
        assert kb.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)


def test_check_says_what_is_wrong(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    (wall,) = kb.add([NewPassage(WALL), NewPassage(MOON)]).ids[:1]
    kb._vectors.delete([wall])
    health = kb.check()
    assert (health.sql_active, health.vectors, health.in_step) == (2, 1, False)
    kb.rebuild()
    assert healthy(kb, 2)
