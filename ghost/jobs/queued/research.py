"""Researches that workers plan and carry out: put into the queue here, and watched by what the workers report."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ghost.errors import ClaimError
from ghost.events import ResearchEvent
from ghost.jobs.queued.queue import Job, Order, PlanOrder, Queue, ResearchOrder
from ghost.jobs.queued.reporting import report
from ghost.jobs.queued.watched import Listener, Watched
from ghost.jobs.research import ENDED, PLANNED, PLANNING, RUNNING, WAITING, ResearchJobs, ResearchView, after
from ghost.records import WorkEnded
from ghost.research import Researcher, new_research_id
from ghost.types import ResearchPlan, RunStatus


def carried_out(
    researcher: Researcher, research_id: str, order: ResearchOrder, cancelled: Callable[[], bool]
) -> Iterator[ResearchEvent]:
    """The events of a research as it was ordered; where it was begun before, it goes on."""
    known = researcher.get(research_id)
    if known and known.plan:
        return researcher.resume(research_id, cancelled=cancelled)
    return researcher.run(order.plan, research_id=research_id, web=order.web, judge=order.judge, cancelled=cancelled)


class QueuedResearch(Watched[ResearchView, ResearchEvent], ResearchJobs):
    """Offers what ``ResearchJobs`` offers, of all processes over one database. Nothing is searched in this one."""

    def __init__(self, researcher: Researcher, queue: Queue, listener: Listener) -> None:
        super().__init__(queue, listener)
        self._researcher = researcher

    def plan(
        self, topic: str, skill: str = "", questions: Sequence[str] = (), web: bool = True, judge: str = ""
    ) -> str:
        """As for ``ResearchJobs``. Raises StoreError too, when it cannot be put into the queue."""
        return self._put(
            new_research_id(),
            PlanOrder(topic, skill, tuple(questions), web, judge),
            ResearchView("", topic, PLANNING, web),
        )

    def start(self, plan: ResearchPlan, web: bool = True, judge: str = "", research_id: str = "") -> str:
        """As for ``ResearchJobs``. Raises ClaimError for one that goes on, and StoreError."""
        view = ResearchView("", plan.topic, RUNNING, web, plan)
        return self._put(research_id or new_research_id(), ResearchOrder(plan, web, judge), view)

    def resume(self, research_id: str) -> str:
        """As for ``ResearchJobs``. Raises ClaimError, and StoreError."""
        known = self._researcher.get(research_id)
        if known is None or known.plan is None:
            raise ClaimError("There is no such research.")
        view = ResearchView("", known.topic, RUNNING, known.web, known.plan, answers=known.answers)
        return self._put(research_id, ResearchOrder(known.plan, known.web, known.judge), view)

    def cancel(self, id: str) -> None:
        """Ask a research to stop; does nothing to unknown and ended ones. Raises StoreError."""
        job = self._queue.stop(id)
        self.change(id, lambda view: view if view.ended else replace(view, cancelling=True))
        if job is None or job.running:
            return
        if job.task == "plan":
            self.stopped(id)
            return
        # Ends at its first look, and is stored as cancelled, so that it can be resumed.
        events = carried_out(self._researcher, id, job.order(ResearchOrder), lambda: True)
        report(self.reported, id, events)
        self.catch_up(id)

    def _put(self, research_id: str, order: Order, view: ResearchView) -> str:
        # Its planning, or an attempt before this one, may have been reported under the same id.
        begun = self._queue.put_once(research_id, order, lambda c: self.reported.begin_within(c, research_id))
        if begun is None:
            raise ClaimError("This research is going on already.")
        began = replace(view, research_id=research_id, started=time.monotonic(), detail=WAITING)
        self.watch(research_id, began, begun)
        return research_id

    @property
    def _tasks(self) -> Collection[str]:
        return "plan", "research"

    def _of_job(self, job: Job) -> ResearchView:
        if job.task == "plan":
            planned = job.order(PlanOrder)
            view = ResearchView(job.id, planned.topic, PLANNING, planned.web)
        else:
            order, known = job.order(ResearchOrder), self._researcher.get(job.id)
            view = ResearchView(job.id, order.plan.topic, RUNNING, order.web, order.plan)
            view = replace(view, answers=known.answers if known else ())
        return replace(view, started=time.monotonic(), detail=WAITING)

    def _after(self, view: ResearchView, event: Any) -> ResearchView:
        return after(view, event)

    def _ended(self, view: ResearchView, end: WorkEnded) -> ResearchView:
        stage = PLANNED if view.stage == PLANNING and not end.error else ENDED
        changes: dict[str, Any] = {}
        if end.error:
            status = RunStatus.CANCELLED if end.stopped else RunStatus.FAILED
            changes = {"status": status, "error": end.error, "unusable": end.unusable}
        return replace(view, stage=stage, step="", number=0, detail="", ended=time.monotonic(), **changes)

    def _unattended(self, view: ResearchView, why: str) -> ResearchView:
        return view if view.ended else replace(view, detail=why)
