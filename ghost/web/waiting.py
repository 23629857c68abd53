"""Waiting for something outside without being held by it."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from ghost.errors import ProviderTimeoutError

T = TypeVar("T")
TICK = 0.1
"""Seconds between two looks at the clock and at the analyst's wish to stop."""
GRACE = 0.5
"""Seconds that a provider gets beyond its time-out to say so itself, with a better message."""


def in_time(work: Callable[[], T], seconds: float, check: Callable[[], None], who: str) -> T:
    """The value of ``work``, done in a thread of its own; what it raises is raised here.

    ``check`` is called all the while and may raise to stop the waiting. Raises ProviderTimeoutError after ``seconds``
    (and a moment). The thread is left to its own time-out then: nothing can end a thread that waits for the network.
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
    """Wait; ``check`` is called all the while and may raise to stop it."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        check()
        time.sleep(min(TICK, left))
