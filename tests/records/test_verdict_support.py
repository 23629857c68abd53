"""What supports stored verdicts."""

import json
from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert

from ghost.records import Database, SupportStore, runs


def keep(
    database: Database, run_id: str, label: str, known: list[tuple[int, int, float]], cited: list[int],
    at: int = 0, **instead: str,
) -> None:  # fmt: skip
    """A stored run; ``known`` as (number, group, credibility), ``instead`` as columns."""
    weighed = [
        {"number": n, "group": g, "credibility": c, "passage": {"publisher": "", "domain": f"d{n}.org", "title": ""}}
        for n, g, c in known
    ]
    citations = [{"n": n, "accepted": True, "stance": "SUPPORTS"} for n in cited]
    values: dict[str, object] = dict.fromkeys(("claim", "judge", "settings", "usage"), "{}")
    values |= {"id": run_id, "status": "finished", "claim_text": f"Claim {run_id}", "label": label, "owner": "x"}
    values |= {"started_at": datetime(2026, 1, 1) + timedelta(hours=at), "error": ""}
    values |= {"evidence": json.dumps(weighed), "verdict": json.dumps({"citations": citations})}
    with database.write() as connection:
        connection.execute(insert(runs).values(**(values | instead)))


@pytest.fixture
def store(database: Database) -> SupportStore:
    return SupportStore(database)


def test_one_weak_origin_is_weak(database: Database, store: SupportStore) -> None:
    keep(database, "weak", "True", [(1, 1, 0.5), (2, 1, 0.4)], [1, 2], at=1)
    keep(database, "two", "True", [(1, 1, 0.5), (2, 2, 0.5)], [1, 2])
    keep(database, "good", "False", [(1, 1, 0.9)], [1])
    keep(database, "open", "Not Enough Evidence", [(1, 1, 0.5)], [1])
    keep(database, "uncited", "True", [(1, 1, 0.5)], [])
    keep(database, "newer", "False", [(1, 1, 0.3), (2, 2, 0.9)], [1], at=2)
    found = store.weak()
    assert [f.run_id for f in found] == ["newer", "weak"]
    assert (found[1].origins, found[1].credibility, found[1].source) == (1, 0.5, "d1.org")


@pytest.mark.parametrize(
    "instead",
    [{"verdict": '{"citations": [{"n": 1, "accepted": false, "stance": "SUPPORTS"}]}'},
     {"verdict": '{"citations": [{"n": 1, "accepted": true, "stance": "NEUTRAL"}]}'},
     {"verdict": '{"citations": [{"n": 1}]}'}, {"evidence": "not json"}],
    ids=["not accepted", "no side", "another version", "broken"],
)  # fmt: skip
def test_what_carries_nothing_or_cannot_be_read_is_left_out(
    database: Database, store: SupportStore, instead: dict[str, str]
) -> None:
    keep(database, "odd", "True", [(1, 1, 0.3)], [1], **instead)
    keep(database, "fine", "True", [(1, 1, 0.3)], [1])
    assert [f.run_id for f in store.weak()] == ["fine"]
