"""Every bad input gets a typed problem that says what to do, and tells nothing of the machine."""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT
from ghost.errors import (
    ModelError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from tests.api.bench import CLAIM
from tests.api.conftest import Make
from tests.api.test_access import refused
from tests.api.test_sockets import connected

JSON = {"Content-Type": "application/json"}


def tells_nothing(answer: Any) -> None:
    for secret in (str(Path.home()), str(PROJECT), tempfile.gettempdir(), "Traceback", ".py", "ghost.db"):
        assert secret not in answer.text


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b'{"claim": "x', JSON, 400, "not_json"),
        (b"", JSON, 422, "invalid_request"),
        (b"\x00\xff\xfe\x89PNG", JSON, 400, "not_json"),
        (b"[" * 100_000, JSON, 400, "not_json"),
        (b'{"claim": ' + b"9" * 10_000 + b"}", JSON, 400, "not_json"),
        (b'{"claim": "' + b"x" * 1_100_000 + b'"}', JSON, 413, "body_too_large"),
        (b'{"claim": "The sky is blue."}', {"Content-Type": "text/plain"}, 415, "not_json_type"),
        (b"claim=The+sky", {"Content-Type": "application/x-www-form-urlencoded"}, 415, "not_json_type"),
        (b'{"claim": "The sky is blue."}', {"Content-Type": ""}, 415, "not_json_type"),
        (b'"The sky is blue."', JSON, 422, "invalid_request"),
        (b"null", JSON, 422, "invalid_request"),
    ],
)
@pytest.mark.parametrize("route", ["/api/verify", "/api/runs", "/api/chat/ask"])
def test_a_body_that_cannot_be_used(
    make: Make, route: str, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    _, client = make()
    answer = client.post(route, content=body, headers=headers)
    refused(answer, status, code)
    tells_nothing(answer)


@pytest.mark.parametrize("route", ["/api/verify", "/api/chat/ask", "/api/knowledge/passages", "/api/ws"])
def test_many_unknown_fields_are_counted(make: Make, route: str) -> None:
    bench, client = make()
    body = {"claim": CLAIM, "type": "ping"} | {f"x{n}": n for n in range(50_000)}
    if route == "/api/ws":
        with connected(client) as socket:
            socket.send_json(body)
            told = socket.receive_json()["problem"]
    else:
        told = client.post(route, json=body, headers=bench.key()).json()
    assert told["code"] == "invalid_request"
    (error,) = [e for e in told["errors"] if "no fields" in e["message"]]
    assert re.search(r"x0, x1, .* and 49,99\d more$", error["message"])
    assert len(json.dumps(told)) < 600


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"claim": 5}, "/claim"),
        ({"claim": None}, "/claim"),
        ({"claim": ""}, "/claim"),
        ({"claim": "\ud800"}, "/claim"),
        ({"context": ["a"]}, "/context"),
        ({"as_of": 20260331}, "/as_of"),
        ({"as_of": "31 March"}, "/as_of"),
        ({"web": "yes"}, "/web"),
        ({"statements": "one"}, "/statements"),
        ({"statements": [1]}, "/statements/0"),
        ({"judge": "nobody"}, "/judge"),
        ({"pipeline": "eight-steps"}, "/pipeline"),
        ({"cloud_fallback": 1}, "/cloud_fallback"),
        ({"surprise": True}, "/surprise"),
        ({"a/b~c": True}, "/a~1b~0c"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(make: Make, changes: dict[str, Any], pointer: str) -> None:
    _, client = make()
    answer = client.post("/api/runs", content=json.dumps(CLAIM | changes), headers=JSON)
    problem = refused(answer, 422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    tells_nothing(answer)


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": " \u200b\n"},
        {"claim": "https://example.org/page"},
        {"claim": "x" * 6_000},
        {"found_at": "javascript:alert(1)"},
        {"statements": [f"Statement {n}." for n in range(9)]},
        {"links": ["not an address"]},
    ],
)
def test_a_claim_that_cannot_be_checked_says_why(make: Make, changes: dict[str, Any]) -> None:
    bench, client = make()
    answer = client.post("/api/verify", json=CLAIM | changes)
    refused(answer, 422, "unusable_claim")
    assert not bench.runs.kept


