"""Where answers were taken from, as it is kept."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from ghost.errors import StoreError
from ghost.records import Database, DayCount, DecisionFilter, DecisionStore
from ghost.types import ClaimMatch, Relation, RouteCandidate, RouteMode, RouterDecision, Slot

AT = datetime(2026, 3, 1, 23, tzinfo=UTC)
MATCH = ClaimMatch(Relation.OPPOSITE, 0.9, 0.95, (Slot("negation", "", "not", False),), "One denies it.")


def decision(n: int, mode: RouteMode = RouteMode.EXACT, **changes: Any) -> RouterDecision:
    made = RouterDecision(
        f"d{n}", f"Question {n}?", f"Is it so {n}?", "talk", mode, ("c_1",),
        (RouteCandidate("c_1", "It is so", MATCH),), "The same.", 0.2, AT + timedelta(hours=n),
    )  # fmt: skip
    return replace(made, **changes)


@pytest.fixture
def store(database: Database) -> DecisionStore:
    return DecisionStore(database)


def test_a_decision_is_kept_with_its_candidates_and_gets_its_run_later(store: DecisionStore) -> None:
    store.add(decision(1))
    assert store.get("d1") == decision(1)
    store.add(decision(1, run_id="r1", decided_by="cloud"))
    assert store.get("d1") == decision(1, run_id="r1", decided_by="cloud")
    assert store.count() == 1
    assert store.get("d2") is None


def test_decisions_are_filtered_paged_counted_by_day_and_marked(store: DecisionStore) -> None:
    for n, mode in enumerate((RouteMode.EXACT, RouteMode.NOVEL, RouteMode.NOVEL, RouteMode.CONTEXTUAL)):
        store.add(decision(n, mode, conversation_id=f"talk{n % 2}"))
    assert [d.id for d in store.browse()] == ["d3", "d2", "d1", "d0"]
    assert [d.id for d in store.browse(limit=1, offset=1)] == ["d2"]
    assert store.mark_wrong("d2") is True
    assert store.mark_wrong("d2") is False
    filters = {
        DecisionFilter(mode=RouteMode.NOVEL): ["d2", "d1"], DecisionFilter(wrong=True): ["d2"],
        DecisionFilter(wrong=False): ["d3", "d1", "d0"], DecisionFilter(text="is it SO 3"): ["d3"],
        DecisionFilter(since=date(2026, 3, 2)): ["d3", "d2", "d1"],
        DecisionFilter(conversation_id="talk1"): ["d3", "d1"],
    }  # fmt: skip
    for which, expected in filters.items():
        assert [d.id for d in store.browse(which)] == expected, which
        assert store.count(which) == len(expected)
    first, second = date(2026, 3, 1), date(2026, 3, 2)
    assert store.by_day() == [
        DayCount(first, RouteMode.EXACT, 1, 0),
        DayCount(second, RouteMode.CONTEXTUAL, 1, 0),
        DayCount(second, RouteMode.NOVEL, 2, 1),
    ]
    (case,) = json.loads(json.dumps(store.export_cases()))
    assert (case["question"], case["mode"], case["cards"]) == ("Is it so 2?", "novel_claim", ["c_1"])
    assert case["candidates"][0]["match"]["slots"] == [{"name": "negation", "one": "", "other": "not", "agrees": False}]
    assert store.unmark("d2") is True
    assert store.export_cases() == []
    with pytest.raises(StoreError, match="no such decision"):
        store.mark_wrong("x")


def test_hostile_text_is_kept_as_text(store: DecisionStore) -> None:
    nasty = "'; DROP TABLE router_decisions; -- <b>\u202e"
    store.add(decision(1, question=nasty, reasoning=nasty))
    assert store.browse(DecisionFilter(text=nasty))[0].question == nasty
