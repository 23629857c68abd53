"""Ending in good order: work that runs is finished when there is time for it."""

import threading
import time
from collections.abc import Iterable, Sequence
from typing import Protocol

POLL_SECONDS = 0.05


class Active(Protocol):
    """Jobs that know which of them are waiting or running."""

    def active(self) -> Sequence[str]:
        """Their ids."""
        ...


def finish(jobs: Iterable[Active], seconds: float, hurry: threading.Event) -> bool:
    """Wait until nothing is waiting or running; False when the time is over, or ``hurry`` is set, before that."""
    deadline, waited_for = time.monotonic() + seconds, list(jobs)
    while any(job.active() for job in waited_for):
        left = deadline - time.monotonic()
        if left <= 0 or hurry.wait(min(POLL_SECONDS, left)):
            return False
    return True
