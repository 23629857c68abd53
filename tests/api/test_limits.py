"""Limits hold, and say when to come back."""

import socket
from collections.abc import Callable
from contextlib import suppress

import pytest
from websockets.sync.client import connect

from ghost.api import MOST_RUNS, Places, Problem, Rates
from ghost.events import SourceUpdate
from tests.api.bench import CLAIM, Live
from tests.api.conftest import Make
from tests.api.test_access import refused
from tests.api.test_streams import taken, until


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    rates = Rates(2, lambda: now[0])
    rates.take("one")
    rates.take("one")
    with pytest.raises(Problem) as empty:
        rates.take("one")
    assert empty.value.headers["Retry-After"] == "1"
    rates.take("another")
    now[0] = 0.5
    rates.take("one")
    with pytest.raises(Problem):
        rates.take("one")


def test_requests_beyond_the_rate_are_refused(make: Make) -> None:
    _, client = make({"api_requests_per_second": 3})
    answers = [client.get("/api/health") for _ in range(40)]
    answer = next(answer for answer in answers if answer.status_code == 429)
    refused(answer, 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) >= 1


def test_places_are_given_back() -> None:
    places = Places("too_many_streams", "event streams", 3, 2, 5)
    with places.taken("one"), places.taken("one"):
        with pytest.raises(Problem), places.taken("one"):
            pass
        with places.taken("another"), pytest.raises(Problem), places.taken("third"):
            pass
    with places.taken("one"), places.taken("one"):
        pass


def test_more_runs_than_may_wait_are_refused(make: Make) -> None:
    bench, client = make(stops_before="classify")
    answers = [client.post("/api/runs", json=CLAIM) for _ in range(MOST_RUNS + 1)]
    assert [a.status_code for a in answers[:-1]] == [202] * MOST_RUNS
    refused(answers[-1], 503, "too_many_runs")
    assert answers[-1].headers["Retry-After"] == "15"
    assert len(bench.options) == MOST_RUNS


def test_a_large_body_without_a_length_is_counted_while_it_is_read(serve: Callable[..., Live]) -> None:
    live = serve()
    pieces = iter([b'{"claim": "', *[b"x" * 100_000] * 12, b'"}'])
    answer = live.http.post("/api/runs", content=pieces, headers={"Content-Type": "application/json"})
    refused(answer, 413, "body_too_large")


@pytest.mark.parametrize("sent", [b"", b"GET /api/health HTTP/1.1\r\nHost: 127"])
def test_a_connection_over_which_nothing_is_asked_is_left(
    serve: Callable[..., Live], monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr("ghost.connections.HEAD_SECONDS", 0.2)
    live = serve()
    with socket.create_connection(("127.0.0.1", live.port), timeout=10) as silent:
        silent.sendall(sent)
        with suppress(ConnectionResetError):
            assert silent.recv(100) == b""
    assert live.http.get("/api/health").json()["ready"]


def test_a_connection_whose_second_request_does_not_arrive_is_left(
    serve: Callable[..., Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.connections.HEAD_SECONDS", 0.2)
    live = serve()
    request = f"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", live.port), timeout=10) as slow:
        slow.sendall(request)
        assert b" 200 " in slow.recv(10_000)
        slow.sendall(request[:30])
        with suppress(ConnectionResetError):
            assert slow.recv(100) == b""


def test_a_head_without_an_end_is_not_kept(serve: Callable[..., Live]) -> None:
    live = serve()
    with socket.create_connection(("127.0.0.1", live.port), timeout=10) as endless:
        endless.sendall(b"GET /api/health HTTP/1.1\r\n")
        with pytest.raises(OSError, match=r"reset|pipe"):
            endless.sendall(b"X: 1\r\n" * 10_000_000)
    assert live.http.get("/api/health").json()["ready"]


def test_a_websocket_may_be_silent(serve: Callable[..., Live], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.connections.HEAD_SECONDS", 0.1)
    live = serve()
    with connect(f"ws://127.0.0.1:{live.port}/api/ws") as quiet:
        with pytest.raises(TimeoutError):
            quiet.recv(timeout=0.4)
        quiet.send('{"type": "ping"}')
        assert "pong" in str(quiet.recv(timeout=5))


def test_a_body_that_never_arrives_is_given_up(serve: Callable[..., Live], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.limits.BODY_SECONDS", 0.2)
    live = serve()
    with socket.create_connection(("127.0.0.1", live.port), timeout=10) as slow:
        head = f"POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nContent-Type: application/json\r\n"
        slow.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        assert b" 408 " in slow.recv(100)


def test_a_websocket_that_takes_nothing_is_left(serve: Callable[..., Live], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.sockets.SLOW_SECONDS", 0.3)
    live = serve(stops_before="verdict")
    run_id = live.http.post("/api/runs", json=CLAIM).json()["run_id"]
    log = live.service.runner.log(run_id)
    assert log is not None
    for n in range(60):  # far more than the buffers between the two hold
        log.append(SourceUpdate(f"https://example.org/{n}", "x" * 200_000, "read"))
    asked = f'{{"type": "follow", "run_id": "{run_id}"}}'.encode()
    head = f"GET /api/ws HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    with socket.socket() as idle:
        idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        idle.connect(("127.0.0.1", live.port))
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        idle.sendall((head + key).encode())
        assert b"101" in idle.recv(100)
        idle.sendall(bytes((0x81, 0x80 | len(asked), 0, 0, 0, 0)) + asked)
        until(lambda: taken(live.service.unsigned) == 1)
        until(lambda: taken(live.service.unsigned) == 0)
    assert live.http.get("/api/health").json()["ready"]
