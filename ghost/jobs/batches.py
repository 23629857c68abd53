"""The one worker that checks batches, claim by claim, while whoever asks for a single claim goes first."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from ghost.errors import GhostError, StoreError
from ghost.events import Event, RunEnded, VerdictReached
from ghost.records import BATCH_INTERRUPTED, Batch, BatchItem, BatchQueue, BatchState, BatchStore, NewBatch, Tally
from ghost.text import redacted
from ghost.types import Claim, RunStatus, Verdict

log = logging.getLogger(__name__)

GIVE_UP = 5
"""After so many failures in a row a batch pauses: the next claims would fail for the same reason."""
RECENT = 20
"""Claims that the pace is measured by."""
LOOK_SECONDS = 0.1


class House(Protocol):
    """What the engine needs of the workbench."""

    @property
    def batches(self) -> BatchStore: ...

    @property
    def batch_queue(self) -> BatchQueue: ...

    def verify(
        self,
        claim: Claim,
        *,
        run_id: str | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        web: bool = True,
    ) -> Iterator[Event]:
        """The events of one verification."""
        ...


@dataclass(frozen=True, slots=True)
class BatchView:
    """A batch as it stands at one moment."""

    batch: Batch
    tally: Tally
    here: bool = False
    """Whether it is checked by this program; else, when it is running, by another one on the same records."""
    item: BatchItem | None = None
    """The claim at work."""
    waits: str = ""
    """What it waits for at the moment; empty when it does not wait."""
    pace: float | None = None
    """Seconds that a claim takes, as the last ones took; None as long as nobody knows."""
    problem: str = ""
    """Why it stopped although nothing of it could be written down."""

    @property
    def running(self) -> bool:
        """Whether claims are handed out, or one is still at work."""
        return self.batch.state is BatchState.RUNNING or self.item is not None

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take; None as long as nobody knows."""
        return None if self.pace is None else self.pace * self.tally.left


