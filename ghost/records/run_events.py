"""What workers report while they work, written down so that any process can watch."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text

from ghost.errors import TakenOverError
from ghost.events import ArticleEvent, AskEvent, LookupAnswered, ResearchEvent
from ghost.records.database import Database, from_json, to_json
from ghost.records.dialect import upsert
from ghost.records.processes import server_now
from ghost.records.queue_tables import queued_ids
from ghost.records.tables.sharing import run_events

EVENTS_CHANNEL = "ghost_events"
"""PostgreSQL's channel on which the id of whatever has news is sent."""
KEPT = timedelta(hours=6)
"""So long after it was written an event can still be read; what counts is kept in the run itself."""
_EVENTS = (*AskEvent.__args__, *ResearchEvent.__args__, *ArticleEvent.__args__, LookupAnswered)
_KINDS: dict[str, type] = {kind.__name__: kind for kind in _EVENTS}
_BEGIN, _END = "begin", "end"


@dataclass(frozen=True, slots=True)
class WorkEnded:
    """Nothing comes after this. How it ended, where no event says so."""

    error: str = ""
    unusable: bool = False
    """Whether the error is that the input cannot be used as it is."""
    stopped: bool = False
    """Whether it was stopped on request."""


Reported = AskEvent | ResearchEvent | ArticleEvent | LookupAnswered | WorkEnded


class RunEvents:
    """The events of runs, questions, researches and articles in PostgreSQL. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, run_id: str) -> int:
        """Forget what an earlier attempt has reported, and return the position after which this one's events come.

        Positions go on, so whoever has read some of them misses nothing that comes. Raises StoreError.
        """
        with self._database.write(alone=False) as connection:
            return self.begin_within(connection, run_id)

    def begin_within(self, connection: Connection, run_id: str) -> int:
        """``begin`` within a transaction of the caller."""
        c = run_events.c
        last = select(func.coalesce(func.max(c.position), 0)).where(c.run_id == run_id)
        position: int = connection.execute(last).scalar_one() + 1
        connection.execute(delete(run_events).where(c.run_id == run_id))
        row = {"run_id": run_id, "position": position, "at": server_now(), "name": _BEGIN, "event": ""}
        connection.execute(insert(run_events).values(**row))
        return position

    def add(self, run_id: str, begun: int, position: int, event: Reported) -> None:
        """Keep an event of the attempt that has ``begun`` there, and tell those that listen; safe to repeat.

        Raises StoreError, and TakenOverError when another attempt has begun since: what this one reports would mislead.
        """
        name = _END if isinstance(event, WorkEnded) else type(event).__name__
        row = {"run_id": run_id, "position": position, "at": server_now(), "name": name, "event": _written(event)}
        c = run_events.c
        with self._database.write(alone=False) as connection:
            # Events only show progress: a server that loses power may lose the last ones, and need not wait for disks.
            connection.execute(text("SET LOCAL synchronous_commit TO OFF"))
            # Locked, so that no other attempt begins before this event is kept.
            beginning = select(c.position).where(c.run_id == run_id, c.name == _BEGIN).with_for_update()
            if connection.execute(beginning).scalar() != begun:
                raise TakenOverError("Another worker has taken this over. What this one reports of it is not kept.")
            # Once, also where it is written again because the answer to the first time was lost.
            connection.execute(upsert(connection, run_events).values(**row).on_conflict_do_nothing())
            connection.execute(select(func.pg_notify(EVENTS_CHANNEL, run_id)))

    def since(self, run_id: str, position: int) -> tuple[Sequence[Reported], int]:
        """The events after a position (0: all there are), and the position of the last one. Raises StoreError."""
        c = run_events.c
        query = select(c.position, c.name, c.event).where(c.run_id == run_id, c.position > position)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(c.position)).all()
        events = [_read(row.name, row.event) for row in rows if row.name != _BEGIN]
        return events, rows[-1].position if rows else position

    def forget(self) -> int:
        """Delete what is too old to be watched and not going on; returns how many. Raises StoreError."""
        c = run_events.c
        with self._database.write(alone=False) as connection:
            old = delete(run_events).where(c.at < server_now() - KEPT, c.run_id.not_in(queued_ids()))
            return connection.execute(old).rowcount


def _written(event: Any) -> str:
    return to_json(type(event), event)


def _read(name: str, event: str) -> Reported:
    if name == _END:
        return WorkEnded(**json.loads(event))
    found: Reported = from_json(_KINDS[name], event, "An event")
    return found
