"""One process owns a data folder; what others are told about it."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import PROJECT
from ghost.errors import StoreBusyError, StoreError
from ghost.knowledge import KnowledgeBase, OwnerLock

Open = Callable[..., KnowledgeBase]


@pytest.fixture
def stores() -> tuple[str, str]:
    """Files of the test: a database on a server has no owner."""
    return "", ""


HOLD = """
import sys
from pathlib import Path
from ghost.knowledge.lock import OwnerLock
lock = OwnerLock(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the lock of ``tmp_path``."""
    script = tmp_path / "hold.py"
    script.write_text(HOLD)
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)], cwd=PROJECT, env={"PYTHONPATH": str(PROJECT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield process
        process.kill()


def test_another_process_that_holds_it_is_named(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(StoreBusyError) as caught:
        OwnerLock(tmp_path, tmp_path / "chroma_db")
    message = str(caught.value)
    assert f"process {holder.pid} (hold.py {tmp_path.name}), since " in message
    assert "`python -m ghost up`" in message
    assert str(tmp_path / "chroma_db") in message
    holder.kill()
    holder.wait()
    with OwnerLock(tmp_path) as lock:  # it ends with its owner
        assert lock.held
    assert not lock.held


def test_the_same_process_cannot_have_it_twice(tmp_path: Path) -> None:
    first = OwnerLock(tmp_path)
    with pytest.raises(StoreBusyError, match="this process"):
        OwnerLock(tmp_path)
    first.release()
    first.release()
    OwnerLock(tmp_path).release()


def test_an_owner_file_that_cannot_be_read_is_no_trouble(tmp_path: Path) -> None:
    with OwnerLock(tmp_path):
        for nonsense in ("", "{", "[]", json.dumps({"pid": "x"})):
            (tmp_path / "ghost.owner").write_text(nonsense)
            with pytest.raises(StoreBusyError, match="another process"):
                OwnerLock(tmp_path)


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="GHOST_DATA_DIR"):
        OwnerLock(tmp_path / "file" / "data")


def test_a_knowledge_base_has_one_owner(open_kb: Open, tmp_path: Path) -> None:
    kb = open_kb()
    with pytest.raises(StoreBusyError, match="python -m ghost up"):
        open_kb()
    kb.close()
    kb.close()
    # What fails while it is opened does not keep the lock.
    database = tmp_path / "data" / "ghost.db"
    good = database.read_bytes()
    database.write_bytes(b"garbage" * 100)
    for _ in range(2):
        with pytest.raises(StoreError, match="damaged"):
            open_kb()
    database.write_bytes(good)
    assert open_kb().count() == 0
