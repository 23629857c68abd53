"""Runs on record: whole, readable at every event, told apart, and closed when their process is gone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ghost.errors import StoreError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SourceUpdate,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.records import Database, RunStore
from ghost.records.database import current_process, is_alive
from ghost.testing import REFUTING, evidence
from ghost.types import (
    Citation,
    Claim,
    ClaimType,
    Classification,
    JudgeInfo,
    Label,
    Origin,
    Reason,
    ReasonCode,
    Run,
    RunStatus,
    StanceLabel,
    Statement,
    StatementVerdict,
    TraceStep,
    Usage,
    Verdict,
)
from tests import forks

START = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
CLAIM = Claim("The Wall is visible from the Moon", "said at dinner", date(2020, 1, 1), "https://a.org/p")
CLASSIFICATION = Classification(ClaimType.FACTUAL, 0.9, (Statement(1, CLAIM.text),), "It can be checked.")
_ROW = evidence(1, "It is not visible – “no”, says NASA.", REFUTING)
EVIDENCE = (replace(_ROW, passage=replace(_ROW.passage, origin=Origin.WEB)),)
VERDICT = Verdict(
    Label.FALSE,
    0.87,
    "It is not visible [1].",
    (Citation(1, "p_1", "not visible", StanceLabel.REFUTES, True, "verbatim", published_at=date(2005, 5, 9)),),
    reasons=(Reason(ReasonCode.WEAK_ORIGIN, "Only one origin.", "Add another."),),
    statements=(StatementVerdict(1, Label.FALSE, 0.87, 0.02, 0.9, probability=0.9),),
    probability=0.9,
)
JUDGE = JudgeInfo("embedded", "stance", ("cloud: no key",))
SETTINGS: dict[str, Any] = {"top_k_rerank": 5, "models": {"encoder": {"sha256": "a"}}}


def step(name: str) -> TraceStep:
    return TraceStep(name, START, 0.25, "done", "because", {"k": 20, "as_of": None}, {"found": [1, 2.5, "x"]}, 7, 0.01)


def events(run_id: str, claim: Claim = CLAIM, verdict: Verdict = VERDICT) -> Iterator[Event]:
    yield RunStarted(run_id, claim, START, JudgeInfo("auto", ""), SETTINGS)
    yield StepStarted("classify", 1)
    yield ClaimClassified(CLASSIFICATION)
    yield StepFinished(1, step("classify"))
    yield SourceUpdate("https://a.org", "A", "reading")
    yield EvidenceWeighed(())
    yield EvidenceWeighed(EVIDENCE)
    yield StepFinished(3, step("rerank"))
    yield StepFinished(3, step("rerank"))
    yield SentenceAccepted("It is not visible [1].")
    yield VerdictReached(verdict, JUDGE)
    yield RunEnded(run_id, RunStatus.FINISHED, START + timedelta(seconds=3), Usage(1, 2, 3, 0.04, 3.0))


@pytest.fixture
def store(database: Database) -> RunStore:
    return RunStore(database)


def keep(store: RunStore, run_id: str, **changes: Any) -> None:
    for event in events(run_id, **changes):
        store.apply(event)


def test_a_finished_run_comes_back_whole(store: RunStore) -> None:
    keep(store, "run-1")
    steps, ended = (step("classify"), step("rerank"), step("rerank")), START + timedelta(seconds=3)
    assert store.get("run-1") == Run(
        "run-1", RunStatus.FINISHED, CLAIM, START, JUDGE, SETTINGS, CLASSIFICATION, EVIDENCE, VERDICT, steps,
        Usage(1, 2, 3, 0.04, 3.0), "", ended,
    )  # fmt: skip
    assert store.get("run-2") is None


def test_a_run_can_be_read_at_every_event(store: RunStore) -> None:
    seen = []
    for event in events("run-1"):
        store.apply(event)
        run = store.get("run-1")
        assert run is not None
        seen.append((run.status, run.classification is not None, len(run.steps), len(run.evidence), bool(run.verdict)))
    assert seen[0] == (RunStatus.RUNNING, False, 0, 0, False)
    assert seen[3] == (RunStatus.RUNNING, True, 1, 0, False)
    assert seen[-2:] == [(status, True, 3, 1, True) for status in (RunStatus.RUNNING, RunStatus.FINISHED)]


def test_a_failed_run_keeps_what_it_had_and_why(store: RunStore) -> None:
    first, *_ = events("run-1")
    store.apply(first)
    store.apply(StepFinished(1, step("classify")))
    store.apply(RunEnded("run-1", RunStatus.FAILED, START, Usage(), "The disk is full."))
    run = store.get("run-1")
    assert run is not None
    assert (run.status, run.error, len(run.steps), run.verdict) == (RunStatus.FAILED, "The disk is full.", 1, None)


def test_an_event_before_its_run_is_an_error(store: RunStore) -> None:
    with pytest.raises(StoreError, match="before the run"):
        store.apply(ClaimClassified(CLASSIFICATION))


def test_runs_interleaved_in_one_thread_do_not_mix(store: RunStore) -> None:
    one, other = (
        store.record(events("run-1")),
        store.record(events("run-2", verdict=replace(VERDICT, label=Label.TRUE))),
    )
    for pair in zip(one, other, strict=True):
        assert type(pair[0]) is type(pair[1])
    labels = [run.verdict.label for i in (1, 2) if (run := store.get(f"run-{i}")) and run.verdict]
    assert labels == [Label.FALSE, Label.TRUE]


def test_a_run_of_a_dead_process_is_interrupted(place: Path | str, store: RunStore) -> None:
    keep(store, "finished")
    store.apply(RunStarted("mine", CLAIM, START, JUDGE, {}))
    script = f"""
import os
from datetime import UTC, datetime
from pathlib import *
from ghost.events import RunStarted
from ghost.records import Database, RunStore
from ghost.types import Claim, JudgeInfo
store = RunStore(Database.open({place!r}))
store.apply(RunStarted("dead", Claim("a claim"), datetime.now(UTC), JudgeInfo("j", "m"), {{}}))
os.kill(os.getpid(), 9)
"""
    assert forks.exit_code(script) == -9
    assert store.mark_interrupted() == 1
    assert store.mark_interrupted() == 0
    statuses = {run.id: run.status for run in store.list()}
    assert statuses == {
        "finished": RunStatus.FINISHED,
        "mine": RunStatus.RUNNING,
        "dead": RunStatus.INTERRUPTED,
    }
    dead = store.get("dead")
    assert dead is not None
    assert "verify the claim again" in dead.error
    assert dead.finished_at is not None


def test_a_process_is_told_from_others() -> None:
    host, pid, started = current_process().split("/")
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    assert is_alive(f"{host}/{pid}/{started}")
    assert is_alive(f"{host}/{os.getppid()}/")
    for gone in (
        f"elsewhere/{pid}/{started}", f"{host}/{pid}/{started}1", f"{host}/{child.pid}/{started}",
        f"{host}/{child.pid}/", "", "a/b", f"{host}/b/c",
    ):  # fmt: skip
        assert not is_alive(gone)


def test_a_run_that_cannot_be_read_says_so(database: Database, store: RunStore) -> None:
    keep(store, "run-1")
    with database.write() as connection:
        connection.execute(text("UPDATE runs SET claim = '{}'"))
    with pytest.raises(StoreError, match="cannot read"):
        store.get("run-1")
    assert len(store.list()) == 1
