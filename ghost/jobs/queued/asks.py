"""Questions that workers answer: put into the queue here, and watched by what the workers report."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ghost.cards import Asking
from ghost.errors import StoreError
from ghost.events import AskEvent
from ghost.jobs.asks import WAITING, Asker, AskView, after
from ghost.jobs.event_log import EventLog
from ghost.jobs.queued.queue import NO_WORKER, AskOrder, Job, Queue
from ghost.jobs.queued.watched import Listener, Watched
from ghost.records import WorkEnded
from ghost.types import RunStatus, Turn


class QueuedAsker(Asker):
    """Offers what ``Asker`` offers, of all processes over one database. Nothing is answered in this one."""

    def __init__(self, asking: Asking, queue: Queue, listener: Listener) -> None:
        self._asking, self._queue = asking, queue
        self._asks = _WatchedAsks(queue, listener)

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
        self._asks.watch(ask_id, _waiting(ask_id, order))
        try:
            self._queue.put(ask_id, order)
        except StoreError:
            self._asks.forget(ask_id)
            raise
        return ask_id

    def snapshot(self, id: str) -> AskView | None:
        """How a question stands, whoever has asked it; None when it is unknown or ended elsewhere."""
        return self._asks.view(id)

    def log(self, id: str) -> EventLog[AskEvent] | None:
        """What is reported of a question, in order; None when it is unknown or ended elsewhere."""
        return self._asks.events(id)

    def cancel(self, id: str) -> None:
        """Ask a question to stop; does nothing to unknown and ended ones. Raises StoreError."""
        job = self._queue.stop(id)
        self._asks.change(id, lambda view: view if view.ended else replace(view, cancelling=True))
        if job and not job.running:
            self._asks.stopped(id)

    def active(self) -> list[str]:
        """Ids of the questions that wait or are being answered, whoever has asked them."""
        return self._asks.active()

    def close(self) -> None:
        """Watch no more; the questions are left to the workers."""
        self._asks.close()


class _WatchedAsks(Watched[AskView, AskEvent]):
    task = "question"

    def _of_job(self, job: Job) -> AskView:
        return _waiting(job.id, job.order(AskOrder))

    def _after(self, view: AskView, event: Any) -> AskView:
        return after(view, event)

    def _ended(self, view: AskView, end: WorkEnded) -> AskView:
        cancelled = end.stopped or bool(view.run and view.run.status is RunStatus.CANCELLED)
        error = "" if end.stopped else end.error
        return replace(view, ended=True, doing="", error=error, unusable=end.unusable, cancelled=cancelled)

    def _unattended(self, view: AskView) -> AskView:
        return view if view.ended else replace(view, doing=NO_WORKER)


def _waiting(ask_id: str, order: AskOrder) -> AskView:
    return AskView(ask_id, order.conversation_id, order.question, order.asked_at, doing=WAITING)
