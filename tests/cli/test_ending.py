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


def test_a_page_without_time_stores_its_run_as_interrupted_itself(folder: Path) -> None:
    port, log = free_port(), folder / "page.log"
    command = [sys.executable, "-m", "ghost", "page"]
    with running(command, its_environment(folder, 0, GHOST_PORT=str(port)), log) as process:
        until(lambda: healthy(port))
        with Session(port) as visitor:
            visitor.run("")
            visitor.check(CLAIM)
            until(lambda: status_of(folder) == "running")
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0, log.read_text(encoding="utf-8")
    assert status_of(folder) == "interrupted", "by itself: nothing was started since"
    assert "Traceback" not in log.read_text(encoding="utf-8")


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
