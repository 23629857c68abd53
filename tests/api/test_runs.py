"""Runs over HTTP: check and wait, start, look at, list, cancel, and take away as a file."""

import io
import socket
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ghost.reports import result
from tests.api.bench import CLAIM, Live
from tests.api.conftest import Make
from tests.api.test_access import refused
from tests.api.test_streams import until
from tests.ui.samples import false_run


def test_verify_answers_with_the_result_when_the_run_has_ended(make: Make) -> None:
    bench, client = make()
    told = client.post("/api/verify", json=CLAIM).json()
    assert told["status"] == "finished"
    assert told["claim"]["text"] == CLAIM["claim"]
    assert told["verdict"]["label"] == "False"
    assert told["workbench"] == f"http://127.0.0.1:8501/?run={told['run_id']}"
    assert told["left_the_machine"]
    canonical = result(bench.runs.kept[told["run_id"]])
    assert {name: told[name] for name in canonical} == canonical


def test_verify_names_the_judge_that_failed(make: Make) -> None:
    left = "local (scripted at 127.0.0.1): left at step 7 (verdict). It failed (500)."
    who = replace(false_run().judge, route=(left, "cloud: not asked. OPENAI_API_KEY is not set.", "embedded: goes on."))
    bench, client = make()
    run_id = client.post("/api/verify", json=CLAIM).json()["run_id"]
    bench.runs.kept[run_id] = replace(bench.runs.kept[run_id], judge=who)
    assert client.get(f"/api/runs/{run_id}").json()["failed_judges"] == [left]


def test_every_field_reaches_the_run(make: Make) -> None:
    bench, client = make()
    asked = CLAIM | {
        "context": "Said on TV.", "as_of": "2025-01-31", "found_at": "https://example.org/a", "web": False,
        "statements": ["The wall is visible."], "allowed_sites": ["nasa.gov"], "denied_sites": ["example.com"],
        "links": ["https://example.org/b"], "judge": "local", "cloud_fallback": False,
        "pipeline": "single-conversation",
    }  # fmt: skip
    told = client.post("/api/verify", json=asked).json()
    assert told["claim"]["context"] == "Said on TV."
    assert told["claim"]["as_of"] == "2025-01-31"
    assert told["claim"]["found_at"] == "https://example.org/a"
    assert [s["text"] for s in told["claim"]["statements"]] == ["The wall is visible."]
    assert bench.asked_for_web == [False]
    assert bench.options == [{
        "allowed": ("nasa.gov",), "denied": ("example.com",), "links": ("https://example.org/b",),
        "follows": "", "judge": "local", "cloud_fallback": False, "pipeline": "single-conversation",
    }]  # fmt: skip


def test_a_run_is_started_and_looked_at_while_it_goes_on(make: Make) -> None:
    bench, client = make(stops_before="verdict")
    answer = client.post("/api/runs", json=CLAIM)
    started = answer.json()
    assert answer.status_code == 202
    assert answer.headers["Location"] == started["run"] == f"/api/runs/{started['run_id']}"
    assert started["status"] == "running"
    until(lambda: client.get(started["run"]).json()["steps"])
    told = client.get(started["run"]).json()
    assert (told["status"], told["verdict"], told["finished_at"]) == ("running", None, None)
    refused(client.get(f"{started['run']}/report"), 409, "not_exportable")
    bench.gate.set()
    until(lambda: client.get(started["run"]).json()["status"] == "finished")


def test_a_waiting_run_is_known_and_can_be_cancelled(make: Make) -> None:
    _, client = make(stops_before="verdict")
    ids = [client.post("/api/runs", json=CLAIM).json()["run_id"] for _ in range(3)]
    assert client.get(f"/api/runs/{ids[2]}").json()["status"] == "running"
    assert client.delete(f"/api/runs/{ids[2]}").json() == {
        "run_id": ids[2], "status": "cancelled", "cancelling": False,
    }  # fmt: skip


def test_a_run_is_cancelled_and_one_that_has_ended_stays_as_it_is(make: Make) -> None:
    _, client = make(stops_before="verdict")
    run_id = client.post("/api/runs", json=CLAIM).json()["run_id"]
    until(lambda: client.get(f"/api/runs/{run_id}").json()["steps"])
    assert client.delete(f"/api/runs/{run_id}").json()["cancelling"]
    until(lambda: client.get(f"/api/runs/{run_id}").json()["status"] == "cancelled")
    assert client.delete(f"/api/runs/{run_id}").json()["status"] == "cancelled"


