"""Nothing that the benchmark starts outlives it."""

import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from bench.processes import completed, environment, running
from bench.results import NotMeasured
from bench.session import Session

CLAIM = "Wasser kocht bei 100 Grad – überall. " * 20
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


def test_the_form_of_the_page_is_sent_as_its_own_script_sends_it() -> None:
    sent: list[bytes] = []
    session = Session(0)
    session._connection = SimpleNamespace(send=sent.append)  # type: ignore[assignment]
    with pytest.raises(NotMeasured, match="did not show the form"):
        session.check("Water boils.")
    session._said = b"x$$ID-0a1-verify_claim y$$ID-2b-verify_check z"
    session.check(CLAIM)
    text, button = BackMsg.FromString(sent[0]).rerun_script.widget_states.widgets
    assert (text.id, text.string_value) == ("$$ID-0a1-verify_claim", CLAIM)
    assert (button.id, button.trigger_value) == ("$$ID-2b-verify_check", True)
