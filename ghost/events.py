"""What a run reports while it goes on. Whoever shows progress or stores runs only listens to these."""

from collections.abc import Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from ghost.types import (
    Claim,
    ClaimCard,
    Classification,
    Evidence,
    JudgeInfo,
    ResearchAnswer,
    ResearchPlan,
    RouterDecision,
    RunStatus,
    Savings,
    TraceStep,
    Usage,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class RunStarted:
    """Always the first event."""

    run_id: str
    claim: Claim
    started_at: datetime
    judge: JudgeInfo
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step begins; ``round`` counts how often the loop of steps 2-6 has come to it (1 the first time)."""

    name: str
    number: int
    round: int = 1
    detail: str = ""
    """What exactly it does this time, where a step has several turns."""


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step has ended; ``step`` is what the trace keeps of it."""

    number: int
    step: TraceStep


@dataclass(frozen=True, slots=True)
class ClaimClassified:
    """The claim type and the statements are known."""

    classification: Classification


@dataclass(frozen=True, slots=True)
class EvidenceWeighed:
    """The evidence of the run so far, all statements together; replaces what was reported before."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class SourceUpdate:
    """Something became known about one source during the investigation."""

    url: str
    title: str
    state: str
    """Of a search hit: kept, duplicate, dropped, fact-check. Of a page: reading, read, refused, unreadable, dropped,
    not read."""
    note: str = ""
    stage: str = ""
    """trusted, fact_check, broad; empty for a page that no search found."""
    bytes: int = 0
    """What came over the wire for it."""
    seconds: float = 0.0
    quotes: tuple[str, ...] = ()
    """Passages of the page that bear on an open statement, in its own words."""
    verdict: str = ""
    """Where the page stands by itself: supports, refutes, both; empty where it takes no side."""
    reviews: int = 0
    """Published fact-checks in the page."""


@dataclass(frozen=True, slots=True)
class SentenceAccepted:
    """A sentence of the explanation has passed the gate and may be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class SentencesWithdrawn:
    """Every sentence shown so far is taken back; those that stay are reported again."""

    reason: str


@dataclass(frozen=True, slots=True)
class VerdictReached:
    """The verdict after the gate."""

    verdict: Verdict
    judge: JudgeInfo


@dataclass(frozen=True, slots=True)
class RunEnded:
    """Always the last event; ``error`` is set when the run failed."""

    run_id: str
    status: RunStatus
    finished_at: datetime
    usage: Usage
    error: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSearched:
    """Earlier answers are being looked for, or read."""

    what: str
    """In a few words, for whoever waits."""


@dataclass(frozen=True, slots=True)
class QuestionRouted:
    """Where the answer to a question comes from is known."""

    decision: RouterDecision
    cards: tuple[ClaimCard, ...]
    """What it comes from; none for a new check."""
    earlier: ClaimCard | None = None
    """An earlier answer to this very question that does not hold any more."""
    problem: str = ""
    """Why a language model, or the search, was left."""


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """Always the last event of a question; for a new check the run's events stand before it."""

    decision: RouterDecision
    answer: str
    """Sentences with ``[n]``: the citations of the one card, or the positions of several; empty for a new check."""


@dataclass(frozen=True, slots=True)
class ResearchStarted:
    """Always the first event of a research, also of one that goes on after an interruption."""

    research_id: str
    topic: str
    started_at: datetime
    judge: JudgeInfo
    web: bool = True
    """Whether it may search the web."""


@dataclass(frozen=True, slots=True)
class ResearchPlanned:
    """The questions are known, and which of them memory answers; replaces an earlier plan."""

    plan: ResearchPlan


@dataclass(frozen=True, slots=True)
class QuestionResearched:
    """The answer to one question is final."""

    answer: ResearchAnswer


@dataclass(frozen=True, slots=True)
class ResearchEnded:
    """Always the last event of a research; ``error`` is set when it failed."""

    research_id: str
    status: RunStatus
    finished_at: datetime
    usage: Usage
    savings: Savings
    error: str = ""


@dataclass(frozen=True, slots=True)
class LookupAnswered:
    """What somebody wanted to know of a claim is known."""

    answer: str
    """As JSON."""


@dataclass(frozen=True, slots=True)
class ArticleProgress:
    """How far the reading of an article is; a ``total`` of 0 is not known yet."""

    what: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class ArticleUnread:
    """An article was not read to its end: what was put in, so that it is not lost."""

    text: str
    url: str


Event = (
    RunStarted
    | StepStarted
    | StepFinished
    | ClaimClassified
    | EvidenceWeighed
    | SourceUpdate
    | SentenceAccepted
    | SentencesWithdrawn
    | VerdictReached
    | RunEnded
)
AskEvent = QuestionSearched | QuestionRouted | SentenceAccepted | QuestionAnswered | Event
"""What a question reports while it is answered."""
ResearchEvent = (
    ResearchStarted
    | StepStarted
    | StepFinished
    | ResearchPlanned
    | SourceUpdate
    | SentenceAccepted
    | SentencesWithdrawn
    | QuestionResearched
    | ResearchEnded
)
"""What a research reports; the steps are those of RESEARCH_STEPS."""
ArticleEvent = ArticleProgress | ArticleUnread
"""What is reported while an article is read."""
T = TypeVar("T")


def result_of(steps: Generator[object, None, T]) -> T:
    """What a generator returns, where nobody needs what it reports on the way."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
