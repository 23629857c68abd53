"""Work of other processes, watched from this one: the views and event logs that the page and the API read."""

import logging
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Generic, TypeVar, cast

from ghost.errors import StoreError
from ghost.jobs.event_log import EventLog
from ghost.jobs.queued.queue import Job, Order, Queue
from ghost.records import EVENTS_CHANNEL, Database, Reported, RunEvents, WorkEnded

log = logging.getLogger(__name__)
V = TypeVar("V")
E = TypeVar("E")
KEPT = 64
"""Ended ones that stay in memory."""
POLL_SECONDS = 1.0
"""So long at most news waits whose notification was lost, as when the server was restarted."""
LOST_SECONDS = 5.0
"""What has been silent for so long is looked up in the queue: it may have gone without a word."""
STOPPED = "Stopped, as you asked."
LOST = (
    "This was lost: it is no longer in the queue, and no worker has reported how it ended. What it had found is kept. "
    "Start it again."
)


class Listener:
    """One connection that is told of news by the server, and calls those that want to know. Starts when first used."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._wanted: dict[str, Callable[[], None]] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def follow(self, id: str, news: Callable[[], None]) -> None:
        """Call ``news`` whenever something was reported under this id, and now and then besides."""
        with self._lock:
            self._wanted[id] = news
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ghost-listener", daemon=True)
                self._thread.start()

    def leave(self, id: str) -> None:
        """Call nothing for this id any more."""
        with self._lock:
            self._wanted.pop(id, None)

    def close(self) -> None:
        """Listen no more."""
        self._closed.set()

    def _run(self) -> None:
        import psycopg

        while not self._closed.is_set():
            with suppress(psycopg.Error, StoreError):
                self._listen()
            self._tell(None)  # also without notifications, as long as the server accepts statements
            self._closed.wait(POLL_SECONDS)

    def _listen(self) -> None:
        with self._database.listening(EVENTS_CHANNEL) as connection:
            self._tell(None)  # what was reported before anybody listened
            while not self._closed.is_set():
                told = {news.payload for news in connection.notifies(timeout=POLL_SECONDS, stop_after=1)}
                if told:
                    told |= {news.payload for news in connection.notifies(timeout=0)}
                self._tell(told or None)

    def _tell(self, ids: Collection[str] | None) -> None:
        with self._lock:
            wanted = [news for id, news in self._wanted.items() if ids is None or id in ids]
        for news in wanted:
            try:
                news()
            except StoreError:
                pass  # asked again in a moment
            except Exception:
                log.exception("What a worker has reported could not be read")


class Watched(Generic[V, E]):
    """The views and event logs of work of one kind, by its id. Safe to share between threads.

    It comes before the class that does such work in this process, and takes the place of what that one offers.
    """

    task = ""

    def __init__(self, queue: Queue, listener: Listener) -> None:
        self._queue, self._listener = queue, listener
        self.reported = RunEvents(queue.database)
        self._guard = threading.RLock()
        self._views: dict[str, V] = {}
        self._logs: dict[str, EventLog[E]] = {}
        self._positions: dict[str, int] = {}
        """The last event that was read of each, as long as it has not ended."""
        self._heard: dict[str, float] = {}
        self._closed = False

    def view(self, id: str) -> V | None:
        """How it stands now; None when it was not watched here and is not in the queue. Raises StoreError."""
        with self._guard:
            known = self._views.get(id)
        if known is None and (job := self._queue.find(id)) and job.task in self._tasks:
            self.watch(id, self._of_job(job))
            self.catch_up(id)
            with self._guard:
                known = self._views.get(id)
        if known is not None and id in self._positions and (why := self._queue.unattended()):
            return self._unattended(known, why)
        return known

    def snapshot(self, id: str) -> V | None:
        """How it stands now, whoever has put it in; None when it is unknown or ended elsewhere. Raises StoreError."""
        return self.view(id)

    def log(self, id: str) -> EventLog[E] | None:
        """What it reports, in order; None when it is neither watched nor in the queue. Raises StoreError."""
        self.view(id)
        with self._guard:
            return self._logs.get(id)

    def watch(self, id: str, view: V, position: int = 0) -> None:
        """Follow what is reported under this id after a position (0: all of it)."""
        with self._guard:
            if id in self._positions:
                return
            self._views.pop(id, None)
            self._views[id], self._logs[id] = view, EventLog()
            self._positions[id], self._heard[id] = position, time.monotonic()
            for old in [known for known in self._views if known not in self._positions][:-KEPT]:
                del self._views[old], self._logs[old]
        self._listener.follow(id, lambda: self.catch_up(id))

    def put(self, id: str, order: Order, view: V) -> None:
        """Put something in and watch it. Raises StoreError, and watches nothing, where that fails."""
        self.watch(id, view)
        try:
            self._queue.put(id, order)
        except StoreError:
            self._forget(id)
            raise

    def _forget(self, id: str) -> None:
        """It was not put into the queue after all."""
        with self._guard:
            for kept in (self._views, self._logs, self._positions, self._heard):
                kept.pop(id, None)
        self._listener.leave(id)

    def stopped(self, id: str, *last: Reported) -> None:
        """Report the end of something that was stopped before a worker took it, and what comes before the end.

        Raises StoreError.
        """
        begun = self.reported.begin(id)
        for position, event in enumerate((*last, WorkEnded(STOPPED, stopped=True)), begun + 1):
            self.reported.add(id, begun, position, event)
        self.catch_up(id)

    def change(self, id: str, changed: Callable[[V], V]) -> None:
        """Change a view that is watched."""
        with self._guard:
            if id in self._views:
                self._views[id] = changed(self._views[id])

    def active(self) -> list[str]:
        """What waits or is being done, whoever has put it in, in the order in which it is taken."""
        if self._closed:
            return []
        try:
            return [id for task in self._tasks for id in self._queue.ids(task)]
        except StoreError:
            with self._guard:
                return list(self._positions)

    def close(self) -> None:
        """Watch no more. What waits or goes on is left to the workers."""
        self._closed = True
        with self._guard:
            ids, logs = list(self._positions), [self._logs[id] for id in self._positions]
            self._positions.clear()
        for id in ids:
            self._listener.leave(id)
        for each in logs:
            each.end()

    @property
    def _tasks(self) -> Collection[str]:
        return (self.task,)

    @abstractmethod
    def _of_job(self, job: Job) -> V:
        """The view of something that is in the queue, before its first event."""

    @abstractmethod
    def _after(self, view: V, event: Any) -> V:
        """The view once ``event`` has happened."""

    @abstractmethod
    def _ended(self, view: V, end: WorkEnded) -> V:
        """The view once nothing more is to come."""

    @abstractmethod
    def _unattended(self, view: V, why: str) -> V:
        """The view of something that does not go on because no worker takes it."""

    def catch_up(self, id: str) -> None:
        """Take in what was reported since the last time. Raises StoreError."""
        end: WorkEnded | None = None
        with self._guard:  # one reader at a time, or events would be taken in twice
            if (position := self._positions.get(id)) is None:
                return
            new, self._positions[id] = self.reported.since(id, position)
            for event in new:
                if isinstance(event, WorkEnded):
                    end = event
                    break
                self._views[id] = self._after(self._views[id], event)
                self._logs[id].append(cast(E, event))
            now = time.monotonic()
            if new:
                self._heard[id] = now
            elif end is None and now - self._heard[id] > LOST_SECONDS:
                self._heard[id] = now
                end = self._lost(id)
            if end is not None:
                self._views[id] = self._ended(self._views[id], end)
                del self._positions[id], self._heard[id]
                ended = self._logs[id]
        if end is not None:
            self._listener.leave(id)
            ended.end()

    def _lost(self, id: str) -> WorkEnded | None:
        """How something ended of which nothing is heard; None while it is in the queue, or has news after all."""
        if self._queue.find(id) is not None or self.reported.since(id, self._positions[id])[0]:
            return None
        return WorkEnded(error=LOST)
