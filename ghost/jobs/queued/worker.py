"""A worker: takes what is in the queue, as much at a time as it has slots, until it is asked to end.

It takes nothing while the vector index does not answer, as all of it would fail.
"""

import asyncio
import contextlib
import logging
import os
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ghost.errors import GhostError, StoreError
from ghost.jobs.queued.queue import BATCH, IMPORT, LONG, SINGLE, TURN, Queue
from ghost.jobs.queued.work import Work, WorkerWorkbench
from ghost.records import (
    AGAIN,
    BEAT_SECONDS,
    CALM_SECONDS,
    PAUSED_WORKER,
    WORKER,
    Database,
    Processes,
    RunEvents,
    RunLinks,
    SharedImports,
    free_abandoned_jobs,
)

if TYPE_CHECKING:
    from procrastinate import App
    from procrastinate.worker import Worker

log = logging.getLogger(__name__)
GRACE_SECONDS = 8.0
"""So long what is being done may go on after a worker was asked to end. Then it is given to another worker."""
LEFT_SECONDS = 5.0
"""So long after that a worker ends by force: something does not listen. Another one takes it up, as after a crash."""
SWEEP_SECONDS = 3.0
"""How often a worker looks for what others have left."""
PRUNE_SWEEPS = 200
SILENT_SECONDS = 16.0
"""A worker that is silent for so long has lost its jobs. Longer than for a process, whose records are closed first."""
RESTART_SECONDS = 1.0
FORGET_SECONDS = 3600.0
"""After so long the library deletes what it knows of a worker that is gone. Others may be silent, and come back."""
PROBE_SECONDS = 3.0
"""How often a worker asks a vector index that did not answer."""
SAY_SECONDS = 60.0
_LOST = ("side_task_failed", "side_task_monitor_failed", "poll_jobs_to_abort_error")
"""What the library says when it has lost the database."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
FEWEST_SLOTS = 2
"""One for what somebody waits for, and one for everything."""


def run_worker(
    workbench: WorkerWorkbench,
    database: Database,
    slots: int,
    ready: Callable[[], None] = lambda: None,
    silent_seconds: float = SILENT_SECONDS,
    grace_seconds: float = GRACE_SECONDS,
    calm_seconds: float = CALM_SECONDS,
) -> None:
    """Work until SIGTERM or Ctrl-C. What is then being done is finished within ``grace_seconds`` or handed back.

    ``ready`` is called whenever it begins to take work. The jobs of workers that were silent for ``silent_seconds`` are
    taken from them; what has one try left, once no worker has died for ``calm_seconds``. Raises GhostError for too few
    slots.
    """
    if slots < FEWEST_SLOTS:
        raise GhostError(
            f"A worker needs at least {FEWEST_SLOTS} slots: one stays free for single claims while it checks a batch."
        )
    _keep_out_of_the_log()
    # psycopg cannot use the event loop that is Windows' default.
    loop = asyncio.SelectorEventLoop if os.name == "nt" else None
    with asyncio.Runner(loop_factory=loop) as runner:
        running = _Running(workbench, database, slots, ready, silent_seconds, grace_seconds, calm_seconds)
        runner.run(running.until_stopped())


class _Running:
    """One worker while it runs."""

    def __init__(
        self,
        workbench: WorkerWorkbench,
        database: Database,
        slots: int,
        ready: Callable[[], None],
        silent_seconds: float,
        grace_seconds: float,
        calm_seconds: float,
    ) -> None:
        self._workbench, self._database, self._slots, self._ready = workbench, database, slots, ready
        self._silent_seconds, self._grace, self._calm_seconds = silent_seconds, grace_seconds, calm_seconds
        self._work = Work(workbench, Queue(database), self._ask_index)
        self._stopping = asyncio.Event()
        self._index_away, self._said_lost = False, float("-inf")
        self._workers: list[Worker] = []
        self._mine: deque[int] = deque(maxlen=12)
        """Its numbers in the queue, and its former ones: it gets others when it has lost the database."""
        self._heard = time.monotonic()
        """When the database last answered a sweep."""
        self._idle: set[int] = set()
        """Jobs that the queue believes to be here, and that were not here the last time."""

    async def until_stopped(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(self._slots + 4, "ghost-slot"))
        _on_signals(self._loop, self._stop)
        self._loop.set_exception_handler(_without_lost_connections)
        sweeps = asyncio.create_task(self._sweeps())
        while not self._stopping.is_set():
            try:
                await self._until_index_answers()
                await self._take_work()
            except Exception as error:  # the database is away: what waits there is done when it is back
                self._say_lost(_named(error))
            else:
                if not (self._stopping.is_set() or self._index_away):
                    self._say_lost("the connection was lost")
            await self._rest(RESTART_SECONDS)
        sweeps.cancel()

    def _say_lost(self, why: str) -> None:
        """Say that the queue cannot be reached, once a minute at most; ``ready`` says when it can."""
        if time.monotonic() - self._said_lost > SAY_SECONDS:
            self._said_lost = time.monotonic()
            log.warning("The queue cannot be reached: %s", why)

    async def _rest(self, seconds: float) -> None:
        """Wait, unless the worker is asked to stop."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    def _ask_index(self) -> bool:
        """Whether the vector index is away or being made: no more work is taken then. Called by whoever works."""
        try:
            self._workbench.knowledge.mend_index()
        except StoreError as error:
            self._loop.call_soon_threadsafe(self._pause, error)
            return True
        return False

    def _pause(self, error: StoreError) -> None:
        """Take no more work until the index answers; safe to repeat."""
        if not self._index_away:
            self._index_away = True
            log.warning("No work is taken until the vector index answers again. %s", error)
        for worker in self._workers:
            worker.stop()

    async def _until_index_answers(self) -> None:
        """Say whether work is taken, and return when it is, or when the worker is asked to stop. Raises StoreError."""
        heartbeat = self._workbench.heartbeat
        assert heartbeat is not None
        if self._index_away:
            await asyncio.to_thread(heartbeat.become, PAUSED_WORKER, self._slots)
            while not self._stopping.is_set() and await asyncio.to_thread(self._ask_index):
                await self._rest(PROBE_SECONDS)
            if self._stopping.is_set():
                return
            self._index_away = False
            log.warning("The vector index answers again.")
        await asyncio.to_thread(heartbeat.become, WORKER, self._slots)

    async def _take_work(self) -> None:
        """Take work until the worker is stopped or loses the database."""
        from procrastinate.worker import Worker

        async with _opened(self._database.pool_options(), self._slots) as app:
            work = self._work
            tasks: dict[str, Any] = {
                "lookup": work.lookup, "claim": work.claim, "question": work.question, "article": work.article,
                "plan": work.plan, "research": work.research, "import_check": work.import_check, IMPORT: work.import_,
                TURN: work.turn,
            }  # fmt: skip
            for task, do in tasks.items():
                # A lost turn of the batches is put in anew when their claims are looked through.
                retry = False if task == TURN else _retry()
                app.task(name=task, pass_context=True, retry=retry)(do)
            common: dict[str, Any] = {
                "install_signal_handlers": False, "delete_jobs": "always", "fetch_job_polling_interval": 0.5,
                "abort_job_polling_interval": 0.5, "shutdown_graceful_timeout": self._grace,
                "update_heartbeat_interval": min(BEAT_SECONDS, self._silent_seconds / 4),
                "stalled_worker_timeout": FORGET_SECONDS,
            }  # fmt: skip
            # One slot takes nothing but what somebody waits for, whatever else there is to do. What may have ended a
            # worker has one more, so that of all that ends with this one no two are suspected.
            self._workers = [
                Worker(app, queues=[SINGLE], name="single", concurrency=1, **common),
                Worker(app, queues=[SINGLE, LONG, BATCH], name="any", concurrency=self._slots - 1, **common),
                Worker(app, queues=[AGAIN], name="again", concurrency=1, **common),
            ]
            if self._stopping.is_set() or self._index_away:
                return
            self._ready()
            running = [asyncio.create_task(worker.run()) for worker in self._workers]
            try:
                await asyncio.sleep(0)  # what asked one to stop before it has begun is forgotten as it begins
                if self._stopping.is_set() or self._index_away:
                    return
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for worker in self._workers:
                    worker.stop()
                ended = await asyncio.gather(*running, return_exceptions=True)
        for problem in ended:
            if isinstance(problem, BaseException):
                raise problem

    def _stop(self) -> None:
        """Take no more work; safe to repeat."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._work.ending.set()
        for worker in self._workers:
            worker.stop()
        # Threads cannot be ended. One that waits for a site that does not answer must not keep the program.
        forced = threading.Timer(self._grace + LEFT_SECONDS, os._exit, (1,))
        forced.daemon = True
        forced.start()

    async def _sweeps(self) -> None:
        number = 0
        while True:
            try:
                await asyncio.to_thread(self._sweep, number)
            except StoreError as error:
                self._say_lost(str(error))
            except Exception:
                log.exception("Unfinished work of other workers could not be looked for")
            number += 1
            await asyncio.sleep(min(SWEEP_SECONDS, self._silent_seconds / 4))

    def _sweep(self, number: int) -> None:
        """Free the jobs of workers that are gone, and those that this one has lost; close what they have left."""
        numbers = [worker.worker_id for worker in self._workers if worker.worker_id is not None]
        self._mine.extend(number for number in numbers if number not in self._mine)
        self._idle = free_abandoned_jobs(
            self._database, self._silent_seconds, self._calm_seconds, self._mine, self._work.at_work, self._idle,
            self._heard,
        )  # fmt: skip
        was_cut_off = time.monotonic() - self._heard > self._silent_seconds
        self._heard = time.monotonic()  # also where what follows fails each time, as for a run that cannot be read
        self._work.recover(self._calm_seconds, was_cut_off)
        self._heard = time.monotonic()
        if number % PRUNE_SWEEPS == 0:
            RunEvents(self._database).forget()
            RunLinks(self._database).forget()
            SharedImports(self._database).forget()
            Processes(self._database).forget()


@asynccontextmanager
async def _opened(pool: dict[str, Any], slots: int) -> "AsyncIterator[App]":
    from procrastinate import App, PsycopgConnector

    app = App(connector=PsycopgConnector(min_size=1, max_size=slots + 6, timeout=5.0, **pool))
    async with app.open_async():
        yield app


def _retry() -> Any:
    """What could not be done because the database was away is done again; whoever does it counts the tries."""
    from procrastinate import BaseRetryStrategy, RetryDecision

    class AtOnce(BaseRetryStrategy):
        """Without a time of this machine: the server would compare it with its own, which may be hours apart."""

        def get_retry_decision(self, *, exception: BaseException, job: Any) -> RetryDecision | None:
            del job
            return RetryDecision(retry_at=_LONG_AGO) if isinstance(exception, StoreError) else None

    return AtOnce()


def _on_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if number := getattr(signal, name, None):
            try:
                loop.add_signal_handler(number, stop)
            except NotImplementedError:  # on Windows
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))


def _keep_out_of_the_log() -> None:
    """The library writes the arguments of a job, which hold the claim, into the messages about it. And each of its
    tasks shows a traceback when the database is away, which the worker says once.
    """
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    logging.getLogger("procrastinate.utils").setLevel(logging.CRITICAL)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    for name in ("", ".single", ".any", ".again"):
        logging.getLogger(f"procrastinate.worker{name}").addFilter(
            lambda record: not hasattr(record, "job") and getattr(record, "action", "") not in _LOST
        )


def _without_lost_connections(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Leave out what the library could not write down because the database was away; it is found when it is back."""
    from procrastinate.exceptions import ConnectorException

    if not isinstance(context.get("exception"), ConnectorException):
        loop.default_exception_handler(context)


def _named(error: BaseException) -> str:
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}".splitlines()[0]
