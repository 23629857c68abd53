"""Event streams over a real socket: order, resuming, other processes, slow and vanished readers."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from ghost.api import Places
from ghost.events import SourceUpdate
from ghost.records import Role
from ghost.types import RunStatus
from tests.api.bench import CLAIM, Live, bearer
from tests.ui.samples import false_run

Serve = Callable[..., Live]


def read(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    """The events of a stream; comments are left out."""
    event: dict[str, Any] = {}
    deadline = time.monotonic() + 20
    for line in answer.iter_lines():
        assert time.monotonic() < deadline, "the stream does not end"
        if not line and event:
            yield event
            event = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            if name:
                event[name] = json.loads(value) if name == "data" else value


def start(live: Live) -> str:
    return str(live.http.post("/api/runs", json=CLAIM).json()["run_id"])


def events(live: Live, run_id: str, last: str = "") -> list[dict[str, Any]]:
    headers = {"Last-Event-ID": last} if last else {}
    with live.http.stream("GET", f"/api/runs/{run_id}/events", headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        return list(read(answer))


def until(reached: Callable[[], Any], seconds: float = 10.0) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := reached():
            return found
        time.sleep(0.01)
    raise AssertionError("never reached")


def test_a_stream_tells_a_run_from_beginning_to_end(serve: Serve) -> None:
    live = serve()
    run_id = start(live)
    told = events(live, run_id)
    names = [event["event"] for event in told]
    assert names[0] == "run_started"
    assert names[-1] == "run_ended"
    assert {"step_started", "step_finished", "claim_classified", "evidence_weighed", "verdict_reached"} <= {*names}
    assert told[0]["data"]["claim"]["text"] == CLAIM["claim"]
    assert told[-1]["data"]["status"] == "finished"
    log = told[0]["id"].rpartition("-")[0]
    assert [event["id"] for event in told] == [f"{log}-{n}" for n in range(1, len(told) + 1)]


def test_a_stream_goes_on_after_the_last_event_and_starts_over_on_another_log(serve: Serve) -> None:
    live = serve()
    run_id = start(live)
    told = events(live, run_id)
    assert events(live, run_id, told[3]["id"]) == told[4:]
    assert events(live, run_id, "another-3") == told
    assert events(live, run_id, told[0]["id"] + "000") == told, "an event that there never was"
    end = live.http.get(f"/api/runs/{run_id}/events", headers={"Last-Event-ID": told[-1]["id"]})
    assert end.status_code == 204, "so that an EventSource stops asking"


def test_events_arrive_while_the_run_goes_on(serve: Serve) -> None:
    live = serve(stops_before="verdict")
    run_id = start(live)
    with live.http.stream("GET", f"/api/runs/{run_id}/events") as answer:
        told = read(answer)
        while next(told).get("data", {}).get("name") != "verdict":
            pass
        assert live.http.get(f"/api/runs/{run_id}").json()["status"] == "running"
        live.bench.gate.set()
        assert [event["event"] for event in told][-1] == "run_ended"


def test_a_comment_says_that_the_connection_is_still_there(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.streams.QUIET_SECONDS", 0.05)
    live = serve(stops_before="verdict")
    run_id = start(live)
    with live.http.stream("GET", f"/api/runs/{run_id}/events") as answer:
        lines = answer.iter_lines()
        while not next(lines).startswith(":"):
            pass
        live.bench.gate.set()
        assert "event: run_ended" in list(lines)


def test_a_run_of_another_process_is_followed_through_the_store(serve: Serve) -> None:
    live = serve()
    whole = false_run()
    live.bench.runs.kept["b" * 32] = replace(
        whole, id="b" * 32, status=RunStatus.RUNNING, steps=whole.steps[:2], verdict=None, evidence=()
    )
    with (
        live.http.stream("GET", f"/api/runs/{'b' * 32}/events") as one,
        live.http.stream("GET", f"/api/runs/{'b' * 32}/events") as other,
    ):
        first, second = read(one), read(other)
        assert next(first)["event"] == next(second)["event"] == "run_started"
        assert live.http.delete(f"/api/runs/{'b' * 32}").json()["code"] == "not_here"
        live.bench.runs.kept["b" * 32] = replace(whole, id="b" * 32)
        told, same = list(first), list(second)
    assert told == same
    assert told[-1]["event"] == "run_ended"
    again = events(live, "b" * 32)
    assert again[1:] == told
    assert events(live, "b" * 32, again[0]["id"]) == told


def test_a_reader_that_comes_back_after_a_run_was_begun_anew_misses_nothing(serve: Serve) -> None:
    live = serve()
    whole = replace(false_run(), id="b" * 32)
    begun = replace(whole, status=RunStatus.RUNNING, steps=whole.steps[:3], verdict=None, evidence=())
    live.bench.runs.kept["b" * 32] = begun
    with live.http.stream("GET", f"/api/runs/{'b' * 32}/events") as answer:
        told = read(answer)
        first = [next(told) for _ in range(5)]
        live.bench.runs.kept["b" * 32] = replace(begun, started_at=begun.started_at + timedelta(seconds=20))
        second = [next(told) for _ in range(5)]
    assert [event["event"] for event in first] == [event["event"] for event in second]
    assert not {event["id"] for event in first} & {event["id"] for event in second}
    live.bench.runs.kept["b" * 32] = replace(whole, started_at=whole.started_at + timedelta(seconds=20))
    everything = events(live, "b" * 32)
    assert everything[:5] == second
    assert everything[-1]["event"] == "run_ended"
    for seen in first:
        assert events(live, "b" * 32, seen["id"]) == everything
    for number, seen in enumerate(second, start=1):
        assert events(live, "b" * 32, seen["id"]) == everything[number:]


def test_a_run_that_another_worker_begins_anew_is_told_anew(serve: Serve) -> None:
    live = serve()
    whole = replace(false_run(), id="b" * 32)
    live.bench.runs.kept["b" * 32] = replace(
        whole, status=RunStatus.RUNNING, steps=whole.steps[:4], verdict=None, evidence=()
    )
    with live.http.stream("GET", f"/api/runs/{'b' * 32}/events") as answer:
        told = read(answer)
        assert next(told)["event"] == "run_started"
        live.bench.runs.kept["b" * 32] = replace(whole, started_at=whole.started_at + timedelta(seconds=20))
        names = [event["event"] for event in told]
    again = names[names.index("run_started") :]
    assert again.count("step_finished") == len(whole.steps)
    assert again[-1] == "run_ended"


def test_a_run_of_another_process_that_cannot_be_read_ends_its_streams(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    live = serve()
    live.bench.runs.kept["b" * 32] = replace(false_run(), id="b" * 32, status=RunStatus.RUNNING, verdict=None)
    with live.http.stream("GET", f"/api/runs/{'b' * 32}/events") as answer:
        told = read(answer)
        next(told)

        def fail(_: str) -> None:
            raise RuntimeError("said of a claim")

        monkeypatch.setattr(live.service.runner, "stored", fail)
        assert "run_ended" not in [event["event"] for event in told]
    assert "RuntimeError at" in caplog.text
    assert "said of a claim" not in caplog.text


def test_a_stream_ends_with_its_key(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.access.RECHECK_SECONDS", 0.05)
    live = serve(stops_before="verdict")
    key, text = live.bench.keys.add("soon gone", Role.READ)
    run_id = start(live)
    with live.http.stream("GET", f"/api/runs/{run_id}/events", headers=bearer(text)) as answer:
        told = read(answer)
        next(told)
        live.bench.keys.revoke(key.id)
        with pytest.raises(httpx.RemoteProtocolError):
            list(told)
    assert live.http.get(f"/api/runs/{run_id}").json()["status"] == "running"


def test_readers_that_vanish_free_their_places(serve: Serve) -> None:
    live = serve(stops_before="verdict")
    run_id = start(live)
    port = live.port
    gone = []
    for _ in range(20):
        reader = socket.create_connection(("127.0.0.1", port))
        reader.sendall(asked(live, run_id))
        assert reader.recv(1000)
        gone.append(reader)
    log = live.service.runner.log(run_id)
    assert log is not None
    assert taken(live.service.streams) == 20
    for reader in gone:
        reader.close()
    until(lambda: taken(live.service.streams) == 0)
    assert threading.active_count() < 60, "no thread for a reader"


def test_a_reader_that_never_reads_holds_up_nobody_and_is_left(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.streams.SLOW_SECONDS", 0.3)
    live = serve(stops_before="verdict")
    run_id = start(live)
    with socket.socket() as idle:
        idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        idle.connect(("127.0.0.1", live.port))
        idle.sendall(asked(live, run_id))
        until(lambda: taken(live.service.streams) == 1)
        log = live.service.runner.log(run_id)
        assert log is not None
        for n in range(60):  # far more than the buffers between the two hold
            log.append(SourceUpdate(f"https://example.org/{n}", "x" * 200_000, "read"))
        live.bench.gate.set()
        assert events(live, run_id)[-1]["event"] == "run_ended"
        assert live.http.get("/api/health").json()["ready"]
        until(lambda: taken(live.service.streams) == 0)


def test_more_streams_than_places_are_refused_with_a_time_to_come_back(serve: Serve) -> None:
    live = serve(stops_before="verdict")
    run_id = start(live)
    object.__setattr__(live.service, "streams", Places("too_many_streams", "event streams", 1, 1, 5))
    with live.http.stream("GET", f"/api/runs/{run_id}/events") as answer:
        told = read(answer)
        next(told)
        refused = live.http.get(f"/api/runs/{run_id}/events")
        live.bench.gate.set()
        assert [*told][-1]["event"] == "run_ended"
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    assert refused.json()["code"] == "too_many_streams"


def test_the_end_of_the_server_ends_the_streams(serve: Serve) -> None:
    live = serve(stops_before="verdict")
    run_id = start(live)
    with live.http.stream("GET", f"/api/runs/{run_id}/events") as answer:
        told = read(answer)
        next(told)
        live.service.close()
        ended = list(told)[-1]
    assert ended["event"] == "run_ended"
    assert ended["data"]["status"] == "cancelled"


def asked(live: Live, run_id: str) -> bytes:
    """The request for a stream, with the key of the client."""
    key = live.http.headers["Authorization"]
    head = f"GET /api/runs/{run_id}/events HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nAuthorization: {key}\r\n\r\n"
    return head.encode()


def taken(places: Places) -> int:
    return places._taken.total()
