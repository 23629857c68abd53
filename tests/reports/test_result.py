"""The canonical result: the contract that other programs read."""

import json
from datetime import UTC, datetime

from ghost.reports import result
from ghost.types import Timing
from tests.reports.runs import NOON, TEXT, cancelled, conversed, evidence, failed_at_once, finished, passage


def test_the_contract() -> None:
    r = result(finished())
    assert {"run_id", "status", "claim", "verdict", "citations", "evidence", "steps", "usage", "judge"} <= r.keys()
    assert {"text", "type", "statements"} <= r["claim"].keys()
    assert {"label", "confidence", "explanation", "contested", "reasons"} <= r["verdict"].keys()
    assert r["verdict"]["truth_percentage"] is None
    assert r["verdict"]["harm"] is None
    assert r["pipeline"] == "seven-steps"
    citation = {"n", "passage_id", "quote", "url", "domain", "title", "published_at", "stance", "accepted", "why"}
    assert citation <= r["citations"][0].keys()
    assert {"name", "started_at", "seconds", "decision", "reason"} <= r["steps"][0].keys()
    assert r["usage"].keys() == {"searches", "fetches", "tokens", "cost_usd", "seconds"}
    assert r["judge"].keys() == {"name", "model", "route"}


def test_the_values() -> None:
    r = result(finished())
    assert (r["run_id"], r["status"], r["error"]) == ("r1", "finished", "")
    assert r["claim"]["as_of"] == "2026-01-01"
    assert r["claim"]["statements"] == [{"number": 1, "text": "The Great Wall of China is visible from space."}]
    assert r["verdict"]["label"] == "False"
    assert r["verdict"]["reasons"] == [
        {"code": "weak_origin", "text": "One origin only.", "remedy": "A second source."}
    ]
    assert r["verdict"]["statements"][0]["text"] == "The Great Wall of China is visible from space."
    assert [c["accepted"] for c in r["citations"]] == [True, False]
    assert r["citations"][0]["published_at"] == "2005-05-09"
    assert r["evidence"][0]["text"] == TEXT
    assert r["evidence"][0]["stance"] == {
        "label": "REFUTES", "supports": 0.02, "refutes": 0.9, "neutral": 0.05, "off_topic": 0.03,
    }  # fmt: skip
    assert r["evidence"][0]["retrieved_at"] is None
    assert r["started_at"] == "2026-03-01T12:00:00+00:00"


def test_what_a_conversation_says_beside_its_label() -> None:
    run = conversed()
    r = result(run)
    assert (r["pipeline"], r["verdict"]["truth_percentage"], r["verdict"]["harm"]) == (
        "single-conversation", 4.2, "high",
    )  # fmt: skip
    assert json.loads(json.dumps(r, allow_nan=False)) == r


def test_it_survives_json_unchanged() -> None:
    for run in (finished(), cancelled(), failed_at_once()):
        r = result(run)
        assert json.loads(json.dumps(r, allow_nan=False)) == r


def test_a_run_without_a_verdict_has_none() -> None:
    r = result(cancelled())
    assert r["verdict"] is None
    assert r["citations"] == []
    assert len(r["evidence"]) == 1
    assert r["error"] == "The run was cancelled."
    assert r["status"] == "cancelled"


def test_three_dates_and_the_origins_are_told_apart() -> None:
    read = datetime(2026, 2, 1, tzinfo=UTC)
    one = evidence(passage=passage(retrieved_at=read))
    copy = evidence(
        number=2, kin="nearly the same text as that of NASA", timing=Timing.OUTDATED, time_weight=0.25,
        passage=passage(id="p2", source_url="https://copy.example/", published_at=None, indexed_at=None),
    )  # fmt: skip
    r = result(finished(evidence=(one, copy)))
    assert r["origins"] == {
        "summary": "2 links, 1 independent origin",
        "independent": 1,
        "groups": [{"group": 1, "evidence": [1, 2], "why": ["nearly the same text as that of NASA"]}],
    }
    dates = [(e["published_at"], e["retrieved_at"], e["indexed_at"]) for e in r["evidence"]]
    assert dates == [("2005-05-09", read.isoformat(), NOON.isoformat()), (None, None, None)]
    assert [(e["timing"], e["time_weight"]) for e in r["evidence"]] == [("fine", 1.0), ("outdated", 0.25)]
    cited = r["citations"][0]
    assert (cited["published_at"], cited["retrieved_at"], cited["indexed_at"]) == dates[0]
