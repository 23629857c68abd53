"""A claim card: a finished answer that later questions can reuse, for as long as it holds."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar

from ghost.types.evidence import StanceLabel
from ghost.types.kinds import Intake, Kind, cited_as, in_own_words
from ghost.types.match import Category
from ghost.types.url import host_of
from ghost.types.verdict import Label


class CardOrigin(StrEnum):
    """Whose answer a card is."""

    RUN = "run"
    """A verdict of this workbench that passed the gate."""
    ANALYST = "analyst"
    """The verdict that the analyst gave a check of this workbench."""
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
    intake: Intake = Intake.READ_EARLIER
    snippet: ClassVar[bool] = False
    """No card rests on a snippet: nobody could see it change. This and what follows are for ``cited_as``."""
    publisher: ClassVar[str] = ""

    @property
    def domain(self) -> str:
        """The site of the page."""
        return host_of(self.url).removeprefix("www.")

    @property
    def named(self) -> str:
        """How to call the source in a list: by its title only where its words were read there."""
        return self.title or self.url if in_own_words(self) else cited_as(self)


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
    """When an analyst approved it, or gave the verdict; None for a card that its verdict carried in."""
    stale: str = ""
    """Why it does not hold any more; empty while it does."""
    retired: bool = False
    margin: float = 0.0
    """How much surer than usual a match must be before this card answers; raised when it answered another question."""

    @property
    def reviewed(self) -> bool:
        """Whether a person stands behind it; what this workbench found by itself nobody has reviewed."""
        return self.origin is not CardOrigin.RUN or self.approved_at is not None

    @property
    def author(self) -> str:
        """What tells apart the cards of one claim: publishers, and the checks that the analyst gave a verdict."""
        return self.run_id if self.origin is CardOrigin.ANALYST else self.publisher

    @property
    def answered_by(self) -> str:
        """Whose verdict it is; empty for this workbench's. The pages of the library's notes have given none."""
        return "the starter library" if self.origin is CardOrigin.LIBRARY else self.publisher

    @property
    def entered(self) -> bool:
        """Whether it is a fact-check that somebody imported, which nobody has read at its publisher's."""
        by_hand = any(c.intake is Intake.ENTERED for c in self.citations)
        return self.origin is CardOrigin.FACT_CHECK and by_hand

    def state(self, now: datetime) -> CardState:
        """Whether it may answer at this time."""
        if self.retired:
            return CardState.RETIRED
        if self.stale:
            return CardState.STALE
        if self.expires_at is not None and self.expires_at <= now:
            return CardState.EXPIRED
        return CardState.ACTIVE
