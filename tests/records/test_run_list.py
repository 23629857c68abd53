"""The list of runs: what narrows it, and that it is found in an index alone."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import insert, select, text

from ghost.events import RunEnded, RunStarted, VerdictReached
from ghost.records import ALL_RUNS, Database, ReviewStore, RunFilter, RunStore, runs, shown_label
from ghost.records.tables import reviews
from ghost.types import Claim, JudgeInfo, Label, RunStatus, Usage, Verdict

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CLOUD, EMBEDDED = JudgeInfo("cloud", "m"), JudgeInfo("embedded", "e")


def keep(store: RunStore, run_id: str, day: int, label: Label | None, judge: JudgeInfo = EMBEDDED) -> None:
    started = NOON + timedelta(days=day)
    store.apply(RunStarted(run_id, Claim(f"Claim of day {day}"), started, CLOUD, {}))
    if label:
        store.apply(VerdictReached(Verdict(label, 0.7, ""), judge))
        store.apply(RunEnded(run_id, RunStatus.FINISHED, started + timedelta(seconds=1), Usage()))


@pytest.fixture
def store(database: Database) -> RunStore:
    store = RunStore(database)
    keep(store, "a" * 32, 0, Label.TRUE)
    keep(store, "b" * 32, 1, Label.FALSE)
    keep(store, "c" * 32, 2, Label.FALSE, CLOUD)
    keep(store, "d" * 32, 3, None)
    return store


def ids(store: RunStore, narrow: RunFilter) -> str:
    found = store.browse(narrow)
    assert store.matching(narrow) == len(found)
    return "".join(run.id[0] for run in found)


@pytest.mark.parametrize(
    ("narrow", "expected"),
    [
        (ALL_RUNS, "dcba"),
        (RunFilter(text="day 2"), "c"),
        (RunFilter(text="B" * 32), "b"),
        (RunFilter(text="%"), ""),
        (RunFilter(label=Label.FALSE), "cb"),
        (RunFilter(status=RunStatus.RUNNING), "d"),
        (RunFilter(judge="embedded"), "ba"),
        (RunFilter(judge="cloud"), "dc"),
        (RunFilter(since=date(2026, 3, 2), until=date(2026, 3, 3)), "cb"),
        (RunFilter(until=date(2026, 3, 1)), "a"),
        (RunFilter(until=date.max), "dcba"),
        (RunFilter("claim", Label.FALSE, RunStatus.FINISHED, "cloud", date(2026, 3, 1), date(2026, 3, 9)), "c"),
    ],
)
def test_each_part_narrows(store: RunStore, narrow: RunFilter, expected: str) -> None:
    assert ids(store, narrow) == expected


def test_a_row_says_who_judged_and_how_sure(store: RunStore) -> None:
    newest, cloud, *_ = store.browse()
    assert (newest.judge, newest.label, newest.confidence) == ("cloud", None, None)
    assert (cloud.judge, cloud.label, cloud.confidence) == ("cloud", Label.FALSE, 0.7)
    assert store.judges() == ("cloud", "embedded")
    assert [run.id[0] for run in store.browse(limit=2, offset=1)] == ["c", "b"]


def test_verdicts_are_found_as_they_are_shown_the_analysts_before_ghosts(store: RunStore, database: Database) -> None:
    said = ReviewStore(database)
    said.override("b" * 32, Label.MISLEADING, "Half of it.")
    taken_back = said.override("c" * 32, Label.TRUE, "All of it.")
    assert ids(store, RunFilter(label=Label.MISLEADING)) == "b"
    assert ids(store, RunFilter(label=Label.TRUE)) == "ca"
    assert ids(store, RunFilter(label=Label.FALSE)) == ""
    said.withdraw(taken_back.id)
    assert ids(store, RunFilter(label=Label.FALSE)) == "c"


def test_nothing_but_indexes_is_read_to_find_runs(database: Database) -> None:
    with database.read() as connection:
        shown = select(runs.c.id).where(shown_label() == Label.FALSE.value)
        compiled = shown.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        where = "FROM runs WHERE lower(claim_text) LIKE '%x%' AND label = 'False'"
        ordered = f"SELECT id {where} ORDER BY started_at DESC, id LIMIT 25"
        asked = (text(f"EXPLAIN QUERY PLAN {query}") for query in (compiled, f"SELECT count(*) {where}", ordered))
        plans = [[row[3] for row in connection.execute(query)] for query in asked]
    for plan in plans:
        assert any("COVERING INDEX ix_runs_listed" in line for line in plan)
        assert not any("SCAN runs" in line and "COVERING" not in line for line in plan)
    assert any("ix_reviews_run (run_id=? AND kind=?)" in line for line in plans[0])
    assert not any("TEMP B-TREE" in line for line in plans[0])


def test_ten_thousand_runs_are_listed_at_once(database: Database) -> None:
    big = json.dumps(["x" * 2000])
    rows = [
        {
            "id": f"{n:032x}", "status": "finished", "claim_text": f"Claim number {n} about something or other",
            "label": "False" if n % 3 else "True", "started_at": (NOON + timedelta(minutes=n)).replace(tzinfo=None),
            "owner": "", "claim": "{}", "judge": "{}", "settings": "{}", "evidence": big, "usage": "{}", "error": "",
            "verdict": '{"confidence": 0.5}', "judge_name": "embedded",
        }
        for n in range(10_000)
    ]  # fmt: skip
    with database.write() as connection:
        connection.execute(insert(runs), rows)
    said = {"kind": "override", "at": NOON.replace(tzinfo=None), "value": "Misleading", "name": "", "note": "x"}
    with database.write() as connection:
        connection.execute(insert(reviews), [said | {"run_id": f"{n:032x}", "before": ""} for n in range(1, 10_000, 3)])
    store = RunStore(database)
    started = datetime.now(UTC)
    assert store.matching(RunFilter("number 77", Label.TRUE)) == 36
    overridden = sum(n % 3 == 1 and f"{n}".startswith("77") for n in range(10_000))
    assert store.matching(RunFilter("number 77", Label.MISLEADING)) == overridden
    assert len(store.browse(RunFilter("number", judge="embedded"), 25, 5_000)) == 25
    assert (datetime.now(UTC) - started).total_seconds() < 0.3  # a wide margin for a busy machine


@pytest.mark.parametrize("text", ["über москва", "ÜBER МОСКВА", "Über Москва"])
def test_capitals_of_no_language_matter(store: RunStore, text: str) -> None:
    store.apply(RunStarted("e" * 32, Claim("Etwas Über МОСКВА"), NOON - timedelta(days=1), CLOUD, {}))
    assert ids(store, RunFilter(text=text)) == "e"
    assert ids(store, RunFilter(text="uber")) == ""
