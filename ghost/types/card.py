"""A claim card: a finished answer that later questions can reuse, for as long as it holds."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from ghost.types.evidence import StanceLabel
from ghost.types.kinds import Kind, note_at
from ghost.types.match import Category
from ghost.types.verdict import Label


class CardOrigin(StrEnum):
    """Whose answer a card is."""

    RUN = "run"
    """A verdict of this workbench that passed the gate."""
    LIBRARY = "library"
    """A claim that a fact of the starter library names as answered by it."""
    FACT_CHECK = "fact_check"
    """A published fact-check; the verdict is its publisher's."""


class CardState(StrEnum):
    """Whether a card may answer."""

    ACTIVE = "active"
    STALE = "stale"
    """What it rests on was changed since."""
    EXPIRED = "expired"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class CardCitation:
    """``[n]`` in the answer of a card: what is cited, as it was when the card was made."""

    n: int
    passage_id: str
    """Empty where the source is not in the knowledge base."""
    quote: str
    stance: StanceLabel
    url: str = ""
    title: str = ""
    published_at: date | None = None
    kind: Kind = Kind.EXCERPT

    @property
    def named(self) -> str:
        """How to call the source in a list: a note by the page where it can be checked."""
        page = self.title or self.url
        return note_at(page) if self.kind is Kind.NOTE else page


@dataclass(frozen=True, slots=True)
class CardSource:
    """What a card rests on, as it was when the card was made: what differs from it later makes the card stale."""

    passage_id: str
    """Empty where the source is not in the knowledge base; then only its rating can change."""
    key: str
    """Of text and address: another one means that the passage was edited."""
    url: str
    credibility: float


@dataclass(frozen=True, slots=True)
class ClaimCard:
    """A claim with its answer, what the answer rests on, and how long it holds."""

    id: str
    claim: str
    category: Category
    label: Label
    answer: str
    """One to three sentences; ``[n]`` points at citations. Never says another thing than the label."""
    confidence: float | None
    """Probability that the label is right; None where nobody has measured it."""
    origin: CardOrigin
    checked_at: datetime
    """When the answer was found."""
    citations: tuple[CardCitation, ...] = ()
    run_id: str = ""
    publisher: str = ""
    """Whose verdict it is, where it is not this workbench's."""
    url: str = ""
    """The publisher's page."""
    limitations: str = ""
    would_change: str = ""
    """What would change the answer."""
    as_of: date | None = None
    """The day up to which evidence counted, where the claim was checked as of a day."""
    expires_at: datetime | None = None
    approved_at: datetime | None = None
    """When an analyst approved it; None for a card that its verdict carried in."""
    stale: str = ""
    """Why it does not hold any more; empty while it does."""
    retired: bool = False
    margin: float = 0.0
    """How much surer than usual a match must be before this card answers; raised when it answered another question."""

    @property
    def answered_by(self) -> str:
        """Whose verdict it is; empty for this workbench's. The pages of the library's notes have given none."""
        return "the starter library" if self.origin is CardOrigin.LIBRARY else self.publisher

    def state(self, now: datetime) -> CardState:
        """Whether it may answer at this time."""
        if self.retired:
            return CardState.RETIRED
        if self.stale:
            return CardState.STALE
        if self.expires_at is not None and self.expires_at <= now:
            return CardState.EXPIRED
        return CardState.ACTIVE
