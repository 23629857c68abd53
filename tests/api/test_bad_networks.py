"""A proxy between client and API that cuts, loses, delays, falls silent or buffers: nothing twice, nothing lost."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.api.bench import CLAIM, Live
from tests.api.test_streams import Serve, events, read, start, until
from tests.records.proxy import Proxy

ONCE = {"Idempotency-Key": "once"}
Through = Callable[[Live], tuple[Proxy, httpx.Client]]


@pytest.fixture
def through() -> Iterator[Through]:
    """A proxy to a server, and a client behind it that waits a second for an answer."""
    made: list[Any] = []

    def build(live: Live) -> tuple[Proxy, httpx.Client]:
        proxy = Proxy(live.port)
        http = httpx.Client(base_url=f"http://127.0.0.1:{proxy.port}", timeout=1.0)
        made.extend((http, proxy))
        return proxy, http

    yield build
    for each in made:
        each.close()


def followed(
    http: httpx.Client, run_id: str, told: list[dict[str, Any]], at_verdict: Callable[[], None] = lambda: None
) -> type[httpx.TransportError] | None:
    """Add to ``told`` what comes after it, until the stream or the connection ends; returns how that failed."""
    headers = {"Last-Event-ID": told[-1]["id"]} if told else {}
    try:
        with http.stream("GET", f"/api/runs/{run_id}/events", headers=headers) as answer:
            for event in read(answer):
                told += [event]
                if event["event"] == "step_started" and event["data"]["name"] == "verdict":
                    at_verdict()
    except httpx.TransportError as error:
        return type(error)
    return None


def test_a_stream_that_is_cut_anywhere_goes_on_after_the_last_event(serve: Serve, through: Through) -> None:
    live = serve()
    run_id = start(live)
    whole, told = events(live, run_id), list[dict[str, Any]]()
    proxy, http = through(live)
    connections = 0
    for most in range(300, 20_000, 97):  # in the middle of a head, an event, a character
        proxy.most, connections = most, connections + 1
        followed(http, run_id, told)
        assert told == whole[: len(told)]
        if len(told) == len(whole):
            break
    assert told == whole
    assert connections > 10


def test_a_stream_that_is_cut_while_the_run_goes_on(serve: Serve, through: Through) -> None:
    live = serve(stops_before="verdict")
    proxy, http = through(live)
    run_id, told = start(live), list[dict[str, Any]]()
    assert followed(http, run_id, told, proxy.cut) is not None
    live.bench.gate.set()
    followed(http, run_id, told)
    assert told == events(live, run_id)


def test_a_stream_that_falls_silent_is_left_and_goes_on(serve: Serve, through: Through) -> None:
    live = serve(stops_before="verdict")
    proxy, http = through(live)
    run_id, told = start(live), list[dict[str, Any]]()

    def silence() -> None:
        proxy.silence()
        live.bench.gate.set()

    assert followed(http, run_id, told, silence) is httpx.ReadTimeout
    assert told[-1]["event"] != "run_ended"
    followed(http, run_id, told)
    assert told == events(live, run_id)


def test_a_network_through_which_nothing_goes_holds_up_nobody_else(serve: Serve, through: Through) -> None:
    live = serve()
    proxy, http = through(live)
    proxy.stall()
    with pytest.raises(httpx.ReadTimeout):
        http.post("/api/runs", json=CLAIM, headers=ONCE)
    run_id = start(live)
    assert events(live, run_id)[-1]["event"] == "run_ended"
    proxy.resume()

    def again() -> Any:  # the first one may arrive as well, and be at work
        answer = http.post("/api/runs", json=CLAIM, headers=ONCE)
        assert answer.status_code in (202, 409)
        return answer.json().get("run_id")

    assert until(again) == again() != run_id
    assert len(live.bench.options) == 2


def test_a_slow_network_costs_time_only(serve: Serve, through: Through) -> None:
    live = serve()
    proxy, http = through(live)
    http.timeout, proxy.delay = 20.0, 0.2
    run_id = http.post("/api/runs", json=CLAIM, headers=ONCE).json()["run_id"]
    told: list[dict[str, Any]] = []
    followed(http, run_id, told)
    assert told == events(live, run_id)


def test_a_proxy_that_buffers_hands_all_on_in_the_end(serve: Serve, through: Through) -> None:
    live = serve(stops_before="verdict")
    proxy, http = through(live)
    http.timeout, proxy.buffers = 20.0, True
    run_id, told = start(live), list[dict[str, Any]]()
    http.headers["Connection"] = "close"
    reader = threading.Thread(target=followed, args=(http, run_id, told))
    reader.start()
    asked = http.get(f"/api/runs/{run_id}")
    assert asked.json()["status"] == "running", "who polls is told meanwhile"
    assert not told
    live.bench.gate.set()
    reader.join(20)
    assert told == events(live, run_id)


@pytest.mark.parametrize("cuts", [True, False], ids=["cut", "silent"])
@pytest.mark.parametrize("route", ["/api/runs", "/api/verify"])
def test_a_request_whose_answer_is_lost_is_done_once(serve: Serve, through: Through, route: str, cuts: bool) -> None:
    live = serve()
    proxy, http = through(live)
    proxy.lose, proxy.cuts = b"POST ", cuts
    with pytest.raises(httpx.TransportError):
        http.post(route, json=CLAIM, headers=ONCE)
    proxy.lose = b""
    http.timeout = 20.0
    answer = http.post(route, json=CLAIM, headers=ONCE)
    assert answer.status_code in (200, 202)
    assert len(live.bench.options) == 1
    assert live.http.get("/api/runs").json()["runs"][0]["run_id"] == answer.json()["run_id"]


def test_a_request_that_never_arrived_is_done_when_it_is_repeated(serve: Serve, through: Through) -> None:
    live = serve()
    proxy, http = through(live)
    proxy.swallow = b"POST "
    with pytest.raises(httpx.TransportError):
        http.post("/api/runs", json=CLAIM, headers=ONCE)
    proxy.swallow = b""
    answer = http.post("/api/runs", json=CLAIM, headers=ONCE)
    assert (answer.status_code, "Idempotent-Replayed" in answer.headers) == (202, False)
    assert len(live.bench.options) == 1


def test_a_stream_on_which_nothing_comes_is_told_apart_by_its_comments(
    serve: Serve, through: Through, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.api.streams.QUIET_SECONDS", 0.1)
    live = serve(stops_before="verdict")
    proxy, http = through(live)
    with http.stream("GET", f"/api/runs/{start(live)}/events") as answer:
        lines, comments = answer.iter_lines(), 0
        while comments < 12:  # for longer than the client would wait without them
            comments += next(lines).startswith(":")
        proxy.silence()
        with pytest.raises(httpx.ReadTimeout):
            list(lines)
