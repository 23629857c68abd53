"""The database is the truth: whatever happens to the index, it is brought in step."""

import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ghost.errors import StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError
from ghost.knowledge import KnowledgeBase, Ratings, VectorIndex, index_sync, vectors
from ghost.testing import HashingEncoder
from ghost.types import NewPassage, SourceType, Status
from tests.knowledge.helpers import BEES, MOON, WALL, edit, exit_code, in_step

Open = Callable[..., KnowledgeBase]


@pytest.fixture
def stores() -> tuple[str, str]:
    """Files of the test: this is about the index in a folder."""
    return "", ""


@pytest.fixture
def chroma(tmp_path: Path) -> Path:
    """Where the index of ``open_kb`` is."""
    return tmp_path / "chroma_db"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids sent to the index, from here on."""
    ids: list[str] = []
    upsert = VectorIndex.upsert

    def spy(self: VectorIndex, records: Sequence[vectors.Record]) -> None:
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
            "source_url": "https://www.nasa.gov/wall", "domain": "nasa.gov", "title": "China's Wall", "topic": "space",
            "publisher": "NASA", "origin": "curated", "source_type": "government", "language": "en", "published_at": "",
        }
    ]  # fmt: skip
    assert kept["embeddings"] is not None
    assert len(kept["embeddings"][0]) == 384


def test_only_what_was_not_there_or_reads_differently_is_placed(
    open_kb: Open, chroma: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import chromadb
    from chromadb.config import Settings

    placed: list[str] = []
    upsert = vectors._upsert

    def spy(collection: Any, records: Sequence[Any]) -> None:
        placed.extend(r.id for r in records)
        upsert(collection, records)

    monkeypatch.setattr(vectors, "_upsert", spy)
    kb = open_kb()
    wall, moon = kb.add(
        [NewPassage(WALL, "https://example.org/wall"), NewPassage(MOON, "https://example.org/moon")]
    ).ids
    Ratings(kb).rate("example.org", 0.9, "", SourceType.ACADEMIC)
    assert placed == [wall, moon]
    edit(kb, moon, BEES)
    assert placed == [wall, moon, moon]
    edit(kb, wall, f"{WALL}!")  # the encoder may take both for the same
    assert placed[3:] == [wall]
    kb.close()
    client: Any = chromadb.PersistentClient(str(chroma), settings=Settings(anonymized_telemetry=False))
    kept = client.get_collection("knowledge_base", embedding_function=None).get(ids=[wall, moon])
    client.close()
    assert {m["source_type"] for m in kept["metadatas"]} == {"academic"}
    assert set(kept["documents"]) == {f"{WALL}!", BEES}


@pytest.mark.parametrize("way", ["deleted", "garbage", "a file", "no tables"])
def test_an_index_that_cannot_be_used_is_made_again(open_kb: Open, chroma: Path, encoder: Any, way: str) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    kb.close()
    read = encoder.texts_read
    file = chroma / "chroma.sqlite3"
    if way == "garbage":
        file.write_bytes(b"garbage" * 3_000)
    elif way == "no tables":
        other = sqlite3.connect(file)
        other.execute("DROP TABLE collections")
        other.commit()
        other.close()
    else:
        shutil.rmtree(chroma)
        if way == "a file":
            chroma.write_text("not a folder")

    again = open_kb()
    assert "rebuilt with 2 passages" in again.repaired
    assert in_step(again, 2)
    assert again.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)
    assert encoder.texts_read == read + 1  # the search; the vectors came from the database
    aside = list(chroma.parent.glob("chroma_db.damaged-*"))
    assert len(aside) == (way != "deleted")
    again.close()
    assert open_kb().repaired == ""


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_vectors_that_are_gone_although_they_are_counted_are_noticed(
    open_kb: Open, chroma: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    kb = open_kb()
    kb.add([NewPassage(f"Note {i} says that {i * i} is a square") for i in range(1_010)])
    kb.close()
    (graph,) = (path for path in chroma.iterdir() if path.is_dir())
    shutil.rmtree(graph)
    if large:  # then it is not read at the start, but at the first search
        monkeypatch.setattr("ghost.knowledge.index_sync.READ_AT_START", 10)
    again = open_kb()
    assert ("rebuilt with 1010" in again.repaired) is not large
    found = again.search("Note 7 says that 49 is a square", 3)
    assert found[0].passage.text == "Note 7 says that 49 is a square"
    assert found[0].semantic == pytest.approx(1, abs=0.02), "the vectors are there again"
    assert in_step(again, 1_010)


def test_closing_does_not_wait_for_an_index_that_is_made_anew(open_kb: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    def read(self: index_sync.IndexSync, progress: Any) -> None:
        with self._writing:
            begun.set()
            go.wait(60)

    monkeypatch.setattr(index_sync.IndexSync, "read", read)
    monkeypatch.setattr(index_sync, "READ_AT_START", -1)
    for name, seconds in (("_READ_AFTER", 0), ("_CLOSE_SECONDS", 0.01)):
        monkeypatch.setattr(f"ghost.knowledge.base.{name}", seconds)
    kb = open_kb()
    kb.get_ready()
    assert begun.wait(60)
    kb.close()
    with pytest.raises(StoreBusyError):
        open_kb()
    go.set()
    kb._reading.join(60)  # type: ignore[union-attr]
    kb.close()
    open_kb()


def test_a_large_index_is_read_in_the_background(open_kb: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    kb = open_kb()
    kb.add([NewPassage(f"Note {i} says that {i * i} is a square") for i in range(12)])
    kb.close()
    monkeypatch.setattr("ghost.knowledge.index_sync.READ_AT_START", 10)
    monkeypatch.setattr("ghost.knowledge.base._READ_AFTER", 0)
    again = open_kb()
    assert again._sync.unread
    again.get_ready()
    assert again._reading
    again._reading.join(60)
    assert not again._sync.unread
    assert in_step(again, 12)


def test_an_index_deleted_while_in_use_is_made_again(open_kb: Open, chroma: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    shutil.rmtree(chroma)
    assert kb.search(WALL, 1)[0].passage.text == WALL
    kb.add([NewPassage(BEES)])
    assert kb.search("bees", 1)[0].passage.text == BEES
    assert in_step(kb, 3)


def test_killed_between_the_stores(open_kb: Open, tmp_path: Path, sent: list[str]) -> None:
    kb = open_kb()
    _wall, _moon = kb.add([NewPassage(WALL), NewPassage(MOON)]).ids
    kb.close()
    script = f"""
