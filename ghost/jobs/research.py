"""Research in the background: planned, then carried out, and followed by the id it was given."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.events import (
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    SourceUpdate,
    StepFinished,
    StepStarted,
)
from ghost.jobs.event_log import EventLog
from ghost.jobs.task import failure_text
from ghost.research import Researcher, new_research_id
from ghost.types import (
    NOTHING_SAVED,
    JudgeInfo,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    Savings,
    TraceStep,
    Usage,
)

log = logging.getLogger(__name__)
KEPT = 32
"""Ended researches that stay in memory; all of them are stored."""
AT_ONCE = 2
"""Researches that go on side by side; the others wait, in the order in which they were started."""
WAITING = "Waiting for other research…"
PLANNING, PLANNED, RUNNING, ENDED = "planning", "planned", "running", "ended"


@dataclass(frozen=True, slots=True)
class ResearchView:
    """A research as it stands at one moment."""

    research_id: str
    topic: str
    stage: str
    """planning, planned, running or ended."""
    web: bool = True
    plan: ResearchPlan | None = None
    step: str = ""
    """What is being done: one of RESEARCH_STEPS."""
    number: int = 0
    """Of that step, from 1; 0 between steps."""
    detail: str = ""
    sources: tuple[SourceUpdate, ...] = ()
    """The latest of each hit and page of the question that is being searched for."""
    answers: tuple[ResearchAnswer, ...] = ()
    steps: tuple[TraceStep, ...] = ()
    status: RunStatus | None = None
    """How it ended; None before."""
    judge: JudgeInfo | None = None
    savings: Savings = NOTHING_SAVED
    usage: Usage = field(default_factory=Usage)
    error: str = ""
    unusable: bool = False
    """Whether the error is that the topic, the skill or the questions cannot be used as they are."""
    cancelling: bool = False
    started: float = 0.0
    """On the monotonic clock."""
    ended: float = 0.0

    @property
    def seconds(self) -> float:
        """Duration so far, or in all once it has ended."""
        return (self.ended or time.monotonic()) - self.started


class ResearchJobs:
    """Plans and carries out research in threads of its own. Safe to share between threads."""

    def __init__(self, researcher: Researcher) -> None:
        self._researcher = researcher
        self._lock = threading.Lock()
        self._turn = threading.Condition(self._lock)
        self._views: dict[str, ResearchView] = {}
        self._logs: dict[str, EventLog[ResearchEvent]] = {}
        self._stops: dict[str, threading.Event] = {}
        """Of those that are being planned or carried out, in the order in which they were started."""

    def plan(
        self, topic: str, skill: str = "", questions: Sequence[str] = (), web: bool = True, judge: str = ""
    ) -> str:
        """Begin to plan, and return the id to follow it by; its view then has the plan, or the error."""
        research_id = new_research_id()
        planning = self._open(research_id, ResearchView(research_id, topic, PLANNING, web))

        def work() -> Iterator[ResearchEvent]:
            plan = self._researcher.plan(
                topic, skill=skill, questions=questions, web=web, judge=judge, cancelled=planning.is_set
            )
            yield ResearchPlanned(plan)

        self._go(research_id, work)
        return research_id

    def start(self, plan: ResearchPlan, web: bool = True, judge: str = "", research_id: str = "") -> str:
        """Carry out a plan, and return the id to follow it by; ``research_id`` continues the view of its planning."""
        research_id = research_id or new_research_id()
        view = ResearchView(research_id, plan.topic, RUNNING, web, plan)
        stop = self._open(research_id, view)
        self._go(
            research_id,
            lambda: self._researcher.run(plan, research_id=research_id, web=web, judge=judge, cancelled=stop.is_set),
        )
        return research_id

    def resume(self, research_id: str) -> str:
        """Go on with a research that was interrupted, cancelled or failed. Raises ClaimError."""
        known = self._researcher.get(research_id)
        if known is None:
            raise ClaimError("There is no such research.")
        view = ResearchView(research_id, known.topic, RUNNING, known.web, known.plan, answers=known.answers)
        stop = self._open(research_id, view)
        self._go(research_id, lambda: self._researcher.resume(research_id, cancelled=stop.is_set))
        return research_id

    def snapshot(self, research_id: str) -> ResearchView | None:
        """The research as it is now; None when it is unknown."""
        with self._lock:
            return self._views.get(research_id)

    def log(self, research_id: str) -> EventLog[ResearchEvent] | None:
        """What a research reports, in order; None when it is unknown.

        It may end without ResearchEnded: ``snapshot`` then says whether it failed or was stopped.
        """
        with self._lock:
            return self._logs.get(research_id)

    def cancel(self, research_id: str) -> None:
        """Ask it to stop; does nothing to unknown and ended ones."""
        with self._lock:
            if stop := self._stops.get(research_id):
                stop.set()
                self._views[research_id] = replace(self._views[research_id], cancelling=True)
                self._turn.notify_all()

    def active(self) -> list[str]:
        """Ids of those that wait or go on, oldest first."""
        with self._lock:
            return list(self._stops)

    def close(self) -> None:
        """Ask all of them to stop, without waiting."""
        with self._lock:
            for stop in self._stops.values():
                stop.set()
            self._turn.notify_all()

    def _open(self, research_id: str, view: ResearchView) -> threading.Event:
        """Make room for a view. Raises ClaimError for one that goes on."""
        stop = threading.Event()
        with self._lock:
            if research_id in self._stops:
                raise ClaimError("This research is going on already.")
            self._views.pop(research_id, None)
            self._views[research_id] = replace(view, started=time.monotonic())
            self._logs[research_id] = EventLog()
            self._stops[research_id] = stop
            ended = [known for known in self._views if known not in self._stops]
            for old in ended[:-KEPT]:
                del self._views[old], self._logs[old]
        return stop

    def _go(self, research_id: str, work: Callable[[], Iterator[ResearchEvent]]) -> None:
        # A daemon, because closing the program must not wait for it; the research is then stored as interrupted.
        threading.Thread(target=self._follow, args=(research_id, work), name="ghost-research", daemon=True).start()

    def _follow(self, research_id: str, work: Callable[[], Iterator[ResearchEvent]]) -> None:
        changes: dict[str, Any] = {}
        try:
            self._wait(research_id)
            for event in work():
                with self._lock:
                    self._views[research_id] = after(self._views[research_id], event)
                self._logs[research_id].append(event)
        except Cancelled as stop:
            changes = {"status": RunStatus.CANCELLED, "error": str(stop)}
        except Exception as error:
            if not isinstance(error, GhostError):
                log.exception("Research %s failed", research_id)
            unusable = isinstance(error, ClaimError)
            changes = {"status": RunStatus.FAILED, "error": failure_text(error), "unusable": unusable}
        with self._lock:
            view = self._views[research_id]
            stage = PLANNED if view.stage == PLANNING and not changes else ENDED
            self._views[research_id] = replace(
                view, stage=stage, step="", number=0, detail="", ended=time.monotonic(), **changes
            )
            del self._stops[research_id]
            self._turn.notify_all()
            ended = self._logs[research_id]
        ended.end()

    def _wait(self, research_id: str) -> None:
        """Return when it is the turn of this one. Raises Cancelled when it is to stop before that."""
        with self._turn:
            while list(self._stops).index(research_id) >= AT_ONCE:
                if self._stops[research_id].is_set():
                    raise Cancelled("It was stopped before its turn.")
                self._views[research_id] = replace(self._views[research_id], detail=WAITING)
                self._turn.wait()


def after(view: ResearchView, event: ResearchEvent) -> ResearchView:
    """The view once ``event`` has happened."""
    match event:
        case ResearchStarted():
            return replace(view, judge=event.judge, detail="")
        case ResearchPlanned():
            return replace(view, plan=event.plan, topic=event.plan.topic)
        case StepStarted():
            return replace(view, step=event.name, number=event.number, detail=event.detail)
        case StepFinished():
            return replace(view, steps=(*view.steps, event.step), step="", number=0)
        case SourceUpdate():
            others = tuple(s for s in view.sources if s.url != event.url)
            return replace(view, sources=(*others, event))
        case QuestionResearched():
            answered = tuple(a for a in view.answers if a.question != event.answer.question)
            answers = tuple(sorted((*answered, event.answer), key=lambda a: a.question))
            return replace(view, answers=answers, sources=())
        case ResearchEnded():
            return replace(view, status=event.status, usage=event.usage, savings=event.savings, error=event.error)
        case _:
            return view
