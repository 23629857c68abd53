"""Answers to requests that may come twice: the second one gets the answer of the first, also after a restart."""

import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, or_, select, tuple_, update

from ghost.records.database import Database, current_process
from ghost.records.dialect import upsert
from ghost.records.processes import gone, now_in
from ghost.records.queue_tables import queued_ids
from ghost.records.tables.api import idempotency
from ghost.records.tables.runs import runs

KEPT_HOURS = 24
MOST_KEPT, MOST_BYTES = 10_000, 64_000_000
"""Answers of one owner that are kept, the latest, and how large they may be together."""
_PRUNE_SECONDS, _PRUNE_REQUESTS = 600, 500
_ACCEPTED = 202


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a request that came before with the same key."""

    digest: str
    """Of its body: another one means that the key was used for something else."""
    run_id: str
    """The run that it started; empty when there is none, or none yet."""
    status: int
    """HTTP status of the answer; 0 while there is none."""
    body: bytes
    done: bool
    """Whether the answer is there; else the request is still at work, or its run is all that is left of it."""


class Idempotency:
    """Remembers requests for 24 hours, and of each owner the latest only. Safe to use from any thread and by several
    processes.

    A request is named by who sends it (``owner``), the ``route``, and the ``key`` that the sender chose.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._process = current_process()
        self._lock = threading.Lock()
        self._pruned_at = float("-inf")
        self._begun = 0

    def begin(self, owner: str, route: str, key: str, digest: str) -> Kept | None:
        """None when this request is the first: it is now the caller's to ``finish`` or ``forget``.

        Otherwise what is known of the first one. One whose process ended before it had an answer, or before the run
        that it started was stored, counts as never sent.
        """
        prunes = self._prunes()
        with self._database.write() as connection:
            now = now_in(connection)
            since = now - timedelta(hours=KEPT_HOURS)
            if prunes:
                _prune(connection, since)
            known = select(idempotency).where(_named(owner, route, key), idempotency.c.begun_at >= since)
            row = connection.execute(known).first()
            if row is not None and (not gone(connection, [row.process]) or _holds(connection, row)):
                return Kept(row.digest, row.run_id, row.status, row.body, row.done)
            values: dict[str, Any] = {
                "digest": digest, "begun_at": now, "process": self._process,
                "run_id": "", "done": False, "status": 0, "body": b"",
            }  # fmt: skip
            put = upsert(connection, idempotency).values(owner=owner, route=route, key=key, **values)
            connection.execute(put.on_conflict_do_update(index_elements=["owner", "route", "key"], set_=values))
        return None

    def run_started(self, owner: str, route: str, key: str, run_id: str) -> None:
        """The request has started this run. From now on it is known by it, whatever happens to the process."""
        self._change(owner, route, key, run_id=run_id)

    def finish(self, owner: str, route: str, key: str, status: int, body: bytes) -> None:
        """This is the answer, for all that send the request again."""
        self._change(owner, route, key, status=status, body=body, done=True)

    def forget(self, owner: str, route: str, key: str) -> None:
        """There was no answer worth keeping: the next request counts as the first.

        An answer that is kept stays, and a run that was started: the next request is about the same run.
        """
        c = idempotency.c
        with self._database.write() as connection:
            nothing = and_(_named(owner, route, key), c.done.is_(False), c.run_id == "")
            connection.execute(delete(idempotency).where(nothing))

    def _change(self, owner: str, route: str, key: str, **values: Any) -> None:
        open_one = and_(_named(owner, route, key), idempotency.c.done.is_(False))
        with self._database.write() as connection:
            connection.execute(update(idempotency).where(open_one).values(**values))

    def _prunes(self) -> bool:
        """Whether it is time to drop the old ones."""
        with self._lock:
            self._begun += 1
            due = self._begun >= _PRUNE_REQUESTS or time.monotonic() - self._pruned_at >= _PRUNE_SECONDS
            if due:
                self._pruned_at, self._begun = time.monotonic(), 0
            return due


def _named(owner: str, route: str, key: str) -> ColumnElement[bool]:
    c = idempotency.c
    return and_(c.owner == owner, c.route == route, c.key == key)


def _holds(connection: Connection, row: Row[Any]) -> bool:
    """Whether what is known of a request is of use when its process is gone.

    A run that waited for its turn has left nothing, though its start was answered; one in the queue of the workers is
    going to be made all the same.
    """
    if row.run_id and not (row.done and row.status != _ACCEPTED):
        if connection.dialect.name == "postgresql" and row.run_id in connection.execute(queued_ids()).scalars():
            return True
        return connection.execute(select(runs.c.id).where(runs.c.id == row.run_id)).first() is not None
    return bool(row.done)


def _prune(connection: Connection, since: Any) -> None:
    """Drop what is too old, and of each owner the oldest answers beyond what is kept."""
    c = idempotency.c
    connection.execute(delete(idempotency).where(c.begun_at < since))
    latest_first = (c.begun_at.desc(), c.route, c.key)
    ranked = (
        select(
            c.owner, c.route, c.key,
            func.row_number().over(partition_by=c.owner, order_by=latest_first).label("number"),
            func.sum(func.length(c.body)).over(partition_by=c.owner, order_by=latest_first).label("bytes"),
        )
        .where(c.done)
        .subquery()
    )  # fmt: skip
    beyond = select(ranked.c.owner, ranked.c.route, ranked.c.key).where(
        or_(ranked.c.number > MOST_KEPT, ranked.c.bytes > MOST_BYTES)
    )
    connection.execute(delete(idempotency).where(tuple_(c.owner, c.route, c.key).in_(beyond)))
