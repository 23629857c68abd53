"""What a judge drafts, and what the analyst reads after the citation gate."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from ghost.types.claim import Reason
from ghost.types.evidence import StanceLabel
from ghost.types.kinds import Intake, Kind


class Label(StrEnum):
    """The six verdicts."""

    TRUE = "True"
    FALSE = "False"
    PARTIALLY_TRUE = "Partially True"
    MISLEADING = "Misleading"
    NOT_ENOUGH_EVIDENCE = "Not Enough Evidence"
    NOT_VERIFIABLE = "Not Verifiable"


class Harm(StrEnum):
    """How much harm the claim could do if people believed it and it were false."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    """To the health, safety, rights or money of many people."""


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


class Basis(StrEnum):
    """What a verdict rests on; verdicts are alike where this is alike."""

    NOTES = "notes"
    """Notes in the library and nothing else."""
    RATED = "rated"
    """Excerpts of one origin, with a source that somebody has rated among them."""
    UNRATED = "unrated"
    """Excerpts of one origin whose sources nobody has rated."""
    SEVERAL = "several"
    """Several independent origins; the library is one."""


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """The decision on one statement."""

    statement: int
    label: Label
    confidence: float | None
    """As for ``Verdict``; in a draft it is the judge's own probability."""
    support: float
    """Combined strength of independent supporting origins, 0..1."""
    refute: float
    contested: bool = False
    reasons: tuple[Reason, ...] = ()
    leaning: Leaning | None = None
    probability: float | None = None
    """As for ``Verdict``."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A judge's answer before the gate."""

    label: Label
    confidence: float | None
    """The judge's own probability that the label is right, which nobody reads; None where it abstains."""
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
    kind: Kind = Kind.EXCERPT
    intake: Intake = Intake.READ_EARLIER
    snippet: bool = False
    """This and what stands above and below are as for ``Passage``, for ``cited_as``."""
    publisher: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the analyst reads."""

    label: Label
    confidence: float | None
    """The measured share of verdicts like this one that were right. None where it abstains, which has a reason instead,
    and where nobody has measured this model."""
    explanation: str
    """The accepted sentences, joined; ``[n]`` points at citations."""
    citations: tuple[Citation, ...] = ()
    contested: bool = False
    reasons: tuple[Reason, ...] = ()
    statements: tuple[StatementVerdict, ...] = ()
    leaning: Leaning | None = None
    truth_percentage: float | None = None
    """How true the claim is as a whole, 0..100: the average of its statements, weighted by importance and confidence.
    Only a single conversation gives it, and only with a label that decides."""
    harm: Harm | None = None
    """None where nobody was asked."""
    probability: float | None = None
    """The judge's own probability, which the bound applies to; never shown."""
    basis: Basis | None = None
    """None where it abstains."""
