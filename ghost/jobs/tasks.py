"""One piece of work in a thread of its own, for a page that must go on: progress to look at, and a way to stop it.

A task belongs to whoever holds it; nothing is registered anywhere, so that visitors cannot meet.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ghost.errors import Cancelled, GhostError

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task has come."""

    what: str = ""
    """What it does now, in a few words."""
    done: int = 0
    total: int = 0
    """0 while nobody knows how much there is to do."""

    @property
    def share(self) -> float:
        """0..1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


class Task(Generic[T]):
    """Work that was begun; it ends with a result or an error, or is cancelled."""

    def __init__(self, work: Callable[["Task[T]"], T]) -> None:
        """Begin at once. ``work`` is given the task: it calls ``tell``, and ``check`` as often as it can stop."""
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._progress = Progress()
        self._result: T | None = None
        self._error: Exception | None = None
        # A daemon, because closing the program must not wait for it.
        threading.Thread(target=self._run, args=(work,), name="ghost-task", daemon=True).start()

    def tell(self, what: str, done: int = 0, total: int = 0) -> None:
        """Say how far the work has come; raises Cancelled when nobody wants it any more."""
        self._progress = Progress(what, done, total)
        self.check()

    def check(self) -> None:
        """Raise Cancelled when nobody wants the work any more."""
        if self._stop.is_set():
            raise Cancelled("It was stopped.")

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._stop.set()

    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, so long at most; whether it has come."""
        return self._ended.wait(seconds)

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self._ended.is_set()

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        return self._progress

    @property
    def error(self) -> Exception | None:
        """Why there is no result; Cancelled when it was stopped."""
        return self._error

    def result(self) -> T:
        """What came of it; raises the error where it failed. Only after the end."""
        if self._error is not None:
            raise self._error
        if not self.ended:
            raise RuntimeError("The task has not ended.")
        return self._result  # type: ignore[return-value]

    def _run(self, work: Callable[["Task[T]"], T]) -> None:
        try:
            self._result = work(self)
        except GhostError as error:
            self._error = error
        except Exception as error:  # whoever waits must learn of it, and nobody else would
            log.exception("A task failed")
            self._error = error
        finally:
            self._ended.set()
