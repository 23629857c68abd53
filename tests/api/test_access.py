"""Who may call: keys and roles, the name of the server, and the websites that scripts come from."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import WebSocketDenialResponse

from ghost.records import Role
from tests.api.bench import CLAIM, bearer
from tests.api.conftest import Make

KEYED = {"api_require_key": True}
SITE = "https://newsroom.example.org"
EXTENSION = "chrome-extension://ihhadedeaihmklaplhckjgalhdfblgbn"
FIREFOX = "moz-extension://0e2f9a3c-1b44-4c55-9d0e-6a7b8c9d0e1f"


@pytest.mark.parametrize("name", ["Host", "Origin", "Authorization", "Idempotency-Key"])
def test_headers_that_decide_come_once(make: Make, name: str) -> None:
    _, client = make()
    twice = [(name, "127.0.0.1:5000"), (name, "evil.example")]
    refused(client.get("/api/access", headers=twice), 422, "invalid_request")


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem, after a look at what every problem has."""
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert problem["type"] == f"urn:ghost:problem:{code}"
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert problem["remedy"]
    assert problem["request_id"] == answer.headers["X-Request-ID"]
    return problem


def test_this_machine_needs_no_key(make: Make) -> None:
    _, client = make()
    assert client.get("/api/access").json() == {
        "role": "verify", "key": None, "key_required": False, "judges": ["local", "embedded"],
        "cloud_fallback": False, "workbench": "http://127.0.0.1:8501", "version": "0.1.0",
    }  # fmt: skip


@pytest.mark.parametrize("headers", [{"Authorization": "Basic eDp5"}, {"Authorization": "Bearer"}, {}])
def test_where_a_key_is_required_a_request_without_one_is_refused(make: Make, headers: dict[str, str]) -> None:
    _, client = make(KEYED)
    answer = client.get("/api/access", headers=headers)
    assert "keys add" in refused(answer, 401, "key_needed")["remedy"]
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert client.get("/api/health").json()["ready"], "health needs no key"


def test_a_wrong_key_is_refused_also_where_none_is_needed(make: Make) -> None:
    bench, client = make()
    key, text = bench.keys.add("old", Role.READ)
    assert client.get("/api/access", headers=bearer(text)).json()["key"] == "old"
    refused(client.get("/api/access", headers=bearer(text[:-1])), 401, "key_unknown")
    refused(client.get("/api/access", headers=bearer("x" * 5000)), 401, "key_unknown")
    bench.keys.revoke(key.id)
    refused(client.get("/api/access", headers=bearer(text)), 401, "key_revoked")


def test_an_expired_key_is_refused(make: Make) -> None:
    bench, client = make(KEYED)
    soon = datetime.now(UTC) + timedelta(milliseconds=30)
    header = bench.key(Role.READ, expires_at=soon)
    while datetime.now(UTC) < soon:
        pass
    refused(client.get("/api/runs", headers=header), 401, "key_expired")


def test_a_role_allows_what_it_says(make: Make) -> None:
    bench, client = make(KEYED)
    reads, verifies = bench.key(Role.READ), bench.key(Role.VERIFY)
    assert client.get("/api/runs", headers=reads).status_code == 200
    problem = refused(client.post("/api/runs", json=CLAIM, headers=reads), 403, "wrong_role")
    assert "verify" in problem["remedy"]
    run_id = client.post("/api/runs", json=CLAIM, headers=verifies).json()["run_id"]
    refused(client.delete(f"/api/runs/{run_id}", headers=reads), 403, "wrong_role")
    passage = {"text": "A fact.", "source_url": "https://example.org/a"}
    refused(client.post("/api/knowledge/passages", json=passage, headers=verifies), 403, "wrong_role")


def test_a_request_through_a_proxy_does_not_come_from_this_machine(make: Make) -> None:
    bench, client = make({"host_names": ("ghost.example.org",)})
    proxied = {"Host": "ghost.example.org"}
    refused(client.get("/api/runs", headers=proxied), 401, "key_needed")
    refused(client.get("/api/runs", headers={"X-Forwarded-For": "203.0.113.9"}), 401, "key_needed")
    assert client.get("/api/runs", headers=proxied | bench.key(Role.READ)).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:5000", "127.0.0.1.evil.example", "", "a b", "[::1"])
def test_a_name_that_is_not_ours_is_refused(make: Make, host: str) -> None:
    _, client = make()
    refused(client.get("/api/health", headers={"Host": host}), 421, "wrong_host")


@pytest.mark.parametrize("host", ["localhost:5000", "LOCALHOST", "[::1]:5000", "127.0.0.1"])
def test_the_names_of_this_machine_are_answered(make: Make, host: str) -> None:
    _, client = make()
    assert client.get("/api/runs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:8501", "file://", ""])
