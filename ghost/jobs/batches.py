"""The thread that checks batches claim by claim. Single checks go first."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ghost.errors import GhostError, StoreError
from ghost.events import RunEnded, VerdictReached
from ghost.jobs.runs import JobWorkbench
from ghost.jobs.task import failure_text
from ghost.records import BATCH_INTERRUPTED, Batch, BatchItem, BatchState, NewBatch, Tally
from ghost.types import Claim, RunStatus, Verdict

log = logging.getLogger(__name__)

GIVE_UP = 5
"""Failures in a row after which a batch pauses: the next claims would most likely fail for the same reason."""
RECENT = 20
"""Latest claims from which the pace is measured."""
POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class BatchView:
    """A batch as it stands at one moment."""

    batch: Batch
    tally: Tally
    here: bool = False
    """Whether this program checks it. If not and it is running, another program on the same records does."""
    item: BatchItem | None = None
    """The claim that is being checked."""
    waits: str = ""
    """What it is waiting for; empty when it is not waiting."""
    pace: float | None = None
    """Mean seconds of the latest claims; None before the first one has ended."""
    problem: str = ""
    """Why it stopped, where even that could not be stored."""

    @property
    def running(self) -> bool:
        """Whether claims are being checked, or the last one is still being finished."""
        return self.batch.state is BatchState.RUNNING or self.item is not None

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds for the rest; None while there is no pace."""
        return None if self.pace is None else self.pace * self.tally.left


