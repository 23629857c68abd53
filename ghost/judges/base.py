"""The judge: whoever reads evidence and decides. An LLM or the embedded models, behind one protocol."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ghost.budget import Budget
from ghost.types import (
    Claim,
    Classification,
    Draft,
    DraftSentence,
    Evidence,
    JudgeInfo,
    StanceLabel,
    Statement,
    Sufficiency,
)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The sentences that a judge has given so far do not count."""

    reason: str


Drafting = Generator[DraftSentence | Withdrawn, None, Draft]
"""A draft in the making: each sentence as soon as it is complete, and the whole at the end."""


@dataclass(frozen=True, slots=True)
class SourceQuote:
    """What a judge says stands in a page and bears on a statement; nobody has looked yet whether it does."""

    statement: int
    text: str
    stance: StanceLabel


@dataclass(frozen=True, slots=True)
class SourceReading:
    """How a judge reads one page."""

    judge: str
    quotes: tuple[SourceQuote, ...]
    """In the order of the page; none when nothing in it bears on a statement."""
    chunks: int
    """How many parts of the page it was shown."""


class Classifies(Protocol):
    """Takes a claim apart. Raises JudgeError when it has no usable answer."""

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """The claim type and the statements to check."""
        ...


class Decides(Protocol):
    """Writes the verdict. Raises JudgeError when it has no usable answer."""

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """The verdict as sentences with citations, before the gate; never called without evidence."""
        ...


class Judge(Classifies, Decides, Protocol):
    """Decides; knows nothing of storage, search or pages. Raises JudgeError when it has no usable answer."""

    @property
    def info(self) -> JudgeInfo:
        """Who this is, and the route that led here."""
        ...

    def sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        """Whether the evidence settles each statement, in their order; every one of them has evidence."""
        ...

    def draft(self, statements: Sequence[Statement], evidence: Sequence[Evidence], /) -> Draft | None:
        """What ``decide`` would come to, where that follows from the evidence alone; None where it has to be asked."""
        ...

    def read_source(
        self, statements: Sequence[Statement], title: str, chunks: Sequence[str], budget: Budget
    ) -> SourceReading | None:
        """The sentences of a page that bear on the statements; ``chunks`` are its text in parts, in order.

        None leaves the reading to the stance model. May be called from several threads.
        """
        ...


class ReadsByStance:
    """The embedded way with pages, for judges without a way of their own: the stance model reads every sentence."""

    def draft(self, _statements: Sequence[Statement], _evidence: Sequence[Evidence], /) -> Draft | None:
        """Has to be asked."""
        return None

    def read_source(self, *_asked: object, **_named: object) -> None:
        """Left to the stance model."""