from ghost.knowledge.vectors import VectorIndex
VectorIndex.upsert = lambda *_: os._exit(9)
kb.add([NewPassage({BEES!r})])
"""
    assert exit_code(tmp_path, script) == 9
    sent.clear()
    again = open_kb()
    assert again.repaired == "1 changed passages were sent to the vector index"
    assert sent == [p.id for p in again.list() if p.text == BEES]
    assert in_step(again, 3)
    assert again.search("honey bees dance", 1)[0].semantic is not None


def test_killed_while_the_index_is_rebuilt(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    kb.close()
    script = """
from ghost.knowledge import vectors
drop = vectors._drop
def drop_and_die(client, name):
    drop(client, name)
    if not name.endswith("_new"):
        os._exit(9)
vectors._drop = drop_and_die
kb.rebuild()
"""
    assert exit_code(tmp_path, script) == 9
    again = open_kb()
    assert "rebuilt with 2" in again.repaired
    assert in_step(again, 2)


def test_a_program_ends_in_good_order_while_its_index_is_read(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL), NewPassage(MOON)])
    kb.close()
    script = """
import threading
import time
from ghost.knowledge import VectorIndex, base
begun, count = threading.Event(), VectorIndex.count
def read_for_long(self):  # in Chroma's native part nearly all of the time
    while True:
        begun.set()
        count(self)
VectorIndex.count, base._READ_AFTER, base._CLOSE_SECONDS, kb._sync.unread = read_for_long, 0.0, 0.2, True
kb.get_ready()
begun.wait(60)
kb.close()
base.exit_with(3)
"""
    assert exit_code(tmp_path, script) == 3


def test_an_index_that_is_made_in_the_background_is_left_at_the_end(
    open_kb: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb, begun = open_kb(), threading.Event()
    kb.add([NewPassage(text) for text in (WALL, MOON, BEES)])
    kb._vectors.delete([kb.list(limit=1)[0].id])
    upsert = vectors._upsert

    def slow(*args: Any) -> None:
        begun.set()
        time.sleep(0.05)
        upsert(*args)

    with monkeypatch.context() as patch:
        patch.setattr(vectors, "_upsert", slow)
        patch.setattr(index_sync, "SENT", 1)
        patch.setattr("ghost.knowledge.base._READ_AFTER", 0.0)
        kb._sync.unread = True
        kb.get_ready()
        assert begun.wait(30)
        kb.close()
    again = open_kb()
    assert "rebuilt with 3" in again.repaired
    assert in_step(again, 3)


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
    assert in_step(again, 3)


def test_a_write_that_chroma_refuses_for_no_good_reason_ends_in_a_new_index(
    kb: KnowledgeBase, chroma: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.add([NewPassage(WALL)])

    def fail(*_: object) -> None:
        raise StoreError("Chroma does not feel like it.")

    monkeypatch.setattr(VectorIndex, "upsert", fail)
    kb.add([NewPassage(MOON)])
    assert in_step(kb, 2)
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
    assert in_step(again, 1)
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
    assert in_step(again, 2)
    assert again.search("bees dance", 1)[0].passage.text == BEES
    again.restore([retired])
    assert again.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)
    again.close()
    assert open_kb(small).repaired == ""


def test_a_change_of_model_that_was_cut_short_goes_on(open_kb: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    kb = open_kb()
    kb.add([NewPassage(f"Fact number {i} about the world") for i in range(10)])
    kb.close()
    monkeypatch.setattr(index_sync, "PAGE", 4)

    class Tired(HashingEncoder):
        calls = 0

        def encode(self, texts: Sequence[str]) -> Any:
            self.calls += 1
            if self.calls == 2:
                raise KeyboardInterrupt
            return super().encode(texts)

    with pytest.raises(KeyboardInterrupt):
        open_kb(Tired(64))
    again = open_kb(HashingEncoder(64))
    assert again.repaired.startswith("6 passages were read again")
    assert in_step(again, 10)


def test_an_outlier_is_found_among_many_that_are_nearly_the_same(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(WALL), *(NewPassage(f"Entry {i // 20} {i} about quite another matter") for i in range(400))])
    kb._vectors.delete([kb.list(limit=1)[0].id])
    assert not kb.check().in_step
    kb.rebuild()
    assert in_step(kb, 401)
    assert kb.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)


def test_what_chroma_says_becomes_what_a_person_can_act_on(tmp_path: Path) -> None:
    index = VectorIndex(vectors.ChromaConnection(tmp_path / "chroma_db", ""), 3, "model", "database")
    full = index._explain(RuntimeError("error returned from database: (code: 13) database or disk is full"))
    read_only = index._explain(RuntimeError("(code: 1032) attempt to write a readonly database"))
    assert isinstance(full, StoreFullError)
    assert isinstance(read_only, StoreReadOnlyError)
    for error in (full, read_only, index._explain(BaseException())):
        assert "safe in the database" in str(error)
        assert str(index.path) in str(error)
