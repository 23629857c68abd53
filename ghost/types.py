"""The vocabulary of Ghost as values: what a claim, a passage, evidence, a verdict and a run are.

Everything here is a frozen dataclass or an enum and knows nothing of storage, models or pages.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from ghost.periods import Period


class ClaimType(StrEnum):
    """What kind of sentence the claim is; OPINION and AMBIGUOUS end a run at step 1."""

    FACTUAL = "FACTUAL"
    OPINION = "OPINION"
    MIXED = "MIXED"
    AMBIGUOUS = "AMBIGUOUS"


class Label(StrEnum):
    """The six verdicts."""

    TRUE = "True"
    FALSE = "False"
    PARTIALLY_TRUE = "Partially True"
    MISLEADING = "Misleading"
    NOT_ENOUGH_EVIDENCE = "Not Enough Evidence"
    NOT_VERIFIABLE = "Not Verifiable"


class Origin(StrEnum):
    """How a passage came into the knowledge base."""

    SEED = "seed"
    CURATED = "curated"
    IMPORT = "import"
    WEB = "web"
    FACT_CHECK = "fact_check"


class Status(StrEnum):
    """Only active passages can be found by a verification."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    RETIRED = "retired"


class SourceType(StrEnum):
    """What kind of publisher a domain is."""

    NEWS = "news"
    ACADEMIC = "academic"
    FACT_CHECKER = "fact_checker"
    GOVERNMENT = "government"
    UNKNOWN = "unknown"


class StanceLabel(StrEnum):
    """What a passage does to a statement."""

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NEUTRAL = "NEUTRAL"
    OFF_TOPIC = "OFF-TOPIC"


class Timing(StrEnum):
    """What the publication date of a piece of evidence means for the statement."""

    FINE = "fine"
    UNDATED = "undated"
    """Nobody knows whether it was there before the as-of date, or before what contradicts it."""
    OUTDATED = "outdated"
    """It speaks about the present, and a newer source of no lower standing contradicts it."""
    OLD = "old"
    """It speaks about the present, and everything that takes a side is years old."""


class RunStatus(StrEnum):
    """Where a run stands; ``interrupted`` is a run whose process died before it ended."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class ReasonCode(StrEnum):
    """Why a verdict abstains, or what weakens it."""

    OPINION = "opinion"
    AMBIGUOUS = "ambiguous"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    NO_SOURCES = "no_sources"
    OFF_TOPIC = "off_topic"
    NOT_DECISIVE = "not_decisive"
    BELOW_BOUND = "below_bound"
    """The evidence leans one way, and verdicts of that probability are too often wrong."""
    CONFLICT = "conflict"
    WEAK_ORIGIN = "weak_origin"
    CITATIONS_REJECTED = "citations_rejected"
    NO_PROVIDER = "no_provider"
    PROVIDER_DOWN = "provider_down"
    BUDGET = "budget"
    TOO_OLD = "too_old"
    JUDGE_FAILED = "judge_failed"


@dataclass(frozen=True, slots=True)
class Claim:
    """What the analyst wants checked."""

    text: str
    context: str = ""
    as_of: date | None = None
    """Evidence published after this day is left out."""
    found_at: str | None = None
    """Where the claim was found; that page never supports it."""
    statements: tuple[str, ...] = ()
    """What to check in it, in the analyst's words; empty: what step 1 extracts."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One checkable part of a claim."""

    number: int
    """1-based position in the claim."""
    text: str


