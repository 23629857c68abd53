"""Passages, and what they become when they are weighed for a statement."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from ghost.text import Period
from ghost.types.claim import ReasonCode
from ghost.types.frame import NO_FRAME, Frame
from ghost.types.kinds import Intake, Kind, PageCheck


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
    OVER = "over"
    """It says what held at a time that is over, or will hold, and takes no side."""


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
    frame: Frame = NO_FRAME
    """As for ``Passage``."""
    note: str = ""
    """Why it was admitted or quarantined; the first line of its history."""
    kind: Kind = Kind.EXCERPT
    """What has no address is a note in any case."""
    intake: Intake = Intake.ENTERED
    text_hash: str = ""
    """As for ``Passage``."""
    trusted: bool = False
    """As for ``Passage``."""


WEAK = 0.6
"""What a less credible source said on an earlier day is read again before it settles anything."""


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
    kind: Kind = Kind.EXCERPT
    intake: Intake = Intake.READ_EARLIER
    text_hash: str = ""
    """SHA-256 of the text that was read at its address; empty for what was not read, or by an earlier version."""
    trusted: bool = False
    """Whether the analyst stands behind what was entered by hand."""
    frame: Frame = NO_FRAME
    """What stands around it on its page, and how that changes what it counts for."""
    library_rating: float | None = None
    """What a note counts in place of ``credibility``, which is that of the page it points at; None for an excerpt."""

    page_check: PageCheck | None = None
    """What came of comparing it with its page; None for what nobody has compared. For what was read there it says what
    came of reading it again in this run, and is not stored."""
    page_checked: str = ""
    """The day on which its page was read for that, as in ISO 8601."""
    page_excerpts: tuple[str, ...] = ()
    """Ids of the excerpts that were found there: of what says the same, or of what contradicts it."""

    @property
    def can_be_checked(self) -> bool:
        """Whether it can be compared with a page: somebody has entered it, and said which page."""
        return self.intake is Intake.ENTERED and bool(self.source_url)

    @property
    def standing(self) -> float:
        """The credibility it is ranked and weighed by."""
        return self.credibility if self.library_rating is None else self.library_rating

    @property
    def settles(self) -> bool:
        """Whether a verdict may rest on it alone.

        On what Ghost has not read on its page, entered by hand or shown by a search engine, only with a rated page, or
        trusted; on nothing that its own page does not say, or that has to be read again and was not.
        """
        was_read = self.intake is not Intake.ENTERED and not self.snippet
        if self.page_check in (PageCheck.NOT_FOUND, PageCheck.CONTRADICTED):
            return False
        if was_read and self.page_check is PageCheck.NOT_REACHED:
            return False
        from_library = self.origin is Origin.SEED and self.kind is Kind.NOTE
        return was_read or from_library or self.rated or self.trusted

    @property
    def can_be_read_again(self) -> bool:
        """Whether it came from a page on an earlier day, and is neither of the library nor the analyst's."""
        kept = self.origin in (Origin.WEB, Origin.FACT_CHECK) and self.indexed_at is not None
        return kept and self.intake is not Intake.ENTERED and not self.trusted

    def must_be_read_again(self, alone: bool) -> bool:
        """Whether it settles nothing before that; ``alone``: no other independent origin says so."""
        return self.can_be_read_again and self.page_check is None and (alone or self.credibility < WEAK)

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
        """The name of the publisher; ``cited_as`` says whose words a passage holds."""
        return self.publisher or self.domain or self.title or "An unnamed source"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change to a passage; the old text stays."""

    at: datetime
    action: str
    """added, merged, edited, checked, retired, restored, quarantined, accepted, joined, undone."""
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

    def at_most(self, supports: float = 1.0, refutes: float = 1.0) -> "Stance":
        """The stance with no more than this for and against; what is over is neutral."""
        pro, con = min(self.supports, supports), min(self.refutes, refutes)
        return Stance(pro, con, self.neutral + (self.supports - pro) + (self.refutes - con), self.off_topic)


@dataclass(frozen=True, slots=True)
class Correction:
    """How a person reads a passage for a statement; it counts in place of what the stance model read."""

    id: int
    """Of the stored reading, by which it can be undone."""
    label: StanceLabel
    """What the passage does to the statement of this evidence: SUPPORTS, REFUTES or NEUTRAL."""
    statement: str
    """The statement that the person read it for."""
    at: datetime


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
    unreadable: bool = False
    """Whether the stance model read it against its own words, so that its reading counts for neither side."""
    correction: Correction | None = None
    """The person's reading, where there is one."""


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
