"""The queue on PostgreSQL: work is put in by any process and taken out by the workers.

It is procrastinate's. This module names what there is to do, puts it in within a transaction of the records, and asks
for it to be stopped; ``worker`` takes it out.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sqlalchemy import Connection, func, select, update

from ghost.errors import StoreError
from ghost.pipelines import RunOptions
from ghost.records import (
    AGAIN,
    PAUSED_WORKER,
    RUNNING_JOB,
    UNENDED_JOBS,
    WAITING_JOB,
    WORKER,
    Database,
    LivingProcess,
    Processes,
    from_json,
    job_id,
    job_status,
    queue_jobs,
    to_json,
)
from ghost.types import Claim, ResearchPlan, Turn

if TYPE_CHECKING:
    from procrastinate import App

T = TypeVar("T")
SINGLE, LONG, BATCH = "single", "long", "batch"
"""The queues: what somebody waits for, what takes minutes, and the claims of batches; and ``AGAIN``."""
WORKERS_SECONDS = 2.0
NO_WORKER = "No worker is running, so nothing is checked. Start one with `python -m ghost worker`"
INDEX_AWAY = "The vector index does not answer the workers, so nothing is checked. They continue when it is back"


@dataclass(frozen=True, slots=True)
class RunOrder:
    """A claim to be checked."""

    claim: Claim
    asked_at: datetime
    options: RunOptions


@dataclass(frozen=True, slots=True)
class AskOrder:
    """A question to be answered."""

    question: str
    asked_at: datetime
    conversation_id: str = ""
    turns: tuple[Turn, ...] = ()
    web: bool = True
    anew: bool = False


@dataclass(frozen=True, slots=True)
class LookupOrder:
    """Something to be found out of a claim before its check: an earlier answer, or the statements in it."""

    claim: Claim
    what: Literal["earlier", "statements"]


@dataclass(frozen=True, slots=True)
class ArticleOrder:
    """An article to be read; without a text the page at ``url`` is fetched, if there is ``web``."""

    text: str
    url: str
    web: bool = True


@dataclass(frozen=True, slots=True)
class PlanOrder:
    """A topic to be planned."""

    topic: str
    skill: str = ""
    questions: tuple[str, ...] = ()
    web: bool = True
    judge: str = ""


@dataclass(frozen=True, slots=True)
class ResearchOrder:
    """A plan to be carried out. Where the research was begun before, it goes on."""

    plan: ResearchPlan
    web: bool = True
    judge: str = ""


@dataclass(frozen=True, slots=True)
class CheckOrder:
    """A file to be checked. It is in the database, with the way in which it is to be read."""


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """A checked file to be taken in, or an import to be undone or brought back."""

    step: Literal["keep", "undo", "restore"]


Order = LookupOrder | RunOrder | AskOrder | ArticleOrder | PlanOrder | ResearchOrder | CheckOrder | ImportOrder
TASKS: dict[type, tuple[str, str, int]] = {
    LookupOrder: ("lookup", SINGLE, 30), RunOrder: ("claim", SINGLE, 20), AskOrder: ("question", SINGLE, 20),
    ArticleOrder: ("article", SINGLE, 10), PlanOrder: ("plan", LONG, 10), CheckOrder: ("import_check", LONG, 10),
    ResearchOrder: ("research", LONG, 5), ImportOrder: ("import", LONG, 5),
}  # fmt: skip
"""The task of each order, its queue, and its priority: a higher one goes first. The claims of batches have 0.

An article takes seconds while somebody looks on, and must not wait for an import as the check of a file may.
"""
IMPORT = TASKS[ImportOrder][0]
TURN = "turn"
"""The task that checks the next claim of the batch whose turn it is."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something that waits for a worker or that one works on."""

    number: int
    id: str
    """Of the run, question, lookup, article, research or import."""
    task: str
    running: bool
    payload: str
    attempts: int = 0
    """How often it was begun before and not ended."""

    def order(self, kind: type[T]) -> T:
        """What is to be done. Raises StoreError where another version has put it in."""
        return read_order(kind, self.payload)