@dataclass(frozen=True, slots=True)
class Classification:
    """Outcome of step 1."""

    type: ClaimType
    confidence: float
    """Probability that the type is right, 0..1."""
    statements: tuple[Statement, ...]
    """What to check; empty for OPINION and AMBIGUOUS."""
    reason: str
    rephrase: str = ""
    """How to turn the claim into a checkable one, where it is not."""
    code: ReasonCode | None = None
    """Set when the claim cannot be checked."""
    check_worthiness: float | None = None
    """How much a check of the text is worth, 0..1, whatever its type; None where nobody has scored it."""
    extracted: tuple[str, ...] | None = None
    """What step 1 had found, where the analyst has put other statements in its place; else None."""


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A passage on its way into the knowledge base."""

    text: str
    source_url: str = ""
    title: str = ""
    origin: Origin = Origin.CURATED
    status: Status = Status.ACTIVE
    language: str = "en"
    publisher: str = ""
    topic: str = ""
    published_at: date | None = None
    retrieved_at: datetime | None = None
    as_late_as: date | None = None
    """As for ``Passage``."""
    as_of: str = ""
    """As for ``Passage``."""
    note: str = ""
    """Why it was admitted or quarantined; the first line of its history."""


@dataclass(frozen=True, slots=True)
class Passage:
    """1-3 sentences of the knowledge base with all that is known about them."""

    id: str
    text: str
    source_url: str
    title: str
    domain: str
    """Registered domain of ``source_url`` ("nasa.gov"); empty when there is no URL."""
    publisher: str
    topic: str
    origin: Origin
    status: Status
    source_type: SourceType
    language: str
    published_at: date | None
    retrieved_at: datetime | None
    indexed_at: datetime | None
    """None for what is not in the knowledge base."""
    credibility: float
    """Resolved from the domain when the passage is read, 0..1."""
    verification_count: int = 0
    avg_relevance: float = 0.0
    access_count: int = 0
    last_accessed: datetime | None = None
    text_length: int = 0
    snippet: bool = False
    """What a search engine showed of a page that was not read; serves its run only and is never stored as a passage."""
    kin: str = ""
    """Id of the stored passage that has nearly this text from another source; empty when there is none."""
    as_late_as: date | None = None
    """The latest day that the text may be from, where that is after ``published_at``: its page was changed since, or
    the day is a guess."""
    as_of: str = ""
    """The year, month or day (``2024-05``) for which it holds, where what it says can change; empty when not known. It
    says nothing of when the text was published."""
    rated: bool = True
    """Whether anybody has rated its source; ``credibility`` is that of the unknown when nobody has."""

    @property
    def earliest(self) -> date | None:
        """The first day that its text can be about, as far as its dates tell."""
        return Period.parse(self.as_of).first if self.as_of else self.published_at

    @property
    def latest(self) -> date | None:
        """The last day that its text can be about, as far as its dates tell."""
        return Period.parse(self.as_of).last if self.as_of else self.published_at

    @property
    def until(self) -> date | None:
        """The last day that its text may be from; None when nothing is known."""
        return max((day for day in (self.latest, self.as_late_as) if day), default=None)

    @property
    def source_name(self) -> str:
        """How to call the source in a sentence."""
        return self.publisher or self.domain or self.title or "An unnamed source"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change to a passage; the old text stays."""

    at: datetime
    action: str
    """added, merged, edited, retired, restored, quarantined, accepted, joined, undone."""
    note: str = ""
    old_text: str = ""
    change: str = ""
    """Id of the change it belongs to, by which it can be undone; empty where nothing can."""
    fields: tuple[tuple[str, str, str], ...] = ()
    """What else was changed: name of the field, old value, new value."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage found for a statement, before it was read closely."""

    passage: Passage
    rank: int
    """1-based position after fusion."""
    fused: float
    """Score of the fusion, higher is better; comparable within one search only."""
    semantic: float | None = None
    """Cosine with the statement, whoever found it; None where nobody has measured it."""
    lexical: float | None = None
    """BM25 score, higher is better; None when only the vectors found it."""


