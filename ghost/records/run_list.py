"""The list of runs: finding, counting and paging them, and what they came to, without reading their traces.

All that is asked of runs here stands in the index ``ix_runs_listed``, and verdicts of the analyst are looked up by
``ix_reviews_run``, so that ten thousand runs are looked through in milliseconds; only the rows that are shown are read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from ghost.records.database import Database, from_column, from_json
from ghost.records.reviews import shown_label, standing_label
from ghost.records.tables import runs
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
    """None where the verdict abstains."""
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


SUMMARY = (
    *(runs.c[n] for n in ("id", "status", "claim_text", "label", "started_at", "finished_at", "judge_name")),
    func.json_extract(runs.c.verdict, "$.confidence").label("confidence"),
    standing_label().label("override"),
)
"""Columns from which ``summary`` makes a run in a list."""


def listed(connection: Connection, filter: RunFilter, limit: int, offset: int) -> list[RunSummary]:
    """A page of the runs that pass the filter, newest first."""
    ids = _narrow(select(runs.c.id), filter).order_by(runs.c.started_at.desc(), runs.c.id)
    wanted = connection.execute(ids.limit(limit).offset(offset)).scalars().all()
    query: Select[Any] = select(*SUMMARY).where(runs.c.id.in_(wanted))
    found = {row.id: summary(row) for row in connection.execute(query)}
    return [found[i] for i in wanted]


def counted(connection: Connection, filter: RunFilter) -> int:
    """How many runs pass the filter."""
    return connection.execute(_narrow(select(func.count()).select_from(runs), filter)).scalar_one()


def judges(connection: Connection) -> list[str]:
    """The names of all judges that runs were given to, in order."""
    query = select(runs.c.judge_name).where(runs.c.judge_name != "").distinct().order_by(runs.c.judge_name)
    return list(connection.execute(query).scalars())


def _narrow(query: Any, filter: RunFilter) -> Any:
    text = filter.text.strip()
    if text:
        found = runs.c.claim_text.icontains(text, autoescape=True)
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
    return RunSummary(
        id=row.id,
        status=RunStatus(row.status),
        claim_text=row.claim_text,
        label=label,
        confidence=row.confidence if label in DECIDED else None,
        started_at=from_column(row.started_at),
        finished_at=from_column(row.finished_at),
        judge=row.judge_name,
        override=Label(row.override) if row.override else None,
    )


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
