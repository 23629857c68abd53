"""Answers of the web in ``ghost.db``: searches and pages, each with a lifetime, all of them within a size."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, select

from ghost.records.database import Database, from_column, to_column, utc_now
from ghost.records.dialect import upsert
from ghost.records.tables.sources import web_cache

MAX_BYTES = 200_000_000
"""All answers together; the oldest go first."""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer as it was stored; satisfies what ``ghost.web`` expects of one."""

    head: Mapping[str, str]
    body: bytes
    stored_at: datetime
    fresh: bool


class DatabaseCache:
    """A cache of web answers that outlives the process. Safe to use from any thread."""

    def __init__(self, database: Database, max_bytes: int = MAX_BYTES) -> None:
        self._database = database
        self._max_bytes = max_bytes

    def get(self, kind: str, key: str) -> CachedAnswer | None:
        """The answer, fresh or stale; None when there is none."""
        wanted = select(web_cache).where(web_cache.c.kind == kind, web_cache.c.key == _digest(key))
        with self._database.read() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            return None
        fresh = from_column(row.expires_at) > utc_now()
        return CachedAnswer(json.loads(row.head), row.body, from_column(row.stored_at), fresh)

    def put(self, kind: str, key: str, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        """Keep an answer for ``seconds`` in place of an earlier one, and drop the oldest beyond the size."""
        now = utc_now()
        values = {
            "stored_at": to_column(now),
            "expires_at": to_column(now + timedelta(seconds=seconds)),
            "size": len(body),
            "head": json.dumps(dict(head), ensure_ascii=False),
            "body": body,
        }
        with self._database.write() as connection:
            row = upsert(connection, web_cache).values(kind=kind, key=_digest(key), **values)
            connection.execute(row.on_conflict_do_update(index_elements=["kind", "key"], set_=values))
            used = connection.execute(select(func.coalesce(func.sum(web_cache.c.size), 0))).scalar_one()
            if used > self._max_bytes:
                self._drop_oldest(connection, used - self._max_bytes)

    def clear(self) -> int:
        """Forget everything; returns how many answers there were."""
        with self._database.write() as connection:
            return connection.execute(delete(web_cache)).rowcount

    def _drop_oldest(self, connection: Connection, excess: int) -> None:
        oldest = select(web_cache.c.kind, web_cache.c.key, web_cache.c.size).order_by(web_cache.c.stored_at)
        for row in connection.execute(oldest).all():
            if excess <= 0:
                return
            connection.execute(delete(web_cache).where(web_cache.c.kind == row.kind, web_cache.c.key == row.key))
            excess -= row.size


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
