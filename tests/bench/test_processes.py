"""Nothing that the benchmark starts outlives it."""

import os
import sys
import time
from pathlib import Path

import pytest

from bench.processes import completed, environment, running

SLEEP = "import time; print('up', flush=True); time.sleep(60)"
PARENT = (
    "import subprocess, sys;"
    f"p = subprocess.Popen([sys.executable, '-c', {SLEEP!r}]); print(p.pid, flush=True); p.wait()"
)


def test_a_process_and_its_children_end_with_an_interrupt(tmp_path: Path) -> None:
    log = tmp_path / "log"
    started: list[int] = []

    def interrupted() -> None:
        with running([sys.executable, "-c", PARENT], dict(os.environ), log) as process:
            while "up" not in log.read_text():
                assert process.poll() is None
            started.extend([process.pid, int(log.read_text().split()[0])])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(started) == 2
    until = time.monotonic() + 20  # a killed grandchild ends when the system comes to it
    while any(_lives(pid) for pid in started):
        assert time.monotonic() < until


def test_what_a_process_says_is_kept() -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    done = completed([sys.executable, "-c", code], dict(os.environ), 30)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


def test_a_measured_process_asks_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("GHOST_CHROMA_URL", "http://127.0.0.1:1")
    env = environment(tmp_path)
    assert env["OPENAI_API_KEY"] == env["GHOST_CHROMA_URL"] == ""
    assert (env["GHOST_JUDGE"], env["GHOST_WEB"]) == ("embedded", "false")
    assert env["GHOST_DATA_DIR"] == str(tmp_path)


def _lives(pid: int) -> bool:
    """A killed child of a killed parent may wait for init to read its exit; it does not live."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
