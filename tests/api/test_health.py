"""Whether the server is ready, and all the reasons why it is not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from config import Settings
from ghost.api import Opening, create_app
from ghost.errors import StoreDamagedError, StoreError
from tests.api.conftest import Make


def health(client: TestClient) -> tuple[int, dict[str, Any]]:
    state = client.app.state  # type: ignore[attr-defined]
    state.pulse = type(state.pulse)()  # an outcome is told again for two seconds
    answer = client.get("/api/health")
    return answer.status_code, answer.json()


def codes(client: TestClient) -> list[str]:
    status, body = health(client)
    assert (status, body["ready"], body["status"]) == (503, False, "unhealthy")
    assert all(problem["remedy"] and problem["detail"] for problem in body["problems"])
    return [problem["code"] for problem in body["problems"]]


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


def test_every_outage_is_named_with_its_remedy(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench, client = make()
    assert health(client)[1]["problems"] == []
    monkeypatch.setattr(bench.knowledge, "ask_index", failing(StoreError("Chroma at http://user:pass@secret is away")))
    assert codes(client) == ["index_failed"]
    assert "secret" not in client.get("/api/health").text
    monkeypatch.setattr("ghost.api.health.free_bytes", lambda _: 1000)
    assert codes(client) == ["index_failed", "disk_low"]
    monkeypatch.setattr(bench.runs, "get", failing(StoreDamagedError(Path("/secret/ghost.db"), "no database", "")))
    assert codes(client) == ["store_damaged", "index_failed", "disk_low"]
    assert "secret" not in client.get("/api/health").text


def test_while_it_opens_it_says_how_far_it_is(tmp_path: Path) -> None:
    opening = Opening()
    client = TestClient(create_app(Settings(data_dir=tmp_path), opening), base_url="http://127.0.0.1:5000")
    assert health(client)[1]["problems"][0]["code"] == "opening"
    opening.progress("Adding passages", 1_200, 9_000)
    assert health(client)[1]["problems"][0]["detail"] == "Adding passages: 1,200 of 9,000."
