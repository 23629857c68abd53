"""A run decided again as a person reads its passages: nothing is searched, and no language model is asked.

What the run was before its first reading is kept, so that every change starts from there: the order of the readings
does not matter, and without any the run is exactly what it was.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ghost.errors import StoreError
from ghost.pipelines.what_if import can_decide_again, decide, read_kept_run
from ghost.records import PassageReading, ReadingStore, RunBefore, RunStore
from ghost.reports import READINGS, any_search_answered
from ghost.steps import SearchCoverage, corrected, find_corrections, reading_key
from ghost.types import JudgeInfo, Run, StanceLabel, TraceStep
from ghost.web import Stage

AGAIN = "embedded: decided again as you read the passages"


class RunReadings:
    """People's readings of the passages of runs, each of which decides its run again. Safe to use from any thread."""

    def __init__(self, runs: RunStore, store: ReadingStore, decided: Callable[[Run], object] = lambda _: None) -> None:
        """``decided`` is told of each run that has another verdict."""
        self._runs, self.store, self._decided = runs, store, decided

    def add(self, run_id: str, passage_id: str, statement: int, label: StanceLabel) -> PassageReading:
        """Say how a passage of a run really reads for one of its statements, and decide the run again.

        Raises StoreError where the run has no verdict, or no such passage for that statement.
        """
        run = self._runs.get(run_id)
        rows = [e for e in run.evidence if (e.passage.id, e.statement) == (passage_id, statement)] if run else []
        if not (run and run.verdict and rows and can_decide_again(run) and run.classification):
            raise StoreError("Nothing was changed: this check has no verdict, or no such passage for that statement.")
        if label is StanceLabel.OFF_TOPIC:
            raise StoreError("Nothing was changed: a passage supports a statement, contradicts it, or does neither.")
        (e, *_), (text, *_) = rows, [s.text for s in run.classification.statements if s.number == statement]
        made = PassageReading(
            0, run_id, passage_id, reading_key(e.passage), e.passage.text, text, label, e.stance.label,
            datetime.now(UTC),
        )  # fmt: skip
        made = self.store.add(made, RunBefore(run.evidence, run.verdict, run.judge))
        self._decide(run, f"You read [{e.number}] as a passage that {READINGS[label]} “{text}”.")
        return made

    def set(self, reading_id: int, stands: bool) -> PassageReading:
        """Undo a reading, or let it stand again, and decide its run again. Raises StoreError."""
        reading = self.store.set(reading_id, stands)
        if run := self._runs.get(reading.run_id):
            words = "stands again" if stands else "was undone"
            self._decide(run, f"Your reading of a passage for “{reading.statement}” {words}.")
        return reading

    def _decide(self, run: Run, why: str) -> None:
        before = self.store.before(run.id)
        if before is None or run.verdict is None:
            return
        now = _as_read(replace(run, evidence=before.evidence, verdict=before.verdict, judge=before.judge), self.store)
        old, new = run.verdict, now.verdict
        step = TraceStep(
            "verdict", datetime.now(UTC), 0.0, f"decided again: {new.label}", f"{why} The verdict was {old.label}.",
            {"statements": [s.text for s in run.classification.statements] if run.classification else []},
            {"before": {"label": old.label, "confidence": old.confidence, "explanation": old.explanation},
             "readings": [{"id": r.id, "passage_id": r.passage_id, "statement": r.statement, "label": r.label}
                          for r in self.store.of_run(run.id)]},
        )  # fmt: skip
        self._runs.revise(run.id, now.evidence, new, now.judge, step)
        if revised := self._runs.get(run.id):
            self._decided(revised)


def _as_read(run: Run, store: ReadingStore) -> RunBefore:
    """The run as its readings make it."""
    assert run.verdict
    assert run.classification
    readings: Sequence[PassageReading] = store.of_run(run.id)
    if not readings:
        return RunBefore(run.evidence, run.verdict, run.judge)
    texts = {s.number: s for s in run.classification.statements}
    rows = [(texts[e.statement], e.passage) for e in run.evidence]
    found = find_corrections(rows, lambda _: readings)
    boost = read_kept_run(run).rules.credibility_boost
    run = replace(run, evidence=tuple(corrected(e, found, boost) for e in run.evidence))
    stages = [s.inputs.get("stage") for s in run.steps if any_search_answered([s])]
    decided = decide(read_kept_run(run), coverage=SearchCoverage(tuple(x for x in Stage if x in stages)))
    embedded = run.judge.name == "embedded"
    model = run.judge.model if embedded else str(run.settings.get("models", {}).get("stance", {}).get("name", ""))
    judge = JudgeInfo("embedded", model, (*run.judge.route, AGAIN))
    return RunBefore(decided.evidence, decided.verdict, judge)