def test_scripts_of_other_websites_are_refused(make: Make, origin: str) -> None:
    _, client = make()
    answer = client.post("/api/runs", json=CLAIM, headers={"Origin": origin})
    refused(answer, 403, "wrong_origin")
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    ("site", "mode", "allowed"),
    [
        ("none", "navigate", True),  # a person has typed the address
        ("same-origin", "cors", True),
        ("none", "cors", False),  # an extension, which names no origin in a GET
        ("same-site", "navigate", False),  # a page on another port
        ("cross-site", "navigate", False),
        ("cross-site", "no-cors", False),
    ],
)
def test_a_browser_asks_without_a_key_only_for_a_person_or_our_own_pages(
    make: Make, site: str, mode: str, allowed: bool
) -> None:
    bench, client = make()
    browser = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    if allowed:
        assert client.get("/api/cards/search?q=x", headers=browser).status_code == 200
    else:
        refused(client.get("/api/cards/search?q=x", headers=browser), 403, "wrong_origin")
    assert client.get("/api/runs", headers=browser | bench.key(Role.READ)).status_code == 200


@pytest.mark.parametrize("origin", ["http://127.0.0.1:5000", SITE])
def test_allowed_scripts_read_the_answer(make: Make, origin: str) -> None:
    _, client = make({"api_origins": (SITE,)})
    answer = client.get("/api/runs", headers={"Origin": origin})
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert "X-Request-ID" in answer.headers["Access-Control-Expose-Headers"]
    assert "Origin" in answer.headers["Vary"]


def test_an_allowed_script_reads_why_it_is_refused(make: Make) -> None:
    _, client = make(KEYED)
    for sent, status, code in (({}, 401, "key_needed"), (bearer("ghost_0_0"), 401, "key_unknown")):
        answer = client.get("/api/runs", headers={"Origin": EXTENSION} | sent)
        refused(answer, status, code)
        assert answer.headers["Access-Control-Allow-Origin"] == EXTENSION


@pytest.mark.parametrize("origin", [FIREFOX, EXTENSION])
def test_an_extension_needs_a_key_ours_too(make: Make, origin: str) -> None:
    bench, client = make({"api_origins": (SITE, origin)})
    refused(client.get("/api/runs", headers={"Origin": origin}), 403, "wrong_origin")
    refused(client.get("/api/runs", headers={"Origin": origin} | bearer("wrong")), 401, "key_unknown")
    answer = client.get("/api/runs", headers={"Origin": origin} | bench.key(Role.READ))
    assert answer.headers["Access-Control-Allow-Origin"] == origin


def test_a_browser_that_asks_first_is_told(make: Make) -> None:
    _, client = make({"api_origins": (SITE,)})
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    answer = client.options("/api/verify", headers=asks | {"Origin": SITE})
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == SITE
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
    assert "Idempotency-Key" in answer.headers["Access-Control-Allow-Headers"]
    assert client.options("/api/verify", headers=asks | {"Origin": FIREFOX}).status_code == 204
    refused(client.options("/api/verify", headers=asks | {"Origin": "https://evil.example"}), 403, "wrong_origin")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Host": "evil.example"}, "wrong_host"),
        ({"Origin": "https://evil.example"}, "wrong_origin"),
        (bearer("wrong"), ""),
    ],
)
def test_a_websocket_obeys_the_same_rules(make: Make, headers: dict[str, str], code: str) -> None:
    _, client = make()
    if code:
        with (
            pytest.raises(WebSocketDenialResponse) as denied,
            client.websocket_connect("ws://127.0.0.1:5000/api/ws", headers=headers),
        ):
            pass
        assert denied.value.json()["code"] == code
        return
    with client.websocket_connect("ws://127.0.0.1:5000/api/ws", headers=headers) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        assert socket.receive_json()["problem"]["code"] == "key_unknown"
