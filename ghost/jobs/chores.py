"""Work about the workbench that takes longer than a page may: started on a button, watched from anywhere."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from ghost.errors import Cancelled, GhostError

log = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much is done, and of how much; raises Cancelled when somebody has asked to stop."""
Work = Callable[[Progress], str]
"""Does the chore and says in words what came of it; raises GhostError when it cannot be done."""


class ChoreState(StrEnum):
    """Where a chore stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Chore:
    """A chore as it stands at one moment."""

    name: str
    state: ChoreState
    said: str = ""
    """What came of it, or what went wrong."""
    what: str = ""
    """What it is doing."""
    done: int = 0
    total: int = 0
    """0 as long as nobody knows how much there is to do."""
    seconds: float = 0.0
    """What it took, or takes until now."""
    cancelling: bool = False

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.state is ChoreState.RUNNING


class Chores:
    """Runs chores, each name at most once at a time. Safe to share by threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._chores: dict[str, Chore] = {}
        self._began: dict[str, float] = {}
        self._stops: dict[str, threading.Event] = {}

    def start(self, name: str, work: Work) -> bool:
        """Begin a chore; False when it is already going on."""
        with self._lock:
            known = self._chores.get(name)
            if known and known.running:
                return False
            self._chores[name] = Chore(name, ChoreState.RUNNING)
            self._began[name] = self._clock()
            stop = self._stops[name] = threading.Event()
        threading.Thread(target=self._run, args=(name, work, stop), name=f"ghost-chore-{name}", daemon=True).start()
        return True

    def snapshot(self, name: str) -> Chore | None:
        """How it stands, or how it ended last time; None when it was never begun."""
        with self._lock:
            chore = self._chores.get(name)
            if chore and chore.running:
                return replace(chore, seconds=self._clock() - self._began[name], cancelling=self._stops[name].is_set())
            return chore

    def cancel(self, name: str) -> None:
        """Ask it to stop at its next step; unknown and ended ones are left as they are."""
        with self._lock:
            if stop := self._stops.get(name):
                stop.set()

    def close(self) -> None:
        """Ask all of them to stop, without waiting."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()

    def _run(self, name: str, work: Work, stop: threading.Event) -> None:
        def progress(what: str, done: int, total: int) -> None:
            if stop.is_set():
                raise Cancelled("Stopped, as you asked.")
            with self._lock:
                self._chores[name] = replace(self._chores[name], what=what, done=done, total=total)

        try:
            progress("", 0, 0)
            state, said = ChoreState.DONE, work(progress)
        except Exception as error:
            # What passes on the wish to stop may have wrapped it in an error of its own.
            if stop.is_set():
                state, said = ChoreState.CANCELLED, "Stopped, as you asked."
            elif isinstance(error, GhostError):
                state, said = ChoreState.FAILED, str(error)
            else:
                log.exception("Chore %s failed", name)
                state, said = ChoreState.FAILED, f"Unexpected {type(error).__name__}: {error}"
        with self._lock:
            self._chores[name] = Chore(name, state, said, seconds=self._clock() - self._began[name])
