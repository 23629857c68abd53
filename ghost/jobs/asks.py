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
from ghost.jobs.followed import Followed
from ghost.jobs.runs import RunView
from ghost.jobs.runs import after as run_after
from ghost.jobs.task import failure_text
from ghost.types import ClaimCard, RouteMode, RouterDecision, RunStatus, Turn

log = logging.getLogger(__name__)
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


class Asker(Followed[AskView, AskEvent]):
    """Answers questions in threads of its own. Safe to share between threads."""

    def __init__(self, asking: Asking) -> None:
        super().__init__()
        self._asking = asking

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
        self._open(ask_id, AskView(ask_id, conversation_id, question, datetime.now(UTC)), stop)
        # A daemon, because closing the program must not wait for it; its run is then stored as interrupted.
        threading.Thread(target=self._follow, args=(ask_id, events), name="ghost-ask", daemon=True).start()
        return ask_id

    def _waiting(self, view: AskView) -> AskView:
        return replace(view, doing=WAITING)

    def _cancelling(self, view: AskView) -> AskView:
        return replace(view, cancelling=True)

    def _follow(self, ask_id: str, events: Iterator[AskEvent]) -> None:
        failure, unusable, stopped = "", False, False
        try:
            self._wait(ask_id)
            for event in events:
                self._happened(ask_id, event, after)
        except Cancelled:
            stopped = True
        except Exception as error:
            if not isinstance(error, GhostError):
                log.exception("Question %s failed", ask_id)
            failure, unusable = failure_text(error), isinstance(error, ClaimError)

        def last(view: AskView) -> AskView:
            cancelled = stopped or bool(view.run and view.run.status is RunStatus.CANCELLED)
            return replace(view, ended=True, doing="", error=failure, unusable=unusable, cancelled=cancelled)

        self._end(ask_id, last)


def after(view: AskView, event: AskEvent) -> AskView:
    """The view once ``event`` has happened."""
    match event:
        case QuestionSearched():
            return replace(view, doing=event.what)
        case QuestionRouted():
            # Whatever was answered before came from an attempt whose worker is gone.
            return replace(
                view, decision=event.decision, cards=event.cards, earlier=event.earlier, problem=event.problem,
                sentences=(), run=None,
            )  # fmt: skip
        case QuestionAnswered():
            return replace(view, decision=event.decision, doing="")
        case RunStarted():
            started = RunView(event.run_id, RunStatus.RUNNING, event.claim, event.judge, event.started_at)
            return replace(view, run=run_after(started, event))
        case SentenceAccepted() if view.decision and view.decision.mode is not RouteMode.NOVEL:
            return replace(view, sentences=(*view.sentences, event.text))
        case _:
            return replace(view, run=run_after(view.run, event)) if view.run else view
