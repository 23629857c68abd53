"""A Chroma server, or a network to it, that is slow or silent or goes away: nothing is lost, nobody waits for ever."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ghost.errors import StoreError
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.testing import ChromaServer, HashingEncoder
from ghost.types import NewPassage, Origin
from tests.records.proxy import Proxy
from tests.small_disk import SmallDisk


@pytest.fixture
def proxy(chroma_server: ChromaServer) -> Iterator[Proxy]:
    with closing(Proxy(int(chroma_server.url.rpartition(":")[2]))) as proxy:
        yield proxy


@pytest.fixture
def knowledge(proxy: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeBase]:
    """With five passages, and an index behind the proxy."""
    monkeypatch.setattr("ghost.knowledge.vectors._ANSWER_SECONDS", 0.5)
    monkeypatch.setattr("ghost.knowledge.vectors._CONNECT_SECONDS", 0.5)
    place, url = tmp_path / "data" / "ghost.db", f"http://127.0.0.1:{proxy.port}"
    with KnowledgeBase.open(place, tmp_path / "none", url, HashingEncoder(), CredibilityBook({}, [])) as knowledge:
        knowledge.add([passage(n) for n in range(5)])
        yield knowledge
        proxy.resume()


def passage(number: int) -> NewPassage:
    text = f"The bridge number {number} over the river opened in {1900 + number}."
    return NewPassage(text, source_url=f"https://site{number}.example.org/{number}", origin=Origin.CURATED)


def in_step(knowledge: KnowledgeBase, passages: int) -> bool:
    health = knowledge.check()
    return (health.sql_active, health.vectors, health.in_step) == (passages, passages, True)


def found(knowledge: KnowledgeBase) -> int:
    return len(knowledge.search("bridge over the river", k=5))


@pytest.mark.parametrize("fault", ["cut", "silence"])
def test_connections_that_are_gone_are_made_again(
    knowledge: KnowledgeBase, proxy: Proxy, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    for name in (
        "_ANSWER_SECONDS",
        "_CONNECT_SECONDS",
    ):  # of the next connection, which must stand also on a busy machine
        monkeypatch.setattr(f"ghost.knowledge.vectors.{name}", 3.0)
    getattr(proxy, fault)()
    assert found(knowledge) == 5
    getattr(proxy, fault)()
    knowledge.add([passage(10)])
    assert in_step(knowledge, 6)


def test_a_server_that_is_silent_is_named_and_what_was_added_is_kept(knowledge: KnowledgeBase, proxy: Proxy) -> None:
    proxy.stall()
    for work in (lambda: found(knowledge), lambda: knowledge.add([passage(10)])):
        with pytest.raises(StoreError, match=r"No Chroma server answers at .*What it holds is safe.*Start it"):
            work()
    proxy.resume()
    assert knowledge.count() == 6
    knowledge.add([passage(10), passage(11)])  # once more, as somebody would who has read the error
    assert in_step(knowledge, 7)


def test_a_slow_network_costs_time_only(knowledge: KnowledgeBase, proxy: Proxy) -> None:
    proxy.delay = 0.02
    knowledge.add([passage(10)])
    assert found(knowledge) == 5
    assert in_step(knowledge, 6)


def test_a_full_disk_of_a_server_is_named_and_what_was_added_is_kept(
    disk: SmallDisk, tmp_path: Path, book: CredibilityBook
) -> None:
    disk.resize(30_000)
    server = ChromaServer(disk.path)
    place = tmp_path / "data" / "ghost.db"
    try:
        with KnowledgeBase.open(place, tmp_path / "none", server.url, HashingEncoder(), book) as knowledge:
            knowledge.add([passage(n) for n in range(5)])
            disk.leave(0)
            with pytest.raises(StoreError, match=r"The (disk with the )?vector index in .*What it holds is safe"):
                knowledge.add([passage(n) for n in range(5, 100)])
            assert knowledge.count() == 100
            disk.resize(60_000)
            knowledge.add([passage(200)])
            assert in_step(knowledge, 101)
    finally:
        server.remove()