def test_the_list_pages_and_narrows(make: Make) -> None:
    bench, client = make()
    for n in range(3):
        bench.runs.kept[f"{n}" * 32] = replace(false_run(), id=f"{n}" * 32)
    told = client.get("/api/runs?limit=2&offset=1").json()
    assert told["total"] == 3
    assert [run["run_id"][0] for run in told["runs"]] == ["1", "0"]
    assert told["runs"][0]["label"] == "False"
    assert client.get("/api/runs?text=nothing+like+it").json() == {"total": 0, "runs": []}


@pytest.mark.parametrize(
    ("form", "mime"),
    [
        ("html", "text/html"),
        ("markdown", "text/markdown"),
        ("json", "application/json"),
        ("claimreview", "application/ld+json"),
        ("bundle", "application/zip"),
    ],
)
def test_a_report_comes_in_each_form(make: Make, form: str, mime: str) -> None:
    bench, client = make({"publisher_name": "The Desk", "publisher_url": "https://desk.example"})
    bench.runs.kept["a" * 32] = replace(false_run(), id="a" * 32)
    answer = client.get(f"/api/runs/{'a' * 32}/report?format={form}&download=true")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].partition(";")[0] == mime
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="ghost-aaaaaaaa.')
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    if form == "bundle":
        assert "result.json" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()


def test_a_run_without_a_verdict_is_no_claim_review(make: Make) -> None:
    bench, client = make()
    bench.runs.kept["a" * 32] = replace(false_run(), id="a" * 32, verdict=None)
    refused(client.get(f"/api/runs/{'a' * 32}/report?format=claimreview"), 409, "not_exportable")


def test_paths_of_the_machine_are_reduced_to_their_last_part(make: Make, tmp_path: Path) -> None:
    bench, client = make()
    run, model = replace(false_run(), id="a" * 32), tmp_path / "models" / "mine"
    bench.runs.kept["a" * 32] = replace(
        run,
        settings=run.settings | {"stance_model": str(model), "models": {"stance": {"name": str(model)}}},
        judge=replace(run.judge, model=f"bundled in place of {model}"),
        error=f"The disk with {tmp_path}/data/ghost.db is full.",
    )
    told = client.get(f"/api/runs/{'a' * 32}").json()
    assert told["settings"]["stance_model"] == "mine"
    assert told["settings"]["models"]["stance"]["name"] == "mine"
    assert told["judge"]["model"] == "bundled in place of mine"
    assert told["error"] == "The disk with ghost.db is full."
    for form in ("html", "markdown", "json"):
        assert str(tmp_path) not in client.get(f"/api/runs/{'a' * 32}/report?format={form}").text
    assert str(tmp_path) not in client.get(f"/api/runs/{'a' * 32}/events").text


def test_a_run_is_cancelled_when_the_one_who_waits_for_it_goes_away(serve: Callable[..., Live]) -> None:
    live = serve(stops_before="verdict")
    ask(live, "").close()
    until(lambda: not live.service.runner.active())
    assert [run.status.value for run in live.bench.runs.kept.values()] == ["cancelled"]


def test_with_an_idempotency_key_it_goes_on_and_the_next_request_joins_it(serve: Callable[..., Live]) -> None:
    live = serve(stops_before="verdict")
    ask(live, "Idempotency-Key: once\r\n").close()
    (run_id,) = live.service.runner.active()
    same: dict[str, Any] = {"json": CLAIM, "headers": {"Idempotency-Key": "once"}}
    started = live.http.post("/api/runs", **same).json()
    assert started["run_id"] != run_id, "another route is another request"
    live.bench.gate.set()
    told = live.http.post("/api/verify", **same)
    assert (told.json()["run_id"], told.json()["status"]) == (run_id, "finished")
    again = live.http.post("/api/verify", **same)
    assert again.json() == told.json()
    assert again.headers["Idempotent-Replayed"] == "true"


def ask(live: Live, headers: str) -> socket.socket:
    """A connection with the key of the client that waits for the answer to /api/verify; its run has begun."""
    waits = socket.create_connection(("127.0.0.1", live.port))
    body = f'{{"claim": "{CLAIM["claim"]}"}}'
    head = f"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nContent-Type: application/json\r\n{headers}"
    key = live.http.headers["Authorization"]
    waits.sendall(f"{head}Authorization: {key}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    until(live.service.runner.active)
    return waits
