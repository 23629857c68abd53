"""Leaving a provider alone that keeps failing, across the runs of a process, and retrying where that may help."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ghost.errors import EnginesSilentError, ProviderBusyError, ProviderError, ProviderRefusedError, RateLimitError

FAILURES = 3
REST = 60.0
LONGEST_REST = 3600.0
TRIAL = 60.0
"""Seconds after which a trial without a reported outcome is forgotten."""
TRIES = 2
PAUSE = 0.3
TO_ANSWER = 1.0
"""Seconds that must be left for the second try, after the pause."""


def pause_before_retry(error: ProviderError, tries: int, seconds_left: float) -> float | None:
    """Seconds to wait. None when another try is of no use, or would not fit into the time that is left.

    Only what may pass in a moment is tried again: trouble of the server, and a limit that names its end. A time-out has
    used up the time, a refused key stays refused, and engines that block a SearXNG do so for longer.
    """
    if tries >= TRIES or isinstance(error, EnginesSilentError):
        return None
    if not isinstance(error, ProviderBusyError | RateLimitError):
        return None
    if isinstance(error, RateLimitError) and error.retry_after is None:
        return None
    pause = max(error.retry_after or 0.0, PAUSE)
    return pause if pause + TO_ANSWER <= seconds_left else None


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    rests: int = 0
    """How many followed one another without an answer in between."""
    until: float = 0.0
    trial_since: float | None = None
    why: str = ""


class Breaker:
    """Remembers the failures of each provider.

    After some in a row it is not asked for a while. Then one search goes out as a trial, and its outcome decides. Safe
    to use from any thread. ``clock`` gives seconds.
    """

    def __init__(self, failures: int = FAILURES, clock: Callable[[], float] = time.monotonic) -> None:
        self._failures, self._clock = failures, clock
        self._circuits: dict[str, _Circuit] = {}
        self._lock = threading.Lock()

    def refusal(self, name: str) -> str:
        """Why a provider must not be asked now. Empty when it may, and then the outcome is to be reported."""
        with self._lock:
            circuit, now = self._circuits.setdefault(name, _Circuit()), self._clock()
            if not circuit.rests:
                return ""
            if now < circuit.until:
                return f"it is left alone for another {circuit.until - now:.0f} s after it failed: {circuit.why}"
            if circuit.trial_since is not None and now < circuit.trial_since + TRIAL:
                return f"another run tries whether it works again after it failed: {circuit.why}"
            circuit.trial_since = now
            return ""

    def answered(self, name: str) -> None:
        """It gave an answer, if only an empty one."""
        with self._lock:
            self._circuits[name] = _Circuit()

    def failed(self, name: str, error: ProviderError) -> None:
        """It gave none. One that refuses the key rests at once, one that says for how long rests as long.

        One that has trouble of its own is believed for LONGEST_REST at most, and until it has failed too often.
        """
        asked_rest = _asked_rest(error)
        with self._lock:
            circuit = self._circuits.setdefault(name, _Circuit())
            circuit.failures += 1
            circuit.trial_since, circuit.why = None, str(error)
            at_once = isinstance(error, ProviderRefusedError) or asked_rest > 0
            if circuit.failures >= self._failures or circuit.rests or at_once:
                grown = min(REST * 2**circuit.rests, LONGEST_REST)
                busy_again = isinstance(error, ProviderBusyError) and circuit.failures >= self._failures
                rest = max(asked_rest, grown) if busy_again else asked_rest or grown
                circuit.rests = min(circuit.rests + 1, 10)
                circuit.until = self._clock() + rest

    def left(self, name: str) -> None:
        """The search was given up without an outcome. A trial may be made again."""
        with self._lock:
            if circuit := self._circuits.get(name):
                circuit.trial_since = None


def _asked_rest(error: ProviderError) -> float:
    """Seconds for which a provider asks to be left alone, 0 when it does not say."""
    if isinstance(error, RateLimitError):
        return error.retry_after or 0.0
    return min(error.retry_after or 0.0, LONGEST_REST) if isinstance(error, ProviderBusyError) else 0.0
