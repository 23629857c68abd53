"""How people read passages for statements, in place of the stance model. Nothing is deleted, all can be undone."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update

from ghost.errors import StoreError
from ghost.records.database import Database, from_json, from_row, to_column, to_json, utc_now
from ghost.records.tables.knowledge import readings
from ghost.types import Run, StanceLabel


@dataclass(frozen=True, slots=True)
class PassageReading:
    """What a person says that a passage does to a statement."""

    id: int
    run_id: str
    """The run in which they said so."""
    passage_id: str
    key: str
    """Of the passage's text and address as they were; an edited passage has another one."""
    text: str
    statement: str
    label: StanceLabel
    machine: StanceLabel
    """What Ghost had read."""
    at: datetime
    withdrawn_at: datetime | None = None

    @property
    def stands(self) -> bool:
        """Whether it was not undone."""
        return self.withdrawn_at is None


_TRAINING_LABELS = {StanceLabel.SUPPORTS: "SUPPORTS", StanceLabel.REFUTES: "REFUTES", StanceLabel.NEUTRAL: "NEI"}


def latest_readings(readings: Iterable[PassageReading]) -> list[PassageReading]:
    """Of readings, the newest first, those that count: one for each passage and statement."""
    found: dict[tuple[str, str], PassageReading] = {}
    for r in readings:
        if r.stands:
            found.setdefault((r.key, r.statement), r)
    return list(found.values())


def training_pairs(readings: Iterable[PassageReading]) -> Iterator[bytes]:
    """Those that count as JSON Lines, each a pair that a stance model can be trained on."""
    for r in latest_readings(readings):
        pair = {"claim": r.statement, "evidence": r.text, "label": _TRAINING_LABELS[r.label]}
        yield json.dumps(pair, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


_READ = [column for column in readings.c if column is not readings.c.before]
"""A whole run stands in the other one."""


class ReadingStore:
    """Keeps people's readings. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def locked(self) -> AbstractContextManager[bool]:
        """Hold the readings against other processes while a run is decided again."""
        return self._database.locked("readings")

    def add(self, reading: PassageReading, before: Run) -> PassageReading:
        """Keep a reading under a new id; ``before`` is its run as it was. The newest that stands counts."""
        row = {name: getattr(reading, name) for name in ("run_id", "passage_id", "key", "text", "statement")}
        row |= {"label": reading.label.value, "machine": reading.machine.value, "at": to_column(reading.at)}
        with self._database.write() as connection:
            first = not connection.execute(select(readings.c.id).where(readings.c.run_id == reading.run_id)).first()
            row["before"] = to_json(Run, before) if first else ""
            made = connection.execute(insert(readings).values(row)).inserted_primary_key
        assert made
        return replace(reading, id=int(made[0]))

    def set(self, reading_id: int, stands: bool) -> PassageReading:
        """Undo a reading, or let it stand again. Raises StoreError where there is none to be changed so."""
        at = None if stands else to_column(utc_now())
        wrong = readings.c.withdrawn_at.is_not(None) if stands else readings.c.withdrawn_at.is_(None)
        with self._database.write() as connection:
            change = update(readings).where(readings.c.id == reading_id, wrong).values(withdrawn_at=at)
            if not connection.execute(change).rowcount:
                raise StoreError(f"Nothing was changed: there is no reading {reading_id} that could be.")
        (found,) = self._where(readings.c.id == reading_id)
        return found

    def get(self, reading_id: int) -> PassageReading | None:
        """The reading with this id, undone or not."""
        return next(iter(self._where(readings.c.id == reading_id)), None)

    def standing(self, keys: Sequence[str]) -> list[PassageReading]:
        """Those that stand of the passages with these keys, the newest first."""
        return self._where(readings.c.key.in_(keys), readings.c.withdrawn_at.is_(None)) if keys else []

    def all(self, run_id: str = "", limit: int | None = None, offset: int = 0) -> list[PassageReading]:
        """All that were ever made, or made in a run, the newest first, with what was undone; or a page of them."""
        return self._where(*([readings.c.run_id == run_id] if run_id else []), limit=limit, offset=offset)

    def count(self) -> int:
        """How many were ever made."""
        with self._database.read() as connection:
            return connection.execute(select(func.count(readings.c.id))).scalar_one()

    def before(self, run_id: str) -> Run | None:
        """What a run was before its first reading, without its steps; None where it has had none."""
        query = select(readings.c.before).where(readings.c.run_id == run_id, readings.c.before != "")
        with self._database.read() as connection:
            kept = connection.execute(query.order_by(readings.c.id).limit(1)).scalar()
        return from_json(Run, kept) if kept else None

    def _where(self, *conditions: Any, limit: int | None = None, offset: int = 0) -> list[PassageReading]:
        query = select(*_READ).where(*conditions).order_by(readings.c.id.desc())
        if limit is not None:
            query = query.limit(limit).offset(offset)
        with self._database.read() as connection:
            rows = connection.execute(query)
            return [
                from_row(PassageReading, row, label=StanceLabel(row.label), machine=StanceLabel(row.machine))
                for row in rows
            ]
