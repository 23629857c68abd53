"""Hard limits of one run, asked before every spend, from any thread."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ghost.errors import BudgetExceeded, Cancelled
from ghost.types import Usage


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may spend at most."""

    searches: int = 8
    fetches: int = 10
    tokens: int = 60_000
    cost_usd: float = 0.25
    seconds: float = 180.0


class Budget:
    """Counts what a run spends and refuses what would pass a limit."""

    def __init__(
        self, limits: Limits, cancelled: Callable[[], bool] = lambda: False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits
        self._cancelled = cancelled
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._searches = 0
        self._fetches = 0
        self._tokens = 0
        self._cost = 0.0

    def check(self) -> None:
        """Raise Cancelled or BudgetExceeded when the run must not go on."""
        if self._cancelled():
            raise Cancelled("The run was cancelled.")
        if self.seconds_left <= 0:
            raise BudgetExceeded("seconds", self.limits.seconds)

    def spend(self, *, searches: int = 0, fetches: int = 0, tokens: int = 0, cost_usd: float = 0.0) -> None:
        """Book a spend before it is made; nothing is booked when it would pass a limit."""
        self.check()
        with self._lock:
            for name, used, more, allowed in (
                ("searches", self._searches, searches, self.limits.searches),
                ("fetches", self._fetches, fetches, self.limits.fetches),
                ("tokens", self._tokens, tokens, self.limits.tokens),
                ("US dollars", self._cost, cost_usd, self.limits.cost_usd),
            ):
                if more and used + more > allowed:
                    raise BudgetExceeded(name, allowed)
            self._searches += searches
            self._fetches += fetches
            self._tokens += tokens
            self._cost += cost_usd

    @property
    def seconds_left(self) -> float:
        """Seconds until the run must have ended."""
        return self.limits.seconds - (self._clock() - self._started)

    def usage(self) -> Usage:
        """What has been spent so far."""
        with self._lock:
            return Usage(
                self._searches,
                self._fetches,
                self._tokens,
                round(self._cost, 6),
                round(self._clock() - self._started, 4),
            )
