"""Time limits that also hold while something hangs, the wish to stop, and turns at hosts that want to be left alone."""

import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from ghost.errors import ProviderTimeoutError
from ghost.web.fetch.outcome import FetchError, Problem

T = TypeVar("T")
TICK = 0.1
"""Seconds between two looks at the clock and at the wish to stop."""
GRACE = 0.5
"""Seconds that a provider gets beyond its time limit to report the time-out itself, with a better message."""
MAX_REST = 600.0
"""Seconds that a host may ask to be left alone. Longer wishes are cut, as this is one reader and no robot."""
_SECONDS = re.compile(r"\d{1,18}(\.\d{1,3})?", re.ASCII)


class Deadline:
    """The time, the byte limit and the wish to stop of one fetch. Whatever waits checks it every TICK."""

    def __init__(self, seconds: float, check: Callable[[], None], max_bytes: int) -> None:
        """``check`` may raise to stop the fetch. ``max_bytes`` limits what comes over the wire."""
        self.doing = "waiting"
        """The current phase, for the message about a time-out."""
        self.received = 0
        self.hosts: dict[str, None] = {}
        """Those that were connected to, in order."""
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


def retry_after_seconds(header: str, now: datetime) -> float | None:
    """The wait that a ``Retry-After`` header asks for: a number of seconds, or an HTTP date.

    0 for a date in the past, None for anything else. The value has no upper bound.
    """
    value = header.strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    try:
        until = parsedate_to_datetime(value[:64])
        until = until if until.tzinfo else until.replace(tzinfo=UTC)  # "-0000", and dates without a zone
        return float(max(0, math.ceil((until - now).total_seconds())))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


@dataclass
class _Host:
    busy: int = 0
    free_at: float = 0.0
    rest_until: float = 0.0


class HostTurns:
    """Turns at hosts, for all fetches of this process."""

    def __init__(self, parallel: int) -> None:
        """At most ``parallel`` requests at once to each host."""
        self._parallel = parallel
        self._hosts: dict[str, _Host] = {}
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, host: str, gap: float, deadline: Deadline) -> Iterator[None]:
        """Wait for a turn at a host and hold it. Raises FetchError when it cannot come in time.

        The next request to this host begins at least ``gap`` seconds after this one.
        """
        deadline.doing = f"waiting for a turn at {host}"
        while not self._taken(host, gap, deadline):
            deadline.check()
        try:
            yield
        finally:
            with self._changed:
                self._hosts[host].busy -= 1
                self._changed.notify_all()

    def rest(self, host: str, retry_after: str) -> None:
        """Leave a host alone for as long as its ``Retry-After`` header asks."""
        seconds = retry_after_seconds(retry_after, datetime.now(UTC)) or 0.0
        with self._changed:
            known = self._hosts.setdefault(host, _Host())
            known.rest_until = max(known.rest_until, time.monotonic() + min(seconds, MAX_REST))

    def _taken(self, host: str, gap: float, deadline: Deadline) -> bool:
        """Take the turn if it is free, otherwise wait a TICK at most."""
        with self._changed:
            known = self._hosts.setdefault(host, _Host())
            now = time.monotonic()
            rest = known.rest_until - now
            if rest > deadline.left:
                raise FetchError(Problem.HTTP, f"{host} asked to be left alone for {rest:.0f} s.", 429)
            wait = max(known.free_at - now, rest)
            if known.busy < self._parallel and wait <= 0:
                known.busy += 1
                known.free_at = now + gap
                return True
            self._changed.wait(TICK if wait <= 0 else min(TICK, wait))
            return False
