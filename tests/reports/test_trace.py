"""The time line, what was spent, and the candidates, also of runs that another version has stored."""

import json
from dataclasses import replace
from datetime import timedelta

from ghost.reports import candidates, limit_usage, timeline, trace
from ghost.types import TraceStep, Usage
from tests.pipelines.runs import made, page
from tests.ui.samples import AT, false_run


def test_steps_are_bars_from_the_start_of_the_run() -> None:
    steps = [
        TraceStep(name, AT + timedelta(seconds=n), 0.5, "stopped" if n == 2 else "done", "")
        for n, name in enumerate(("rerank", "investigate", "rerank"))
    ]
    bars = timeline(replace(false_run(), steps=tuple(steps)))
    assert [(b.position, b.name, b.turn, b.turns, b.start, b.stopped) for b in bars] == [
        (1, "rerank", 1, 2, 0.0, False), (2, "investigate", 1, 1, 1.0, False), (3, "rerank", 2, 2, 2.0, True),
    ]  # fmt: skip
    early = replace(steps[0], started_at=AT - timedelta(seconds=9))
    assert timeline(replace(false_run(), steps=(early,)))[0].start == 0.0


def test_what_was_spent_goes_by_the_limits_of_the_run() -> None:
    settings = {"max_searches": 8, "max_tokens": 0, "max_cost_usd": "?", "max_seconds": 10.0}
    run = replace(false_run(), settings=settings, usage=Usage(searches=2, tokens=5, seconds=20.0))
    found = {s.name: (s.used, s.limit, s.share) for s in limit_usage(run)}
    assert found["searches"] == (2, 8, 0.25)
    assert found["fetches"] == (0, None, 0)
    assert found["tokens"] == (5, 0, 0)
    assert found["cost_usd"] == (0, None, 0)
    assert found["seconds"] == (20, 10, 1)


def test_candidates_come_back_as_they_were_kept() -> None:
    run = made([page(1), page(2, "off")])
    rows = candidates(run.steps)
    assert rows is not None
    assert [(r.passage_id, r.kept, r.n, r.code) for r in rows] == [
        ("p1", True, 1, ""), ("p2", False, None, "relevance"),
    ]  # fmt: skip
    assert rows[0].stances.supports == 0.96


def test_runs_of_other_versions_do_not_break_it() -> None:
    assert candidates(()) is None
    assert candidates((TraceStep("rerank", AT, 0, "", "", {}, {"dropped": []}),)) is None
    odd = TraceStep("rerank", AT, 0, "", "", {}, {"candidates": [None, {}, {"statement": "x"}]})
    assert candidates((odd,)) == []


def test_the_trace_is_json_with_its_limits() -> None:
    run = replace(false_run(), settings={"max_seconds": 180.0})
    data = json.loads(json.dumps(trace(run)))
    assert data["verdict"] == {"label": "False", "confidence": 0.93}
    assert data["limits"]["seconds"] == 180.0
    assert [s["name"] for s in data["steps"]] == [s.name for s in run.steps]
    assert json.loads(json.dumps(trace(replace(run, verdict=None))))["verdict"] is None
