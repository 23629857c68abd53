"""The record of every import: what it brought, how it ended, and whether it was undone."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from ghost.errors import TakenOverError
from ghost.records.database import Database, current_process, from_row, to_column, utc_now
from ghost.records.dialect import upsert
from ghost.records.processes import gone
from ghost.records.queue_tables import queued_ids
from ghost.records.tables.knowledge import import_passages, imports

IMPORT_INTERRUPTED = "The program ended before the import did. Nothing of it was kept; import the file again."


class ImportStatus(StrEnum):
    """Where an import stands. Only ``finished`` and ``undone`` ones have brought something."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    UNDONE = "undone"


_AGAIN = (ImportStatus.RUNNING, ImportStatus.FAILED, ImportStatus.INTERRUPTED)
"""What may begin anew under the same id: nothing of it is there, or it is taken back first."""


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """An import as it is kept."""

    id: str
    name: str
    """Of the file."""
    form: str
    status: ImportStatus
    started_at: datetime
    finished_at: datetime | None
    """When it ended; of one that was undone or brought back, when that was done."""
    rows: int
    added: int
    merged: int
    quarantined: int
    refused: int
    """Passages that were turned away; rows that could not be read are not among them."""
    note: str
    """How it ended, where that is not plain from the status."""

    @property
    def new(self) -> int:
        """Passages that were not there before."""
        return self.added + self.quarantined


@dataclass(frozen=True, slots=True)
class ImportedPassage:
    """What an import did to one passage."""

    passage_id: str
    action: str
    """``added``, ``quarantined``, or ``merged`` where it filled something in."""
    filled: Mapping[str, Any]
    """For ``merged``: name of the field to the value before and the value after, JSON-safe."""
    status: str = ""
    """For what is new: the status that it gets when all of the import is there."""


class ImportStore:
    """Keeps imports. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = current_process()

    def begin(self, import_id: str, name: str, form: str, rows: int) -> int:
        """Note that an import is under way, so that one that is cut off is known; returns which attempt at it this is.

        One that was begun before and brought nothing begins anew. Raises StoreError, and TakenOverError for one that
        has ended otherwise.
        """
        values = {"name": name, "form": form, "rows": rows, "owner": self._owner, "note": "", "finished_at": None}
        values |= {"status": ImportStatus.RUNNING.value, "started_at": to_column(utc_now())}
        with self._database.write() as connection:
            known = connection.execute(select(imports).where(imports.c.id == import_id)).first()
            if known is None:
                connection.execute(insert(imports).values(id=import_id, attempt=1, **values))
                return 1
            if known.status not in _AGAIN:
                raise TakenOverError(f"The import of {known.name} has ended already. It was left as it is.")
            attempt = int(known.attempt) + 1
            connection.execute(update(imports).where(imports.c.id == import_id).values(attempt=attempt, **values))
        return attempt

    def take_over(self, import_id: str, attempt: int = 0) -> int:
        """Take an import from the one that makes this attempt (0: whichever), to take back what it has written.

        Returns the number of the attempt that this is; 0 when it is not under way, or not in this attempt any more.
        """
        c = imports.c
        taken = update(imports).where(c.id == import_id, c.status == ImportStatus.RUNNING.value)
        if attempt:
            taken = taken.where(c.attempt == attempt)
        with self._database.write() as connection:
            values = {"owner": self._owner, "attempt": c.attempt + 1}
            number: int | None = connection.execute(taken.values(**values).returning(c.attempt)).scalar()
        return number or 0

    def finish(self, connection: Connection, import_id: str, counts: Mapping[str, int]) -> None:
        """Note that all of it is there, in the transaction that brings it."""
        set_import_status(connection, import_id, ImportStatus.FINISHED, **counts)

    def end(self, import_id: str, status: ImportStatus, note: str = "", attempt: int = 0) -> None:
        """Note that an import ended without bringing anything. Raises TakenOverError as ``hold_import``."""
        with self._database.write() as connection:
            if attempt:
                hold_import(connection, import_id, attempt)
            set_import_status(connection, import_id, status, note=note)

    def cut_off(self) -> "list[tuple[str, int]]":
        """The imports whose process is gone, each with its attempt; not those that the next worker takes up."""
        c = imports.c
        with self._database.read() as connection:
            query = select(c.id, c.owner, c.attempt).where(c.status == ImportStatus.RUNNING.value)
            if connection.dialect.name == "postgresql":
                query = query.where(c.id.not_in(queued_ids()))
            rows = connection.execute(query).all()
            lost = gone(connection, {row.owner for row in rows})
            return [(row.id, row.attempt) for row in rows if row.owner in lost]

    def get(self, import_id: str) -> ImportRecord | None:
        """The import, or None when there is none with this id."""
        with self._database.read() as connection:
            row = connection.execute(select(imports).where(imports.c.id == import_id)).first()
        return _record(row) if row else None

    def count(self) -> int:
        """How many imports there were."""
        with self._database.read() as connection:
            return connection.execute(select(func.count()).select_from(imports)).scalar_one()

    def last(self) -> ImportRecord | None:
        """The import that was finished, undone or brought back last."""
        brought = imports.c.status.in_([ImportStatus.FINISHED.value, ImportStatus.UNDONE.value])
        query = select(imports).where(brought).order_by(imports.c.finished_at.desc()).limit(1)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return _record(row) if row else None

    def list(self, limit: int = 20, offset: int = 0) -> "list[ImportRecord]":
        """Imports, newest first."""
        query = select(imports).order_by(imports.c.started_at.desc(), imports.c.id).limit(limit).offset(offset)
        with self._database.read() as connection:
            rows = connection.execute(query)
            return [_record(row) for row in rows]


def hold_import(connection: Connection, import_id: str, attempt: int) -> None:
    """Keep others from taking over an import until this transaction ends. Raises TakenOverError where one has."""
    query = select(imports.c.status, imports.c.attempt).where(imports.c.id == import_id).with_for_update()
    row = connection.execute(query).first()
    if row is None or (row.status, row.attempt) != (ImportStatus.RUNNING.value, attempt):
        raise TakenOverError("Another process has taken over this import. What this one would write is not kept.")


def record_imported(connection: Connection, import_id: str, brought: Iterable[ImportedPassage]) -> None:
    """Keep what an import did, in its own transaction; of a passage that it names twice the first counts."""
    rows = [
        {"import_id": import_id, "passage_id": each.passage_id, "action": each.action, "before": each.status,
         "filled": json.dumps(each.filled) if each.filled else ""}
        for each in brought
    ]  # fmt: skip
    if rows:
        connection.execute(upsert(connection, import_passages).on_conflict_do_nothing(), rows)


def set_import_status(connection: Connection, import_id: str, status: ImportStatus, **values: Any) -> None:
    """Note that an import ended, was undone, or brought back, and when."""
    values |= {"status": status.value, "finished_at": to_column(utc_now())}
    connection.execute(update(imports).where(imports.c.id == import_id).values(**values))


def _record(row: Row[Any]) -> ImportRecord:
    return from_row(ImportRecord, row, status=ImportStatus(row.status))
