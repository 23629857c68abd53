"""The judge: whoever reads evidence and decides. An LLM or the embedded models, behind one protocol."""

from collections.abc import Sequence
from typing import Protocol

from ghost.budget import Budget
from ghost.types import Claim, Classification, Draft, Evidence, JudgeInfo, Statement, Sufficiency


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
    ) -> Draft:
        """The verdict as sentences with citations, before the gate; never called without evidence."""
        ...
