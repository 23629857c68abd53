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
    with connection.connection.cursor() as cursor:
        cursor.execute(SchemaManager.get_schema())
