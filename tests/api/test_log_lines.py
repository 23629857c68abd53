"""The log as JSON lines, and that nothing anybody asked is in it: runs, requests and failures are searched for it."""

import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest

from ghost.logs import logging_to_stderr
from tests.api.bench import served
from tests.api.conftest import Make
from tests.api.test_streams import until
from tests.pages.benches import real_bench

SECRET = "xylophone"
"""A word that only what is asked has."""
CLAIM = f"The Great Wall of China has a {SECRET}."
Captured = pytest.CaptureFixture[str]


def lines(captured: Captured) -> list[dict[str, Any]]:
    """What was logged, each line as an object; nothing of it has the word."""
    written = captured.readouterr().err
    assert SECRET not in written
    return [json.loads(line) for line in written.splitlines()]


def test_a_run_and_its_requests_are_lines_without_the_claim(tmp_path: Path, capsys: Captured) -> None:
    with (
        logging_to_stderr(as_json=True, info=("ghost",)),
        served(real_bench(tmp_path)) as (_, port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}") as client,
    ):
        run = client.post("/api/verify", json={"claim": CLAIM, "web": False}, timeout=60).json()
        client.get("/api/runs", params={"text": SECRET})
        client.post("/api/runs", json={"claim": CLAIM, "nonsense": 1})
    found = lines(capsys)
    (ended,) = [line for line in found if line["message"] == "Run ended"]
    assert (ended["run_id"], ended["status"], ended["level"]) == (run["run_id"], "finished", "info")
    assert {"label", "judge", "seconds", "tokens"} <= ended.keys()
    asked = [(line["method"], line["path"], line["status"]) for line in found if "path" in line]
    assert asked == [("POST", "/api/verify", 200), ("GET", "/api/runs", 200), ("POST", "/api/runs", 422)]
    assert all(line["time"] and line["logger"] for line in found)


def test_a_failure_is_a_line_that_says_where_it_comes_from_and_not_what_was_asked(make: Make, capsys: Captured) -> None:
    with logging_to_stderr(as_json=True, info=("ghost",)):
        bench, client = make(stops_before="rerank", fails=RuntimeError(f"no reply to {CLAIM}"))
        bench.gate.set()
        run_id = client.post("/api/runs", json={"claim": CLAIM}).json()["run_id"]
        until(lambda: client.get(f"/api/runs/{run_id}").json()["status"] == "failed")
    (failed,) = [line for line in lines(capsys) if line["message"] == f"Run {run_id} failed"]
    assert failed["exception"][0] == "RuntimeError at"
    assert "error" not in failed


def test_other_libraries_are_written_with_the_template_of_their_message_only(capsys: Captured) -> None:
    other = logging.getLogger("some.library")
    with logging_to_stderr(as_json=True):
        other.warning("could not read %s", CLAIM)
        other.warning(f"could not read {CLAIM}")
        other.info("is not written")
        logging.getLogger("ghost.x").warning("input_value=%r, input_type=str", CLAIM)
    found = [line["message"] for line in lines(capsys)]
    assert found[0] == "could not read %s"
    assert found[1].startswith("test_log_lines:")
    assert len(found) == 3


def test_messages_are_written_where_the_settings_allow_claims(capsys: Captured) -> None:
    with logging_to_stderr(as_json=True, with_claims=True):
        logging.getLogger("some.library").warning("could not read %s", CLAIM)
    assert SECRET in capsys.readouterr().err