class BatchEngine:
    """Checks batches in its own thread, one batch and one claim at a time. Safe to share between threads."""

    def __init__(
        self,
        workbench: JobWorkbench,
        busy: Callable[[], bool] = lambda: False,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """No claim is started while ``busy()``, which is asked every ``poll_seconds``."""
        self._workbench, self._busy, self._poll_seconds = workbench, busy, poll_seconds
        self._store, self._records = workbench.batches, workbench.batch_queue
        self._wake = threading.Condition()
        self._queue: deque[str] = deque()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._batch_id = ""
        self._item: BatchItem | None = None
        self._stop = threading.Event()
        self._yields = False
        self._paces: dict[str, deque[float]] = {}
        self._problems: dict[str, str] = {}

    def start(self, new: NewBatch) -> str:
        """Store a new batch, start it, and return its id. Raises StoreError."""
        batch_id = self._store.create(new)
        self.resume(batch_id)
        return batch_id

    def resume(self, batch_id: str) -> None:
        """Continue with the claims that are waiting or were cancelled. Raises StoreError."""
        with self._wake:  # as a whole, or a snapshot could see a running batch without a worker
            self._records.begin(batch_id, self._item.run_id if self._item else "")
            self._problems.pop(batch_id, None)
            if batch_id not in self._queue:
                self._queue.append(batch_id)
            if self._thread is None and not self._closing.is_set():
                # A daemon, because closing the program must not wait for it: the batch can be resumed.
                self._thread = threading.Thread(target=self._work, name="ghost-batch", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def retry(self, batch_id: str) -> int:
        """Check the failed claims again and continue with the rest; returns how many had failed."""
        failed = self._records.retry(batch_id)
        self.resume(batch_id)
        return failed

    def pause(self, batch_id: str) -> None:
        """Start no more of its claims; the current one is finished. Raises StoreError."""
        self._records.pause(batch_id)

    def cancel(self, batch_id: str) -> None:
        """Stop the current claim and skip the waiting ones; ``resume`` brings them back. Raises StoreError."""
        self._records.cancel(batch_id)
        with self._wake:
            if self._batch_id == batch_id:
                self._stop.set()

    def snapshot(self, batch_id: str) -> BatchView | None:
        """The batch as it stands now; None when there is none. Raises StoreError."""
        with self._wake:
            current = self._batch_id == batch_id
            here = current or batch_id in self._queue
            batch = self._store.get(batch_id)
            if batch and not here and self._records.is_mine(batch):
                # The engine that ran it is gone, the program is not.
                self._records.pause(batch_id, BATCH_INTERRUPTED)
                batch = self._store.get(batch_id)
            if batch is None:
                return None
            item = self._item if current else None
            first = "another batch" if self._batch_id and not current else "a single check" if self._yields else ""
            waits = f"{first} goes first" if here and first else ""
            pace = self._paces.get(batch_id)
            problem = self._problems.get(batch_id, "")
        mean = sum(pace) / len(pace) if pace else None
        return BatchView(batch, self._store.tally(batch_id), here, item, waits, mean, problem)

    def close(self, seconds: float = 2.0) -> None:
        """Stop. Unfinished batches are paused and can be resumed after the next start."""
        self._closing.set()
        with self._wake:
            unfinished = [*self._queue, *([self._batch_id] if self._batch_id else [])]
            self._stop.set()
            self._wake.notify_all()
        for batch_id in unfinished:
            with suppress(StoreError):
                self._records.pause(batch_id, BATCH_INTERRUPTED)
        if self._thread:
            self._thread.join(seconds)

    def _work(self) -> None:
        while True:
            with self._wake:
                while not self._queue and not self._closing.is_set():
                    self._wake.wait()
                if self._closing.is_set():
                    return
                self._batch_id = self._queue.popleft()
            try:
                self._follow(self._batch_id)
            except Exception as error:
                if not isinstance(error, GhostError):
                    log.exception("Batch %s stopped", self._batch_id)
                with self._wake:  # kept in memory too, in case it cannot be stored
                    self._problems[self._batch_id] = failure_text(error)
                with suppress(StoreError):
                    self._records.pause(self._batch_id, failure_text(error))
            with self._wake:
                self._batch_id, self._item = "", None

    def _follow(self, batch_id: str) -> None:
        batch = self._store.get(batch_id)
        failures = 0
        while batch and self._wait_until_idle() and (item := self._records.next(batch_id)):
            started, stop = time.monotonic(), threading.Event()
            with self._wake:
                self._item, self._stop = item, stop
                if self._closing.is_set():
                    stop.set()
            verdict, status, error = self._check(batch, item, stop)
            seconds = time.monotonic() - started
            if verdict and status is RunStatus.FINISHED:
                self._records.done(item, verdict.label, verdict.confidence, seconds)
                failures = 0
            elif status is RunStatus.CANCELLED:
                self._records.put_back(item)
            else:
                self._records.failed(item, error, item.run_id if status else "", seconds)
                failures += 1
            with self._wake:
                self._item = None
                if status is not RunStatus.CANCELLED:
                    self._paces.setdefault(batch_id, deque(maxlen=RECENT)).append(seconds)
            if failures >= GIVE_UP:
                note = f"Paused after {failures} failures in a row. The last one: {error}"
                self._records.pause(batch_id, note)

    def _wait_until_idle(self) -> bool:
        """Wait until no single check is running; False when the engine closes."""
        while self._busy():
            self._yields = True
            if self._closing.wait(self._poll_seconds):
                break
        self._yields = False
        return not self._closing.is_set()

    def _check(
        self, batch: Batch, item: BatchItem, stop: threading.Event
    ) -> tuple[Verdict | None, RunStatus | None, str]:
        """Verdict, final status and error. The status is None when no run started or none reached its end."""
        try:
            return check_claim(self._workbench, batch, item, stop.is_set)
        except Exception as problem:
            if not isinstance(problem, GhostError):
                log.exception("Claim %d of batch %s failed", item.position, batch.id)
            return None, None, failure_text(problem)


def check_claim(
    workbench: JobWorkbench, batch: Batch, item: BatchItem, cancelled: Callable[[], bool]
) -> tuple[Verdict | None, RunStatus | None, str]:
    """Check one claim of a batch: its verdict, how its run ended, and the error where there is no verdict."""
    verdict, status, error = None, None, ""
    claim = Claim(item.claim, item.context, batch.as_of, item.found_at or None)
    events = workbench.verify(claim, run_id=item.run_id, cancelled=cancelled, web=batch.web, pipeline=batch.pipeline)
    for event in events:
        if isinstance(event, VerdictReached):
            verdict = event.verdict
        elif isinstance(event, RunEnded):
            status, error = event.status, event.error
    return verdict, status, error or "The run ended without a verdict."