@pytest.mark.parametrize("question", ["\u0007", " \n", "https://example.org/page", "x" * 2_001])
def test_a_question_that_cannot_be_checked_says_why(make: Make, question: str) -> None:
    _, client = make()
    refused(client.post("/api/chat/ask", json={"question": question}), 422, "unusable_claim")


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "offset=-1", "status=asleep", "label=Maybe"])
def test_a_parameter_that_cannot_be_used_is_named(make: Make, query: str) -> None:
    _, client = make()
    problem = refused(client.get(f"/api/runs?{query}"), 422, "invalid_request")
    assert problem["errors"][0]["pointer"] == f"query:{query.partition('=')[0]}"


@pytest.mark.parametrize(
    "path", ["/", "/api", "/api/nothing", "/docs", "/api/runs/", "/api/docs", "/%2e%2e/etc/passwd"]
)
def test_an_address_with_nothing_behind_it(make: Make, path: str) -> None:
    _, client = make()
    refused(client.get(path), 404, "not_found")


def test_a_method_that_an_address_does_not_know(make: Make) -> None:
    _, client = make()
    answer = client.put("/api/runs", json={})
    refused(answer, 405, "wrong_method")
    assert set(answer.headers["Allow"].split(", ")) <= {"GET", "POST"}


def test_unknown_ids(make: Make) -> None:
    _, client = make()
    for path in ("/api/runs/none", "/api/runs/none/report", "/api/runs/none/events", f"/api/runs/{'0' * 32}"):
        refused(client.get(path), 404, "no_such_run")
    refused(client.delete("/api/runs/none"), 404, "no_such_run")
    refused(client.get("/api/cards/none"), 404, "no_such_card")
    refused(client.get("/api/conversations/none"), 404, "no_such_conversation")
    refused(client.get("/api/runs/" + "x" * 65), 422, "invalid_request")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StoreBusyError(PROJECT / "data", "process 12 (streamlit run app.py)"), "store_busy"),
        (StoreDamagedError(PROJECT / "data" / "ghost.db", "not a database", "Move it away."), "store_damaged"),
        (StoreFullError(f"The disk with {PROJECT} is full."), "store_full"),
        (StoreReadOnlyError(f"{PROJECT} cannot be written."), "store_read_only"),
        (StoreError(f"{PROJECT}/data/ghost.db stayed locked."), "store_failed"),
        (ModelError(f"{PROJECT}/models/x.onnx is missing."), "model_missing"),
    ],
)
def test_a_store_that_fails_is_told_without_its_place(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, code: str
) -> None:
    bench, client = make()

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(bench.runs, "get", fail)
    answer = client.get(f"/api/runs/{'a' * 32}")
    refused(answer, 503, code)
    tells_nothing(answer)
    assert str(PROJECT) in caplog.text, "the log names the file"


def test_a_fault_of_ours_tells_nothing_and_is_logged_without_what_was_asked(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench, client = make()

    def fail(*_: object) -> None:
        raise RuntimeError(f"broken at {CLAIM['claim']}")

    monkeypatch.setattr(bench.runs, "get", fail)
    answer = client.get(f"/api/runs/{'a' * 32}", headers={"X-Request-ID": "mine-1"})
    assert refused(answer, 500, "internal")["request_id"] == "mine-1"
    tells_nothing(answer)
    assert "broken" not in answer.text
    assert "RuntimeError" in caplog.text
    assert "mine-1" in caplog.text
    assert CLAIM["claim"] not in caplog.text


@pytest.mark.parametrize("sent", ["ok-1.A_b", "x" * 64])
def test_a_request_id_is_kept_when_it_can_stand_in_a_log(make: Make, sent: str) -> None:
    _, client = make()
    assert client.get("/api/health", headers={"X-Request-ID": sent}).headers["X-Request-ID"] == sent


@pytest.mark.parametrize("sent", ["x" * 65, "a b", "a\tb", ""])
def test_another_request_id_is_replaced(make: Make, sent: str) -> None:
    _, client = make()
    assert client.get("/api/health", headers={"X-Request-ID": sent}).headers["X-Request-ID"] != sent
