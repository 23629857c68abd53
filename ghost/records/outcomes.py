"""What many runs came to, read without their traces."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import select

from ghost.errors import StoreError
from ghost.records.database import Database, from_column
from ghost.records.tables import runs
from ghost.types import JudgeInfo, Verdict, as_drawn

AT_ONCE = 500
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
    for start in range(0, len(run_ids), AT_ONCE):
        some = list(run_ids[start : start + AT_ONCE])
        query = select(runs.c.id, runs.c.verdict, runs.c.judge, runs.c.finished_at).where(
            runs.c.id.in_(some), runs.c.verdict.is_not(None)
        )
        with database.read() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            verdict, judge = as_drawn(_load(Verdict, row.verdict)), _load(JudgeInfo, row.judge)
            found[row.id] = Outcome(verdict, judge, from_column(row.finished_at))
    return found


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _load(kind: Any, data: str) -> Any:
    try:
        return _adapter(kind).validate_json(data)
    except ValueError as error:
        raise StoreError(f"A run was stored in a form that this Ghost cannot read: {error}") from error
