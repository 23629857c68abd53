"""Closing work whose process is gone: runs and researches that were still running when the program ended."""

from sqlalchemy import Table, and_, select, update

from ghost.records.database import Database, is_alive, to_column, utc_now
from ghost.types import RunStatus


def close_own(database: Database, table: Table, owner: str, error: str) -> int:
    """Mark the running rows of this owner as interrupted, since it is about to end; returns how many."""
    mine = and_(table.c.status == RunStatus.RUNNING.value, table.c.owner == owner)
    values = {"status": RunStatus.INTERRUPTED.value, "error": error, "finished_at": to_column(utc_now())}
    with database.write() as connection:
        return connection.execute(update(table).where(mine).values(**values)).rowcount


def close_interrupted(database: Database, table: Table, error: str) -> int:
    """Mark rows as interrupted that are running and whose owner is no living process; returns how many."""
    running = table.c.status == RunStatus.RUNNING.value
    with database.write() as connection:
        owners = connection.execute(select(table.c.owner).where(running).distinct()).scalars()
        gone = [owner for owner in owners if not is_alive(owner)]
        closed = connection.execute(
            update(table)
            .where(and_(running, table.c.owner.in_(gone)))
            .values(status=RunStatus.INTERRUPTED.value, error=error, finished_at=to_column(utc_now()))
        )
    return closed.rowcount
