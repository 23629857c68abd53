"""What goes into and comes out of the knowledge base besides passages."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from ghost.types import Kind, NewPassage, Origin, PageCheck, Passage, SourceType, StanceLabel, Status

Progress = Callable[[str, int, int], None]
"""Takes what is being done, how many passages are done, and of how many. May raise to stop the work."""


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Report nothing."""


class Action(StrEnum):
    """What became of a passage that was offered."""

    ADDED = "added"
    MERGED = "merged"
    QUARANTINED = "quarantined"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one offered passage."""

    action: Action
    passage_id: str = ""
    """Empty when refused."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of all the passages offered to ``add``."""

    outcomes: tuple[Outcome, ...] = ()
    """In the order offered."""
    change: str = ""
    """Id of the change by which all that came in can be taken out again; empty when nothing came in."""

    @property
    def added(self) -> int:
        """How many are new and can be found."""
        return self._count(Action.ADDED)

    @property
    def merged(self) -> int:
        """How many were there already."""
        return self._count(Action.MERGED)

    @property
    def quarantined(self) -> int:
        """How many are new and wait for the analyst."""
        return self._count(Action.QUARANTINED)

    @property
    def refused(self) -> int:
        """How many were turned away."""
        return self._count(Action.REFUSED)

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the passages that are in the knowledge base now, in the order offered, each once."""
        return tuple(dict.fromkeys(o.passage_id for o in self.outcomes if o.passage_id))

    def _count(self, action: Action) -> int:
        return sum(o.action is action for o in self.outcomes)


@dataclass(frozen=True, slots=True)
class Use:
    """That a run used a passage."""

    passage_id: str
    relevance: float
    stance: StanceLabel
    cited: bool


@dataclass(frozen=True, slots=True)
class PassageUse:
    """A use as it is kept."""

    run_id: str
    passage_id: str
    relevance: float
    stance: StanceLabel
    cited: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """Which passages to list; what is not set does not narrow."""

    text: str = ""
    """Words that text or title contain; the last one may be unfinished."""
    status: Status | None = None
    origin: Origin | None = None
    kind: Kind | None = None
    source_type: SourceType | None = None
    domain: str | None = None
    topic: str | None = None
    dated: bool | None = None
    """Whether the publication date is known."""
    published_from: date | None = None
    published_to: date | None = None
    """Both days are among those that pass; what has no date passes neither."""
    language: str | None = None
    used: bool | None = None
    """Whether any run used it."""
    credibility_from: float = 0.0
    credibility_to: float = 1.0
    """Of the source, as it is rated now; both ends pass."""


EVERYTHING = PassageFilter()
"""The filter that lets all passages through."""


class Sort(StrEnum):
    """In which order passages are listed; the newest first where two are equal."""

    NEWEST = "newest"
    OLDEST = "oldest"
    PUBLISHED = "published"
    """The latest published first, what has no date last."""
    USED = "used"
    """The most used first."""
    CREDIBLE = "credible"
    """The most credible source first."""
    DOUBTFUL = "doubtful"
    """The least credible source first."""


@dataclass(frozen=True, slots=True)
class NoteCheck:
    """What came of comparing a note, or what was entered by hand, with its page."""

    note: str
    """Id of the passage."""
    text: str
    source_url: str
    """Words and address as they were compared; the outcome is about no others."""
    outcome: PageCheck
    why: str
    """In a sentence; it may have words of the page."""
    day: str = ""
    """When the page was read."""
    excerpts: tuple[NewPassage, ...] = ()
    """The sentences of the page that say the same, or those that contradict it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of passages."""

    passages: tuple[Passage, ...]
    total: int
    """How many there are on all pages."""
    passing: int
    """How many pass the filter; more than ``total`` where a search shows only the best of them."""


@dataclass(frozen=True, slots=True)
class KnowledgeStats:
    """The knowledge base in figures. All but ``by_status`` count active passages."""

    by_status: dict[str, int]
    by_origin: dict[str, int]
    by_source_type: dict[str, int]
    domains: tuple[tuple[str, int], ...]
    """The most frequent domains, most first; passages without a URL are not among them."""
    domain_count: int
    dated: int
    undated: int

    @property
    def total(self) -> int:
        """Passages of any status."""
        return sum(self.by_status.values())

    @property
    def active(self) -> int:
        """Passages that a verification can find."""
        return self.by_status.get(Status.ACTIVE, 0)


@dataclass(frozen=True, slots=True)
class Health:
    """Whether database and vector index are sound and say the same."""

    sql_active: int
    vectors: int
    """Vectors in the index; -1 when it could not be read."""
    in_step: bool
    repaired: str
    """What was repaired when the knowledge base was opened; empty when nothing had to be."""
    problems: tuple[str, ...]
    """What the database's own check, or the index, complains of."""
    embedding_model: str
