"""The tables of the work queue, which belong to the library procrastinate, as far as the records read them."""

from sqlalchemy import ColumnElement, Connection, Select, Text, cast, column, select, table, text

from ghost.errors import StoreError

queue_jobs = table(
    "procrastinate_jobs",
    *map(column, ("id", "queue_name", "task_name", "priority", "lock", "queueing_lock", "status", "attempts")),
    *map(column, ("args", "worker_id", "abort_requested")),
)
"""What waits and what is being done. What has ended is deleted."""
queue_workers = table("procrastinate_workers", column("id"), column("last_heartbeat"))
queue_events = table("procrastinate_events", *map(column, ("job_id", "type", "at")))
STARTED_EVENT = "started"
WAITING_JOB, RUNNING_JOB = "todo", "doing"
AGAIN = "again"
"""The queue of what was being done when its worker died or a server went away: it may be the cause, so each worker does
one at a time.
"""
STOPPED_JOB = "failed"
"""What was to be done again and was asked to stop. All else that fails is deleted."""
UNENDED_JOBS = (WAITING_JOB, RUNNING_JOB, STOPPED_JOB)


def job_id() -> ColumnElement[str]:
    """The id of the run, question or research that a job is about."""
    return queue_jobs.c.args.op("->>")(text("'id'"))


def job_status() -> ColumnElement[str]:
    """The status of a job, as text."""
    return cast(queue_jobs.c.status, Text)


def queued_ids() -> "Select[str]":
    """The ids of what waits for a worker, or is in the hands of one that may be gone: it is going to be done."""
    return select(job_id()).where(job_status().in_(UNENDED_JOBS), job_id().is_not(None))


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
