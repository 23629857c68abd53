"""Requests that are sent twice are done once."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ghost.errors import StoreFullError
from ghost.records import Idempotency, Role
from tests.api.bench import CLAIM
from tests.api.conftest import Make
from tests.api.test_access import refused
from tests.api.test_streams import until

ONCE = {"Idempotency-Key": "once"}


def test_the_same_request_gets_the_same_answer(make: Make) -> None:
    bench, client = make()
    first = client.post("/api/runs", json=CLAIM, headers=ONCE)
    again = client.post(
        "/api/runs", content=json.dumps(CLAIM, indent=3), headers=ONCE | {"Content-Type": "application/json"}
    )
    assert again.json() == first.json()
    assert again.status_code == 202
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert len(bench.options) == 1


def test_another_body_is_refused(make: Make) -> None:
    bench, client = make()
    client.post("/api/runs", json=CLAIM, headers=ONCE)
    refused(client.post("/api/runs", json=CLAIM | {"web": False}, headers=ONCE), 422, "idempotency_mismatch")
    assert len(bench.options) == 1


def test_keys_of_different_callers_are_different(make: Make) -> None:
    bench, client = make()
    one, other = bench.key(Role.VERIFY), bench.key(Role.VERIFY)
    ids = {client.post("/api/runs", json=CLAIM, headers=ONCE | who).json()["run_id"] for who in (one, other, {}, one)}
    assert len(ids) == 3


def test_a_request_that_was_refused_can_be_sent_again(make: Make) -> None:
    _, client = make()
    refused(client.post("/api/runs", json={"claim": "https://example.org/a"}, headers=ONCE), 422, "unusable_claim")
    assert client.post("/api/runs", json=CLAIM, headers=ONCE).status_code == 202


def test_the_first_one_still_at_work(make: Make) -> None:
    bench, client = make()
    body = {"text": "A fact.", "source_url": "https://example.org/a"}
    digest = _digest(body)
    bench.idempotency.begin("", "/api/knowledge/passages", "once", digest)
    answer = client.post("/api/knowledge/passages", json=body, headers=ONCE)
    refused(answer, 409, "still_at_work")
    assert int(answer.headers["Retry-After"]) >= 1


def test_an_answer_survives_a_restart(make: Make, tmp_path: Path) -> None:
    _, client = make()
    first = client.post("/api/runs", json=CLAIM, headers=ONCE).json()
    bench, restarted = make()
    assert restarted.post("/api/runs", json=CLAIM, headers=ONCE).json() == first
    assert not bench.options


def test_a_run_that_was_started_before_a_crash_is_joined(make: Make) -> None:
    bench, client = make()
    run_id = client.post("/api/verify", json=CLAIM).json()["run_id"]
    store = Idempotency(bench.database)
    store.begin("", "/api/verify", "once", _digest(CLAIM))
    store.run_started("", "/api/verify", "once", run_id)
    assert client.post("/api/verify", json=CLAIM, headers=ONCE).json()["run_id"] == run_id
    assert len(bench.options) == 1


def test_an_answer_that_cannot_be_kept_is_given_all_the_same(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench, client = make()

    monkeypatch.setattr(bench.idempotency, "finish", _fail)
    assert client.post("/api/runs", json=CLAIM, headers=ONCE).status_code == 202


def test_a_result_that_cannot_be_read_leaves_the_run_to_the_next_request(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, client = make()
    with monkeypatch.context() as broken:
        broken.setattr("ghost.api.results.find_run", _fail)
        refused(client.post("/api/verify", json=CLAIM, headers=ONCE), 503, "store_full")
    assert client.post("/api/verify", json=CLAIM, headers=ONCE).json()["status"] == "finished"
    assert len(bench.options) == 1


def test_a_run_that_cannot_be_noted_is_stopped(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench, client = make(stops_before="verdict")
    with monkeypatch.context() as broken:
        broken.setattr(bench.idempotency, "run_started", _fail)
        refused(client.post("/api/runs", json=CLAIM, headers=ONCE), 503, "store_full")
    assert client.post("/api/runs", json=CLAIM, headers=ONCE).status_code == 202
    bench.gate.set()
    until(lambda: {run["status"] for run in client.get("/api/runs").json()["runs"]} == {"cancelled", "finished"})


@pytest.mark.parametrize("key", ["x" * 201, "ä", ""])
def test_a_key_that_cannot_be_used(make: Make, key: str) -> None:
    _, client = make()
    headers: Any = {"Idempotency-Key": key.encode("latin-1")}
    problem = refused(client.post("/api/runs", json=CLAIM, headers=headers), 422, "invalid_request")
    assert problem["errors"][0]["pointer"] == "header:Idempotency-Key"


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _fail(*_: object) -> None:
    raise StoreFullError("The disk is full.")
