"""Runs that workers make: put into the queue here, and watched by what the workers report."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime

from ghost.events import Event
from ghost.jobs.queued.queue import Job, Queue, RunOrder
from ghost.jobs.queued.reporting import report
from ghost.jobs.queued.watched import Listener, Watched
from ghost.jobs.runs import (
    DEFAULT_OPTIONS,
    JobWorkbench,
    Runner,
    RunView,
    after,
    started,
    verified,
    view_of,
)
from ghost.pipelines import RunOptions
from ghost.records import RunLinks, WorkEnded
from ghost.types import Claim, RunStatus
from ghost.web import Links, usable


class QueuedRunner(Watched[RunView, Event], Runner):
    """Offers what ``Runner`` offers, of all processes over one database. Nothing is verified in this one."""

    task = "claim"

    def __init__(self, workbench: JobWorkbench, queue: Queue, listener: Listener) -> None:
        super().__init__(queue, listener)
        self._workbench = workbench
        self._links = RunLinks(queue.database)

    def start(self, claim: Claim, options: RunOptions = DEFAULT_OPTIONS) -> str:
        """As for ``Runner``. Raises StoreError too, when it cannot be put into the queue."""
        run_id, order = uuid.uuid4().hex, RunOrder(claim, datetime.now(UTC), options)
        verified(self._workbench, run_id, claim, options, Links(options.links))  # only to refuse what cannot be used
        self.put(run_id, order, self._in_queue(run_id, order))
        return run_id

    def add_link(self, run_id: str, url: str) -> bool:
        """As for ``Runner``, whichever worker makes the run. Raises StoreError too."""
        address = usable(url)
        return self._queue.find(run_id) is not None and self._links.add(run_id, address)

    def snapshot(self, run_id: str) -> RunView | None:
        """The run as it is now, whoever makes it; None when it is unknown."""
        if view := self.view(run_id):
            return view
        run = self._workbench.runs.get(run_id)
        return view_of(run) if run else None

    def cancel(self, run_id: str) -> None:
        """Ask a run to stop; one that has not started yet has ended when this returns. Raises StoreError."""
        job = self._queue.stop(run_id)
        if job is None:
            return
        self.change(run_id, lambda view: replace(view, cancelling=True))
        if not job.running:
            order, links = job.order(RunOrder), Links()
            events = verified(self._workbench, run_id, order.claim, order.options, links, lambda: True)
            report(self.reported, run_id, events)  # ends at its first look, and is stored as cancelled
            self.catch_up(run_id)

    def close(self, seconds: float = 2.0) -> None:
        """Watch no more; the runs are left to the workers."""
        del seconds
        super().close()

    def _in_queue(self, run_id: str, order: RunOrder) -> RunView:
        """The view of a run that has not begun."""
        return started(run_id, order.claim, order.options, self._workbench.judge_info, order.asked_at)

    def _of_job(self, job: Job) -> RunView:
        return self._in_queue(job.id, job.order(RunOrder))

    def _after(self, view: RunView, event: Event) -> RunView:
        return after(view, event)

    def _ended(self, view: RunView, end: WorkEnded) -> RunView:
        if view.ended:
            return view
        run = self._workbench.runs.get(view.run_id)
        if run and run.status is not RunStatus.RUNNING:
            return view_of(run)
        return replace(view, status=RunStatus.FAILED, step="", number=0, error=end.error, finished_at=datetime.now(UTC))

    def _unattended(self, view: RunView, why: str) -> RunView:
        return view if view.ended else replace(view, detail=why)
