"""Work that is started once and then followed by its id: two at a time, the others wait in the order of their start."""

import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from ghost.errors import Cancelled
from ghost.jobs.event_log import EventLog

V = TypeVar("V")
E = TypeVar("E")
KEPT = 64
"""Ended ones that stay in memory."""
AT_ONCE = 2


class Followed(Generic[V, E]):
    """The views, the events and the requests to stop of such work, by its id. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turn = threading.Condition(self._lock)
        """Told when one has ended or is to stop, to those that wait for their turn."""
        self._views: dict[str, V] = {}
        self._logs: dict[str, EventLog[E]] = {}
        self._stops: dict[str, threading.Event] = {}
        """Of those that have not ended, in the order in which they were started."""

    def snapshot(self, id: str) -> V | None:
        """How it stands now; None when it is unknown."""
        with self._lock:
            return self._views.get(id)

    def log(self, id: str) -> EventLog[E] | None:
        """What it reports, in order; None when it is unknown.

        The log may end without the last event: ``snapshot`` then says whether it failed or was stopped.
        """
        with self._lock:
            return self._logs.get(id)

    def cancel(self, id: str) -> None:
        """Ask it to stop; does nothing to unknown and ended ones."""
        with self._lock:
            if stop := self._stops.get(id):
                stop.set()
                self._views[id] = self._cancelling(self._views[id])
                self._turn.notify_all()

    def active(self) -> list[str]:
        """Ids of those that wait or go on, oldest first."""
        with self._lock:
            return list(self._stops)

    def close(self) -> None:
        """Ask all of them to stop, without waiting."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
            self._turn.notify_all()

    @abstractmethod
    def _waiting(self, view: V) -> V:
        """The view of one that waits for its turn."""

    @abstractmethod
    def _cancelling(self, view: V) -> V:
        """The view of one that was asked to stop."""

    def _open(self, id: str, view: V, stop: threading.Event) -> bool:
        """Make room for one that begins; False where it goes on already."""
        with self._lock:
            if id in self._stops:
                return False
            self._views.pop(id, None)
            self._views[id] = view
            self._logs[id] = EventLog()
            self._stops[id] = stop
            for old in [known for known in self._views if known not in self._stops][:-KEPT]:
                del self._views[old], self._logs[old]
            return True

    def _wait(self, id: str) -> None:
        """Return when it is its turn. Raises Cancelled when it is to stop before that."""
        with self._turn:
            while list(self._stops).index(id) >= AT_ONCE:
                if self._stops[id].is_set():
                    raise Cancelled("It was stopped before its turn.")
                self._views[id] = self._waiting(self._views[id])
                self._turn.wait()

    def _happened(self, id: str, event: E, after: Callable[[V, E], V]) -> None:
        with self._lock:
            self._views[id] = after(self._views[id], event)
        self._logs[id].append(event)

    def _end(self, id: str, last: Callable[[V], V]) -> None:
        """Keep the last view, and let the next one have its turn."""
        with self._lock:
            self._views[id] = last(self._views[id])
            del self._stops[id]
            self._turn.notify_all()
            ended = self._logs[id]
        ended.end()