class BatchEngine:
    """Works through batches in a thread of its own, one batch and one claim at a time. Safe to share by threads."""

    def __init__(
        self,
        workbench: House,
        busy: Callable[[], bool] = lambda: False,
        look: float = LOOK_SECONDS,
    ) -> None:
        """While ``busy()`` no claim is begun; it is asked every ``look`` seconds."""
        self._workbench, self._busy, self._look = workbench, busy, look
        self._wake = threading.Condition()
        self._line: deque[str] = deque()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._batch_id = ""
        self._item: BatchItem | None = None
        self._stop = threading.Event()
        self._yields = False
        self._paces: dict[str, deque[float]] = {}
        self._problems: dict[str, str] = {}

    def start(self, new: NewBatch) -> str:
        """Keep a new batch, begin it, and return its id; raises StoreError."""
        batch_id = self._workbench.batches.create(new)
        self.resume(batch_id)
        return batch_id

    def resume(self, batch_id: str) -> None:
        """Go on with what waits, or was cancelled; raises StoreError."""
        with self._wake:  # all of it, or a snapshot would see a batch that runs and that nobody works on
            self._workbench.batch_queue.begin(batch_id, self._item.run_id if self._item else "")
            self._problems.pop(batch_id, None)
            if batch_id not in self._line:
                self._line.append(batch_id)
            if self._thread is None and not self._closing.is_set():
                # A daemon, because closing the program must not wait for it: what it had is taken up again.
                self._thread = threading.Thread(target=self._work, name="ghost-batch", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def retry(self, batch_id: str) -> int:
        """Check the claims again that failed, and go on with what waits; returns how many had failed."""
        failed = self._workbench.batch_queue.retry(batch_id)
        self.resume(batch_id)
        return failed

    def pause(self, batch_id: str) -> None:
        """Begin no more claims of it; the one at work is finished. Raises StoreError."""
        self._workbench.batch_queue.pause(batch_id)

    def cancel(self, batch_id: str) -> None:
        """Give up the claim at work and all that wait; ``resume`` takes them up again. Raises StoreError."""
        self._workbench.batch_queue.cancel(batch_id)
        with self._wake:
            if self._batch_id == batch_id:
                self._stop.set()

    def snapshot(self, batch_id: str) -> BatchView | None:
        """The batch as it stands now; None when there is none. Raises StoreError."""
        with self._wake:
            at_work = self._batch_id == batch_id
            here = at_work or batch_id in self._line
            batch = self._workbench.batches.get(batch_id)
            if batch and not here and self._workbench.batch_queue.is_mine(batch):
                # Its engine is gone, though the program still runs.
                self._workbench.batch_queue.pause(batch_id, BATCH_INTERRUPTED)
                batch = self._workbench.batches.get(batch_id)
            if batch is None:
                return None
            item = self._item if at_work else None
            waits = self._waits(batch_id) if here else ""
            pace = self._paces.get(batch_id)
            problem = self._problems.get(batch_id, "")
        mean = sum(pace) / len(pace) if pace else None
        return BatchView(batch, self._workbench.batches.tally(batch_id), here, item, waits, mean, problem)

    def close(self, seconds: float = 2.0) -> None:
        """Stop, and leave what is not done paused, to be resumed after the next start."""
        self._closing.set()
        with self._wake:
            begun = [*self._line, *([self._batch_id] if self._batch_id else [])]
            self._stop.set()
            self._wake.notify_all()
        for batch_id in begun:
            with suppress(StoreError):
                self._workbench.batch_queue.pause(batch_id, BATCH_INTERRUPTED)
        if self._thread:
            self._thread.join(seconds)

    def _waits(self, batch_id: str) -> str:
        if self._batch_id and self._batch_id != batch_id:
            return "another batch goes first"
        return "a single check goes first" if self._yields else ""

    def _work(self) -> None:
        while True:
            with self._wake:
                while not self._line and not self._closing.is_set():
                    self._wake.wait()
                if self._closing.is_set():
                    return
                self._batch_id = self._line.popleft()
            try:
                self._follow(self._batch_id)
            except GhostError as error:
                self._give_up(self._batch_id, str(error))
            except Exception as error:
                log.exception("Batch %s stopped", self._batch_id)
                self._give_up(self._batch_id, f"Unexpected {type(error).__name__}: {redacted(str(error))}")
            with self._wake:
                self._batch_id, self._item = "", None

    def _give_up(self, batch_id: str, why: str) -> None:
        """Pause it; where even that cannot be written down, remember it as long as the program lives."""
        with self._wake:
            self._problems[batch_id] = why
        with suppress(StoreError):
            self._workbench.batch_queue.pause(batch_id, why)

    def _follow(self, batch_id: str) -> None:
        batch = self._workbench.batches.get(batch_id)
        failures = 0
        while batch and self._may_begin() and (item := self._workbench.batch_queue.next(batch_id)):
            began, stop = time.monotonic(), threading.Event()
            with self._wake:
                self._item, self._stop = item, stop
                if self._closing.is_set():
                    stop.set()
            verdict, status, error = self._check(batch, item, stop)
            seconds = time.monotonic() - began
            if verdict and status is RunStatus.FINISHED:
                self._workbench.batch_queue.done(item, verdict.label, verdict.confidence, seconds)
                failures = 0
            elif status is RunStatus.CANCELLED:
                self._workbench.batch_queue.put_back(item)
            else:
                self._workbench.batch_queue.failed(item, error, item.run_id if status else "", seconds)
                failures += 1
            with self._wake:
                self._item = None
                if status is not RunStatus.CANCELLED:
                    self._paces.setdefault(batch_id, deque(maxlen=RECENT)).append(seconds)
            if failures >= GIVE_UP:
                self._workbench.batch_queue.pause(
                    batch_id, f"Paused after {failures} failures in a row. The last one: {error}"
                )

    def _may_begin(self) -> bool:
        """Wait until no single check goes on; False when the engine closes."""
        while self._busy():
            self._yields = True
            if self._closing.wait(self._look):
                break
        self._yields = False
        return not self._closing.is_set()

    def _check(
        self, batch: Batch, item: BatchItem, stop: threading.Event
    ) -> tuple[Verdict | None, RunStatus | None, str]:
        """Verdict, how the run ended, and what went wrong; no status when no run began or none came to its end."""
        verdict, status, error = None, None, ""
        claim = Claim(item.claim, item.context, batch.as_of, item.found_at or None)
        try:
            for event in self._workbench.verify(claim, run_id=item.run_id, cancelled=stop.is_set, web=batch.web):
                if isinstance(event, VerdictReached):
                    verdict = event.verdict
                elif isinstance(event, RunEnded):
                    status, error = event.status, event.error
        except GhostError as problem:
            return None, None, str(problem)
        except Exception as problem:
            log.exception("Claim %d of batch %s failed", item.position, batch.id)
            return None, None, f"Unexpected {type(problem).__name__}: {problem}"
        return verdict, status, error or "The run ended without a verdict."
