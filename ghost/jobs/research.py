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
from ghost.jobs.followed import Followed
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


class ResearchJobs(Followed[ResearchView, ResearchEvent]):
    """Plans and carries out research in threads of its own. Safe to share between threads."""

    def __init__(self, researcher: Researcher) -> None:
        super().__init__()
        self._researcher = researcher

    def plan(
        self, topic: str, skill: str = "", questions: Sequence[str] = (), web: bool = True, judge: str = ""
    ) -> str:
        """Begin to plan, and return the id to follow it by; its view then has the plan, or the error."""
        research_id = new_research_id()
        planning = self._begin(research_id, ResearchView(research_id, topic, PLANNING, web))

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
        stop = self._begin(research_id, view)
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
        stop = self._begin(research_id, view)
        self._go(research_id, lambda: self._researcher.resume(research_id, cancelled=stop.is_set))
        return research_id

    def _waiting(self, view: ResearchView) -> ResearchView:
        return replace(view, detail=WAITING)

    def _cancelling(self, view: ResearchView) -> ResearchView:
        return replace(view, cancelling=True)

    def _begin(self, research_id: str, view: ResearchView) -> threading.Event:
        """Make room for a research. Raises ClaimError for one that goes on."""
        stop = threading.Event()
        if not self._open(research_id, replace(view, started=time.monotonic()), stop):
            raise ClaimError("This research is going on already.")
        return stop

    def _go(self, research_id: str, work: Callable[[], Iterator[ResearchEvent]]) -> None:
        # A daemon, because closing the program must not wait for it; the research is then stored as interrupted.
        threading.Thread(target=self._follow, args=(research_id, work), name="ghost-research", daemon=True).start()

    def _follow(self, research_id: str, work: Callable[[], Iterator[ResearchEvent]]) -> None:
        changes: dict[str, Any] = {}
        try:
            self._wait(research_id)
            for event in work():
                self._happened(research_id, event, after)
        except Cancelled as stop:
            changes = {"status": RunStatus.CANCELLED, "error": str(stop)}
        except Exception as error:
            if not isinstance(error, GhostError):
                log.exception("Research %s failed", research_id)
            unusable = isinstance(error, ClaimError)
            changes = {"status": RunStatus.FAILED, "error": failure_text(error), "unusable": unusable}

        def last(view: ResearchView) -> ResearchView:
            stage = PLANNED if view.stage == PLANNING and not changes else ENDED
            return replace(view, stage=stage, step="", number=0, detail="", ended=time.monotonic(), **changes)

        self._end(research_id, last)


def after(view: ResearchView, event: ResearchEvent) -> ResearchView:
    """The view once ``event`` has happened."""
    match event:
        case ResearchStarted():
            # Steps that are there already come from an attempt whose worker is gone; this one begins anew.
            return replace(view, judge=event.judge, detail="", step="", number=0, sources=(), steps=())
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
