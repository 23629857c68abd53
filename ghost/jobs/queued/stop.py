"""How a worker tells what it does that it is to stop, and why."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ghost.errors import StoreError, TakenOverError

if TYPE_CHECKING:
    from procrastinate import JobContext

LOOK_SECONDS = 0.3
"""How often a claim of a batch asks whether it is still wanted."""


class HandedBack(BaseException):
    """The worker ends: what it does is given to another one. No error, so that nothing on the way takes it for one."""


class Stop:
    """Tells work that it is to stop. In the thread of the work it raises HandedBack when the worker ends, and
    TakenOverError when another one has it: neither is its end.
    """

    def __init__(self, context: "JobContext", wanted: Callable[[], bool] = lambda: True, stopped: bool = False) -> None:
        """``stopped``: it was asked to stop before, while nobody did it."""
        self._context, self._wanted = context, wanted
        self._thread = threading.get_ident()
        self._looked, self._stopped = time.monotonic(), stopped
        self._lost: TakenOverError | None = None

    def __call__(self) -> bool:
        """Whether the work is to stop."""
        reason = self._context.abort_reason()
        if reason is not None and reason.value == "shutdown":
            if threading.get_ident() == self._thread:
                raise HandedBack
            return True
        if not self._stopped and time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            try:
                self._stopped = not self._wanted()
            except TakenOverError as error:
                self._lost = error
            except StoreError:
                pass  # asked again in a moment
        if self._lost and threading.get_ident() == self._thread:
            raise self._lost
        return self._stopped or bool(self._lost) or reason is not None
