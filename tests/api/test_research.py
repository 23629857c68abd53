"""Research over the API: plan, start, follow, look at, cancel, resume, and take away."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ghost.records import Role
from ghost.types import RunStatus
from tests.api.bench import Live
from tests.api.conftest import Make
from tests.api.test_streams import read
from tests.ui.researching import ANSWERS, QUESTIONS, TOPIC, finished_research

ASKED = {"topic": TOPIC}
DONE = "1" * 32
Serve = Callable[..., Live]


def until(live: Any, research_id: str, status: str) -> dict[str, Any]:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found: dict[str, Any] = live.get(f"/api/research/{research_id}").json()
        if found.get("status") == status:
            return found
        time.sleep(0.01)
    raise AssertionError(f"It never was {status}: {found}")


def test_a_plan_says_what_memory_has_and_what_the_rest_costs(make: Make) -> None:
    bench, client = make()
    made = client.post("/api/research/plan", json=ASKED | {"skill": "medicine"}).json()
    assert [q["text"] for q in made["questions"]] == list(QUESTIONS)
    assert [d["state"] for d in made["decisions"]] == ["satisfied"] * 2 + ["needs_web"] * 3
    assert made["decisions"][2]["reason"].startswith("The evidence is 412 days old")
    assert (made["estimate"]["from_memory"], made["estimate"]["searches"]) == (2, 6)
    assert made["skill"]["name"] == "medicine"
    edited = client.post("/api/research/plan", json=ASKED | {"questions": ["How old is it?"], "web": False}).json()
    assert [(q["text"], d["state"]) for q, d in zip(edited["questions"], edited["decisions"], strict=True)] == [
        ("How old is it?", "needs_web")
    ]
    assert bench.research.asked == [(TOPIC, "medicine", (), True), (TOPIC, "", ("How old is it?",), False)]
    assert not bench.research.kept, "a plan stores nothing"


@pytest.mark.parametrize(
    "asked", [{}, {"topic": ""}, {"topic": 5}, ASKED | {"web": "yes"}, ASKED | {"questions": ["x"] * 21}]
)
def test_a_request_that_cannot_be_used_is_refused(make: Make, asked: dict[str, Any]) -> None:
    _, client = make()
    for place in ("/api/research/plan", "/api/research"):
        answer = client.post(place, json=asked)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    blank = client.post("/api/research", json={"topic": " "})
    assert (blank.status_code, blank.json()["code"]) == (422, "unusable_claim")


def test_a_research_is_started_followed_and_read(serve: Serve) -> None:
    live = serve()
    answer = live.http.post("/api/research", json=ASKED)
    started = answer.json()
    assert (answer.status_code, answer.headers["Location"]) == (202, started["research"])
    assert started["workbench"].endswith(f"/research?research={started['research_id']}")
    with live.http.stream("GET", started["events"]) as stream:
        told = list(read(stream))
    names = [event["event"] for event in told]
    assert (names[0], names[-1]) == ("research_started", "research_ended")
    assert names.count("question_researched") == len(ANSWERS)
    assert told[-1]["data"]["savings"]["searches"] == 5
    end = live.http.get(started["events"], headers={"Last-Event-ID": told[-1]["id"]})
    assert end.status_code == 204
    found = live.http.get(started["research"]).json()
    assert (found["status"], len(found["answers"])) == ("finished", len(ANSWERS))
    listed = live.http.get("/api/research").json()
    assert listed["total"] == 1
    assert (listed["research"][0]["questions"], listed["research"][0]["answered"]) == (5, 3)


def test_a_stored_research_is_followed_through_the_store(serve: Serve) -> None:
    live = serve()
    live.bench.research.kept[DONE] = finished_research()
    with live.http.stream("GET", f"/api/research/{DONE}/events") as stream:
        told = list(read(stream))
    assert told[0]["id"].endswith("-1")
    assert [e["event"] for e in told][-len(ANSWERS) - 1 :] == ["question_researched"] * 5 + ["research_ended"]


def test_one_of_another_process_is_followed_and_not_cancelled(serve: Serve) -> None:
    live = serve()
    whole = finished_research()
    live.bench.research.kept[DONE] = replace(whole, status=RunStatus.RUNNING, answers=(), steps=whole.steps[:4])
    with live.http.stream("GET", f"/api/research/{DONE}/events") as stream:
        told = read(stream)
        assert next(told)["event"] == "research_started"
        assert live.http.post(f"/api/research/{DONE}/cancel").json()["code"] == "not_here"
        live.bench.research.kept[DONE] = whole
        assert [event["event"] for event in told][-1] == "research_ended"


def test_it_is_cancelled_and_resumed(make: Make) -> None:
    bench, client = make()
    bench.research.stops_before = "web"
    research_id = client.post("/api/research", json=ASKED).json()["research_id"]
    until(client, research_id, "running")
    others = client.post(f"/api/research/{research_id}/cancel", headers=bench.key(Role.VERIFY)).json()
    assert others["code"] == "wrong_role"
    stopped = client.post(f"/api/research/{research_id}/cancel").json()
    assert stopped["research_id"] == research_id
    found = until(client, research_id, "cancelled")
    assert len(found["answers"]) == 2, "what memory had answered is kept"
    bench.research.gate.set()
    again = client.post(f"/api/research/{research_id}/resume")
    assert (again.status_code, again.json()["research_id"]) == (202, research_id)
    until(client, research_id, "finished")
    refused = client.post(f"/api/research/{research_id}/resume")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert client.post(f"/api/research/{research_id}/cancel").json()["cancelling"] is False


def test_a_report_is_a_file(make: Make) -> None:
    bench, client = make()
    bench.research.kept[DONE] = finished_research()
    for kind, mime in (("html", "text/html"), ("markdown", "text/markdown"), ("json", "application/json")):
        answer = client.get(f"/api/research/{DONE}/report", params={"format": kind, "download": "true"})
        assert answer.headers["Content-Type"].startswith(mime)
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="ghost-research-11111111.')
        assert TOPIC in answer.text


@pytest.mark.parametrize("way", ["", "/events", "/report"])
def test_an_unknown_research_is_told(make: Make, way: str) -> None:
    _, client = make()
    answer = client.get(f"/api/research/none{way}")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_research")
    for action in ("cancel", "resume"):
        assert client.post(f"/api/research/none/{action}").json()["code"] == "no_such_research"


def test_who_may_only_read_starts_nothing(make: Make) -> None:
    bench, client = make({"api_require_key": True})
    bench.research.kept[DONE] = finished_research()
    reader = bench.key(Role.READ)
    assert client.get("/api/research", headers=reader).json()["total"] == 1
    for place in (
        "/api/research",
        "/api/research/plan",
        f"/api/research/{DONE}/cancel",
        f"/api/research/{DONE}/resume",
    ):
        assert client.post(place, json=ASKED, headers=reader).status_code == 403
    assert client.get("/api/research").status_code == 401
