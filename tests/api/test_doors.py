"""Who gets in, tried as an attacker would: proxies that do not say what they are, browsers, and many connections."""

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ghost.errors import StoreError
from ghost.records import LocalToken, Role
from tests.api.bench import CLAIM, Live, bearer
from tests.api.conftest import Make
from tests.api.test_access import EXTENSION, FIREFOX, SITE, refused
from tests.api.test_sockets import connected, until_end
from tests.api.test_streams import taken, until

KEYLESS = {
    "POST /api/verify", "POST /api/runs", "DELETE /api/runs/{run_id}", "POST /api/checked-before", "POST /api/chat/ask",
    "POST /api/research/plan", "POST /api/research", "POST /api/research/{research_id}/cancel",
    "POST /api/research/{research_id}/resume", "POST /api/pair",
}  # fmt: skip
"""What is no GET and needs no key on this machine: it reads, checks, ends what the caller began, or needs a code."""


@contextmanager
def nginx(port: int, version: int) -> Iterator[str]:
    """A proxy as nginx is by default: it names the server as the host, and says nothing of the caller or of itself.

    ``version`` is 10 for HTTP/1.0, one connection a request, or 11 for one connection that is kept.
    """
    kept, one_at_a_time = http.client.HTTPConnection("127.0.0.1", port, timeout=20), threading.Lock()
    kept._http_vsn, kept._http_vsn_str = version, f"HTTP/{version / 10}"  # type: ignore[attr-defined]

    class Passing(BaseHTTPRequestHandler):
        def passed(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection")}
            headers |= {"Host": f"127.0.0.1:{port}"} | ({} if version > 10 else {"Connection": "close"})
            with one_at_a_time:
                kept.request(self.command, self.path, body or None, headers)
                answer = kept.getresponse()
                told = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        do_GET = do_POST = do_PATCH = do_DELETE = passed

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Passing)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        kept.close()


@pytest.mark.parametrize("version", [10, 11])
def test_strangers_behind_a_silent_proxy_change_nothing(serve: Callable[..., Live], version: int) -> None:
    live = serve()
    described = live.http.get("/api/openapi.json").json()["paths"]
    routes = [(m.upper(), path) for path, ms in described.items() for m in ms if m != "get"]
    with nginx(live.port, version) as place, httpx.Client(base_url=place, timeout=20) as stranger:
        answers = {
            f"{method} {path}": stranger.request(method, path.replace("{", "").replace("}", ""), json={})
            for method, path in routes
            if f"{method} {path}" not in KEYLESS
        }
        assert answers
        for route, answer in answers.items():
            told = answer.json()
            assert (answer.status_code, told["code"]) == (403, "wrong_role"), route
            assert "keys add --role curate" in told["remedy"]
            assert "keys token" in told["remedy"]
        assert stranger.post("/api/verify", json=CLAIM).json()["status"] == "finished", "they may check"
        with_key = stranger.post("/api/knowledge/retire", json={"ids": ["p"]}, headers=live.bench.key())
        assert with_key.status_code == 404
    assert {f"{method} {path}" for method, path in routes} >= KEYLESS


def test_the_token_of_this_machine_curates_as_long_as_it_is_private(make: Make) -> None:
    bench, client = make({"api_require_key": True})
    folder = bench.settings.database_path.parent
    token = LocalToken(folder).ensure()
    header, change = bearer(token), {"change_id": "x"}
    assert client.get("/api/access", headers=header).json()["role"] == "curate"
    refused(client.post("/api/cards/undo", json=change, headers=header), 409, "conflict")
    refused(client.get("/api/access", headers=bearer(token[:-1] + "g")), 401, "key_unknown")
    (folder / "api-token").chmod(0o644)
    refused(client.post("/api/cards/undo", json=change, headers=header), 401, "key_unknown")
    with pytest.raises(StoreError, match="read by others"):
        LocalToken(folder).ensure()


