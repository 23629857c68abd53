"""Answers to requests that may come twice: the second one gets the answer of the first, also after a restart."""

import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from ghost.records.database import Database, current_process, is_alive, to_column, utc_now
from ghost.records.tables import idempotency

KEPT_HOURS = 24
_PRUNE_SECONDS = 600


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
    """Remembers requests for 24 hours. Safe to use from any thread and by several processes.

    A request is named by who sends it (``owner``), the ``route``, and the ``key`` that the sender chose.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._process = current_process()
        self._lock = threading.Lock()
        self._pruned_at = float("-inf")

    def begin(self, owner: str, route: str, key: str, digest: str) -> Kept | None:
        """None when this request is the first: it is now the caller's to ``finish`` or ``forget``.

        Otherwise what is known of the first one. One whose process ended before it had an answer or a run counts as
        never sent.
        """
        now = utc_now()
        since = to_column(now - timedelta(hours=KEPT_HOURS))
        prunes = self._prunes()
        with self._database.write() as connection:
            if prunes:
                connection.execute(delete(idempotency).where(idempotency.c.begun_at < since))
            known = select(idempotency).where(_named(owner, route, key), idempotency.c.begun_at >= since)
            row = connection.execute(known).first()
            if row is not None and (row.done or row.run_id or is_alive(row.process)):
                return Kept(row.digest, row.run_id, row.status, row.body, row.done)
            values: dict[str, Any] = {
                "digest": digest, "begun_at": to_column(now), "process": self._process,
                "run_id": "", "done": False, "status": 0, "body": b"",
            }  # fmt: skip
            put = insert(idempotency).values(owner=owner, route=route, key=key, **values)
            connection.execute(put.on_conflict_do_update(index_elements=["owner", "route", "key"], set_=values))
        return None

    def run_started(self, owner: str, route: str, key: str, run_id: str) -> None:
        """The request has started this run. From now on it is known by it, whatever happens to the process."""
        self._change(owner, route, key, run_id=run_id)

    def finish(self, owner: str, route: str, key: str, status: int, body: bytes) -> None:
        """This is the answer, for all that send the request again."""
        self._change(owner, route, key, status=status, body=body, done=True)

    def forget(self, owner: str, route: str, key: str) -> None:
        """There was no answer worth keeping: the next request counts as the first. An answer that is kept stays."""
        with self._database.write() as connection:
            connection.execute(delete(idempotency).where(_named(owner, route, key), idempotency.c.done.is_(False)))

    def _change(self, owner: str, route: str, key: str, **values: Any) -> None:
        open_one = and_(_named(owner, route, key), idempotency.c.done.is_(False))
        with self._database.write() as connection:
            connection.execute(update(idempotency).where(open_one).values(**values))

    def _prunes(self) -> bool:
        """Whether it is time to drop the old ones."""
        with self._lock:
            due = time.monotonic() - self._pruned_at >= _PRUNE_SECONDS
            if due:
                self._pruned_at = time.monotonic()
            return due


def _named(owner: str, route: str, key: str) -> ColumnElement[bool]:
    c = idempotency.c
    return and_(c.owner == owner, c.route == route, c.key == key)
