"""A run decided again as a person reads its passages: nothing is searched, and no language model is asked.

Every change starts from the run as it was before its first reading. So the order of the readings does not matter, and
without any the run is exactly what it was.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from ghost.errors import StoreError
from ghost.pipelines.what_if import can_decide_again, decide, read_kept_run
from ghost.records import PassageReading, ReadingStore, RunStore
from ghost.reports import READINGS, any_search_answered
from ghost.steps import SearchCoverage, corrected, find_corrections, machine_label, reading_key
from ghost.types import JudgeInfo, Review, Run, StanceLabel, TraceStep
from ghost.web import Stage

AGAIN = "embedded: decided again as you read the passages"


class RunReadings:
    """People's readings of the passages of runs, each of which decides its run again. Safe to use from any thread."""

    def __init__(self, runs: RunStore, store: ReadingStore, decided: Callable[[Run], object] = lambda _: None) -> None:
        """``decided`` is called with each run that was decided again."""
        self._runs, self.store, self._decided = runs, store, decided
        self._deciding = threading.Lock()

    def add(self, run_id: str, passage_id: str, statement: int, label: StanceLabel) -> PassageReading:
        """Say how a passage of a run really reads for one of its statements, and decide the run again.

        Raises StoreError where the run has no verdict, or no such passage for that statement.
        """
        with self._deciding, self.store.locked():
            return self._add(run_id, passage_id, statement, label)

    def _add(self, run_id: str, passage_id: str, statement: int, label: StanceLabel) -> PassageReading:
        run = self._runs.get(run_id)
        rows = [e for e in run.evidence if (e.passage.id, e.statement) == (passage_id, statement)] if run else []
        text = {s.number: s.text for s in run.classification.statements} if run and run.classification else {}
        if not (run and run.verdict and rows and can_decide_again(run) and label in READINGS):
            raise StoreError("Nothing was changed: this check has no verdict, or no such passage for that statement.")
        key = reading_key(rows[0].passage)
        correction = rows[0].correction  # what was read by a person is not what Ghost had read
        earlier = self.store.get(correction.id) if correction else None
        machine = machine_label(correction, earlier) if correction and earlier else rows[0].stance.label
        made = PassageReading(
            0, run_id, passage_id, key, rows[0].passage.text, text[statement], label, machine, datetime.now(UTC),
        )  # fmt: skip
        made = self.store.add(made, replace(run, steps=(), review=Review()))
        self._decide(
            run, f"You read [{rows[0].number}] as a passage that {READINGS[label]} “{made.statement.rstrip('.')}”.",
            made,
        )  # fmt: skip
        return made

    def set(self, reading_id: int, stands: bool) -> PassageReading:
        """Undo a reading, or let it stand again, and decide its run again. Raises StoreError."""
        with self._deciding, self.store.locked():
            reading = self.store.set(reading_id, stands)
            if run := self._runs.get(reading.run_id):
                done = "stands again" if stands else "was undone"
                self._decide(run, f"Your reading of a passage for “{reading.statement.rstrip('.')}” {done}.", reading)
            return reading

    def _decide(self, run: Run, why: str, changed: PassageReading) -> None:
        """Decide a run again after one of its readings was ``changed``, which is taken back where that fails."""
        try:
            self._revise(run, why)
        except BaseException:
            self.store.set(changed.id, not changed.stands)
            raise
        if revised := self._runs.get(run.id):
            self._decided(revised)

    def _revise(self, run: Run, why: str) -> None:
        before = self.store.before(run.id)
        readings = [r for r in self.store.all(run.id) if r.stands]
        if before is None or run.verdict is None:
            return
        now, old = _as_read(replace(before, steps=run.steps), readings), run.verdict
        assert now.verdict
        step = TraceStep(
            "verdict", datetime.now(UTC), 0.0, f"decided again: {now.verdict.label}", f"{why} It was {old.label}.",
            outputs={
                "before": {"label": old.label, "confidence": old.confidence, "explanation": old.explanation},
                "readings": [{"id": r.id, "passage_id": r.passage_id, "label": r.label} for r in readings],
            },
        )  # fmt: skip
        self._runs.revise(run.id, now.evidence, now.verdict, now.judge, step)


def _as_read(run: Run, readings: list[PassageReading]) -> Run:
    """The run as these readings make it."""
    if not readings or not run.classification:
        return run
    texts = {s.number: s for s in run.classification.statements}
    found = find_corrections([(texts[e.statement], e.passage) for e in run.evidence], lambda _: readings)
    boost = read_kept_run(run).rules.credibility_boost
    kept = read_kept_run(replace(run, evidence=tuple(corrected(e, found, boost) for e in run.evidence)))
    stages = [s.inputs.get("stage") for s in run.steps if any_search_answered([s])]
    decided = decide(kept, coverage=SearchCoverage(tuple(stage for stage in Stage if stage in stages)))
    stance = run.settings.get("models", {}).get("stance", {})
    model = run.judge.model if run.judge.name == "embedded" else str(stance.get("name", ""))
    judge = JudgeInfo("embedded", model, (*run.judge.route, AGAIN))
    return replace(run, evidence=decided.evidence, verdict=decided.verdict, judge=judge)
