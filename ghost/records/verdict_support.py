"""What supports the verdicts of finished runs: how many independent origins they cite, and how credible those are."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import exists, func, select

from ghost.records.database import Database
from ghost.records.dialect import upsert
from ghost.records.tables.runs import runs
from ghost.records.tables.runs import verdict_supports as kept
from ghost.types import DECIDED, RunStatus, StanceLabel

WEAK = 0.6
"""A source below is too weak to carry a verdict alone; one that nobody has rated has 0.5."""
_DECIDED = [label.value for label in DECIDED]
_SIDES = (StanceLabel.SUPPORTS.value, StanceLabel.REFUTES.value)
_PAGE = 200
_WEAK = (kept.c.origins == 1, kept.c.credibility < WEAK)


@dataclass(frozen=True, slots=True)
class VerdictSupport:
    """The evidence that one verdict rests on."""

    run_id: str
    claim: str
    label: str
    origins: int
    """Independent origins among what its accepted citations take a side with."""
    credibility: float
    """Of the best of them, as the run used it."""
    source: str
    """A name for that one."""


class SupportStore:
    """Reads each finished run once and keeps the little that is asked. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def weak(self, limit: int | None = None) -> tuple[VerdictSupport, ...]:
        """Verdicts that rest on one weak origin, newest first, at most so many."""
        self._catch_up()
        columns = (runs.c.id, runs.c.claim_text, runs.c.label, kept.c.origins, kept.c.credibility, kept.c.source)
        query = select(*columns).join_from(kept, runs, runs.c.id == kept.c.run_id).where(*_WEAK)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(runs.c.started_at.desc(), runs.c.id).limit(limit)).all()
        return tuple(VerdictSupport(*row) for row in rows)

    def count_weak(self) -> int:
        """How many verdicts rest on one weak origin."""
        self._catch_up()
        query = select(func.count()).select_from(kept).join(runs, runs.c.id == kept.c.run_id).where(*_WEAK)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one()

    def _catch_up(self) -> None:
        """Read the decided runs that were not read before, page by page."""
        decided = (runs.c.status == RunStatus.FINISHED.value, runs.c.label.in_(_DECIDED))
        unread = ~exists(select(kept.c.run_id).where(kept.c.run_id == runs.c.id))
        query = select(runs.c.id, runs.c.verdict, runs.c.evidence).where(*decided, unread).limit(_PAGE)
        while True:
            with self._database.read() as connection:
                found = [_support(row.id, row.verdict, row.evidence) for row in connection.execute(query)]
            if not found:
                return
            with self._database.write(alone=False) as connection:
                # Another process may have read the same ones.
                connection.execute(upsert(connection, kept).on_conflict_do_nothing(), found)


def _support(run_id: str, verdict: str | None, evidence: str) -> dict[str, Any]:
    """The support of a stored verdict; of no origin where it cannot be read, or nothing takes a side."""
    none = {"run_id": run_id, "origins": 0, "credibility": 0.0, "source": ""}
    try:
        cited = {c["n"] for c in json.loads(verdict or "{}")["citations"] if c["accepted"] and c["stance"] in _SIDES}
        carrying = [e for e in json.loads(evidence) if e["number"] in cited]
        best = max(carrying, key=lambda e: e["credibility"], default=None)
        if best is None:
            return none
        groups = {e["group"] for e in carrying}
        return none | {"origins": len(groups), "credibility": best["credibility"], "source": _name(best["passage"])}
    except (ValueError, KeyError, TypeError):
        return none  # a run of another version; it is shown on its own page, not counted here


def _name(passage: dict[str, Any]) -> str:
    return passage["publisher"] or passage["domain"] or passage["title"] or "an unnamed source"
