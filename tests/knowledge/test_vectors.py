"""What the other tests do not see: several processes on one Chroma server, and a server that does not answer."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ghost.errors import StoreError, StoreFullError, StoreReadOnlyError
from ghost.knowledge import KnowledgeBase
from ghost.knowledge.vectors import VectorIndex
from ghost.types import NewPassage

WALL = "The Great Wall of China is hardly visible to the naked eye from low Earth orbit."
MOON = "The Moon is about 384,400 kilometres from the Earth."


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a Chroma server."""
    command = shutil.which("chroma", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert command, "chromadb comes with the command `chroma`"
    url = f"http://127.0.0.1:{(port := free_port())}"
    arguments = [command, "run", "--path", str(tmp_path / "served"), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        wait_for(f"{url}/api/v2/heartbeat", process)
        yield url
    finally:
        process.kill()
        process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert process.poll() is None, "the Chroma server ended"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the Chroma server does not answer")


def test_several_knowledge_bases_share_a_server(
    open_kb: Callable[..., KnowledgeBase], server: str, tmp_path: Path
) -> None:
    one = open_kb(url=server)
    same = open_kb(url=server)  # no lock: as another process would
    other = open_kb(url=server, folder="other")
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
    again = open_kb(url=server)
    assert again.repaired == ""
    health = again.check()
    assert (health.sql_active, health.vectors, health.in_step) == (1, 1, True)


def test_moving_between_the_folder_and_a_server(open_kb: Callable[..., KnowledgeBase], server: str) -> None:
    kb = open_kb()
    kb.add([NewPassage(WALL)])
    kb.close()
    served = open_kb(url=server)
    assert "rebuilt with 1" in served.repaired
    served.add([NewPassage(MOON)])
    served.close()
    back = open_kb()
    assert back.repaired == "1 changed passages were sent to the vector index"
    assert back.check().in_step


def test_a_server_that_does_not_answer_is_named(open_kb: Callable[..., KnowledgeBase]) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(StoreError, match="chroma run") as caught:
        open_kb(url=url)
    assert url in str(caught.value)
    assert "GHOST_CHROMA_URL" in str(caught.value)


def test_something_that_is_no_chroma_server_is_named(open_kb: Callable[..., KnowledgeBase]) -> None:
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


def test_what_chroma_says_becomes_what_a_person_can_act_on(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path / "chroma_db", "", 3, "model", "database")
    full = index._explain(RuntimeError("error returned from database: (code: 13) database or disk is full"))
    read_only = index._explain(RuntimeError("(code: 1032) attempt to write a readonly database"))
    assert isinstance(full, StoreFullError)
    assert isinstance(read_only, StoreReadOnlyError)
    for error in (full, read_only, index._explain(BaseException())):
        assert "safe in the database" in str(error)
        assert str(index.path) in str(error)


def test_an_index_that_was_never_built_is_empty(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path / "chroma_db", "", 3, "model", "database")
    assert index.watermark is None
    assert index.count() == 0
    index.rebuild(iter([]), 7)
    assert index.watermark == 7
    index.set_watermark(8)
    index.close()
    assert index.watermark == 8
    index.close()
    stranger = VectorIndex(tmp_path / "chroma_db", "", 4, "model", "database")
    assert stranger.watermark is None
    stranger.close()
