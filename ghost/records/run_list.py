"""The list of runs: finding, counting and paging them, and what they came to, without reading their traces.

All that is asked of runs here stands in the index ``ix_runs_listed``, and verdicts of the analyst are looked up by
``ix_reviews_run``, so that ten thousand runs are looked through in milliseconds; only the rows that are shown are read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, case, select

from ghost.records.database import Database, from_column, from_json, from_row
from ghost.records.dialect import contains_text, json_number
from ghost.records.reviews import shown_label, standing_label
from ghost.records.tables.runs import runs
from ghost.types import DECIDED, JudgeInfo, Label, RunStatus, Verdict, as_drawn

_ID = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in a list."""

    id: str
    status: RunStatus
    claim_text: str
    label: Label | None
    """None as long as there is no verdict."""
    confidence: float | None
    """As for ``Verdict``."""
    started_at: datetime
    finished_at: datetime | None
    judge: str = ""
    """Who decided, or was to decide."""
    override: Label | None = None
    """The analyst's own verdict, where there is one."""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs to list; what is not set does not narrow."""

    text: str = ""
    """Stands in the claim, or is the id of the run."""
    label: Label | None = None
    """The analyst's verdict where there is one, else Ghost's: the one that is shown first."""
    status: RunStatus | None = None
    judge: str = ""
    since: date | None = None
    """First day, in UTC."""
    until: date | None = None
    """Last day, in UTC."""


ALL_RUNS = RunFilter()
"""The filter that lets all runs through."""


def measured_confidence() -> ColumnElement[float]:
    """The confidence of a run's verdict; null for what older versions called so, the judge's own probability."""
    return case((json_number(runs.c.verdict, "probability").is_not(None), json_number(runs.c.verdict, "confidence")))


SUMMARY = (
    *(runs.c[n] for n in ("id", "status", "claim_text", "label", "started_at", "finished_at", "judge_name")),
    measured_confidence().label("confidence"),
    standing_label().label("override"),
)
"""Columns from which ``summary`` makes a run in a list."""


def narrow(query: Any, filter: RunFilter) -> Any:
    """The query over ``runs`` for those that pass the filter."""
    text = filter.text.strip()
    if text:
        found = contains_text(runs.c.claim_text, text)
        query = query.where(found | (runs.c.id == text.lower()) if _ID.fullmatch(text) else found)
    if filter.label is not None:
        query = query.where(shown_label() == filter.label.value)
    if filter.status is not None:
        query = query.where(runs.c.status == filter.status.value)
    if filter.judge:
        query = query.where(runs.c.judge_name == filter.judge)
    if filter.since is not None:
        query = query.where(runs.c.started_at >= datetime.combine(filter.since, time.min))
    if filter.until is not None and filter.until < date.max:
        query = query.where(runs.c.started_at < datetime.combine(filter.until + timedelta(days=1), time.min))
    return query


def summary(row: Row[Any]) -> RunSummary:
    """A run in a list, from a row of ``SUMMARY``."""
    label = Label(row.label) if row.label else None
    return from_row(
        RunSummary, row, status=RunStatus(row.status), label=label, judge=row.judge_name,
        confidence=row.confidence if label in DECIDED else None, override=Label(row.override) if row.override else None,
    )  # fmt: skip


_AT_ONCE = 500
"""Runs looked up in one query; SQLite takes a limited number of values."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a run."""

    verdict: Verdict
    judge: JudgeInfo
    finished_at: datetime | None


def outcomes_of(database: Database, run_ids: Sequence[str]) -> dict[str, Outcome]:
    """Verdict and judge of these runs by their ids; those without a verdict are left out."""
    found: dict[str, Outcome] = {}
    for start in range(0, len(run_ids), _AT_ONCE):
        some = list(run_ids[start : start + _AT_ONCE])
        query = select(runs.c.id, runs.c.verdict, runs.c.judge, runs.c.finished_at).where(
            runs.c.id.in_(some), runs.c.verdict.is_not(None)
        )
        with database.read() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            verdict, judge = as_drawn(from_json(Verdict, row.verdict)), from_json(JudgeInfo, row.judge)
            found[row.id] = Outcome(verdict, judge, from_column(row.finished_at))
    return found
