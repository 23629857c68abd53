"""The clock, the wish to stop and the byte counter of one fetch."""

import time
from collections.abc import Callable

from ghost.web.fetched import NoPage, Problem


class Watch:
    """Looked at by everything that waits, at least every tenth of a second."""

    def __init__(
        self, seconds: float, check: Callable[[], None], most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``check`` may raise to stop the fetch; ``most`` are the bytes that may come over the wire."""
        self.doing = "waiting"
        """What is being done, for the sentence about a time-out."""
        self.received = 0
        self._seconds = seconds
        self._check = check
        self._most = most
        self._clock = clock
        self._started = clock()

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._started

    @property
    def left(self) -> float:
        """Seconds that are left; not below 0."""
        return max(0.0, self._seconds - self.spent)

    def look(self) -> None:
        """Raise what the run's check raises, or NoPage when the time is over."""
        self._check()
        if self.spent >= self._seconds:
            raise NoPage(Problem.TIMEOUT, f"It took longer than {self._seconds:g} s ({self.doing}).")

    def count(self, size: int) -> None:
        """Book bytes from the wire; raises NoPage when there are too many."""
        self.received += size
        if self.received > self._most:
            raise NoPage(Problem.TOO_LARGE, f"More than {self._most:,} bytes came, and the rest was not read.")
