"""The tables of the work queue, which belong to the library procrastinate, as far as the records read them."""

from sqlalchemy import ColumnElement, Connection, Select, Text, cast, column, select, table, text

from ghost.errors import StoreError

jobs = table(
    "procrastinate_jobs",
    *map(column, ("id", "task_name", "priority", "args", "status", "attempts", "worker_id", "queueing_lock")),
)
"""What waits and what is being done. What has ended is deleted."""
workers = table("procrastinate_workers", column("id"), column("last_heartbeat"))
WAITING, RUNNING = "todo", "doing"


def job_id() -> "ColumnElement[str]":
    """The id of the run, question or research that a job is about."""
    return jobs.c.args.op("->>")(text("'id'"))


def status() -> "ColumnElement[str]":
    """The status of a job, as text."""
    return cast(jobs.c.status, Text)


def queued_ids() -> "Select[tuple[str]]":
    """The ids of what waits for a worker, or is in the hands of one that may be gone: it is going to be done."""
    return select(job_id()).where(status().in_((WAITING, RUNNING)), job_id().is_not(None))


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
    has lost, because the database was away when it was done, is in ``idle`` the second time: it is freed too.
    Raises StoreError.
    """
    with database.write(alone=False) as connection:
        for number in mine:  # the library gives no sign of life while a worker finishes what it does
            connection.execute(select(func.procrastinate_update_heartbeat_v1(number)))
    c, w = queue_jobs.c, queue_workers.c
    silent = or_(w.id.is_(None), w.last_heartbeat < func.now() - timedelta(seconds=silent_seconds))
    running = select(c.id, c.worker_id, silent.label("silent")).select_from(
        queue_jobs.outerjoin(queue_workers, w.id == c.worker_id)
    )
    with database.read() as connection:  # most of the time there is nothing to free
        rows = connection.execute(running.where(job_status() == RUNNING_JOB)).all()
    lost = {row.id for row in rows if row.worker_id in mine} - set(at_work)
    if not lost & set(idle) and not any(row.silent for row in rows):
        return lost
    with database.write() as connection:  # alone: two that free the same job would give it to two workers
        free = running.where(job_status() == RUNNING_JOB, or_(silent, c.id.in_(lost & set(idle))))
        for row in connection.execute(free.add_columns(c.queueing_lock)).all():
            if row.queueing_lock is None:
                connection.execute(select(func.procrastinate_retry_job_v2(row.id, func.now(), None, None, None)))
            else:  # a turn of the batches: only one may wait, and its claim is taken back from the batch itself
                connection.execute(select(func.procrastinate_finish_job_v1(row.id, text("'failed'"), True)))
    return lost - set(idle)
