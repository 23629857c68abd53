"""Taking jobs from workers that are gone, so that others do them."""

import time
from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import JSON, Connection, Text, and_, cast, delete, exists, func, insert, literal, or_, select

from ghost.records.database import Database
from ghost.records.processes import all_back, calm, server_start
from ghost.records.queue_tables import (
    AGAIN,
    RUNNING_JOB,
    STARTED_EVENT,
    STOPPED_JOB,
    WAITING_JOB,
    job_id,
    job_status,
    queue_events,
    queue_jobs,
    queue_workers,
)

TRIES = 3
"""So often something is given to a worker. What ends its worker each time is given up."""
OUTAGES = 10
"""So often a server may go away under something. A try does not count then, but it may be what ends the server."""
CALM_SECONDS = 30.0
"""So long no worker may have died before anything gets its last try: else something else may end it once more."""


def free_abandoned_jobs(
    database: Database, silent_seconds: float, calm_seconds: float, mine: Collection[int],
    at_work: Collection[int], idle: Collection[int], heard: float = float("inf"),
) -> set[int]:  # fmt: skip
    """Let others take the jobs of workers that are gone. Returns the jobs that this process has but does not do.

    ``mine`` are the numbers of this process's workers in the queue and ``at_work`` the jobs that it is doing. What it
    has lost, because the database was away when it was done, is in ``idle`` the second time: it is freed too. What was
    asked to stop meanwhile is given ``stopped``, for whoever takes it to say so. What has one try left waits until no
    worker has died for ``calm_seconds``. ``heard``: when this process last heard of the server, by its monotonic clock.
    After a longer silence it takes nobody for gone, as the others may have been cut off with it. Raises StoreError.
    """
    with database.write(alone=False) as connection:
        for number in mine:  # the library gives no sign of life while a worker finishes what it does
            connection.execute(select(func.procrastinate_update_heartbeat_v1(number)))
    c, w = queue_jobs.c, queue_workers.c
    silent = or_(w.id.is_(None), w.last_heartbeat < func.now() - timedelta(seconds=silent_seconds))
    now = or_(c.attempts != TRIES - 2, c.abort_requested, calm(calm_seconds))
    freed = or_(and_(silent, all_back(), now), job_status() == STOPPED_JOB)
    running = select(c.id, c.worker_id, freed.label("freed")).select_from(
        queue_jobs.outerjoin(queue_workers, w.id == c.worker_id)
    )
    begun = job_status().in_((RUNNING_JOB, STOPPED_JOB))
    with database.read() as connection:  # most of the time there is nothing to free
        rows = connection.execute(running.where(begun)).all()
    lost = {row.id for row in rows if row.worker_id in mine} - set(at_work)
    if time.monotonic() - heard > silent_seconds:
        return lost
    if not lost & set(idle) and not any(row.freed for row in rows):
        return lost
    with database.write() as connection:  # alone: two that free the same job would give it to two workers
        wanted = or_(freed, c.id.in_(lost & set(idle)))
        for number in connection.execute(running.where(begun, wanted)).scalars().all():
            _free(connection, number)
    return lost - set(idle)


def _free(connection: Connection, number: int) -> None:
    """Put a job in again under another number: by the old one, whoever had it could still take it out. Of two that
    wait, the one that was interrupted less often goes first.

    A turn of the batches only goes: one waits at most, and its claim is taken back from the batch itself. So does what
    its worker has put back, and could not let go of. No try is counted where the server was started since it began.
    """
    c = queue_jobs.c
    began = select(func.max(queue_events.c.at)).where(queue_events.c.job_id == number)
    began = began.where(cast(queue_events.c.type, Text) == STARTED_EVENT)
    outage = connection.execute(select(began.scalar_subquery() < server_start())).scalar() or False
    kept = (c.task_name, c.priority, c.lock, c.queueing_lock, c.args, c.attempts, c.abort_requested)
    begun = job_status().in_((RUNNING_JOB, STOPPED_JOB))
    row = connection.execute(delete(queue_jobs).where(c.id == number, begun).returning(*kept)).first()
    if row is None or row.queueing_lock is not None:
        return
    waits = exists().where(job_status() == WAITING_JOB, job_id() == row.args.get("id"))
    if connection.execute(select(waits)).scalar():
        return
    args = {**row.args, "stopped": True} if row.abort_requested else row.args
    args = {**args, "outages": args.get("outages", 0) + 1} if outage else args
    again = insert(queue_jobs).values(
        queue_name=AGAIN, task_name=row.task_name, lock=row.lock, args=literal(args, JSON()),
        priority=row.priority - 1, attempts=row.attempts + (not outage),
    )  # fmt: skip
    connection.execute(again)