@dataclass(frozen=True, slots=True)
class Standing:
    """Who works, and what there is to do."""

    workers: Sequence[LivingProcess]
    waiting: "Counter[str]"
    """How many wait, by task."""
    running: "Counter[str]"
    """How many are being done, by task."""

    @property
    def slots(self) -> int:
        """How much the workers that take work do at a time."""
        return sum(worker.slots for worker in self.workers if not worker.paused)


def read_order(kind: type[T], payload: str) -> T:
    """An order as it was put in. Raises StoreError."""
    order: T = from_json(kind, payload, "What was put into the queue")
    return order


class Queue:
    """Puts work in, and asks for it to be stopped. Safe to share between threads and processes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._processes = Processes(database)
        self._looked, self._unattended = float("-inf"), ""

    @cached_property
    def _app(self) -> "App":
        from procrastinate import App, SyncPsycopgConnector

        # Never opened: all that is put in goes through connections of the records.
        return App(connector=SyncPsycopgConnector())

    def put(self, id: str, order: Order) -> None:
        """Put something in that has an id of its own. Raises StoreError."""
        with self.database.write(alone=False) as connection:
            self.put_within(connection, id, order)

    def put_within(self, connection: Connection, id: str, order: Order) -> None:
        """``put`` within a transaction of the caller."""
        task, queue, priority = TASKS[type(order)]
        self._put(connection, task, queue, priority, id, to_json(type(order), order))

    def put_once(self, id: str, order: Order, then: Callable[[Connection], T]) -> T | None:
        """Put something in that others may put in too; None when it is there already.

        Else what ``then`` returns, which is called in the same transaction. Raises StoreError.
        """
        with self.database.write(alone=False) as connection:
            _alone(connection, id)
            if connection.execute(_jobs().where(job_id() == id)).first() is not None:
                return None
            self.put_within(connection, id, order)
            return then(connection)

    def put_back(self, job: Job, outage: bool = False) -> bool:
        """Put in again what a worker could not finish. It begins when that worker lets go of it, and before all others,
        unless it was interrupted by more than the end of its worker: by an ``outage``, which is counted, or before.

        What was asked to stop meanwhile is still to stop. False, and nothing, where it was taken from that worker: then
        it is in the queue already. Raises StoreError.
        """
        queue, priority = next((q, p) for task, q, p in TASKS.values() if task == job.task)
        held = select(queue_jobs.c.abort_requested, queue_jobs.c.args).where(queue_jobs.c.id == job.number)
        with self.database.write(alone=False) as connection:
            _alone(connection, job.id)
            row = connection.execute(held.with_for_update()).first()
            if row is None:
                return False
            outages = row.args.get("outages", 0) + outage
            more = {"outages": outages} if outages else {}
            more |= {"stopped": True} if row.abort_requested or row.args.get("stopped") else {}
            interrupted = job.attempts + outages
            queue, priority = (AGAIN, priority - interrupted) if interrupted else (queue, priority + 1)
            number = self._put(connection, job.task, queue, priority, job.id, job.payload, **more)
            if job.attempts:
                again = update(queue_jobs).where(queue_jobs.c.id == number)
                connection.execute(again.values(attempts=job.attempts))
        return True

    def put_turn(self, connection: Connection, again: bool = False) -> None:
        """See to it that a turn of the batches waits for a worker, within a transaction of the caller.

        At most one does at any time. Each worker that takes it puts in the next one, as long as claims are left: so
        every slot gets one, and no more wait than that. A turn of its own is for claims that are checked ``again``.
        """
        queue, lock = (AGAIN, f"{TURN} {AGAIN}") if again else (BATCH, TURN)
        waits = select(queue_jobs.c.id).where(job_status() == WAITING_JOB, queue_jobs.c.queueing_lock == lock)
        if connection.execute(waits.limit(1)).first() is None:
            from procrastinate.exceptions import AlreadyEnqueued

            try:
                with connection.begin_nested():  # another one may put it in at this moment
                    deferrer = self._app.configure_task(
                        TURN, queue=queue, priority=0, queueing_lock=lock, connection=_driver(connection)
                    )
                    deferrer.defer(again=again)
            except AlreadyEnqueued:
                pass

    def stop(self, id: str) -> Job | None:
        """Ask for something to be stopped. Returns it as it stood; what was waiting is out of the queue then.

        None when it is not in the queue (any more). Raises StoreError.
        """
        with self.database.write(alone=False) as connection:
            _alone(connection, id)  # or what a worker puts back at this moment would not be seen
            found = [_job(row) for row in connection.execute(_jobs().where(job_id() == id).with_for_update())]
            for job in found:
                self._app.job_manager.cancel_job_by_id(
                    job.number, abort=True, delete_job=True, connection=_driver(connection)
                )
        # Two, where a worker has just put back what it still holds: it does nothing for that any more.
        return next((job for job in found if not job.running), found[0] if found else None)

    def find(self, id: str) -> Job | None:
        """What is in the queue under this id; None where nothing is. Raises StoreError."""
        with self.database.read() as connection:
            row = connection.execute(_jobs().where(job_id() == id)).first()
        return _job(row) if row else None

    def ids(self, task: str) -> list[str]:
        """What waits or is being done of a task, in the order in which it is taken. Raises StoreError."""
        query = select(job_id()).where(queue_jobs.c.task_name == task, job_status().in_((WAITING_JOB, RUNNING_JOB)))
        query = query.order_by(job_status() == WAITING_JOB, queue_jobs.c.priority.desc(), queue_jobs.c.id)
        with self.database.read() as connection:
            return list(connection.execute(query).scalars())

    def standing(self) -> Standing:
        """Who works, and what there is to do. Raises StoreError."""
        tally = select(queue_jobs.c.task_name, queue_jobs.c.status, func.count())
        with self.database.read() as connection:
            rows = connection.execute(tally.group_by(queue_jobs.c.task_name, queue_jobs.c.status)).all()
        by = {s: Counter({task: n for task, status, n in rows if status == s}) for s in (WAITING_JOB, RUNNING_JOB)}
        return Standing(self._processes.living(WORKER, PAUSED_WORKER), by[WAITING_JOB], by[RUNNING_JOB])

    def unattended(self) -> str:
        """Why nobody takes any work, as of a moment ago; empty when somebody does, or the database does not answer."""
        if time.monotonic() - self._looked > WORKERS_SECONDS:
            try:
                self._unattended = why_unattended(self._processes.living(WORKER, PAUSED_WORKER))
            except StoreError:
                self._unattended = ""
            self._looked = time.monotonic()
        return self._unattended

    def _put(
        self, connection: Connection, task: str, queue: str, priority: int, id: str, payload: str, **more: Any
    ) -> int:
        # The lock keeps what was put back from beginning before the worker that had it has let go. Imports have one
        # together: they would wait for each other's writes, and take more than one slot from other work.
        lock = IMPORT if task == IMPORT else id
        deferrer = self._app.configure_task(
            task, queue=queue, priority=priority, lock=lock, connection=_driver(connection)
        )
        return deferrer.defer(id=id, payload=payload, **more)


def why_unattended(workers: Sequence[LivingProcess]) -> str:
    """Why none of these workers takes any work; empty when one does."""
    if not workers:
        return NO_WORKER
    return INDEX_AWAY if all(worker.paused for worker in workers) else ""


def _alone(connection: Connection, id: str) -> None:
    """Wait until nobody else puts in, puts back or stops what has this id, and keep others out."""
    connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(id))))


def _jobs() -> Any:
    c = queue_jobs.c
    columns = (c.id, c.task_name, job_status().label("status"), c.args)
    return select(*columns).where(job_status().in_(UNENDED_JOBS)).order_by(c.id)


def _job(row: Any) -> Job:
    # What was to stop and could not say so is about to be given to another worker, which will.
    return Job(row.id, row.args.get("id", ""), row.task_name, row.status != WAITING_JOB, row.args.get("payload", ""))


def _driver(connection: Connection) -> Any:
    """The driver's connection of a transaction."""
    return connection.connection.driver_connection
