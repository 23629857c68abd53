"""Several processes share one knowledge base on PostgreSQL and a Chroma server, and one of them may make the index."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ghost.errors import StoreAwayError
from ghost.knowledge import CredibilityBook, KnowledgeBase, vectors
from ghost.records import passages
from ghost.testing import ChromaServer, HashingEncoder
from ghost.types import NewPassage
from tests import forks
from tests.knowledge.helpers import MOON, SALMON, WALL, WIRE, in_step

EACH, PROCESSES, LAST = 16, 3, 5
"""How many times each process writes, how many there are, and in which turn one of them is killed."""
_WORK = """
import os, sys
from pathlib import Path
from ghost.errors import StoreError
from ghost.knowledge import CredibilityBook, KnowledgeBase, VectorIndex, index_sync
from ghost.testing import HashingEncoder
from ghost.types import NewPassage
index_sync.WAIT_SECONDS = 300.0  # on a busy machine too each of them sends what it writes
me, place, chroma = int(sys.argv[1]), sys.argv[2], sys.argv[3]
with KnowledgeBase.open(place, Path("none"), chroma, HashingEncoder(), CredibilityBook({{}}, [])) as kb:
    for n in range({each}):
        if n == {last} and me == {killed}:
            VectorIndex.upsert = lambda *_: os.kill(os.getpid(), 9)
        shared = NewPassage(f"Bridge number {{n}} was closed on a Monday.", f"https://shared.example/{{n}}")
        own = NewPassage(f"Process {{me}} has seen heron number {{n}} at the river.", f"https://p{{me}}.example/{{n}}")
        copy = NewPassage({wire!r}, f"https://site{{me}}-{{n}}.example/wire")
        try:
            kb.add([shared, own, *([copy] if n < 3 else [])])
        except StoreError as error:
            # The index was away; the passages are kept, and the next write brings it up to date.
            assert "vector index" in str(error) or "Chroma" in str(error), error
"""


@pytest.fixture
def own_chroma() -> Iterator[ChromaServer]:
    """A Chroma server that a test may stop."""
    server = ChromaServer()
    yield server
    server.remove()


@pytest.fixture
def open_from(tmp_path: Path) -> Callable[[str, str], KnowledgeBase]:
    """Opens the knowledge base on these servers."""
    return lambda place, chroma: KnowledgeBase.open(place, tmp_path, chroma, HashingEncoder(), CredibilityBook({}, []))


@pytest.mark.parametrize("restarted", [False, True], ids=["one is killed", "Chroma is restarted"])
def test_nothing_is_lost_and_nothing_is_there_twice(
    postgres_url: str, own_chroma: ChromaServer, open_from: Callable[[str, str], KnowledgeBase], restarted: bool
) -> None:
    killed = -1 if restarted else 2
    script = _WORK.format(each=EACH, wire=WIRE, last=LAST, killed=killed)
    started = [forks.start(script, n, postgres_url, own_chroma.url) for n in range(PROCESSES)]
    if restarted:
        with open_from(postgres_url, own_chroma.url) as watching:
            while watching.count() < 15 and started[0].is_alive():
                time.sleep(0.01)
        own_chroma.stop()
        own_chroma.start()
    for process in started:
        process.join(300)
    assert [process.exitcode for process in started] == [-9 if n == killed else 0 for n in range(PROCESSES)]
    with open_from(postgres_url, own_chroma.url) as kb:
        with kb.database.read() as connection:
            rows = connection.execute(select(passages)).all()
        lost = 0 if restarted else EACH - LAST - 1
        copies = [row for row in rows if row.text == WIRE]
        assert len(copies) == PROCESSES * 3
        assert len({row.kin for row in copies if row.kin}) == 1
        assert sum(not row.kin for row in copies) == 1
        assert len(rows) == EACH + PROCESSES * EACH - lost + len(copies)
        assert len({row.merge_key for row in rows}) == len(rows)
        assert in_step(kb, len(rows))
        kb.add([NewPassage(SALMON)])
        assert kb.search(SALMON, 1)[0].passage.text == SALMON


@contextmanager
def rebuilding(knowledge: KnowledgeBase) -> Iterator[None]:
    """While another process makes the index anew, and has sent all but not ended."""
    begun, end = threading.Event(), threading.Event()

    def hold(*_: object) -> None:
        begun.set()
        end.wait(60)

    thread = threading.Thread(target=lambda: knowledge.rebuild(hold))
    thread.start()
    try:
        assert begun.wait(30)
        yield
    finally:
        end.set()
        thread.join(60)


@pytest.fixture
def two(
    postgres_url: str, chroma_server: ChromaServer, open_from: Callable[[str, str], KnowledgeBase],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[tuple[KnowledgeBase, KnowledgeBase]]:  # fmt: skip
    """The knowledge base of two processes, which do not wait long for each other."""
    monkeypatch.setattr("ghost.knowledge.index_sync.WAIT_SECONDS", 0.2)
    with open_from(postgres_url, chroma_server.url) as one, open_from(postgres_url, chroma_server.url) as other:
        one.add([NewPassage(WALL)])
        yield one, other


def test_others_read_and_write_while_one_makes_the_index(two: tuple[KnowledgeBase, KnowledgeBase]) -> None:
    one, other = two
    with rebuilding(one):
        (moon,) = other.add([NewPassage(MOON)]).ids
        assert other.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02), "by the old index"
        assert other.search(MOON, 1)[0].passage.id == moon, "by its words"
        assert not in_step(other, 2)
    assert in_step(other, 2)
    assert other.search(MOON, 1)[0].semantic == pytest.approx(1, abs=0.02)


def test_an_index_that_is_gone_is_made_by_one_and_named_by_the_others(
    two: tuple[KnowledgeBase, KnowledgeBase], chroma_server: ChromaServer
) -> None:
    one, other = two
    with rebuilding(one):
        with chroma(chroma_server.url) as client:
            for name in (n for n in collections(chroma_server.url) if n.endswith("_new")):
                client.delete_collection(name.removesuffix("_new"))
        for work in (lambda: other.search(WALL, 1), other.mend_index):
            with pytest.raises(StoreAwayError, match=r"is being made by another process.*safe in the database"):
                work()
    other.mend_index()
    assert other.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)


def test_what_a_killed_rebuild_has_left_is_removed_at_the_next_start(
    open_kb: Callable[..., KnowledgeBase], stores: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stores[1] or str(tmp_path / "chroma_db")
    before = collections(place) if stores[1] else set()
    kb = open_kb()
    kb.add([NewPassage(WALL)])

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(vectors, "_upsert", die)
        with pytest.raises(KeyboardInterrupt):
            kb.rebuild()
    kb.close()
    assert len(collections(place) - before) == 2
    again = open_kb()
    assert again.repaired == ""
    assert in_step(again, 1)
    again.close()
    assert len(collections(place) - before) == 1


@contextmanager
def chroma(place: str) -> Iterator[Any]:
    """A client of Chroma, of the server at an address or of a folder."""
    connection = vectors.ChromaConnection(Path(place), place if place.startswith("http") else "")
    try:
        yield connection.client()
    finally:
        connection.close()


def collections(place: str) -> set[str]:
    """The names of all collections there."""
    with chroma(place) as client:
        return {each.name for each in client.list_collections()}
