"""Old runs go, and what something refers to stays; what went can be brought back to the last digit."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from ghost.errors import Cancelled, StoreError
from ghost.events import RunEnded
from ghost.records import (
    Article,
    ArticleStore,
    BatchQueue,
    BatchStore,
    CardStore,
    CaseStore,
    Database,
    DecisionStore,
    NewBatch,
    NewItem,
    ReviewStore,
    RunStore,
    bring_back,
    exported_lines,
    plan_pruning,
    prune,
    repeated_explanations,
    run_steps,
    stored_runs,
)
from ghost.types import ErrorKind, RunStatus, Usage
from tests.records.kept import START, keep, keep_run
from tests.records.test_cards import card
from tests.records.test_fingerprints import OURS
from tests.records.test_fingerprints import run as explained
from tests.records.test_router_decisions import decision
from tests.ui.samples import false_run

LATER = START + timedelta(days=1)


def quiet(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""


def removable(database: Database) -> tuple[str, ...]:
    return plan_pruning(database, LATER).ids


def in_case(database: Database, run_id: str) -> None:
    cases = CaseStore(database)
    cases.add(cases.create("A case").id, [run_id])


def in_article(database: Database, run_id: str) -> None:
    articles = ArticleStore(database)
    articles.add(Article("a", "An article", "", START, ()))
    articles.checked("a", [(1, run_id, "A claim.")])


def in_batch(database: Database) -> str:
    batch_id, queue = BatchStore(database).create(NewBatch("B", (NewItem(1, "A claim."),))), BatchQueue(database)
    queue.begin(batch_id, "")
    item = queue.next(batch_id)
    assert item
    return item.run_id


REFERENCES: dict[str, Callable[[Database, str], Any]] = {
    "card": lambda database, run_id: CardStore(database).add(card(run_id=run_id)),
    "review": lambda database, run_id: ReviewStore(database).report_error(run_id, ErrorKind.MISREAD),
    "case": in_case,
    "article": in_article,
    "question": lambda database, run_id: DecisionStore(database).add(decision(1, run_id=run_id)),
}


@pytest.mark.parametrize("why", REFERENCES)
def test_a_run_that_something_refers_to_stays(database: Database, why: str) -> None:
    keep(database, "r1")
    keep(database, "r2")
    REFERENCES[why](database, "r1")
    plan = plan_pruning(database, LATER)
    assert (plan.ids, plan.stays, plan.stored) == (("r2",), {why: 1}, 2)
    assert prune(database, ["r1", "r2"], quiet) == 1, "also when it is referred to since the plan was made"
    assert RunStore(database).get("r1") is not None
    assert RunStore(database).get("r2") is None


def test_a_run_stays_while_it_goes_on_and_while_its_batch_does(database: Database) -> None:
    run_id = in_batch(database)
    keep(database, run_id)
    keep_run(database, replace(false_run("going"), status=RunStatus.RUNNING, started_at=START))
    assert plan_pruning(database, LATER).stays == {"batch": 1, "running": 1}


def test_only_runs_from_before_the_day_go(database: Database) -> None:
    keep(database, "old")
    keep(database, "new", minutes=60 * 24 * 2)
    assert removable(database) == ("old",)
    assert plan_pruning(database, START).ids == ()
    assert plan_pruning(database).ids == ()


def test_the_oldest_go_until_the_rest_is_small_enough(database: Database) -> None:
    for number in range(6):
        keep(database, f"r{number}", "A claim. " * 100, minutes=number)
    found = stored_runs(database)
    assert (found.count, found.oldest) == (6, START)
    assert plan_pruning(database, over=found.bytes).ids == ()
    assert plan_pruning(database, over=found.bytes // 2).ids == ("r0", "r1", "r2")
    assert plan_pruning(database, START + timedelta(minutes=4), found.bytes // 2).ids == ("r0", "r1", "r2", "r3")
    assert len(plan_pruning(database, over=0).ids) == 6


def test_what_was_exported_comes_back_as_it_was(database: Database) -> None:
    runs, whole = RunStore(database), replace(false_run("whole"), started_at=START)
    keep_run(database, whole)
    keep(database, "failed", label=None)
    before = {run_id: runs.get(run_id) for run_id in ("whole", "failed")}
    lines = list(exported_lines(database, removable(database)))
    assert prune(database, removable(database), quiet) == 2
    assert (runs.count(), runs.pruned_at("whole") is None, runs.pruned_at("another")) == (0, False, None)
    assert bring_back(database, lines, quiet) == (2, 0)
    assert {run_id: runs.get(run_id) for run_id in before} == before
    assert runs.pruned_at("whole") is None
    assert bring_back(database, lines, quiet) == (0, 2), "nothing comes twice"
    assert list(exported_lines(database, removable(database)))[1:] == lines[1:]


def test_a_removal_that_is_stopped_keeps_the_rest(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.records.pruning.PAGE", 2)
    for number in range(5):
        keep(database, f"r{number}", minutes=number)

    def stop(_what: str, done: int, _total: int) -> None:
        if done >= 4:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        prune(database, removable(database), stop)
    assert removable(database) == ("r4",)
    assert prune(database, removable(database), quiet) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: [lines[0], lines[1].replace(b"A claim", b"A lie")],
        lambda lines: lines[:-1],
        lambda lines: [lines[0], lines[1][:-40]],
        lambda lines: lines[1:],
        lambda _: [b"not a run\n"],
        lambda _: [],
    ],
)
def test_a_file_that_is_not_whole_is_refused(database: Database, spoil: Callable[[list[bytes]], list[bytes]]) -> None:
    keep(database, "r1")
    lines = list(exported_lines(database, ["r1"]))
    prune(database, ["r1"], quiet)
    with pytest.raises(StoreError, match="whole copy"):
        bring_back(database, spoil(lines), quiet)
    assert RunStore(database).get("r1") is None


def sealed(line: bytes, **values: Any) -> bytes:
    """A line that somebody has changed, with a hash that fits."""
    kept = json.loads(line)
    steps = kept["steps"] + values.pop("steps", [])
    kept = {
        "run": {name: value for name, value in {**kept["run"], **values}.items() if value is not ...},
        "steps": steps,
    }
    said = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
    return json.dumps({**kept, "sha256": said}).encode()


@pytest.mark.parametrize(
    "spoilt",
    [
        {"id": {"a": 1}}, {"id": 7}, {"id": "x" * 41}, {"claim": ...}, {"claim": "no JSON"}, {"claim_text": None},
        {"usage": '{"tokens": "many"}'}, {"verdict": "{"}, {"status": "running"}, {"status": "odd"}, {"label": "Maybe"},
        {"started_at": "soon"}, {"started_at": None}, {"started_at": 5}, {"attempt": "1"},
        {"steps": [{"position": 1, "name": "x"}]}, {"steps": [{"position": "1", "name": "x", "step": "{}"}]},
        {"steps": [{"position": 1, "name": "x", "step": "{}"}] * 2},
    ],
    ids=str,
)  # fmt: skip
def test_a_line_that_is_no_run_brings_nothing(database: Database, spoilt: dict[str, Any]) -> None:
    keep(database, "r1")
    keep(database, "other")
    head, line = exported_lines(database, ["r1"])
    prune(database, ["r1"], quiet)
    with pytest.raises(StoreError):
        bring_back(database, [head, sealed(line, **spoilt)], quiet)
    with pytest.raises(StoreError):
        bring_back(database, [head, b"[" * 100_000], quiet)
    with pytest.raises(StoreError):
        bring_back(database, [head.replace(b'"runs": 1', b'"runs": Infinity'), line], quiet)
    assert [run.id for run in RunStore(database).list()] == ["other"]


def test_a_line_brings_steps_of_its_own_run_only_and_what_older_versions_had(database: Database) -> None:
    keep(database, "r1")
    keep(database, "other")
    head, line = exported_lines(database, ["r1"])
    prune(database, ["r1"], quiet)
    foreign = {"run_id": "other", "position": 9, "name": "x", "step": "{}", "more": 1}
    assert bring_back(database, [head, sealed(line, steps=[foreign], attempt=..., new_column=1)], quiet) == (1, 0)
    with database.read() as connection:
        assert list(connection.execute(select(run_steps.c.run_id)).scalars()) == ["r1"]


def test_a_run_that_somebody_else_removes_is_not_missing_from_an_export(database: Database) -> None:
    keep(database, "r1")
    with pytest.raises(StoreError, match="at the same time"):
        list(exported_lines(database, ["r1", "gone"]))


def test_the_words_of_a_run_that_went_are_still_known_as_ours(database: Database) -> None:
    store = RunStore(database)
    explained(store, "r1")
    store.apply(RunEnded("r1", RunStatus.FINISHED, datetime.now(UTC), Usage()))
    assert prune(database, plan_pruning(database, datetime.now(UTC) + timedelta(days=1)).ids, quiet) == 1
    with database.read() as connection:
        assert repeated_explanations(connection, [OURS]) == ["r1"]
