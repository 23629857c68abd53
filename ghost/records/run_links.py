"""Pages that analysts name while a worker checks a claim: put in by any process, taken out by the worker."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select

from ghost.records.database import Database
from ghost.records.queue_tables import queued_ids
from ghost.records.tables.sharing import run_links

_CLOSED = ""


class RunLinks:
    """The pages of runs that go on. Safe to share between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, run_id: str, url: str) -> bool:
        """Put a page in; False when the run takes no more. Raises StoreError."""
        with self._database.write() as connection:
            urls = _urls(connection, run_id)
            if _CLOSED in urls:
                return False
            if url not in urls:
                _put(connection, run_id, url)
        return True

    def since(self, run_id: str, count: int, last: bool = False) -> Sequence[str]:
        """The pages after the first ``count``. ``last`` takes no more when there are none. Raises StoreError."""
        with self._database.write() as connection:
            new = _urls(connection, run_id)[count:]
            if last and not new:
                _put(connection, run_id, _CLOSED)
        return [url for url in new if url != _CLOSED]

    def open(self, run_id: str) -> None:
        """Take pages again, as a new attempt begins; those that an earlier one has taken stay. Raises StoreError."""
        c = run_links.c
        with self._database.write() as connection:
            connection.execute(delete(run_links).where(c.run_id == run_id, c.url == _CLOSED))

    def close(self, run_id: str) -> None:
        """Take no more pages. Raises StoreError."""
        with self._database.write() as connection:
            if _CLOSED not in _urls(connection, run_id):
                _put(connection, run_id, _CLOSED)

    def forget(self) -> None:
        """Delete the pages of all runs that are not in the queue any more. Raises StoreError."""
        with self._database.write() as connection:
            connection.execute(delete(run_links).where(run_links.c.run_id.not_in(queued_ids())))


def _urls(connection: Connection, run_id: str) -> list[str]:
    query = select(run_links.c.url).where(run_links.c.run_id == run_id).order_by(run_links.c.position)
    return list(connection.execute(query).scalars())


def _put(connection: Connection, run_id: str, url: str) -> None:
    last = select(func.coalesce(func.max(run_links.c.position), 0)).where(run_links.c.run_id == run_id)
    position = connection.execute(last).scalar_one() + 1
    connection.execute(insert(run_links).values(run_id=run_id, position=position, url=url))
