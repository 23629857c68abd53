"""Questions that workers answer: put into the queue here, and watched by what the workers report."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

from ghost.cards import Asking, Cards
from ghost.events import AskEvent, QuestionAnswered, QuestionRouted, SentenceAccepted
from ghost.jobs.asks import WAITING, Asker, AskView, after
from ghost.jobs.event_log import stored_events
from ghost.jobs.queued.queue import AskOrder, Job, Queue
from ghost.jobs.queued.watched import Listener, Watched
from ghost.jobs.runs import JobWorkbench
from ghost.records import RunStore, WorkEnded
from ghost.types import Run, RunStatus, Turn


class AskWorkbench(JobWorkbench, Protocol):
    """What answers questions, of the workbench, which is above this room."""

    @property
    def asking(self) -> Asking: ...
    @property
    def cards(self) -> Cards: ...


def run_of(asking: Asking, runs: RunStore, ask_id: str) -> Run | None:
    """The run that answers a question, where one was begun. Raises StoreError."""
    decision = asking.decisions.get(ask_id)
    return runs.get(decision.run_id) if decision and decision.run_id else None


def answered(
    workbench: AskWorkbench, ask_id: str, order: AskOrder, cancelled: Callable[[], bool]
) -> Iterator[AskEvent]:
    """The events of a question as it was asked. What an earlier attempt has stored of it stays, and is told again.

    There is one decision on it, which has the question's id, and one run at most.
    """
    decision = workbench.asking.decisions.get(ask_id)
    run = run_of(workbench.asking, workbench.runs, ask_id)
    if decision is None or not (run or decision.answer):
        yield from workbench.asking.ask(
            order.question, order.conversation_id, order.turns, cancelled, order.web, order.anew, ask_id
        )
        return
    yield QuestionRouted(decision, tuple(workbench.cards.store.many(decision.cards)))
    if run is None:
        yield SentenceAccepted(decision.answer)
    elif run.status in (RunStatus.RUNNING, RunStatus.INTERRUPTED):
        yield from workbench.verify(run.claim, run_id=run.id, cancelled=cancelled, web=order.web)
    else:
        if run.status is RunStatus.FINISHED:  # its worker may have been gone before it could make the card
            workbench.cards.from_run(run)
        yield from stored_events(run)
    yield QuestionAnswered(decision, decision.answer)


class QueuedAsker(Watched[AskView, AskEvent], Asker):
    """Offers what ``Asker`` offers, of all processes over one database. Nothing is answered in this one."""

    task = "question"

    def __init__(self, asking: Asking, workbench: JobWorkbench, queue: Queue, listener: Listener) -> None:
        super().__init__(queue, listener)
        self._asking, self._workbench = asking, workbench

    def start(
        self,
        question: str,
        conversation_id: str = "",
        turns: Sequence[Turn] = (),
        *,
        web: bool = True,
        anew: bool = False,
    ) -> str:
        """As for ``Asker``. Raises StoreError too, when it cannot be put into the queue."""
        self._asking.ask(question, conversation_id, turns, web=web, anew=anew)  # only to refuse what cannot be used
        ask_id = uuid.uuid4().hex
        order = AskOrder(question, datetime.now(UTC), conversation_id, tuple(turns), web, anew)
        self.put(ask_id, order, _in_queue(ask_id, order))
        return ask_id

    def cancel(self, id: str) -> None:
        """Ask a question to stop; does nothing to unknown and ended ones. Raises StoreError."""
        job = self._queue.stop(id)
        self.change(id, lambda view: view if view.ended else replace(view, cancelling=True))
        if job and not job.running:
            run = run_of(self._asking, self._workbench.runs, id)
            if run and run.status is RunStatus.RUNNING:  # a worker has begun it, and handed the question back
                for _ in self._workbench.verify(run.claim, run_id=run.id, cancelled=lambda: True):
                    pass  # ends at its first look, and is stored as cancelled
            self.stopped(id)

    def _of_job(self, job: Job) -> AskView:
        return _in_queue(job.id, job.order(AskOrder))

    def _after(self, view: AskView, event: Any) -> AskView:
        return after(view, event)

    def _ended(self, view: AskView, end: WorkEnded) -> AskView:
        cancelled = end.stopped or bool(view.run and view.run.status is RunStatus.CANCELLED)
        error = "" if end.stopped else end.error
        return replace(view, ended=True, doing="", error=error, unusable=end.unusable, cancelled=cancelled)

    def _unattended(self, view: AskView, why: str) -> AskView:
        return view if view.ended else replace(view, doing=why)


def _in_queue(ask_id: str, order: AskOrder) -> AskView:
    return AskView(ask_id, order.conversation_id, order.question, order.asked_at, doing=WAITING)
