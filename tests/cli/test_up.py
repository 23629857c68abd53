"""``ghost up``: three processes over one folder, which others can use beside it, and which end together."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import seed_kb
from bench.page import free_port
from bench.processes import completed, environment, running
from config import PROJECT
from ghost.cli.main import main
from ghost.knowledge import OwnerLock
from ghost.text import login_header
from tests.cli.conftest import LONG, Captured, status_of

SECONDS = 120.0
ENDING = 15.0

IDLE = """
import sys
from ghost.cli import main, up
up._api = lambda parts, settings: up._start(parts, "The API", ["tests.cli.idle"], settings)
up._page = lambda parts, settings: up._start(parts, "The page", ["tests.cli.idle"], settings)
sys.exit(main.main(["up"]))
"""
"""The real command, and the real server of Chroma, with an API and a page that do nothing."""


def until(happened: Callable[[], object], seconds: float, log: Path | None = None) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8") if log else "nothing happened"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes that this one has started, in order."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return sorted(found)


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


@contextmanager
def started(
    folder: Path, command: list[str], **more: str
) -> Iterator[tuple["subprocess.Popen[bytes]", Path, dict[str, str]]]:
    """The process once all its parts are up, the file of what it says, and its environment."""
    off = ",".join(pack.name for pack in seed_kb.packs() if pack.name != "basics")
    ports = {"GHOST_PORT": str(free_port()), "GHOST_API_PORT": str(free_port()), "GHOST_PACKS_OFF": off}
    env, log = environment(folder) | ports | more, folder / "up.log"
    with running([sys.executable, *command], env, log) as process:
        until(lambda: process.poll() is not None or "Ctrl-C" in log.read_text(encoding="utf-8"), SECONDS, log)
        assert process.poll() is None, log.read_text(encoding="utf-8")
        yield process, log, env


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
def test_everything_works_at_once_and_ends_together(tmp_path: Path) -> None:
    with started(tmp_path, ["-m", "ghost", "up"], GHOST_GRACE_SECONDS="60") as (process, log, env):
        parts = children(process.pid)
        assert len(parts) == 3
        api = f"http://127.0.0.1:{env['GHOST_API_PORT']}"
        with urllib.request.urlopen(f"{api}/api/health", timeout=30) as answer:
            assert json.load(answer)["ready"]
        with urllib.request.urlopen(f"http://127.0.0.1:{env['GHOST_PORT']}/", timeout=30) as answer:
            assert answer.status == 200
        owner = tmp_path / "data" / "ghost.owner"
        assert owner.stat().st_mode & 0o077 == 0, "it has the password of Chroma's server"
        chroma = urlsplit(json.loads(owner.read_text(encoding="utf-8"))["chroma"])
        assert chroma.password
        for login in ("", "ghost:", f"ghost:{chroma.password}x"):
            place = (
                f"http://127.0.0.1:{chroma.port}/api/v2/tenants/default_tenant/databases/default_database/collections"
            )
            asked = urllib.request.Request(place, headers=login_header(f"http://{login}@127.0.0.1"))
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(asked, timeout=30)
        words = ["kb", "search", "capital of Australia", "--limit", "1", "--json"]
        found = completed([sys.executable, "-m", "ghost", *words], env, SECONDS)
        assert "Canberra" in found.stdout, found.stderr
        words = ["verify", "The capital of Australia is Sydney.", "--no-web", "--json"]
        checked = completed([sys.executable, "-m", "ghost", *words], env, SECONDS)
        run = json.loads(checked.stdout)
        assert run["verdict"]["label"] == "False"
        with urllib.request.urlopen(f"{api}/api/runs/{run['run_id']}", timeout=30) as answer:
            assert json.load(answer)["verdict"]["label"] == "False"
        other = env | {"GHOST_PORT": str(free_port()), "GHOST_API_PORT": str(free_port())}
        second = completed([sys.executable, "-m", "ghost", "up"], other, SECONDS)
        assert second.returncode == 1
        assert f"is in use by process {process.pid}" in second.stderr
        sent = urllib.request.Request(f"{api}/api/runs", LONG, {"Content-Type": "application/json"})
        with urllib.request.urlopen(sent, timeout=30) as answer:
            run_id = json.load(answer)["run_id"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0, log.read_text(encoding="utf-8")
        assert gone(parts)
    assert status_of(tmp_path, run_id) == "finished"
    assert not (tmp_path / "data" / "ghost.owner").exists()


@needs_proc
@pytest.mark.parametrize("number", [0, 2], ids=["Chroma", "page"])
def test_a_part_that_ends_takes_the_others_along(tmp_path: Path, number: int) -> None:
    with started(tmp_path, ["-c", IDLE]) as (process, log, _):
        parts = children(process.pid)
        os.kill(parts[number], signal.SIGKILL)
        assert process.wait(ENDING) == 1
        assert gone(parts)
        name = ("Chroma's server", "The API", "The page")[number]
        said = log.read_text(encoding="utf-8")
        assert said.endswith(f"{name} ended by itself (exit code -9). All was stopped.\n"), "nothing of its start"


@needs_proc
def test_nothing_is_left_of_one_that_is_killed(tmp_path: Path) -> None:
    with started(tmp_path, ["-c", IDLE]) as (process, log, _):
        parts = children(process.pid)
        process.kill()
        until(lambda: gone(parts), ENDING, log)
    with started(tmp_path, ["-c", IDLE]) as (process, log, _):  # the next one works
        parts = children(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(ENDING) == 0, log.read_text(encoding="utf-8")
        assert gone(parts)
        OwnerLock(tmp_path / "data").release()


@needs_proc
def test_beside_a_server_of_your_own_there_is_no_other(tmp_path: Path) -> None:
    with started(tmp_path, ["-c", IDLE], GHOST_CHROMA_URL="http://127.0.0.1:9") as (process, log, _):
        assert len(children(process.pid)) == 2, log.read_text(encoding="utf-8")
        assert "chroma" not in json.loads((tmp_path / "data" / "ghost.owner").read_text(encoding="utf-8"))


def test_a_port_that_is_taken_is_named_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = str(server.getsockname()[1])
        monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path / "own"))
        for name in ("GHOST_PORT", "GHOST_API_PORT"):
            with monkeypatch.context() as patch:
                patch.setenv("GHOST_PORT", str(free_port()))
                patch.setenv("GHOST_API_PORT", str(free_port()))
                patch.setenv(name, taken)
                assert main(["up"]) == 1
                assert f"choose another place with {name}" in capsys.readouterr().err
    assert not (tmp_path / "own").exists()


def test_the_tether_hands_on_words_and_hides_what_it_watches() -> None:
    program = [sys.executable, "-m", "ghost.cli.tether", "5", "tests.cli.idle", "a", "b c"]
    with subprocess.Popen(program, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdin
        assert json.loads(process.stdout.readline()) == {"words": ["a", "b c"], "input": ""}
        process.stdin.close()
        assert process.wait(ENDING) == -signal.SIGTERM