@dataclass(frozen=True, slots=True)
class Stance:
    """Probabilities of the four stances; they sum to one."""

    supports: float
    refutes: float
    neutral: float
    off_topic: float

    @property
    def label(self) -> StanceLabel:
        """The most probable stance."""
        values = (self.supports, self.refutes, self.neutral, self.off_topic)
        return tuple(StanceLabel)[values.index(max(values))]

    @property
    def relevance(self) -> float:
        """Probability that the passage is on the topic at all."""
        return 1.0 - self.off_topic


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage weighed for one statement."""

    number: int
    """``[n]`` in the explanation; unique within the run, shared by the statements that a passage bears on."""
    statement: int
    """Number of the statement."""
    passage: Passage
    stance: Stance
    relevance: float
    credibility: float
    access_bonus: float
    final: float
    """relevance + (credibility - 0.5) * boost + access bonus."""
    group: int
    """Independent-origin group: evidence with the same number is one source said several times."""
    rank: int
    """Position of the passage in the fused first stage."""
    nearness: float | None = None
    """Cosine of passage and statement; None when nobody measured it."""
    focus: str = ""
    """The sentence of the passage that speaks most plainly about the statement; empty where it has only one."""
    kin: str = ""
    """Why it shares its group with other evidence; empty for the first of each group."""
    timing: Timing = Timing.FINE
    """What its date means for the statement."""
    time_weight: float = 1.0
    """How far it counts because of its date, 0..1."""


class DropCode(StrEnum):
    """Why a candidate did not become evidence."""

    RELEVANCE = "relevance"
    FOUND_PAGE = "found_page"
    RETRACTED = "retracted"
    """Its page says that it was retracted, is doubted by its publisher, or is satire."""
    DOMAIN = "domain"
    PLACES = "places"
    """Weightier ones have taken all places."""
    OFF_TOPIC = "off_topic"
    """The stance model reads it as being about something else."""
    ORIGIN = "origin"
    """Its origin has its place, and the others were due before it."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that did not become evidence, and why."""

    passage_id: str
    title: str
    statement: int
    relevance: float
    final: float
    why: str
    code: DropCode
    group: int
    """Its origin among what was relevant for the statement; 0 for what was not."""


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Outcome of step 4 for one statement."""

    statement: int
    enough: bool
    reason: str
    missing: str = ""
    """What would settle it."""
    code: ReasonCode | None = None
    queries: tuple[str, ...] = ()
    """What to search for, best first; empty: the statement's own words."""
    stances: tuple[tuple[int, StanceLabel], ...] = ()
    """How the judge itself reads each ``[n]`` for this statement; empty when it only goes by the stance model."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict abstains or is weak, and what would change it."""

    code: ReasonCode
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class DraftCitation:
    """What a judge claims about one piece of evidence, before the gate has looked."""

    number: int
    quote: str
    stance: StanceLabel
    statement: int = 0
    """Number of the statement that it is cited for; 0 when the judge does not say."""


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """One sentence of an explanation with what it leans on; the gate drops sentences that lean on nothing."""

    text: str
    citations: tuple[DraftCitation, ...] = ()


BOUND = 0.6
"""No label is given below this probability, whoever judges; a calibration may ask for more, never for less."""
DECIDED = (Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING)
"""The labels that settle a claim; the other two abstain."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """What an abstention leans to: never shown, listed or exported as a verdict."""

    label: Label
    """One of DECIDED."""
    probability: float


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """The decision on one statement."""

    statement: int
    label: Label
    confidence: float | None
    """Probability that the label is right; None where it abstains."""
    support: float
    """Combined strength of independent supporting origins, 0..1."""
    refute: float
    contested: bool = False
    reasons: tuple[Reason, ...] = ()
    leaning: Leaning | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A judge's answer before the gate."""

    label: Label
    confidence: float | None
    """None where it abstains."""
    sentences: tuple[DraftSentence, ...]
    statements: tuple[StatementVerdict, ...] = ()
    contested: bool = False
    reasons: tuple[Reason, ...] = ()
    leaning: Leaning | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """``[n]`` after the gate: what was cited, and whether it holds."""

    n: int
    passage_id: str
    quote: str
    stance: StanceLabel
    accepted: bool
    why: str
    statement: int = 0
    """Number of the statement that it is cited for; 0 for the claim as a whole."""
    url: str = ""
    domain: str = ""
    title: str = ""
    published_at: date | None = None
    as_of: str = ""
    """As for ``Passage``."""
    archived_url: str = ""
    """A copy of the page that an archive holds, where one was looked up and found."""
    archived_at: datetime | None = None
    """When that copy was taken."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the analyst reads."""

    label: Label
    confidence: float | None
    """Probability that the label is right; None where it abstains, which has a reason instead."""
    explanation: str
    """The accepted sentences, joined; ``[n]`` points at citations."""
    citations: tuple[Citation, ...] = ()
    contested: bool = False
    reasons: tuple[Reason, ...] = ()
    statements: tuple[StatementVerdict, ...] = ()
    leaning: Leaning | None = None


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
