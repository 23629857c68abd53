"""Figures for a monitor: what they count, who may read them, and that no claim is in them."""

import sys

import pytest
from starlette.testclient import TestClient

from ghost.records import Role
from ghost.telemetry import prometheus_metrics
from tests.api.bench import CLAIM
from tests.api.conftest import Make


def figures(client: TestClient, headers: dict[str, str] | None = None) -> dict[str, float]:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_runs_steps_requests_and_what_is_stored_are_counted(make: Make) -> None:
    _, client = make()
    client.post("/api/verify", json=CLAIM)
    client.get("/api/runs", params={"text": CLAIM["claim"]})
    client.get(f"/api/{CLAIM['claim']}")
    found = figures(client)
    assert found['ghost_runs_total{judge="embedded",label="False",status="finished"}'] == 1
    assert found["ghost_run_seconds_count"] == 1
    assert found['ghost_step_seconds_count{step="retrieve"}'] == 1
    assert found['ghost_request_seconds_count{method="POST",route="/api/verify",status="200"}'] == 1
    assert found['ghost_request_seconds_count{method="GET",route="/api/runs",status="200"}'] == 1
    assert found['ghost_request_seconds_count{method="GET",route="none",status="404"}'] == 1
    assert found['ghost_stored_runs{label="False",status="finished"}'] == 1
    assert (found['ghost_passages{status="active"}'], found["ghost_active"], found["ghost_ready"]) == (3, 0, 1)
    assert found["process_resident_memory_bytes"] > 0
    assert "Wall" not in client.get("/metrics").text


def test_a_key_is_needed_where_one_is_needed_for_everything(make: Make) -> None:
    bench, client = make({"api_require_key": True})
    assert client.get("/metrics").json()["code"] == "key_needed"
    assert figures(client, bench.key(Role.READ))


def test_without_the_library_it_says_what_to_install(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    monkeypatch.delitem(sys.modules, "ghost.telemetry.prometheus", raising=False)
    _, client = make()
    client.post("/api/verify", json=CLAIM)
    answer = client.get("/metrics").json()
    assert answer["code"] == "no_metrics"
    assert "ghost-workbench[team]" in answer["remedy"]


def test_workers_and_their_queue_are_counted() -> None:
    metrics = prometheus_metrics()
    assert metrics
    metrics.queue(2, {"claim": 3}, {"turn": 1})
    text = metrics.text().decode()
    assert "ghost_workers 2.0" in text
    assert 'ghost_queued{state="waiting",task="claim"} 3.0' in text
    assert 'ghost_queued{state="running",task="turn"} 1.0' in text
