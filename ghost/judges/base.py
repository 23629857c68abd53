"""The judge: whoever reads evidence and decides. An LLM or the embedded models, behind one protocol."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ghost.budget import Budget
from ghost.types import Claim, Classification, Draft, DraftSentence, Evidence, JudgeInfo, Statement, Sufficiency


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The sentences that a judge has given so far do not count."""

    reason: str


Drafting = Generator[DraftSentence | Withdrawn, None, Draft]
"""A draft in the making: each sentence as soon as it is complete, and the whole at the end."""


class Judge(Protocol):
    """Decides; knows nothing of storage, search or pages. Raises JudgeError when it has no usable answer."""

    @property
    def info(self) -> JudgeInfo:
        """Who this is, and the route that led here."""
        ...

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """The claim type and the statements to check."""
        ...

    def sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        """Whether the evidence settles each statement, in their order; every one of them has evidence."""
        ...

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """The verdict as sentences with citations, before the gate; never called without evidence."""
        ...
