"""The processes that share a database, and which of them are alive.

On one machine a process is alive when the system says so. Processes of several machines cannot see each other: on
PostgreSQL each writes a sign of life every few seconds, and one that has been silent for long counts as gone. Both
times are the database server's, so a clock that is wrong, or that jumps, kills nobody.
"""

import threading
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, column, delete, exists, func, not_, or_, select, table

from ghost.errors import StoreError
from ghost.records.database import Database, current_process, from_column, is_alive, to_column, utc_now
from ghost.records.dialect import upsert
from ghost.records.tables.sharing import processes

_SERVER = table("pg_stat_bgwriter", column("stats_reset"))
BEAT_SECONDS = 2.0
SILENT_SECONDS = 12.0
"""A process without a sign of life for so long is taken for dead: its work is given to others."""
RETURN_SECONDS = 3 * BEAT_SECONDS
"""So long after a server has started nobody is taken for dead: all had to be silent, and come back."""
WORKER, PAUSED_WORKER = "worker", "paused"
"""A worker that takes work, and one that takes none because the vector index does not answer."""


@dataclass(frozen=True, slots=True)
class LivingProcess:
    """A process that has the database open."""

    owner: str
    """Host, process id and start, as in the records it writes."""
    kind: str
    """``worker``, ``paused``, or ``other`` for all that does no work of others."""
    slots: int
    """How many things a worker does at a time; 0 for all others."""
    started_at: datetime
    seconds: float = 0.0
    """Since then, by the server's clock."""

    @property
    def paused(self) -> bool:
        """Whether it is a worker that takes no work because the vector index does not answer."""
        return self.kind == PAUSED_WORKER


def server_now() -> Any:
    """The time of the PostgreSQL server, as a column has it."""
    return func.timezone("utc", func.clock_timestamp())


def now_in(connection: Connection) -> Any:
    """The time by the one clock of all that share a database: of its server, or of the machine that the file is on."""
    return to_column(utc_now()) if connection.dialect.name == "sqlite" else server_now()


def server_start() -> Any:
    """When the PostgreSQL server was started, or recovered from a crash. What was going on then was interrupted."""
    recovered = select(func.max(_SERVER.c.stats_reset)).scalar_subquery()
    return func.greatest(func.pg_postmaster_start_time(), recovered)


def all_back() -> ColumnElement[bool]:
    """Whether all have had the time to come back since the PostgreSQL server has started."""
    return server_start() < func.now() - timedelta(seconds=RETURN_SECONDS)


def gone(connection: Connection, owners: Collection[str]) -> list[str]:
    """Those of the owners that are no living process. On SQLite each has to be on this machine."""
    if connection.dialect.name == "sqlite":
        return [owner for owner in owners if not is_alive(owner)]
    mine = current_process()  # also where its first sign of life is still on its way
    c = processes.c
    fresh = or_(c.alive_until > server_now(), not_(all_back()))
    known = select(c.owner).where(c.owner.in_(list(owners)), fresh)
    alive = {mine, *connection.execute(known).scalars()}
    return [owner for owner in owners if owner not in alive]


def calm(seconds: float) -> ColumnElement[bool]:
    """Whether no worker has died for so long, on PostgreSQL."""
    c, since = processes.c, server_now() - timedelta(seconds=seconds)
    return ~exists().where(c.kind.in_((WORKER, PAUSED_WORKER)), c.alive_until.between(since, server_now()))


class Processes:
    """The signs of life in a PostgreSQL database. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = current_process()

    def beat(self, kind: str, slots: int = 0, seconds: float = SILENT_SECONDS) -> None:
        """Say that this process is alive, and will say so again within so many seconds. Raises StoreError."""
        values = {"kind": kind, "slots": slots, "alive_until": server_now() + timedelta(seconds=seconds)}
        with self._database.write(alone=False) as connection:
            row = upsert(connection, processes).values(owner=self._owner, started_at=server_now(), **values)
            connection.execute(row.on_conflict_do_update(index_elements=["owner"], set_=values))

    def leave(self) -> None:
        """Say that this process ends. Raises StoreError."""
        with self._database.write(alone=False) as connection:
            connection.execute(delete(processes).where(processes.c.owner == self._owner))

    def forget(self) -> None:
        """Delete the processes that have been gone for a day. Raises StoreError."""
        old = processes.c.alive_until < server_now() - timedelta(days=1)
        with self._database.write(alone=False) as connection:
            connection.execute(delete(processes).where(old))

    def living(self, *kinds: str) -> Sequence[LivingProcess]:
        """The processes of these kinds, or of all, that are alive, oldest first. Raises StoreError."""
        c = processes.c
        age = func.extract("epoch", server_now() - c.started_at).label("age")
        query = select(processes, age).where(c.alive_until > server_now()).order_by(c.started_at, c.owner)
        if kinds:
            query = query.where(c.kind.in_(kinds))
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return [LivingProcess(r.owner, r.kind, r.slots, from_column(r.started_at), float(r.age)) for r in rows]


class Heartbeat:
    """Gives signs of life from a thread of its own until it is stopped."""

    def __init__(
        self, database: Database, kind: str, seconds: float = BEAT_SECONDS, silent_seconds: float = SILENT_SECONDS
    ) -> None:
        """One every so many seconds; after ``silent_seconds`` without any the others take this process for dead.

        Gives the first one at once, so that nothing this process begins looks abandoned. Raises StoreError.
        """
        self._processes, self._kind, self._slots = Processes(database), kind, 0
        self._seconds, self._silent_seconds = seconds, silent_seconds
        self._ended = threading.Event()
        self._beat()
        self._thread = threading.Thread(target=self._run, name="ghost-heartbeat", daemon=True)
        self._thread.start()

    def become(self, kind: str, slots: int) -> None:
        """This process is of another kind than was known when it opened the database. Raises StoreError."""
        self._kind, self._slots = kind, slots
        self._beat()

    def stop(self) -> None:
        """Say that the process ends, where the database can be reached."""
        if self._ended.is_set():
            return
        self._ended.set()
        self._thread.join(self._seconds)
        with suppress(StoreError):
            self._processes.leave()

    def _run(self) -> None:
        while not self._ended.wait(self._seconds):
            with suppress(StoreError):  # a server that restarts is there again before the silence is long
                self._beat()

    def _beat(self) -> None:
        self._processes.beat(self._kind, self._slots, self._silent_seconds)
