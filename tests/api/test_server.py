"""The server as a process of its own: opening, ending, dying, and what keeps it from starting."""

import os
import signal
import socket
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from config import PROJECT
from ghost.api import serve as serve_command
from ghost.errors import GhostError
from ghost.records import ApiKeys, Database, Role, RunStore
from tests.api.bench import CLAIM
from tests.api.conftest import Make
from tests.api.test_streams import read, until
from tests.seeded import Seeded

LONG = {"claim": " ".join(f"The Great Wall of China has {n} towers of stone." for n in range(1, 9)), "web": False}
"""A claim of several statements, which takes a while."""


class Process:
    """``python -m ghost serve`` on a folder and a port."""

    def __init__(self, folder: Path, port: int) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GHOST_")}
        environment |= {"GHOST_DATA_DIR": str(folder), "GHOST_WEB": "false", "GHOST_JUDGE": "embedded"}
        environment |= {
            "GHOST_PACKS_OFF": os.environ["GHOST_PACKS_OFF"],
            "GHOST_THREADS": "1",
            "GHOST_GRACE_SECONDS": "60",
        }
        command = [sys.executable, "-m", "ghost", "serve", "--port", str(port)]
        self.popen = subprocess.Popen(
            command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30.0)

    def health(self) -> dict[str, Any] | None:
        try:
            return dict(self.http.get("/api/health").json())
        except httpx.TransportError:
            assert self.popen.poll() is None, self.popen.stderr and self.popen.stderr.read()
            return None

    def end(self, how: Callable[[subprocess.Popen[str]], None]) -> tuple[int, str]:
        """The exit code, and what was written to standard error."""
        how(self.popen)
        self.http.close()
        _, told = self.popen.communicate(timeout=60)
        return self.popen.returncode, told


@contextmanager
def process(folder: Path, port: int) -> Iterator[Process]:
    running = Process(folder, port)
    try:
        yield running
    finally:
        if running.popen.poll() is None:
            running.end(subprocess.Popen.kill)
        running.http.close()


def a_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def begun(server: Process, headers: dict[str, str] | None = None) -> str:
    """The id of a run that has ended its first step."""
    run_id = str(server.http.post("/api/runs", json=LONG, headers=headers or {}).json()["run_id"])
    with server.http.stream("GET", f"/api/runs/{run_id}/events") as answer:
        events = read(answer)
        while next(events)["event"] != "step_finished":
            pass
    return run_id


def test_a_server_that_dies_leaves_an_interrupted_run_and_one_that_is_ended_finishes_it(
    tmp_path: Path, seeded: Seeded
) -> None:
    seeded.copy(tmp_path)
    port = a_port()
    with process(tmp_path, port) as server:
        first = until(server.health, 120)
        assert (first["ready"], first["status"], first["problems"][0]["code"]) == (False, "opening", "opening")
        assert server.http.get("/api/runs").json()["code"] == "opening"
        until(lambda: server.health()["ready"], 120)  # type: ignore[index]
        run_id = begun(server)
        _, told = server.end(subprocess.Popen.kill)
    assert "POST /api/runs 202" in told
    with process(tmp_path, port) as server:
        until(lambda: (found := server.health()) and found["ready"], 120)
        run = server.http.get(f"/api/runs/{run_id}").json()
        assert (run["status"], run["verdict"]) == ("interrupted", None)
        assert run["steps"], "what it had found is kept"
        assert "again" in run["error"]
        stream = server.http.get(f"/api/runs/{run_id}/events").text
        assert '"status":"interrupted"' in stream
        a_second_one_is_refused(tmp_path, port)
        run_id = begun(server)
        began = time.monotonic()
        server.popen.send_signal(signal.SIGTERM)
        until(lambda: server.health()["status"] == "closing", 20)  # type: ignore[index]
        assert server.http.post("/api/runs", json=LONG).json()["code"] == "closing", "nothing new begins"
        code, told = server.end(lambda _: None)
        assert (code, "Traceback" in told) == (0, False), told
        assert time.monotonic() - began < 60
        assert "towers" not in told, "no claim in the log"
    database = Database.open(tmp_path / "data" / "ghost.db")
    run_after = RunStore(database).get(run_id)
    database.close()
    assert run_after is not None
    assert (run_after.status.value, run_after.verdict is None) == ("finished", False)


def a_second_one_is_refused(folder: Path, port: int) -> None:
    """On the same port, and on the same folder."""
    with pytest.raises(GhostError, match="GHOST_API_PORT"):
        serve_command(Namespace(host=None, port=port))
    with process(folder, a_port()) as same_folder:
        code, told = same_folder.end(lambda _: None)
        assert code == 1
        assert "python -m ghost up" in told
        assert "Traceback" not in told


def test_elsewhere_than_on_this_machine_it_needs_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    with socket.create_server(("0.0.0.0", 0)) as taken:
        args = Namespace(host="0.0.0.0", port=taken.getsockname()[1])
        with pytest.raises(GhostError, match="keys add"):
            serve_command(args)
        with_key = Database.open(tmp_path / "data" / "ghost.db")
        key, _ = ApiKeys(with_key).add("a program", Role.READ)
        with pytest.raises(GhostError, match="GHOST_API_PORT"):
            serve_command(args)
        ApiKeys(with_key).revoke(key.id)
        with_key.close()
        with pytest.raises(GhostError, match="keys add"):
            serve_command(args)


def test_the_log_says_what_was_asked_for_but_not_what_was_asked(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "ghost")
    _, client = make()
    client.post("/api/verify", json=CLAIM, headers={"X-Request-ID": "mine"})
    client.get("/api/runs", params={"text": CLAIM["claim"]})
    client.post("/api/runs", json=CLAIM | {"x": 1})
    client.post("/api/runs", json={"claim": "https://example.org/secret"})
    client.get("/api/%0d%0aforged%1b[31m")
    client.get("/api/health")
    lines = [record.getMessage() for record in caplog.records if record.name == "ghost.api.access_log"]
    assert lines[0].startswith("POST /api/verify 200 ")
    assert lines[0].endswith(" ms mine")
    assert lines[1].startswith("GET /api/runs 200 ")
    assert "health" not in "".join(lines), "monitors would fill the log"
    assert "\n" not in "".join(lines)
    assert "\x1b" not in caplog.text
    assert "Wall" not in caplog.text
    assert "secret" not in caplog.text


def test_the_log_holds_queries_where_the_settings_allow_it(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "ghost")
    _, client = make({"api_log_claims": True})
    client.get("/api/runs?text=Wall")
    assert "/api/runs?text=Wall 200" in caplog.text
