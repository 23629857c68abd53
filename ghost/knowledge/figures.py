"""The knowledge base in figures, as the Analytics page shows them; ``analytics.py`` counts them."""

from dataclasses import dataclass
from datetime import date

CREDIBILITY_STEPS = 10
"""Bins of the credibility distribution, each a tenth wide."""
AGES: tuple[tuple[str, int | None], ...] = (
    ("Under 1 year", 1),
    ("1 to 2 years", 2),
    ("2 to 5 years", 5),
    ("5 to 10 years", 10),
    ("10 to 20 years", 20),
    ("Over 20 years", None),
)
"""Ages of evidence, youngest first, each with the year it ends before."""

Counts = tuple[tuple[str, int], ...]
"""How many of each, most first."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One source and what it brings."""

    name: str
    """Registered domain; empty for passages without an address."""
    source_type: str
    passages: int
    credibility: float
    """Mean over its passages, 0..1."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Passages whose credibility is in one tenth of the scale."""

    low: float
    high: float
    passages: int
    domains: int


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """Where the active passages come from."""

    active: int
    domains: tuple[Domain, ...]
    """Those with the most passages, most first."""
    domain_count: int
    """All domains; passages without an address are of none."""
    credibility: tuple[Bin, ...]
    """From 0 to 1; every bin is there."""
    mean_credibility: float | None
    types: Counts
    languages: Counts
    topics: Counts
    """Passages without a topic stand under an empty name."""
    without_address: int
    unrated: int
    """Passages of unrated sources."""
    notes: int
    notes_credibility: float | None
    """Mean rating of the pages where notes can be checked; None without such pages."""
    library: float
    """What a note counts in a verdict."""


@dataclass(frozen=True, slots=True)
class Age:
    """Active passages published within one span."""

    name: str
    first: date | None
    """The earliest day of the span; None where it is open."""
    last: date | None
    passages: int


@dataclass(frozen=True, slots=True)
class TimeFigures:
    """When passages came in, and when they were published."""

    arrivals: tuple[tuple[date, str, int], ...]
    """Day, origin, passages that came in on it and were not retired since; oldest first."""
    ages: tuple[Age, ...]
    """Youngest first."""
    undated: int
    oldest: date | None
    newest: date | None


@dataclass(frozen=True, slots=True)
class UsedPassage:
    """A passage and what the checks did with it."""

    id: str
    text: str
    source: str
    runs: int
    cited: int
    supports: int
    refutes: int


@dataclass(frozen=True, slots=True)
class Balance:
    """How the uses of some sources read."""

    name: str
    supports: int
    refutes: int
    neutral: int
    off_topic: int

    @property
    def total(self) -> int:
        """All uses."""
        return self.supports + self.refutes + self.neutral + self.off_topic


@dataclass(frozen=True, slots=True)
class UseFigures:
    """What the checks made of the knowledge base."""

    active: int
    never: int
    """Active passages that no check has used."""
    never_by_origin: tuple[tuple[str, int, int], ...]
    """Origin, never used, all."""
    runs: int
    """Checks that used a stored passage."""
    uses: int
    most: tuple[UsedPassage, ...]
    balance: Balance
    by_type: tuple[Balance, ...]
    """By kind of source, most uses first."""
    by_domain: tuple[Balance, ...]
    """The domains with the most uses."""


@dataclass(frozen=True, slots=True)
class Copies:
    """One text that several sources have."""

    id: str
    """The passage that came first."""
    text: str
    passages: int
    domains: int


@dataclass(frozen=True, slots=True)
class CopyFigures:
    """How much of the knowledge base says the same again."""

    active: int
    origins: int
    """Different texts: a text and its copies count once."""
    sizes: tuple[tuple[int, int], ...]
    """How many passages a text has, and how many texts have so many; two and more."""
    largest: tuple[Copies, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic that leans on one domain."""

    name: str
    domain: str
    passages: int


@dataclass(frozen=True, slots=True)
class RunNote:
    """A finished check that deserves a second look."""

    run_id: str
    claim: str
    label: str
    why: str


@dataclass(frozen=True, slots=True)
class Alerts:
    """What deserves attention; counts are of active passages."""

    active: int
    stale: int
    stale_before: date
    undated: int
    unrated: int
    """Passages of unrated sources."""
    without_address: int
    quarantined: int
    dominant: tuple[str, int] | None
    """The domain that more than half of the passages come from."""
    topics: tuple[Topic, ...]
    topics_in_all: int
    weak: tuple[RunNote, ...]
    """Verdicts that rest on one origin of low credibility, the newest of them first."""
    weak_in_all: int
    """How many there are; not all of them are named."""
    retired: tuple[RunNote, ...]
    """Verdicts that cite a passage which was retired since, the newest of them first."""
    retired_in_all: int
    """How many there are; not all of them are named."""
