"""The record of every run, written event by event, so that what has happened survives whatever happens next."""

import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ghost.errors import StoreError, TakenOverError
from ghost.events import ClaimClassified, Event, EvidenceWeighed, RunEnded, RunStarted, StepFinished, VerdictReached
from ghost.records.database import Database, current_process, from_column, from_json, from_row, to_column, to_json
from ghost.records.dialect import json_number
from ghost.records.fingerprints import remember_explanation
from ghost.records.interrupted import close_interrupted, close_own
from ghost.records.reviews import review_of
from ghost.records.run_list import ALL_RUNS, SUMMARY, RunFilter, RunSummary, narrow, summary
from ghost.records.tables.batches import batch_items
from ghost.records.tables.runs import pruned_runs, run_steps, runs, verdict_supports
from ghost.types import (
    Claim,
    Classification,
    Evidence,
    JudgeInfo,
    Review,
    Run,
    RunStatus,
    TraceStep,
    Usage,
    Verdict,
    as_cited_today,
    as_drawn,
    with_kinds,
)

JUDGE_CHARS = 40
_UNENDED = (RunStatus.RUNNING.value, RunStatus.INTERRUPTED.value)
INTERRUPTED = "The program ended before this run did. What it had found until then is kept; verify the claim again."


class RunStore:
    """Keeps runs. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = current_process()
        self._current = threading.local()
        self._ending = False

    def apply(self, event: Event, run_id: str | None = None) -> None:
        """Write down what an event says; those that only show progress are not kept.

        Most events do not name their run. Without ``run_id`` they belong to the run that was last started from the
        same thread; whoever interleaves runs in one thread has to name it.
        """
        if isinstance(event, RunStarted):
            self._start(event)
            self._current.run_id = event.run_id
            return
        run = event.run_id if isinstance(event, RunEnded) else run_id or getattr(self._current, "run_id", None)
        self._keep([event], run)

    def record(self, events: Iterator[Event]) -> Iterator[Event]:
        """The same events, each written down before it is handed on: what follows a step at once together with it.

        A run that was begun before, and has not ended, begins anew: what it had is replaced. Raises StoreError, and
        TakenOverError when another worker has begun this run since.
        """
        run_id, attempt = None, 0
        for group in _grouped(events):
            if isinstance(started := group[0], RunStarted):
                run_id, attempt = started.run_id, self._start(started)
            else:
                self._keep(group, run_id, attempt)
            yield from group

    def _start(self, event: RunStarted) -> int:
        """Keep a run that begins; returns which attempt at it this is."""
        known = select(runs.c.status, runs.c.attempt).where(runs.c.id == event.run_id).with_for_update()
        values = _started(event, self._owner)
        with self._database.write() as connection:
            row = connection.execute(known).first()
            if row is None:
                connection.execute(insert(runs).values(**values))
                return 1
            if row.status not in _UNENDED:
                raise TakenOverError("This run has ended already. What it came to was left as it is.")
            connection.execute(delete(run_steps).where(run_steps.c.run_id == event.run_id))
            anew = {"attempt": row.attempt + 1, "classification": None, "verdict": None, "finished_at": None}
            connection.execute(update(runs).where(runs.c.id == event.run_id).values(**values | anew))
            return int(row.attempt) + 1

    def _keep(self, events: Sequence[Event], run: str | None, attempt: int = 0) -> None:
        """Write down what events say, as long as this attempt (0: whichever) is the one that has the run."""
        changes = [(event, _changes(event)) for event in events]
        kept = [(event, values) for event, values in changes if values or isinstance(event, StepFinished)]
        if not kept:
            return
        with self._database.write(alone=any(isinstance(event, VerdictReached) for event, _ in kept)) as connection:
            if attempt:
                _hold(connection, _named(run), attempt)
            for event, values in kept:
                if self._ending and values.get("status") == RunStatus.CANCELLED.value:
                    values |= {"status": RunStatus.INTERRUPTED.value, "error": INTERRUPTED}
                _write(connection, _named(run), event, values)

    def revise(
        self, run_id: str, evidence: tuple[Evidence, ...], verdict: Verdict, judge: JudgeInfo, step: TraceStep
    ) -> None:
        """Give an ended run another verdict on its evidence; ``step`` keeps what it was, and why it changed."""
        values = _changes(EvidenceWeighed(evidence)) | _changes(VerdictReached(verdict, judge))
        listed = {"label": verdict.label.value, "confidence": verdict.confidence}
        with self._database.write(alone=True) as connection:
            claim = connection.execute(select(runs.c.claim_text).where(runs.c.id == run_id)).scalar_one()
            connection.execute(update(runs).where(runs.c.id == run_id).values(**values))
            connection.execute(update(batch_items).where(batch_items.c.run_id == run_id).values(**listed))
            connection.execute(delete(verdict_supports).where(verdict_supports.c.run_id == run_id))  # read again
            _add_step(connection, run_id, step)
            remember_explanation(connection, run_id, claim, verdict)

    def get(self, run_id: str) -> Run | None:
        """The run as far as it got, or None when there is none with this id."""
        steps = select(run_steps.c.step).where(run_steps.c.run_id == run_id).order_by(run_steps.c.position)
        with self._database.read() as connection:
            row = connection.execute(select(runs).where(runs.c.id == run_id)).first()
            kept = connection.execute(steps).scalars().all() if row else ()
            review = review_of(connection, run_id) if row else Review()
        return _run(row, tuple(from_json(TraceStep, step) for step in kept), review) if row else None

    def summaries(self, ids: Sequence[str]) -> "Sequence[RunSummary]":
        """A line about each of these runs, in no order; unknown ids are left out."""
        with self._database.read() as connection:
            rows = connection.execute(select(*SUMMARY).where(runs.c.id.in_(list(ids))))
            return [summary(row) for row in rows]

    def count(self, status: RunStatus | None = None) -> int:
        """How many runs there are, or how many have this status."""
        return self.matching(RunFilter(status=status))

    def matching(self, filter: RunFilter = ALL_RUNS) -> int:
        """How many runs pass the filter."""
        with self._database.read() as connection:
            return connection.execute(narrow(select(func.count()).select_from(runs), filter)).scalar_one()

    def pruned_at(self, run_id: str) -> datetime | None:
        """When this run was removed to make room; None for one that is there, or never was."""
        with self._database.read() as connection:
            query = select(pruned_runs.c.pruned_at).where(pruned_runs.c.id == run_id)
            return from_column(connection.execute(query).scalar())

    def tallies(self) -> dict[tuple[str, str], int]:
        """How many runs there are of each status and label; the label is empty where there is no verdict."""
        query = select(runs.c.status, runs.c.label, func.count()).group_by(runs.c.status, runs.c.label)
        with self._database.read() as connection:
            return {(row[0], row[1]): row[2] for row in connection.execute(query)}

    def judges(self) -> tuple[str, ...]:
        """The names of all judges that runs were given to, in order."""
        query = select(runs.c.judge_name).where(runs.c.judge_name != "").distinct().order_by(runs.c.judge_name)
        with self._database.read() as connection:
            return tuple(connection.execute(query).scalars())

    def spent(self) -> Usage:
        """What all runs together have spent on language models; the rest is left at nought."""
        tokens, cost, unpriced = (
            func.coalesce(func.sum(json_number(runs.c.usage, key)), 0)
            for key in ("tokens", "cost_usd", "unpriced_tokens")
        )
        with self._database.read() as connection:
            row = connection.execute(select(tokens, cost, unpriced)).one()
        return Usage(tokens=int(row[0]), cost_usd=round(float(row[1]), 6), unpriced_tokens=int(row[2]))

    def mark_interrupted(self) -> int:
        """Close the runs whose process is gone; returns how many."""
        return close_interrupted(self._database, runs, INTERRUPTED)

    def interrupt(self) -> int:
        """Mark the runs of this process as interrupted, since it is about to end; returns how many.

        Those that are stopped later are stored as interrupted too: nobody cancelled them.
        """
        self._ending = True
        return close_own(self._database, runs, self._owner, INTERRUPTED)

    def list(self, limit: int = 50, text: str = "") -> "Sequence[RunSummary]":
        """Runs whose claim has ``text`` in it, newest first."""
        return self.browse(RunFilter(text), limit)

    def browse(self, filter: RunFilter = ALL_RUNS, limit: int = 50, offset: int = 0) -> Sequence[RunSummary]:
        """A page of the runs that pass the filter, newest first."""
        ids = narrow(select(runs.c.id), filter).order_by(runs.c.started_at.desc(), runs.c.id)
        with self._database.read() as connection:
            wanted = connection.execute(ids.limit(limit).offset(offset)).scalars().all()
            rows: Any = connection.execute(select(*SUMMARY).where(runs.c.id.in_(wanted)))
            found = {row.id: summary(row) for row in rows}
        return [found[i] for i in wanted]


_AT_ONCE = ("classify", "rerank", "verdict")
"""Steps that are followed by what they came to without any work in between."""


def _grouped(events: Iterator[Event]) -> Iterator[list[Event]]:
    """The events, each by itself, but a step with its result, and the verdict with the end of its run."""
    group: list[Event] = []
    try:
        for event in events:
            group.append(event)
            awaits_result = isinstance(event, StepFinished) and event.step.name in _AT_ONCE
            if not awaits_result and not isinstance(event, VerdictReached):
                ready, group = group, []
                yield ready
    finally:
        if group:  # the next one never came
            yield group


def _started(event: RunStarted, owner: str) -> dict[str, Any]:
    return {
        "id": event.run_id,
        "status": RunStatus.RUNNING.value,
        "claim_text": event.claim.text,
        "label": "",
        "started_at": to_column(event.started_at),
        "owner": owner,
        "claim": to_json(Claim, event.claim),
        "judge": to_json(JudgeInfo, event.judge),
        "judge_name": event.judge.name[:JUDGE_CHARS],
        "settings": to_json(dict[str, Any], event.settings),
        "evidence": "[]",
        "usage": to_json(Usage, Usage()),
        "error": "",
    }


def _changes(event: Event) -> dict[str, Any]:
    """The columns that an event sets; none for an event that is not kept."""
    match event:
        case ClaimClassified():
            return {"classification": to_json(Classification, event.classification)}
        case EvidenceWeighed():
            return {"evidence": to_json(tuple[Evidence, ...], event.evidence)}
        case VerdictReached():
            return {
                "verdict": to_json(Verdict, event.verdict),
                "label": event.verdict.label.value,
                "judge": to_json(JudgeInfo, event.judge),
                "judge_name": event.judge.name[:JUDGE_CHARS],
            }
        case RunEnded():
            return {
                "status": event.status.value,
                "finished_at": to_column(event.finished_at),
                "usage": to_json(Usage, event.usage),
                "error": event.error,
            }
        case _:
            return {}


def _hold(connection: Connection, run_id: str, attempt: int) -> None:
    """Keep others from taking over the run until this transaction ends. Raises TakenOverError where one has."""
    kept = select(runs.c.attempt).where(runs.c.id == run_id).with_for_update()
    if connection.execute(kept).scalar() != attempt:
        raise TakenOverError("Another worker has taken over this run. What this one found for it is not kept.")


def _write(connection: Connection, run_id: str, event: Event, values: dict[str, Any]) -> None:
    if isinstance(event, StepFinished):
        _add_step(connection, run_id, event.step)
        return
    connection.execute(update(runs).where(runs.c.id == run_id).values(**values))
    if isinstance(event, VerdictReached):
        claim = connection.execute(select(runs.c.claim_text).where(runs.c.id == run_id)).scalar() or ""
        remember_explanation(connection, run_id, claim, event.verdict)


def _add_step(connection: Connection, run_id: str, step: TraceStep) -> None:
    place = select(func.coalesce(func.max(run_steps.c.position), 0) + 1).where(run_steps.c.run_id == run_id)
    connection.execute(
        insert(run_steps).values(
            run_id=run_id, position=place.scalar_subquery(), name=step.name, step=to_json(TraceStep, step)
        )
    )


def _run(row: Row[Any], steps: tuple[TraceStep, ...], review: Review) -> Run:
    evidence = with_kinds(from_json(tuple[Evidence, ...], row.evidence))
    verdict = as_drawn(from_json(Verdict, row.verdict)) if row.verdict else None
    return from_row(
        Run,
        row,
        status=RunStatus(row.status),
        claim=from_json(Claim, row.claim),
        judge=from_json(JudgeInfo, row.judge),
        settings=from_json(dict[str, Any], row.settings),
        classification=from_json(Classification, row.classification) if row.classification else None,
        evidence=evidence,
        verdict=as_cited_today(verdict, evidence) if verdict else None,
        steps=steps,
        usage=from_json(Usage, row.usage),
        review=review,
    )


def _named(run_id: str | None) -> str:
    if run_id is None:
        raise StoreError("An event of a run came before the run was started; it was not kept.")
    return run_id
