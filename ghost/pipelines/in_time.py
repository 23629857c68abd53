"""A conversation with a clock: it leaves some seconds of the run for what comes after it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ghost.budget import Budget
from ghost.errors import Cancelled, JudgeError
from ghost.judges import Conversation, ConversationTurn, Drafting
from ghost.types import Claim, Classification, Evidence, Statement

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InTime:
    """Asks the conversation, and gives it up with JudgeError once only ``kept`` seconds of the run are left."""

    conversation: Conversation
    kept: float

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """As ``Conversation.classify``."""
        return self._asked(budget, lambda mine: self.conversation.classify(claim, mine))

    def turn(self, budget: Budget) -> ConversationTurn:
        """As ``Conversation.turn``."""
        return self._asked(budget, self.conversation.turn)

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """As ``Conversation.decide``."""
        try:
            return (yield from self.conversation.decide(claim, statements, evidence, self._clocked(budget)))
        except Cancelled as stopped:
            raise self._too_late(budget) from stopped

    def _asked(self, budget: Budget, ask: Callable[[Budget], T]) -> T:
        try:
            return ask(self._clocked(budget))
        except Cancelled as stopped:
            raise self._too_late(budget) from stopped

    def _clocked(self, budget: Budget) -> Budget:
        return budget.until(lambda: budget.seconds_left <= self.kept)

    def _too_late(self, budget: Budget) -> JudgeError:
        budget.check()  # the analyst asked to stop, or all of the time is over
        return JudgeError(
            f"The language model had not answered when only the last {self.kept:.0f} s of the run were left, which are "
            "kept for a verdict."
        )
