"""Runs on record, without a workbench."""

from datetime import UTC, datetime, timedelta

from ghost.events import ClaimClassified, EvidenceWeighed, RunEnded, RunStarted, StepFinished, VerdictReached
from ghost.records import Database, RunStore
from ghost.types import Claim, JudgeInfo, Label, Run, RunStatus, Usage, Verdict

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
JUDGE = JudgeInfo("embedded", "m")


def keep(
    database: Database, run_id: str, text: str = "A claim.", label: Label | None = Label.FALSE, minutes: int = 0
) -> None:
    """A finished run with this verdict, or one that failed."""
    store, at = RunStore(database), START + timedelta(minutes=minutes)
    store.apply(RunStarted(run_id, Claim(text), at, JUDGE, {}))
    if label:
        store.apply(VerdictReached(Verdict(label, 0.9, "Because."), JUDGE), run_id)
    store.apply(RunEnded(run_id, RunStatus.FINISHED if label else RunStatus.FAILED, at, Usage(), ""))


def keep_run(database: Database, run: Run) -> None:
    """A whole run, as its events would have written it."""
    store = RunStore(database)
    store.apply(RunStarted(run.id, run.claim, run.started_at, run.judge, run.settings))
    if run.classification:
        store.apply(ClaimClassified(run.classification), run.id)
    for number, step in enumerate(run.steps, 1):
        store.apply(StepFinished(number, step), run.id)
    store.apply(EvidenceWeighed(run.evidence), run.id)
    if run.verdict:
        store.apply(VerdictReached(run.verdict, run.judge), run.id)
    if run.status is not RunStatus.RUNNING:
        store.apply(RunEnded(run.id, run.status, run.finished_at or run.started_at, run.usage, run.error))
