"""Closing work whose process is gone: runs and researches that were still running when the program ended."""

from sqlalchemy import Table, and_, select, update

from ghost.records.database import Database, to_column, utc_now
from ghost.records.processes import gone
from ghost.records.queue_tables import queued_ids
from ghost.types import RunStatus


def close_own(database: Database, table: Table, owner: str, error: str) -> int:
    """Mark the running rows of this owner as interrupted, since it is about to end; returns how many."""
    mine = and_(table.c.status == RunStatus.RUNNING.value, table.c.owner == owner)
    values = {"status": RunStatus.INTERRUPTED.value, "error": error, "finished_at": to_column(utc_now())}
    with database.write() as connection:
        return connection.execute(update(table).where(mine).values(**values)).rowcount


def close_interrupted(database: Database, table: Table, error: str) -> int:
    """Mark rows as interrupted that are running and whose owner is no living process; returns how many.

    On PostgreSQL what is still in the queue stays as it is: another worker takes it up.
    """
    running = table.c.status == RunStatus.RUNNING.value
    if database.dialect == "postgresql":
        running = and_(running, table.c.id.not_in(queued_ids()))
    with database.read() as connection:  # most of the time there is nothing to write, and nobody has to wait
        if connection.execute(select(table.c.id).where(running).limit(1)).first() is None:
            return 0
    with database.write() as connection:
        owners = connection.execute(select(table.c.owner).where(running).distinct()).scalars().all()
        closed = connection.execute(
            update(table)
            .where(and_(running, table.c.owner.in_(gone(connection, owners))))
            .values(status=RunStatus.INTERRUPTED.value, error=error, finished_at=to_column(utc_now()))
        )
    return closed.rowcount
