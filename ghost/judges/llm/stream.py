"""An answer as it comes in, read in a thread of its own, since waiting for a socket cannot be interrupted."""

import math
import queue
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from ghost.budget import Budget
from ghost.judges.llm.connection import Line

POLL_SECONDS = 0.1
"""How often a waiting call looks whether the run was cancelled or is out of time."""
ASKED = object()
"""What a stream gives when the question goes out: getting ready to ask is not the server's time."""


class Stream:
    """Pieces of one answer. ``ask(line, asked)`` opens it and calls ``asked`` when it is ready to."""

    def __init__(self, ask: Callable[[Line, Callable[[], None]], Any], workers: "weakref.WeakSet[threading.Thread]"):
        self.line = Line()
        self.deadline = math.inf
        self._ask = ask
        self._pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._read, name="ghost-model-answer", daemon=True)
        workers.add(self._thread)
        self._thread.start()

    def next(self, budget: Budget) -> Any:
        """The next piece, an exception, ASKED, or None at the end.

        Raises TimeoutError, Cancelled or BudgetExceeded instead of waiting longer.
        """
        while True:
            budget.check()
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                return self._pieces.get(timeout=min(POLL_SECONDS, left))
            except queue.Empty:
                continue

    def leave(self) -> None:
        """Nobody listens any more; the thread ends and its connection with it."""
        self._left.set()
        self.line.cut()

    def _read(self) -> None:
        try:
            with self._ask(self.line, lambda: self._pieces.put(ASKED)) as stream:
                for piece in stream:
                    if self._left.is_set():
                        return
                    self._pieces.put(piece)
            self._pieces.put(None)
        except Exception as error:
            self._pieces.put(error)
