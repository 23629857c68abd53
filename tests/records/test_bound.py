"""Runs whose stored verdict is below the bound: kept as they are, and listed, counted and read as open everywhere."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from sqlalchemy import insert, select, text

from ghost.records import (
    BatchQueue,
    BatchStore,
    Database,
    ItemFilter,
    ItemOrder,
    ItemState,
    Resting,
    ReviewStore,
    RunFilter,
    RunStore,
    batch_items,
    runs,
)
from ghost.records.outcomes import outcomes_of
from ghost.records.tables import batches
from ghost.types import Evidence, Label, ReasonCode, StanceLabel
from tests.reports.runs import evidence

WEAK, SURE, OPEN, EDGE = "a" * 32, "b" * 32, "c" * 32, "d" * 32
BATCH = "1" * 32
AT = datetime(2026, 1, 1)
OLD = {WEAK: ("True", 0.45), SURE: ("False", 0.91), OPEN: ("Not Enough Evidence", 0.9), EDGE: ("Misleading", 0.6)}
"""The verdicts as an older version stored them: an abstention had a confidence too."""


def _verdict(label: str, confidence: float) -> dict[str, Any]:
    citation = {
        "n": 1, "passage_id": "p1", "quote": "Q", "stance": "SUPPORTS", "accepted": True, "why": "", "statement": 1,
        "url": "", "domain": "", "title": "", "published_at": None,
    }  # fmt: skip
    statement = {"statement": 1, "label": label, "confidence": confidence, "support": 0.4, "refute": 0.1}
    return {
        "label": label, "confidence": confidence, "explanation": "[1] It says so.", "citations": [citation],
        "contested": False, "reasons": [], "statements": [statement | {"contested": False, "reasons": []}],
    }  # fmt: skip


def _run(run_id: str, label: str, confidence: float) -> dict[str, Any]:
    weighed = TypeAdapter(tuple[Evidence, ...]).dump_json((evidence(credibility=0.4),)).decode()
    judge = json.dumps({"name": "embedded", "model": "m", "route": []})
    return {
        "id": run_id, "claim_text": f"Claim {run_id[0]}", "claim": json.dumps({"text": "C"}), "label": label,
        "verdict": json.dumps(_verdict(label, confidence)), "evidence": weighed, "judge": judge, "settings": "{}",
        "usage": "{}", "owner": "x", "error": "", "status": "finished", "started_at": AT, "finished_at": AT,
    }  # fmt: skip


def _item(position: int, run_id: str, verdict: tuple[str, float]) -> dict[str, Any]:
    return {
        "batch_id": BATCH, "position": position, "line": position, "claim": f"Claim {run_id[0]}", "state": "done",
        "run_id": run_id, "label": verdict[0], "confidence": verdict[1], "seconds": 1.0, "context": "", "found_at": "",
        "cells": "[]", "error": "",
    }  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Any:
    """A database of the version before, with these runs and a batch of them, brought to the version of today."""
    made = Database.open(tmp_path / "ghost.db")
    with made.write() as connection:
        connection.execute(insert(runs), [_run(run_id, *verdict) for run_id, verdict in OLD.items()])
        connection.execute(insert(batches).values(
            id=BATCH, name="Old", source="", state="done", note="", web=True, columns="[]", remarks="[]", owner="",
            created_at=AT,
        ))  # fmt: skip
        connection.execute(insert(batch_items), [_item(n, *row) for n, row in enumerate(OLD.items(), start=1)])
        connection.execute(text("ALTER TABLE passages DROP COLUMN as_of"))  # it came later
        connection.execute(text("UPDATE alembic_version SET version_num = '0012'"))
    made.close()
    opened = Database.open(tmp_path / "ghost.db")
    yield opened
    opened.close()


def test_the_verdict_that_the_run_stored_stays_as_it_was(database: Database) -> None:
    with database.read() as connection:
        kept = json.loads(connection.execute(select(runs.c.verdict).where(runs.c.id == WEAK)).scalar_one())
    assert (kept["label"], kept["confidence"]) == ("True", 0.45)


def test_lists_show_it_as_open_and_without_a_confidence(database: Database) -> None:
    shown = {run.id: (run.label, run.confidence) for run in RunStore(database).browse()}
    assert shown == {
        WEAK: (Label.NOT_ENOUGH_EVIDENCE, None), SURE: (Label.FALSE, 0.91), OPEN: (Label.NOT_ENOUGH_EVIDENCE, None),
        EDGE: (Label.MISLEADING, 0.6),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("label", "found"),
    [(Label.TRUE, set()), (Label.NOT_ENOUGH_EVIDENCE, {WEAK, OPEN}), (Label.FALSE, {SURE}), (Label.MISLEADING, {EDGE})],
)
def test_filters_find_it_among_the_open_ones(database: Database, label: Label, found: set[str]) -> None:
    store, narrow = RunStore(database), RunFilter(label=label)
    assert {run.id for run in store.browse(narrow)} == found
    assert store.matching(narrow) == len(found)


def test_the_run_itself_is_open_with_what_it_leans_to(database: Database) -> None:
    run = RunStore(database).get(WEAK)
    assert run
    assert run.verdict
    assert (run.label, run.verdict.confidence) == (Label.NOT_ENOUGH_EVIDENCE, None)
    assert run.verdict.leaning
    assert (run.verdict.leaning.label, run.verdict.leaning.probability) == (Label.TRUE, 0.45)
    assert run.verdict.reasons[0].code is ReasonCode.BELOW_BOUND
    assert [(s.label, s.confidence) for s in run.verdict.statements] == [(Label.NOT_ENOUGH_EVIDENCE, None)]
    assert run.verdict.citations[0].stance is StanceLabel.SUPPORTS


def test_a_run_that_holds_and_one_that_abstained_read_as_before(database: Database) -> None:
    store = RunStore(database)
    sure, left_open = store.get(SURE), store.get(OPEN)
    assert sure and sure.verdict  # noqa: PT018
    assert (sure.label, sure.verdict.confidence, sure.verdict.leaning) == (Label.FALSE, 0.91, None)
    assert left_open and left_open.verdict  # noqa: PT018
    assert (left_open.verdict.confidence, left_open.verdict.leaning) == (None, None)
    assert left_open.verdict.statements[0].confidence is None


def test_lines_of_a_batch_follow(database: Database) -> None:
    store = BatchStore(database)
    assert store.tally(BATCH).labels == {Label.NOT_ENOUGH_EVIDENCE: 2, Label.FALSE: 1, Label.MISLEADING: 1}
    items = store.items(BATCH, ItemFilter(), ItemOrder.FILE, 10, 0)
    assert [(i.label, i.confidence) for i in items] == [
        (Label.NOT_ENOUGH_EVIDENCE, None), (Label.FALSE, 0.91), (Label.NOT_ENOUGH_EVIDENCE, None),
        (Label.MISLEADING, 0.6),
    ]  # fmt: skip
    narrow = ItemFilter("", (), (Label.NOT_ENOUGH_EVIDENCE,))
    assert [i.run_id for i in store.items(BATCH, narrow, ItemOrder.FILE, 10, 0)] == [WEAK, OPEN]
    by_confidence = store.items(BATCH, ItemFilter(), ItemOrder.MOST_SURE, 10, 0)
    assert [i.run_id for i in by_confidence[:2]] == [SURE, EDGE]


def test_what_a_batch_exports_follows(database: Database) -> None:
    found = outcomes_of(database, list(OLD))
    assert found[WEAK].verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert found[WEAK].verdict.confidence is None
    assert found[SURE].verdict.confidence == 0.91


def test_a_line_that_was_at_work_when_ghost_ended_has_no_confidence_without_a_verdict(database: Database) -> None:
    with database.write() as connection:
        connection.execute(text("UPDATE batch_items SET state = 'running', label = '', confidence = NULL"))
        connection.execute(text("UPDATE batches SET state = 'paused'"))
    BatchQueue(database).begin(BATCH)
    items = BatchStore(database).items(BATCH, ItemFilter(), ItemOrder.FILE, 10, 0)
    assert all(i.state is ItemState.DONE for i in items)
    found = [(i.label, i.confidence) for i in items]
    assert found[:2] == [(Label.NOT_ENOUGH_EVIDENCE, None), (Label.FALSE, 0.91)]


def test_the_health_page_does_not_count_it_as_a_verdict(database: Database) -> None:
    assert {f.run_id for f in Resting(database).weak()} == {SURE, EDGE}


def test_the_analyst_who_confirmed_it_keeps_their_verdict(database: Database) -> None:
    said = ReviewStore(database)
    said.override(WEAK, Label.TRUE, "I read the register.")
    [compared] = said.overrides()
    assert (compared.machine, compared.analyst, compared.agrees) == (Label.NOT_ENOUGH_EVIDENCE, Label.TRUE, False)
    assert {run.id for run in RunStore(database).browse(RunFilter(label=Label.TRUE))} == {WEAK}
