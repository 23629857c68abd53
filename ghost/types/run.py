"""One verification as it is kept: its steps, its cost, and what the analyst says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from ghost.types.claim import Claim, Classification
from ghost.types.evidence import Evidence
from ghost.types.verdict import Label, Verdict


class RunStatus(StrEnum):
    """Where a run stands; ``interrupted`` is a run whose process died before it ended."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run has spent."""

    searches: int = 0
    fetches: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    """What the tokens with a known price cost."""
    seconds: float = 0.0
    unpriced_tokens: int = 0
    """Tokens whose price nobody has told us; ``cost_usd`` leaves them out."""


class Pipeline(StrEnum):
    """A way from a claim to a verdict."""

    SEVEN_STEPS = "seven-steps"
    SINGLE_CONVERSATION = "single-conversation"
    """One conversation of a language model with tools; falls back to the seven steps."""


@dataclass(frozen=True, slots=True)
class PipelineChoice:
    """A pipeline that a run may ask for, or why it cannot."""

    name: Pipeline
    usable: bool
    why: str
    """What it does, or what it needs, in a sentence or two for the analyst."""


STEP_NAMES = ("classify", "retrieve", "rerank", "sufficiency", "investigate", "index", "verdict")
"""The steps of a run in the order of their numbers, which begin at 1."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a run as it is kept."""

    name: str
    started_at: datetime
    seconds: float
    decision: str
    """What was decided, in a few words."""
    reason: str
    """Why, in a sentence."""
    inputs: dict[str, Any] = field(default_factory=dict)
    """JSON-safe."""
    outputs: dict[str, Any] = field(default_factory=dict)
    """JSON-safe."""
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced_tokens: int = 0


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """Who decided, and who was asked before."""

    name: str
    model: str
    route: tuple[str, ...] = ()
    """One line per judge tried, in order, with why it was left."""
    host: str = ""
    """Where its model runs; empty when that is within this program."""
    next: str = ""
    """Where else the claim may go when this judge fails: hosts, joined by commas."""


class ErrorKind(StrEnum):
    """What an analyst finds wrong with a verdict."""

    WRONG_VERDICT = "wrong_verdict"
    MISREAD = "misread"
    MISSING = "missing"
    BAD_SOURCE = "bad_source"
    MISUNDERSTOOD = "misunderstood"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Override:
    """The analyst's own verdict on a run; the machine's stays beside it and never changes."""

    id: int
    label: Label
    """May be the machine's: then it confirms it."""
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error that the analyst has found in a verdict."""

    id: int
    kind: ErrorKind
    note: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SourceMark:
    """A source of a run that the analyst has marked as bad."""

    id: int
    target: str
    """``passage`` or ``domain``."""
    name: str
    """Id of the passage, or the domain."""
    reason: str
    at: datetime
    before: str = ""
    """What undoing it goes back to; empty where there was nothing."""


@dataclass(frozen=True, slots=True)
class Review:
    """What the analyst says of a run, as it stands now; what was withdrawn is not in it."""

    override: Override | None = None
    errors: tuple[ErrorReport, ...] = ()
    marks: tuple[SourceMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One verification, complete or as far as it got."""

    id: str
    status: RunStatus
    claim: Claim
    started_at: datetime
    judge: JudgeInfo
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings, model checksums and versions the run was made with; no secrets."""
    classification: Classification | None = None
    evidence: tuple[Evidence, ...] = ()
    verdict: Verdict | None = None
    steps: tuple[TraceStep, ...] = ()
    usage: Usage = Usage()
    error: str = ""
    """What went wrong, for failed and interrupted runs."""
    finished_at: datetime | None = None
    review: Review = Review()
    """What the analyst says of it; read with the run, never written with it."""

    @property
    def label(self) -> Label | None:
        """The verdict that counts: the analyst's where there is one, else the machine's; None without a verdict."""
        if self.verdict and self.review.override:
            return self.review.override.label
        return self.verdict.label if self.verdict else None

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline the run started with; if a conversation fell back to the seven steps, the trace says so."""
        return pipeline_of(self.settings)


def pipeline_of(settings: Mapping[str, Any]) -> Pipeline:
    """The pipeline in the settings of a run; older runs name none and took the seven steps."""
    named = settings.get("pipeline")
    return Pipeline(named) if named in tuple(Pipeline) else Pipeline.SEVEN_STEPS
