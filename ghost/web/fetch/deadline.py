"""Time limits that also hold while something hangs, and the wish to stop."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from ghost.errors import ProviderTimeoutError
from ghost.web.fetch.outcome import FetchError, Problem

T = TypeVar("T")
TICK = 0.1
"""Seconds between two looks at the clock and at the wish to stop."""
GRACE = 0.5
"""Seconds that a provider gets beyond its time limit to report the time-out itself, with a better message."""


class Deadline:
    """The time, the byte limit and the wish to stop of one fetch. Whatever waits checks it every TICK."""

    def __init__(self, seconds: float, check: Callable[[], None], max_bytes: int) -> None:
        """``check`` may raise to stop the fetch. ``max_bytes`` limits what comes over the wire."""
        self.doing = "waiting"
        """The current phase, for the message about a time-out."""
        self.received = 0
        self._seconds = seconds
        self._check = check
        self._max_bytes = max_bytes
        self._started = time.monotonic()

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @property
    def left(self) -> float:
        """Seconds left, not below 0."""
        return max(0.0, self._seconds - self.spent)

    def check(self) -> None:
        """Raise what the run's own check raises, or FetchError when the time is up."""
        self._check()
        if self.spent >= self._seconds:
            raise FetchError(Problem.TIMEOUT, f"It took longer than {self._seconds:g} s ({self.doing}).")

    def count(self, size: int) -> None:
        """Add bytes from the wire. Raises FetchError beyond the limit."""
        self.received += size
        if self.received > self._max_bytes:
            raise FetchError(Problem.TOO_LARGE, f"More than {self._max_bytes:,} bytes came, and the rest was not read.")


def in_time(work: Callable[[], T], seconds: float, check: Callable[[], None], who: str) -> T:
    """The value of ``work``, done in a thread of its own. What it raises is raised here.

    ``check`` is called every TICK and may raise to stop the waiting. Raises ProviderTimeoutError after ``seconds`` and
    a moment. The thread is then left to its own time-out: nothing can end a thread that waits for the network.
    """
    values: list[T] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            values.append(work())
        except BaseException as failure:
            failures.append(failure)
        finally:
            done.set()

    threading.Thread(target=run, name="ghost-search", daemon=True).start()
    deadline = time.monotonic() + seconds + GRACE
    while not done.wait(TICK):
        check()
        if time.monotonic() > deadline:
            raise ProviderTimeoutError(f"{who} did not answer within {seconds:g} s.")
    check()
    if failures:
        raise failures[0]
    return values[0]


def pause(seconds: float, check: Callable[[], None]) -> None:
    """Wait. ``check`` is called every TICK and may raise to stop it."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        check()
        time.sleep(min(TICK, left))
