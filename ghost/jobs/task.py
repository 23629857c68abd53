"""Long work in a thread of its own: how far it is, how it ended, and a way to stop it."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ghost.errors import Cancelled, GhostError
from ghost.text import redacted

T = TypeVar("T")
log = logging.getLogger(__name__)

Report = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and of how much; raises Cancelled after a request to stop."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task is: what it is doing in a few words, and how much of how much; a total of 0 is not known yet."""

    what: str = ""
    done: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """0..1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


class Task(Generic[T]):
    """Work that runs as soon as the task exists. It ends with a result or an error, or is cancelled."""

    def __init__(self, work: Callable[["Task[T]"], T]) -> None:
        """``work`` is given the task, to call ``report`` on."""
        self.progress = Progress()
        self.error: Exception | None = None
        """Why there is no result; Cancelled when it was stopped."""
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._result: T | None = None
        self._started, self._seconds = time.monotonic(), 0.0
        # A daemon, because closing the program must not wait for it.
        threading.Thread(target=self._run, args=(work,), name="ghost-task", daemon=True).start()

    def report(self, what: str, done: int = 0, total: int = 0) -> None:
        """Set the progress; raises Cancelled after a request to stop."""
        self.progress = Progress(what, done, total)
        if self.cancelled():
            raise Cancelled("Stopped, as you asked.")

    def cancel(self) -> None:
        """Ask the work to stop at its next report."""
        self._stop.set()

    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for the end; returns whether it has come."""
        return self._ended.wait(seconds)

    @property
    def ended(self) -> bool:
        """Whether the work is over."""
        return self._ended.is_set()

    @property
    def seconds(self) -> float:
        """Duration so far, or in all once it has ended."""
        return self._seconds if self.ended else time.monotonic() - self._started

    def result(self) -> T:
        """The result; raises the error of work that failed, and RuntimeError before the end."""
        if self.error is not None:
            raise self.error
        if not self.ended:
            raise RuntimeError("The task has not ended.")
        return self._result  # type: ignore[return-value]

    def _run(self, work: Callable[["Task[T]"], T]) -> None:
        try:
            self._result = work(self)
        except Exception as error:
            # Code between here and ``report`` may have wrapped the Cancelled in an error of its own.
            self.error = Cancelled("Stopped, as you asked.") if self.cancelled() else error
            if not isinstance(self.error, GhostError):
                log.exception("A task failed")
        finally:
            self._seconds = time.monotonic() - self._started
            self._ended.set()


class Tasks:
    """Tasks known by name, each name running at most once at a time. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[str, Task[str]] = {}

    def start(self, name: str, work: Callable[[Task[str]], str]) -> bool:
        """Start a task; False when one of this name is still running."""
        with self._lock:
            known = self._tasks.get(name)
            if known and not known.ended:
                return False
            self._tasks[name] = Task(work)
            return True

    def get(self, name: str) -> Task[str] | None:
        """The task that was started last under this name."""
        return self._tasks.get(name)

    def close(self) -> None:
        """Ask all of them to stop, without waiting."""
        with self._lock:
            for task in self._tasks.values():
                task.cancel()


def failure_text(error: Exception) -> str:
    """What went wrong as a sentence for the user: ours as they are, others by their type and without secrets."""
    return str(error) if isinstance(error, GhostError) else f"Unexpected {type(error).__name__}: {redacted(str(error))}"
