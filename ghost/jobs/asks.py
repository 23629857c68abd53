"""Questions that are answered outside the page: asked once, then followed by the id they were given."""

import logging
import threading
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ghost.cards import Asking
from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.events import AskEvent, QuestionAnswered, QuestionRouted, QuestionSearched, RunStarted, SentenceAccepted
from ghost.jobs.event_log import EventLog
from ghost.jobs.runs import RunView, after
from ghost.jobs.task import failure_text
from ghost.types import ClaimCard, RouteMode, RouterDecision, RunStatus, Turn

log = logging.getLogger(__name__)
KEPT = 64
"""Answered questions that stay in memory; the decisions of all of them are stored."""
AT_ONCE = 2
"""Questions that are answered side by side; the others wait, in the order in which they were asked."""
WAITING = "Waiting for other questions…"


@dataclass(frozen=True, slots=True)
class AskView:
    """A question as it stands at one moment."""

    ask_id: str
    conversation_id: str
    question: str
    asked_at: datetime
    doing: str = ""
    """What is being done, in a few words."""
    decision: RouterDecision | None = None
    cards: tuple[ClaimCard, ...] = ()
    earlier: ClaimCard | None = None
    problem: str = ""
    sentences: tuple[str, ...] = ()
    run: RunView | None = None
    """The new check, where one was started."""
    error: str = ""
    unusable: bool = False
    """Whether the error is that the question cannot be used as it is."""
    ended: bool = False
    cancelled: bool = False
    cancelling: bool = False


class Asker:
    """Answers questions in threads of its own. Safe to share between threads."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._lock = threading.Lock()
        self._turn = threading.Condition(self._lock)
        """Told when a question has ended or is to stop, to those that wait for their turn."""
        self._views: dict[str, AskView] = {}
        self._logs: dict[str, EventLog[AskEvent]] = {}
        self._stops: dict[str, threading.Event] = {}
        """Of the questions that have not ended, in the order in which they were asked."""

    def start(
        self,
        question: str,
        conversation_id: str = "",
        turns: Sequence[Turn] = (),
        *,
        web: bool = True,
        anew: bool = False,
    ) -> str:
        """Ask, and return the id to follow it by. Raises ClaimError for an unusable question."""
        ask_id, stop = uuid.uuid4().hex, threading.Event()
        events = self._asking.ask(question, conversation_id, turns, cancelled=stop.is_set, web=web, anew=anew)
        with self._lock:
            self._views[ask_id] = AskView(ask_id, conversation_id, question, datetime.now(UTC))
            self._logs[ask_id] = EventLog()
            self._stops[ask_id] = stop
            for old in [known for known, view in self._views.items() if view.ended][:-KEPT]:
                del self._views[old], self._logs[old]
        # A daemon, because closing the program must not wait for it; its run is then stored as interrupted.
        threading.Thread(target=self._follow, args=(ask_id, events), name="ghost-ask", daemon=True).start()
        return ask_id

    def snapshot(self, ask_id: str) -> AskView | None:
        """The question as it is now; None when it is unknown."""
        with self._lock:
            return self._views.get(ask_id)

    def log(self, ask_id: str) -> EventLog[AskEvent] | None:
        """What a question reports, in order; None when it is unknown.

        It may end without QuestionAnswered: ``snapshot`` then says whether it failed or was stopped.
        """
        with self._lock:
            return self._logs.get(ask_id)

    def cancel(self, ask_id: str) -> None:
        """Ask it to stop; does nothing to unknown and answered questions."""
        with self._lock:
            if (stop := self._stops.get(ask_id)) and not self._views[ask_id].ended:
                stop.set()
                self._views[ask_id] = replace(self._views[ask_id], cancelling=True)
                self._turn.notify_all()

    def active(self) -> list[str]:
        """Ids of the questions that are waiting or being answered, oldest first."""
        with self._lock:
            return list(self._stops)

    def close(self) -> None:
        """Ask all of them to stop, without waiting."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
            self._turn.notify_all()

    def _wait(self, ask_id: str) -> None:
        """Return when it is the turn of this question. Raises Cancelled when it is to stop before that."""
        with self._turn:
            while list(self._stops).index(ask_id) >= AT_ONCE:
                if self._stops[ask_id].is_set():
                    raise Cancelled("It was stopped before its turn.")
                self._views[ask_id] = replace(self._views[ask_id], doing=WAITING)
                self._turn.wait()

    def _follow(self, ask_id: str, events: Iterator[AskEvent]) -> None:
        failure, unusable, cancelled = "", False, False
        try:
            self._wait(ask_id)
            for event in events:
                with self._lock:
                    self._views[ask_id] = _after(self._views[ask_id], event)
                self._logs[ask_id].append(event)
        except Cancelled:
            cancelled = True
        except Exception as error:
            if not isinstance(error, GhostError):
                log.exception("Question %s failed", ask_id)
            failure, unusable = failure_text(error), isinstance(error, ClaimError)
        with self._lock:
            view = self._views[ask_id]
            cancelled = cancelled or bool(view.run and view.run.status is RunStatus.CANCELLED)
            self._views[ask_id] = replace(
                view, ended=True, doing="", error=failure, unusable=unusable, cancelled=cancelled
            )
            del self._stops[ask_id]
            self._turn.notify_all()
            ended = self._logs[ask_id]
        ended.end()


def _after(view: AskView, event: AskEvent) -> AskView:
    """The view once ``event`` has happened."""
    match event:
        case QuestionSearched():
            return replace(view, doing=event.what)
        case QuestionRouted():
            return replace(
                view, decision=event.decision, cards=event.cards, earlier=event.earlier, problem=event.problem
            )
        case QuestionAnswered():
            return replace(view, decision=event.decision, doing="")
        case RunStarted():
            started = RunView(event.run_id, RunStatus.RUNNING, event.claim, event.judge, event.started_at)
            return replace(view, run=after(started, event))
        case SentenceAccepted() if view.decision and view.decision.mode is not RouteMode.NOVEL:
            return replace(view, sentences=(*view.sentences, event.text))
        case _:
            return replace(view, run=after(view.run, event)) if view.run else view
