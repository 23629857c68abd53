"""The list of runs: what narrows it, and that it is found in an index alone."""

from datetime import UTC, date, datetime, timedelta

import pytest

from ghost.events import RunEnded, RunStarted, VerdictReached
from ghost.records import ALL_RUNS, Database, ReviewStore, RunFilter, RunStore
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


def test_verdicts_are_found_as_they_are_shown_the_analysts_before_ghosts(store: RunStore, database: Database) -> None:
    said = ReviewStore(database)
    said.override("b" * 32, Label.MISLEADING, "Half of it.")
    taken_back = said.override("c" * 32, Label.TRUE, "All of it.")
    assert ids(store, RunFilter(label=Label.MISLEADING)) == "b"
    assert ids(store, RunFilter(label=Label.TRUE)) == "ca"
    assert ids(store, RunFilter(label=Label.FALSE)) == ""
    said.withdraw(taken_back.id)
    assert ids(store, RunFilter(label=Label.FALSE)) == "c"


@pytest.mark.parametrize("text", ["über москва", "ÜBER МОСКВА", "Über Москва"])
def test_capitals_of_no_language_matter(store: RunStore, text: str) -> None:
    store.apply(RunStarted("e" * 32, Claim("Etwas Über МОСКВА"), NOON - timedelta(days=1), CLOUD, {}))
    assert ids(store, RunFilter(text=text)) == "e"
    assert ids(store, RunFilter(text="uber")) == ""
