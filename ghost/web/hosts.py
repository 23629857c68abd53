"""Politeness: few requests to one host at a time, a moment between them, and peace when it asks for it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ghost.web.fetched import NoPage, Problem
from ghost.web.waiting import TICK
from ghost.web.watch import Watch

MAX_REST = 600.0
"""Seconds that a host may ask to be left alone; longer wishes are cut, as this is one reader and no robot."""
MAX_KNOWN = 1_000


@dataclass
class _Known:
    busy: int = 0
    free_at: float = 0.0
    """When the next request may begin."""
    rest_until: float = 0.0


class Hosts:
    """Turns at hosts, for all fetches of this process."""

    def __init__(self, parallel: int, clock: Callable[[], float] = time.monotonic) -> None:
        """At most ``parallel`` requests at once for each host."""
        self._parallel = parallel
        self._clock = clock
        self._known: dict[str, _Known] = {}
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, host: str, gap: float, watch: Watch) -> Iterator[None]:
        """Wait for a turn at a host and hold it; raises NoPage when it cannot come in time.

        The next request to this host begins at least ``gap`` seconds after this one.
        """
        watch.doing = f"waiting for a turn at {host}"
        while not self._taken(host, gap, watch):
            watch.look()
        try:
            yield
        finally:
            with self._changed:
                self._known[host].busy -= 1
                self._changed.notify_all()

    def rest(self, host: str, seconds: float) -> None:
        """Leave a host alone for a while, as it asked."""
        with self._changed:
            until = self._clock() + min(seconds, MAX_REST)
            known = self._known.setdefault(host, _Known())
            known.rest_until = max(known.rest_until, until)

    def _taken(self, host: str, gap: float, watch: Watch) -> bool:
        """Take the turn if it is ours; otherwise wait a tick at most."""
        with self._changed:
            known = self._known.setdefault(host, _Known())
            now = self._clock()
            if known.rest_until - now > watch.left:
                raise NoPage(Problem.HTTP, f"{host} asked to be left alone for {known.rest_until - now:.0f} s.", 429)
            wait = max(known.free_at, known.rest_until) - now
            if known.busy < self._parallel and wait <= 0:
                known.busy += 1
                known.free_at = now + gap
                self._forget(now)
                return True
            self._changed.wait(TICK if wait <= 0 else min(TICK, wait))
            return False

    def _forget(self, now: float) -> None:
        if len(self._known) > MAX_KNOWN:
            idle = [h for h, k in self._known.items() if not k.busy and max(k.free_at, k.rest_until) < now]
            for host in idle:
                del self._known[host]
