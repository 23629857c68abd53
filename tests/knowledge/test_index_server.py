"""An index on a Chroma server, in place of the folder or over it."""

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ghost.errors import StoreBusyError, StoreError
from ghost.knowledge import KnowledgeBase, OwnerLock
from ghost.testing import ChromaServer
from ghost.types import NewPassage
from tests.knowledge.helpers import MOON, WALL, edit, in_step

Open = Callable[..., KnowledgeBase]


@pytest.fixture
def stores() -> tuple[str, str]:
    """Files of the test, whose index may be on a server too."""
    return "", ""


@contextmanager
def serving(index: Path) -> Iterator[str]:
    """The address of a Chroma server over this folder."""
    server = ChromaServer(index)
    try:
        yield server.url
    finally:
        server.remove()


def test_several_knowledge_bases_share_a_server(open_kb: Open, chroma_server: ChromaServer, tmp_path: Path) -> None:
    one = open_kb(url=chroma_server.url)
    same = open_kb(url=chroma_server.url)  # no lock: as another process would
    other = open_kb(url=chroma_server.url, folder="other")
    one.add([NewPassage(WALL)])
    other.add([NewPassage(MOON)])
    assert [c.passage.text for c in same.search("wall moon", 5)] == [WALL]
    assert [c.passage.text for c in other.search("wall moon", 5)] == [MOON]
    assert not (tmp_path / "chroma_db").exists()

    one.rebuild()  # under the other's feet
    assert same.search(WALL, 1)[0].semantic == pytest.approx(1, abs=0.02)
    (moon,) = same.add([NewPassage(MOON)]).ids
    assert one.search(MOON, 1)[0].passage.id == moon
    one.retire([moon])
    for kb in (one, same, other):
        kb.close()
    again = open_kb(url=chroma_server.url)
    assert again.repaired == ""
    assert in_step(again, 1)


def test_moving_between_the_folder_and_a_server(open_kb: Open, chroma_server: ChromaServer) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL)])
    kb.close()
    served = open_kb(url=chroma_server.url)
    assert "rebuilt with 1" in served.repaired
    served.add([NewPassage(MOON)])
    served.close()
    back = open_kb()
    assert back.repaired == "1 changed passages were sent to the vector index"
    assert back.check().in_step


def test_the_server_of_the_owner_is_used_by_others(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL)])
    kb.close()
    with OwnerLock(tmp_path / "data", tmp_path / "chroma_db") as lock:
        with pytest.raises(StoreBusyError):
            open_kb()
        with serving(tmp_path / "chroma_db") as url:
            lock.announce(url)
            one, other = open_kb(), open_kb()
            assert (one.repaired, other.repaired) == ("", ""), "the index of the folder is used as it is"
            moon = list(one.add([NewPassage(MOON)]).ids)
            assert [c.passage.id for c in other.search(MOON, 1)] == moon
        with pytest.raises(StoreError, match="of `python -m ghost up` has ended"):
            other.search(MOON, 1)
        with serving(tmp_path / "chroma_db") as url:
            lock.announce(url)
            assert [c.passage.id for c in other.search(MOON, 1)] == moon, "it is found again"
            one.close()
            other.close()
        lock.announce("http://192.0.2.1:8000")
        with pytest.raises(StoreBusyError):
            open_kb()
    back = open_kb()
    assert back.repaired == ""
    assert back.check().in_step


def test_what_an_owner_that_was_killed_has_announced_does_not_count(open_kb: Open, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ghost.owner").write_text('{"pid": 1, "chroma": "http://127.0.0.1:9"}', encoding="utf-8")
    open_kb().add([NewPassage(WALL)])


def test_a_server_that_has_lost_its_vectors_gets_a_new_index(open_kb: Open, tmp_path: Path) -> None:
    server = ChromaServer(tmp_path / "served")

    def lose() -> None:
        server.stop()
        for graph in (path for path in (tmp_path / "served").iterdir() if path.is_dir()):
            shutil.rmtree(graph)
        server.start()

    try:
        kb = open_kb(url=server.url)
        first, *_ = kb.add([NewPassage(f"Note {i} says that {i * i} is a square") for i in range(1_010)]).ids
        lose()
        edit(kb, first, WALL)  # of what is counted, its vector is looked for
        assert kb.search("Note 7 says that 49 is a square", 1)[0].semantic == pytest.approx(1, abs=0.02)
        assert in_step(kb, 1_010)
        kb.close()
        lose()
        assert "rebuilt with 1010" in open_kb(url=server.url).repaired
    finally:
        server.remove()


def test_a_server_that_does_not_answer_is_named(open_kb: Open) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreError, match="chroma run") as caught:
            open_kb(url=url)
    assert url in str(caught.value)
    assert "GHOST_CHROMA_URL" in str(caught.value)


def test_something_that_is_no_chroma_server_is_named(open_kb: Open) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"

        def hang_up() -> None:
            for _ in range(8):
                connection, _ = deaf.accept()
                connection.close()

        threading.Thread(target=hang_up, daemon=True).start()
        with pytest.raises(StoreError) as caught:
            open_kb(url=url)
    assert url in str(caught.value)