@pytest.mark.parametrize("origin", [EXTENSION, FIREFOX, None])
def test_a_code_is_exchanged_once_for_a_key_that_checks_and_can_be_revoked(make: Make, origin: str | None) -> None:
    bench, client = make()
    headers = {"Origin": origin, "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "cors"} if origin else {}
    code = bench.keys.pairing.new_code()
    kept = {"Idempotency-Key": "a"}
    answer = client.post("/api/pair", json={"code": f" {code.lower().replace('-', '')}"}, headers=headers | kept)
    assert answer.status_code == 201
    key = bearer(answer.json()["key"])
    refused(client.post("/api/pair", json={"code": code}, headers=headers | kept), 403, "code_refused")
    assert client.post("/api/verify", json=CLAIM, headers=headers | key).json()["status"] == "finished"
    refused(client.post("/api/cards/undo", json={"change_id": "x"}, headers=headers | key), 403, "wrong_role")
    (listed,) = bench.keys.list()
    assert (listed.name, listed.role) == ("browser extension", Role.VERIFY)
    bench.keys.revoke(listed.id)
    refused(client.get("/api/runs", headers=headers | key), 401, "key_revoked")


def test_websites_cannot_pair_or_check(make: Make) -> None:
    bench, client = make()
    code = bench.keys.pairing.new_code()
    for origin in ("https://evil.example", "http://127.0.0.1:8501", "null"):
        page = {"Origin": origin, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
        refused(client.post("/api/pair", json={"code": code}, headers=page), 403, "wrong_origin")
    form = {"Content-Type": "text/plain", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    for path, body in (("/api/pair", f'{{"code": "{code}"}}'), ("/api/runs", '{"claim": "The sky is blue."}')):
        refused(client.post(path, content=body, headers=form), 415, "not_json_type")
        refused(client.post(path, content=body, headers=form | {"Host": "evil.example"}), 421, "wrong_host")
    assert client.post("/api/pair", json={"code": code}).status_code == 201, "no attempt was counted"


def test_a_site_of_the_settings_checks_without_a_key_and_changes_nothing(make: Make) -> None:
    _, client = make({"api_origins": (SITE,)})
    page = {"Origin": SITE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    assert client.post("/api/verify", json=CLAIM, headers=page).json()["status"] == "finished"
    refused(client.post("/api/cards/undo", json={"change_id": "x"}, headers=page), 403, "wrong_role")


def test_those_who_have_not_signed_in_take_no_places_of_those_who_have(serve: Callable[..., Live]) -> None:
    live = serve({"api_require_key": True})
    place, key = f"ws://127.0.0.1:{live.port}/api/ws", live.bench.keys.add("desk", Role.VERIFY)[1]

    def stranger(address: str) -> ClientConnection:
        return connect(place, source_address=(address, 0), ping_interval=None)

    with ExitStack() as held:
        signs_in = held.enter_context(stranger("127.0.0.1"))
        for address, more in (("127.0.0.1", 7), ("127.0.0.2", 8), ("127.0.0.3", 0)):
            for _ in range(more):
                held.enter_context(stranger(address))
            with pytest.raises(InvalidStatus) as full:
                stranger(address)
            assert full.value.response.status_code == 503
            assert b"too_many_streams" in full.value.response.body
        assert (taken(live.service.unsigned), taken(live.service.streams)) == (16, 0)
        signed = held.enter_context(connect(place, additional_headers=bearer(key)))
        signed.send('{"type": "ping"}')
        assert "pong" in str(signed.recv(timeout=10))
        signs_in.send(f'{{"type": "auth", "key": "{key}"}}')
        assert "signed_in" in str(signs_in.recv(timeout=10))
        assert (taken(live.service.unsigned), taken(live.service.streams)) == (15, 2)
        held.enter_context(stranger("127.0.0.3"))
    until(lambda: taken(live.service.unsigned) + taken(live.service.streams) == 0)


Cancel = Callable[[TestClient, str, dict[str, str]], Any]


def by_delete(client: TestClient, run_id: str, key: dict[str, str]) -> Any:
    answer = client.delete(f"/api/runs/{run_id}", headers=key)
    return answer.json().get("code")


def by_socket(client: TestClient, run_id: str, key: dict[str, str]) -> Any:
    with connected(client, key) as socket:
        socket.send_json({"type": "cancel", "run_id": run_id})
        socket.send_json({"type": "ping"})
        return socket.receive_json().get("problem", {}).get("code")


@pytest.mark.parametrize("cancel", [by_delete, by_socket])
def test_whoever_may_check_cancels_their_own_runs_only(make: Make, cancel: Cancel) -> None:
    bench, client = make(stops_before="verdict")
    mine, others, curates = bench.key(Role.VERIFY), bench.key(Role.VERIFY), bench.key(Role.CURATE)
    run_id = client.post("/api/runs", json=CLAIM, headers=mine).json()["run_id"]
    assert cancel(client, run_id, others) == "wrong_role"
    assert cancel(client, run_id, {}) == "wrong_role"
    assert cancel(client, run_id, mine) is None
    for key in (mine, {}):
        run_id = client.post("/api/runs", json=CLAIM, headers=key).json()["run_id"]
        assert cancel(client, run_id, curates) is None
    run_id = client.post("/api/runs", json=CLAIM).json()["run_id"]
    assert cancel(client, run_id, {}) is None
    bench.gate.set()


def test_a_question_is_cancelled_by_whoever_asked_it(make: Make) -> None:
    bench, client = make(stops_before="verdict")
    mine, others = bench.key(Role.VERIFY), bench.key(Role.VERIFY)
    with connected(client, mine) as asker, connected(client, others) as other:
        asker.send_json({"type": "ask", "question": "Is the sky green?"})
        ask_id = asker.receive_json()["ask_id"]
        other.send_json({"type": "cancel", "ask_id": ask_id})
        assert other.receive_json()["problem"]["code"] == "wrong_role"
        asker.send_json({"type": "cancel", "ask_id": ask_id})
        assert "cancelled" in str(until_end(asker)[-1])  # the gate stays shut: only cancelling ends it
