"""The tables of the work queue, which belong to the library procrastinate, as far as the records read them."""

from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Select,
    Text,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    table,
    text,
)  # fmt: skip

from ghost.errors import StoreError

if TYPE_CHECKING:
    from ghost.records.database import Database

queue_jobs = table(
    "procrastinate_jobs",
    *map(column, ("id", "queue_name", "task_name", "priority", "lock", "queueing_lock", "status", "attempts")),
    *map(column, ("args", "worker_id", "abort_requested")),
)
"""What waits and what is being done. What has ended is deleted."""
queue_workers = table("procrastinate_workers", column("id"), column("last_heartbeat"))
WAITING_JOB, RUNNING_JOB = "todo", "doing"
AGAIN = "again"
"""The queue of what was being done when its worker died: it may be what ends workers, so each does one at a time."""
_STOPPED_JOB = "failed"
"""What was to be done again and was asked to stop. All else that fails is deleted."""


def job_id() -> "ColumnElement[str]":
    """The id of the run, question or research that a job is about."""
    return queue_jobs.c.args.op("->>")(text("'id'"))


def job_status() -> "ColumnElement[str]":
    """The status of a job, as text."""
    return cast(queue_jobs.c.status, Text)


def queued_ids() -> "Select[str]":
    """The ids of what waits for a worker, or is in the hands of one that may be gone: it is going to be done."""
    return select(job_id()).where(job_status().in_((WAITING_JOB, RUNNING_JOB)), job_id().is_not(None))


def install(connection: Connection) -> None:
    """Create the tables of the queue where they are missing, within a transaction of the caller."""
    if connection.execute(text("SELECT to_regclass('procrastinate_jobs')")).scalar() is not None:
        return
    try:
        from procrastinate.schema import SchemaManager
    except ImportError as error:
        raise StoreError(
            "The work queue needs the library procrastinate, which is not installed. Install it with "
            '`pip install "ghost-workbench[team]"`, in a checkout with `pip install -r requirements-team.txt`.'
        ) from error
    # By the driver's own cursor: the script has per cent signs that are no parameters.
    connection.connection.cursor().execute(SchemaManager.get_schema())


def free_abandoned_jobs(
    database: "Database", silent_seconds: float, mine: Collection[int], at_work: Collection[int], idle: Collection[int]
) -> set[int]:
    """Let others take the jobs of workers that are gone. Returns the jobs that this process has but does not do.

    ``mine`` are the numbers of this process's workers in the queue and ``at_work`` the jobs that it is doing. What it
    has lost, because the database was away when it was done, is in ``idle`` the second time: it is freed too. What was
    asked to stop meanwhile is given ``stopped``, for whoever takes it to say so. Raises StoreError.
    """
    with database.write(alone=False) as connection:
        for number in mine:  # the library gives no sign of life while a worker finishes what it does
            connection.execute(select(func.procrastinate_update_heartbeat_v1(number)))
    c, w = queue_jobs.c, queue_workers.c
    silent = or_(w.id.is_(None), w.last_heartbeat < func.now() - timedelta(seconds=silent_seconds))
    running = select(c.id, c.worker_id, silent.label("silent"), job_status().label("status")).select_from(
        queue_jobs.outerjoin(queue_workers, w.id == c.worker_id)
    )
    begun = job_status().in_((RUNNING_JOB, _STOPPED_JOB))
    with database.read() as connection:  # most of the time there is nothing to free
        rows = connection.execute(running.where(begun)).all()
    lost = {row.id for row in rows if row.worker_id in mine} - set(at_work)
    if not lost & set(idle) and not any(row.silent or row.status == _STOPPED_JOB for row in rows):
        return lost
    with database.write() as connection:  # alone: two that free the same job would give it to two workers
        freed = or_(silent, c.id.in_(lost & set(idle)), job_status() == _STOPPED_JOB)
        for number in connection.execute(running.where(begun, freed)).scalars().all():
            _free(connection, number)
    return lost - set(idle)


def _free(connection: Connection, number: int) -> None:
    """Put a job in again under another number: by the old one, whoever had it could still take it out. Of two that
    wait, the one that was interrupted less often goes first.

    A turn of the batches only goes: one waits at most, and its claim is taken back from the batch itself.
    """
    c = queue_jobs.c
    kept = (c.task_name, c.priority, c.lock, c.queueing_lock, c.args, c.attempts, c.abort_requested)
    begun = job_status().in_((RUNNING_JOB, _STOPPED_JOB))
    row = connection.execute(delete(queue_jobs).where(c.id == number, begun).returning(*kept)).first()
    if row is None or row.queueing_lock is not None:
        return
    args = {**row.args, "stopped": True} if row.abort_requested else row.args
    again = insert(queue_jobs).values(
        queue_name=AGAIN, task_name=row.task_name, lock=row.lock, args=literal(args, JSON()),
        priority=row.priority - 1, attempts=row.attempts + 1,
    )  # fmt: skip
    connection.execute(again)
