"""Hand-made runs in a real store, for the pages that list and open them."""

from pathlib import Path

from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    StepFinished,
    VerdictReached,
)
from ghost.records import Database, RunStore
from ghost.types import Run, RunStatus


def store(folder: Path) -> RunStore:
    """An empty store in a folder of this test's own."""
    return RunStore(Database.open(folder / "runs" / "ghost.db"))


def keep(runs: RunStore, run: Run) -> None:
    """Write a run down as if it had just been made."""
    events: list[Event] = [RunStarted(run.id, run.claim, run.started_at, run.judge, run.settings)]
    if run.classification:
        events.append(ClaimClassified(run.classification))
    events += [StepFinished(n, step) for n, step in enumerate(run.steps, start=1)]
    events.append(EvidenceWeighed(run.evidence))
    if run.verdict:
        events.append(VerdictReached(run.verdict, run.judge))
    if run.status is not RunStatus.RUNNING:
        events.append(RunEnded(run.id, run.status, run.finished_at or run.started_at, run.usage, run.error))
    for event in events:
        runs.apply(event, run.id)
