"""What stored verdicts rest on."""

import json
from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert, update

from ghost.records import Database, Resting, runs


def keep(
    database: Database, run_id: str, label: str, evidence: list[tuple[int, int, float]], cited: list[int],
    at: int = 0, instead: dict[str, str] | None = None,
) -> None:  # fmt: skip
    """A stored run; evidence as (number, group, credibility), ``instead`` as columns."""
    told = [
        {"number": n, "group": g, "credibility": c, "passage": {"publisher": "", "domain": f"d{n}.org", "title": ""}}
        for n, g, c in evidence
    ]
    citations = [{"n": n, "accepted": True, "stance": "SUPPORTS"} for n in cited]
    values: dict[str, object] = dict.fromkeys(("claim", "judge", "settings", "usage"), "{}")
    values |= {"id": run_id, "status": "finished", "claim_text": f"Claim {run_id}", "label": label, "owner": "x"}
    values |= {"started_at": datetime(2026, 1, 1) + timedelta(hours=at), "error": ""}
    values |= {"evidence": json.dumps(told), "verdict": json.dumps({"citations": citations})}
    with database.write() as connection:
        connection.execute(insert(runs).values(**(values | (instead or {}))))


@pytest.fixture
def resting(database: Database) -> Resting:
    return Resting(database)


def test_one_weak_origin_is_weak(database: Database, resting: Resting) -> None:
    keep(database, "weak", "True", [(1, 1, 0.5), (2, 1, 0.4)], [1, 2], at=1)
    keep(database, "two", "True", [(1, 1, 0.5), (2, 2, 0.5)], [1, 2])
    keep(database, "good", "False", [(1, 1, 0.9)], [1])
    keep(database, "open", "Not Enough Evidence", [(1, 1, 0.5)], [1])
    keep(database, "uncited", "True", [(1, 1, 0.5)], [])
    keep(database, "newer", "False", [(1, 1, 0.3), (2, 2, 0.9)], [1], at=2)
    found = resting.weak()
    assert [f.run_id for f in found] == ["newer", "weak"]
    assert (found[1].origins, found[1].credibility, found[1].source) == (1, 0.5, "d1.org")


def test_what_is_not_accepted_or_takes_no_side_carries_nothing(database: Database, resting: Resting) -> None:
    refused = {"citations": [{"n": 1, "accepted": False, "stance": "SUPPORTS"}]}
    neutral = {"citations": [{"n": 1, "accepted": True, "stance": "NEUTRAL"}]}
    keep(database, "refused", "True", [(1, 1, 0.3)], [], instead={"verdict": json.dumps(refused)})
    keep(database, "neutral", "True", [(1, 1, 0.3)], [], instead={"verdict": json.dumps(neutral)})
    assert resting.weak() == ()


def test_runs_that_cannot_be_read_are_left_out(database: Database, resting: Resting) -> None:
    keep(database, "broken", "True", [(1, 1, 0.3)], [1], instead={"evidence": "not json"})
    keep(database, "other", "True", [(1, 1, 0.3)], [1], instead={"verdict": '{"citations": [{"n": 1}]}'})
    keep(database, "fine", "True", [(1, 1, 0.3)], [1])
    assert [f.run_id for f in resting.weak()] == ["fine"]


def test_each_run_is_read_once(database: Database, resting: Resting) -> None:
    keep(database, "weak", "True", [(1, 1, 0.5)], [1])
    assert len(resting.weak()) == 1
    with database.write() as connection:
        connection.execute(update(runs).values(evidence="not json"))
    assert len(resting.weak()) == 1
    keep(database, "next", "True", [(1, 1, 0.5)], [1], at=5)
    assert [f.run_id for f in resting.weak()] == ["next", "weak"]
