"""Files on their way into a PostgreSQL database: put in by any page, taken in by a worker, watched from everywhere."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from datetime import timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, case, delete, extract, func, insert, select, text, update

from ghost.errors import GhostError, TakenOverError
from ghost.records.database import Database, from_row
from ghost.records.processes import server_now
from ghost.records.queue_tables import queued_ids
from ghost.records.tables.sharing import import_jobs, import_pieces


class ImportPhase(StrEnum):
    """The state of a file on its way in, or of an import that is being undone."""

    WAITING = "waiting"
    READING = "reading"
    """The file is read and every passage checked; nothing is written."""
    ASKING = "asking"
    """A CSV file in which no column is known to have the passages."""
    CHECKED = "checked"
    """What would become of it is known; the analyst decides."""
    KEEPING = "keeping"
    CHANGING = "changing"
    """An import is being undone or brought back."""
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


OPEN_PHASES = (ImportPhase.WAITING, ImportPhase.READING, ImportPhase.KEEPING, ImportPhase.CHANGING)
"""Phases in which something goes on."""
KEPT = timedelta(days=1)
"""So long after it was put in a file can still be imported, and its end be seen."""
PIECE = 1_000_000
"""Bytes of a file in one row."""


@dataclass(frozen=True, slots=True)
class SharedImport:
    """An import at one moment, as all processes see it."""

    id: str
    name: str
    """Of the file."""
    phase: ImportPhase
    options: str
    """How the file is to be read, as JSON."""
    import_id: str
    """Of the record of the import; empty while there is none."""
    what: str
    """What is being done."""
    done: int
    total: int
    changed: int | None
    """Passages that an undoing or bringing back has changed; None until then."""
    cancelling: bool
    error: str
    found: str
    """What an import would do, as JSON; only while nothing goes on."""
    spent: float
    """Seconds since this part of the work began."""
    silent: float
    """Seconds since anything was heard of it."""


class SharedImports:
    """The imports that pages have put in. Safe to share between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, id: str, name: str, phase: ImportPhase, options: str, data: bytes = b"", import_id: str = "",
        error: str = "", then: Callable[[Connection], object] = lambda _: None,
    ) -> None:  # fmt: skip
        """Keep a new one with its file; ``then`` is done in the same transaction. Raises StoreError."""
        row = {"id": id, "name": name, "size": len(data), "phase": phase, "options": options, "import_id": import_id}
        row |= {"attempt": 0, "what": "", "done": 0, "total": 0, "cancelling": False, "error": error, "found": ""}
        now = {name: server_now() for name in ("at", "began_at", "told_at")}
        with self._database.write(alone=False) as connection:
            connection.execute(insert(import_jobs).values(**row, **now))
            for start in range(0, len(data), PIECE):  # one at a time: together they would be in memory again
                piece = {"job_id": id, "position": start // PIECE, "data": data[start : start + PIECE]}
                connection.execute(insert(import_pieces).values(**piece))
            then(connection)

    def get(self, id: str) -> SharedImport | None:
        """How it stands; None when there is none, or not any more. Raises StoreError."""
        c = import_jobs.c
        plain = [c[f.name] for f in fields(SharedImport) if f.name in c and f.name != "found"]
        found = case((c.phase.in_(OPEN_PHASES), ""), else_=c.found).label("found")  # large, and then not looked at
        spent, silent = (extract("epoch", server_now() - since) for since in (c.began_at, c.told_at))
        query = select(*plain, found, spent.label("spent"), silent.label("silent")).where(c.id == id)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        seconds = {"spent": float(row.spent), "silent": float(row.silent)}
        return from_row(SharedImport, row, phase=ImportPhase(row.phase), **seconds)

    def wanted(self, id: str) -> bool:
        """Whether it is there and nobody has cancelled it. Raises StoreError."""
        query = select(import_jobs.c.cancelling).where(import_jobs.c.id == id)
        with self._database.read() as connection:
            return connection.execute(query).scalar() is False

    def data(self, id: str) -> bytes:
        """The file. Raises StoreError, and GhostError when not all of it is there."""
        c = import_pieces.c
        with self._database.read() as connection:
            size = connection.execute(select(import_jobs.c.size).where(import_jobs.c.id == id)).scalar()
            there = select(func.coalesce(func.sum(func.length(c.data)), 0)).where(c.job_id == id)
            if size is None or connection.execute(there).scalar() != size:
                raise GhostError("The file is not in the database any more. Nothing was imported. Choose it again.")
            pieces = select(c.data).where(c.job_id == id).order_by(c.position)
            return b"".join(connection.execute(pieces).scalars())

    def begin(self, id: str, phase: ImportPhase) -> int | None:
        """Begin to work on it; returns which attempt this is, or None when it has ended. Raises StoreError."""
        c = import_jobs.c
        values: dict[str, Any] = {"attempt": c.attempt + 1, "phase": phase, "what": "", "done": 0, "total": 0}
        values |= {"began_at": server_now(), "told_at": server_now()}
        begun = update(import_jobs).where(c.id == id, c.phase.in_(OPEN_PHASES)).values(**values).returning(c.attempt)
        with self._database.write(alone=False) as connection:
            attempt: int | None = connection.execute(begun).scalar()
        return attempt

    def tell(self, id: str, attempt: int, what: str, done: int, total: int) -> None:
        """Say how far it is. Raises StoreError, and TakenOverError when another worker has begun it since."""
        c = import_jobs.c
        since = case((c.what == what, c.began_at), else_=server_now())
        with self._database.write(alone=False) as connection:
            # Only progress: a server that loses power may lose it, and need not wait for its disk.
            connection.execute(text("SET LOCAL synchronous_commit TO OFF"))
            self.change(connection, id, attempt, what=what, done=done, total=total, began_at=since)

    def change(self, connection: Connection, id: str, attempt: int, **values: Any) -> None:
        """Change it within a transaction of the worker that has it. Raises TakenOverError when that is another one."""
        c = import_jobs.c
        mine = update(import_jobs).where(c.id == id, c.attempt == attempt, c.phase.in_(OPEN_PHASES))
        if connection.execute(mine.values(told_at=server_now(), **values)).rowcount == 0:
            raise TakenOverError("Another worker has taken over this import. What this one does is not kept.")

    def rest(self, id: str, attempt: int, phase: ImportPhase, found: str) -> None:
        """It is checked, and waits for the analyst, or ends where it was cancelled meanwhile. Raises as ``tell``."""
        values = {"phase": phase, "found": found, "what": "", "done": 0, "total": 0, "cancelling": False}
        asked = select(import_jobs.c.cancelling).where(import_jobs.c.id == id).with_for_update()
        with self._database.write(alone=False) as connection:
            if connection.execute(asked).scalar():
                self.change(connection, id, attempt, **_ended(ImportPhase.CANCELLED, ""))
                _drop_file(connection, id)
            else:
                self.change(connection, id, attempt, **values)

    def end(self, id: str, attempt: int, phase: ImportPhase, error: str = "", import_id: str | None = None) -> None:
        """It has ended, and the file goes. Raises as ``tell``."""
        known = {} if import_id is None else {"import_id": import_id}
        with self._database.write(alone=False) as connection:
            self.change(connection, id, attempt, **_ended(phase, error), **known)
            _drop_file(connection, id)

    def put(
        self, id: str, phases: Collection[ImportPhase], then: Callable[[Connection], object] = lambda _: None,
        **values: Any,
    ) -> bool:  # fmt: skip
        """Change one that is in one of these phases, and do ``then`` in the same transaction; False when it is not.

        Raises StoreError.
        """
        c = import_jobs.c
        chosen = update(import_jobs).where(c.id == id, c.phase.in_(tuple(phases)))
        with self._database.write(alone=False) as connection:
            if connection.execute(chosen.values(told_at=server_now(), began_at=server_now(), **values)).rowcount == 0:
                return False
            then(connection)
        return True

    def drop(self, id: str, phases: Collection[ImportPhase], phase: ImportPhase, error: str = "") -> bool:
        """End one that nobody works on, and let its file go; False when it is in none of these phases."""
        return self.put(id, phases, lambda connection: _drop_file(connection, id), **_ended(phase, error))

    def resting(self, phases: Collection[ImportPhase]) -> list[str]:
        """Ids of those in these phases, the oldest first. Raises StoreError."""
        query = select(import_jobs.c.id).where(import_jobs.c.phase.in_(tuple(phases))).order_by(import_jobs.c.told_at)
        with self._database.read() as connection:
            return list(connection.execute(query).scalars())

    def forget(self) -> None:
        """Delete those that are too old and that no worker has or will get. Raises StoreError."""
        c = import_jobs.c
        old = select(c.id).where(c.told_at < server_now() - KEPT, c.id.not_in(queued_ids()))
        with self._database.write(alone=False) as connection:
            ids = list(connection.execute(old.with_for_update(skip_locked=True)).scalars())
            connection.execute(delete(import_pieces).where(import_pieces.c.job_id.in_(ids)))
            connection.execute(delete(import_jobs).where(c.id.in_(ids)))


def _ended(phase: ImportPhase, error: str) -> dict[str, Any]:
    return {"phase": phase, "error": error, "found": "", "what": "", "cancelling": False}


def _drop_file(connection: Connection, id: str) -> None:
    connection.execute(delete(import_pieces).where(import_pieces.c.job_id == id))
