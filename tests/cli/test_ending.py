"""Servers that are asked to end: what runs is finished in time, or stored as interrupted. Real processes."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.page import free_port, healthy
from bench.processes import environment, running
from bench.session import Session
from config import PROJECT
from tests.cli.conftest import LONG, status_of
from tests.seeded import PACKS_OFF, Seeded

SECONDS = 120.0
CLAIM = str(json.loads(LONG)["claim"])


def until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path, seeded: Seeded) -> Path:
    seeded.copy(tmp_path)
    return tmp_path


def its_environment(folder: Path, grace: int, **more: str) -> dict[str, str]:
    settings = {"GHOST_PACKS_OFF": PACKS_OFF, "GHOST_THREADS": "1", "GHOST_GRACE_SECONDS": str(grace)}
    return environment(folder) | settings | more


@pytest.fixture(scope="module")
def ended_page(tmp_path_factory: pytest.TempPathFactory, seeded: Seeded) -> Path:
    """The folder of a page that was asked to end, without time for it, while it checked a claim."""
    folder, port = tmp_path_factory.mktemp("page"), free_port()
    seeded.copy(folder)
    command, log = [sys.executable, "-m", "ghost", "page"], folder / "page.log"
    own = its_environment(folder, 0, GHOST_PORT=str(port), GHOST_LOG_FORMAT="json")
    with running(command, own, log) as process:
        until(lambda: healthy(port))
        with Session(port) as visitor:
            visitor.run("")
            visitor.check(CLAIM)
            until(lambda: status_of(folder) == "running")
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0, log.read_text(encoding="utf-8")
    return folder


def test_a_page_without_time_stores_its_run_as_interrupted_itself(ended_page: Path) -> None:
    assert status_of(ended_page) == "interrupted", "by itself: nothing was started since"
    assert "Traceback" not in (ended_page / "page.log").read_text(encoding="utf-8")


def test_the_log_of_a_page_is_json_where_the_settings_say_so(ended_page: Path) -> None:
    written = (ended_page / "page.log").read_text(encoding="utf-8")
    greeting, _, log = written.partition("URL: http://127.0.0.1:")
    assert len(greeting.splitlines()) <= 4, greeting
    lines = [json.loads(line) for line in log.splitlines()[1:] if line]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    ours = [line["message"] for line in lines if line["logger"].startswith("ghost.")]
    assert ours == ["Run started", "Run ended"]
    assert CLAIM not in written


@pytest.mark.parametrize(("grace", "status"), [(60, "finished"), (0, "interrupted")])
def test_tools_over_standard_input_and_output_are_finished_or_interrupted(
    folder: Path, grace: int, status: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ghost", "mcp"], cwd=PROJECT, env=its_environment(folder, grace),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with closing(process.stdin), process:  # type: ignore[arg-type]
        try:
            version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
            _send(process, {"id": 1, "method": "initialize", "params": version})
            process.stdout.readline()  # type: ignore[union-attr]
            _send(process, {"method": "notifications/initialized"})
            call = {"name": "verify_claim", "arguments": {"claim": CLAIM}}
            _send(process, {"id": 2, "method": "tools/call", "params": call})
            until(lambda: status_of(folder) == "running")
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
    assert status_of(folder) == status


def _send(process: "subprocess.Popen[str]", message: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
