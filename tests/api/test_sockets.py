"""The WebSocket: checks and questions over one connection."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from ghost.events import QuestionAnswered, QuestionRouted, SentenceAccepted
from ghost.records import Role
from ghost.types import Relation, RouteMode
from tests.api.bench import CLAIM, ApiBench, bearer
from tests.api.conftest import Make
from tests.api.test_access import FIREFOX
from tests.api.test_streams import until
from tests.ui.asking import decision, wall_card

QUESTION = "Can you see the Great Wall from the Moon?"


@contextmanager
def connected(client: TestClient, headers: dict[str, str] | None = None) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect("ws://127.0.0.1:5000/api/ws", headers={**(headers or {})}) as socket:
        yield socket


def until_end(socket: WebSocketTestSession) -> list[dict[str, Any]]:
    """The messages up to the end of a run."""
    told = [socket.receive_json()]
    while told[-1]["type"] not in ("run_ended", "problem"):
        told.append(socket.receive_json())
    return told


def test_a_check_is_told_from_beginning_to_end(make: Make) -> None:
    _, client = make()
    with connected(client) as socket:
        socket.send_json({"type": "verify", "ref": "a", **CLAIM})
        accepted, *told = until_end(socket)
    assert accepted == {"type": "accepted", "ref": "a", "run_id": accepted["run_id"]}
    assert told[0]["type"] == "run_started"
    assert told[-1]["data"]["status"] == "finished"
    assert {(message["ref"], message["run_id"]) for message in told} == {("a", accepted["run_id"])}
    streamed = client.get(f"/api/runs/{accepted['run_id']}/events").text
    assert [f"id: {message['id']}" for message in told] == [x for x in streamed.split("\n") if x.startswith("id:")]


def test_a_run_is_followed_from_where_it_was_left(make: Make) -> None:
    _, client = make()
    run_id = client.post("/api/verify", json=CLAIM).json()["run_id"]
    with connected(client) as socket:
        socket.send_json({"type": "follow", "ref": 1, "run_id": run_id})
        assert socket.receive_json()["problem"]["errors"][0]["pointer"] == "/ref"
        socket.send_json({"type": "follow", "run_id": run_id})
        told = until_end(socket)
        socket.send_json({"type": "follow", "run_id": run_id, "last_event_id": told[-3]["id"]})
        assert until_end(socket) == told[-2:]


def test_a_check_is_cancelled(make: Make) -> None:
    _, client = make(stops_before="verdict")
    with connected(client) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        run_id = socket.receive_json()["run_id"]
        socket.send_json({"type": "cancel", "run_id": run_id})
        assert until_end(socket)[-1]["data"]["status"] == "cancelled"


def test_a_run_goes_on_without_its_connection(make: Make) -> None:
    bench, client = make(stops_before="verdict")
    with connected(client) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        run_id = socket.receive_json()["run_id"]
    bench.gate.set()
    until(lambda: client.get(f"/api/runs/{run_id}").json()["status"] == "finished")


def test_a_question_is_answered_from_cards(make: Make) -> None:
    bench, client = make()
    bench.cards.add(wall_card())
    bench.matcher.says[QUESTION, wall_card().claim] = Relation.RELATED
    with connected(client) as socket:
        socket.send_json({"type": "ask", "ref": "q", "question": wall_card().claim})
        told = [socket.receive_json()]
        while told[-1]["type"] != "question_answered":
            told.append(socket.receive_json())
    assert told[0]["type"] == "accepted"
    assert {message["ask_id"] for message in told} == {told[0]["ask_id"]}
    assert told[-1]["data"]["decision"]["mode"] == "exact_match"


def test_an_answer_from_several_cards_is_told_as_such(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    card, routed = wall_card(), decision(mode=RouteMode.CONTEXTUAL, cards=(wall_card().id,))
    answered = replace(routed, answer="It cannot be seen [1].")
    events = [QuestionRouted(routed, (card,)), SentenceAccepted(answered.answer), QuestionAnswered(answered, "")]

    class Asking:
        def turns(self, _conversation: str) -> list[object]:
            return []

        def ask(self, *_: object, **__: object) -> Iterator[object]:
            return iter(events)

    monkeypatch.setattr(ApiBench, "asking", Asking())
    _, client = make()
    with connected(client) as socket:
        socket.send_json({"type": "ask", "ref": "q", "question": QUESTION})
        told = {(message := socket.receive_json())["type"]: message for _ in range(6)}
    begun, done = told["contextual_response_started"]["data"], told["contextual_response_completed"]["data"]
    assert [c["claim"] for c in begun["cards"]] == [c["claim"] for c in done["cards"]] == [card.claim]
    assert begun["decision"]["mode"] == done["mode"] == "contextual"
    assert (done["response"], done["reasoning"]) == (answered.answer, routed.reasoning)
    assert list(told)[-1] == "contextual_response_completed"


def test_a_new_question_is_checked(make: Make) -> None:
    _, client = make()
    with connected(client) as socket:
        socket.send_json({"type": "ask", "question": "Is the sky green?", "conversation_id": "c1"})
        told = [socket.receive_json()]
        while told[-1]["type"] != "question_answered":
            told.append(socket.receive_json())
    names = [message["type"] for message in told]
    assert names[:3] == ["accepted", "question_searched", "question_routed"]
    assert "run_ended" in names
    assert told[2]["data"]["decision"]["conversation_id"] == "c1"


@pytest.mark.parametrize(
    ("message", "code", "pointer"),
    [
        ("{", "not_json", None),
        ("[1]", "not_json", None),
        ('{"type": "dance"}', "invalid_request", "/"),
        ("{}", "invalid_request", "/"),
        ('{"type": "verify"}', "invalid_request", "/claim"),
        ('{"type": "verify", "claim": "The sky is blue.", "x": 1}', "invalid_request", "/x"),
        ('{"type": "verify", "claim": "https://example.org/"}', "unusable_claim", None),
        ('{"type": "ask", "question": " "}', "unusable_claim", None),
        ('{"type": "follow", "run_id": "none"}', "no_such_run", None),
        ('{"type": "cancel", "run_id": "none"}', "no_such_run", None),
        ('{"type": "cancel", "ask_id": "none"}', "no_such_question", None),
        ('{"type": "auth", "key": "wrong"}', "key_unknown", None),
    ],
)
def test_a_message_that_cannot_be_used_ends_nothing(make: Make, message: str, code: str, pointer: str | None) -> None:
    _, client = make()
    with connected(client) as socket:
        socket.send_text(message)
        told = socket.receive_json()
        assert (told["type"], told["problem"]["code"]) == ("problem", code), told
        if pointer:
            assert told["problem"]["errors"][0]["pointer"] == pointer
        socket.send_json({"type": "ping", "ref": "still"})
        assert socket.receive_json() == {"type": "pong", "ref": "still"}


def test_bytes_are_read_as_json_too(make: Make) -> None:
    _, client = make()
    with connected(client) as socket:
        socket.send_bytes(b"\xff\x00")
        assert socket.receive_json()["problem"]["code"] == "not_json"


def test_the_key_may_be_the_first_message(make: Make) -> None:
    bench, client = make({"api_require_key": True})
    text = bench.keys.add("reader", Role.READ)[1]
    with connected(client) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        assert socket.receive_json()["problem"]["code"] == "key_needed"
        socket.send_json({"type": "auth", "key": text})
        assert socket.receive_json() == {"type": "signed_in", "ref": None, "role": "read"}
        socket.send_json({"type": "verify", **CLAIM})
        assert socket.receive_json()["problem"]["code"] == "wrong_role"


def test_a_key_that_is_revoked_works_no_longer(make: Make) -> None:
    bench, client = make({"api_require_key": True})
    key, text = bench.keys.add("soon gone", Role.VERIFY)
    with connected(client, bearer(text)) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        assert until_end(socket)[-1]["type"] == "run_ended"
        bench.keys.revoke(key.id)
        socket.send_json({"type": "verify", **CLAIM})
        assert socket.receive_json()["problem"]["code"] == "key_revoked"


def test_a_connection_ends_with_its_key(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.access.RECHECK_SECONDS", 0.05)
    bench, client = make({"api_require_key": True}, stops_before="verdict")
    key, text = bench.keys.add("soon gone", Role.VERIFY)
    with connected(client) as socket:
        socket.send_json({"type": "auth", "key": text})
        assert socket.receive_json()["type"] == "signed_in"
        socket.send_json({"type": "verify", **CLAIM})
        assert socket.receive_json()["type"] == "accepted"
        bench.keys.revoke(key.id)
        assert until_end(socket)[-1]["problem"]["code"] == "key_revoked"
        with pytest.raises(WebSocketDisconnect) as left:
            socket.receive_json()
    assert left.value.code == 1008


def test_one_connection_follows_so_many(make: Make) -> None:
    bench, client = make(stops_before="classify")
    with connected(client) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        run_id = socket.receive_json()["run_id"]
        for _ in range(32):
            socket.send_json({"type": "follow", "run_id": run_id})
        while (told := socket.receive_json())["type"] != "problem":
            pass
    assert told["problem"]["code"] == "too_many_streams"
    assert len(bench.options) == 1


def test_another_extension_signs_in_first(make: Make) -> None:
    bench, client = make()
    with connected(client, {"Origin": FIREFOX}) as socket:
        socket.send_json({"type": "verify", **CLAIM})
        assert socket.receive_json()["problem"]["code"] == "key_needed"
        socket.send_json({"type": "auth", "key": bench.keys.add("mine", Role.VERIFY)[1]})
        assert socket.receive_json()["type"] == "signed_in"
        socket.send_json({"type": "verify", **CLAIM})
        assert until_end(socket)[-1]["type"] == "run_ended"


def test_whoever_sends_no_key_is_left(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.api.sockets.SIGN_IN_SECONDS", 0.05)
    _, client = make({"api_require_key": True})
    with connected(client) as socket, pytest.raises(WebSocketDisconnect) as left:
        socket.receive_json()
    assert left.value.code == 1008


def test_messages_beyond_the_rate_are_refused(make: Make) -> None:
    _, client = make({"api_requests_per_second": 2})
    with connected(client) as socket:
        for _ in range(10):
            socket.send_json({"type": "ping"})
        answers = [socket.receive_json() for _ in range(10)]
    assert "too_many_requests" in {a["problem"]["code"] for a in answers if a["type"] == "problem"}
