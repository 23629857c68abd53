"""Several processes write to one knowledge base on PostgreSQL and a Chroma server."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from config import PROJECT
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.records import passages
from ghost.testing import ChromaServer, HashingEncoder
from ghost.types import NewPassage
from tests.knowledge.helpers import SALMON, WIRE, in_step

EACH, PROCESSES, LAST = 16, 3, 5
"""How many times each process writes, how many there are, and in which turn one of them is killed."""
_WORK = """
import os, sys
from pathlib import Path
from ghost.errors import StoreError
from ghost.knowledge import CredibilityBook, KnowledgeBase, VectorIndex
from ghost.testing import HashingEncoder
from ghost.types import NewPassage
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
    command = [sys.executable, "-c", script]
    started = [
        subprocess.Popen([*command, str(n), postgres_url, own_chroma.url], cwd=PROJECT) for n in range(PROCESSES)
    ]
    if restarted:
        with open_from(postgres_url, own_chroma.url) as watching:
            while watching.count() < 15 and started[0].poll() is None:
                time.sleep(0.01)
        own_chroma.stop()
        own_chroma.start()
    ended = [process.wait(300) for process in started]
    assert ended == [-9 if n == killed else 0 for n in range(PROCESSES)]
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
