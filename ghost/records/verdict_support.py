"""What supports the verdicts of finished runs: how many independent origins they cite, and how credible those are."""

import json
import threading
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from ghost.records.database import Database
from ghost.records.tables import runs
from ghost.types import DECIDED, RunStatus, StanceLabel

WEAK = 0.6
"""A source below is too weak to carry a verdict alone; one that nobody has rated has 0.5."""
_DECIDED = [label.value for label in DECIDED]
_SIDES = (StanceLabel.SUPPORTS.value, StanceLabel.REFUTES.value)
_PAGE = 200


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

    @property
    def weak(self) -> bool:
        """Whether it rests on one origin of low credibility."""
        return self.origins == 1 and self.credibility < WEAK


class SupportStore:
    """Reads each finished run once and remembers the little that is asked. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._read: dict[str, VerdictSupport | None] = {}

    def weak(self) -> tuple[VerdictSupport, ...]:
        """Verdicts that rest on one weak origin, newest first."""
        with self._lock:
            order = self._catch_up()
            return tuple(found for run_id in order if (found := self._read[run_id]) is not None and found.weak)

    def _catch_up(self) -> list[str]:
        """Read the runs that ended since; returns all decided ones, newest first."""
        columns = (runs.c.id, runs.c.claim_text, runs.c.label, runs.c.verdict, runs.c.evidence)
        decided = (runs.c.status == RunStatus.FINISHED.value, runs.c.label.in_(_DECIDED))
        with self._database.read() as connection:
            order = list(
                connection.execute(select(runs.c.id).where(*decided).order_by(runs.c.started_at.desc())).scalars()
            )
            fresh = [run_id for run_id in order if run_id not in self._read]
            for start in range(0, len(fresh), _PAGE):
                page = select(*columns).where(runs.c.id.in_(fresh[start : start + _PAGE]))
                for row in connection.execute(page):
                    self._read[row.id] = _support(row.id, row.claim_text, row.label, row.verdict, row.evidence)
        return order


def _support(run_id: str, claim: str, label: str, verdict: str | None, evidence: str) -> VerdictSupport | None:
    """The support of a stored verdict; None where it cannot be read, or nothing takes a side."""
    try:
        cited = {c["n"] for c in json.loads(verdict or "{}")["citations"] if c["accepted"] and c["stance"] in _SIDES}
        carrying = [e for e in json.loads(evidence) if e["number"] in cited]
        best = max(carrying, key=lambda e: e["credibility"], default=None)
        if best is None:
            return None
        groups = {e["group"] for e in carrying}
        return VerdictSupport(run_id, claim, label, len(groups), best["credibility"], _name(best["passage"]))
    except (ValueError, KeyError, TypeError):
        return None  # a run of another version; it is shown on its own page, not counted here


def _name(passage: dict[str, Any]) -> str:
    return passage["publisher"] or passage["domain"] or passage["title"] or "an unnamed source"
