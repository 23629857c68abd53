"""A conversation as one Markdown text to keep: each question with its answer, where it comes from, and its cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ghost.reports.documents import render
from ghost.reports.formatting import day
from ghost.types import CardOrigin, ClaimCard, RouteMode, RouterDecision, Run, quoted

_MODES = {
    RouteMode.EXACT: "answered before",
    RouteMode.CONTEXTUAL: "put together from earlier answers, not audited as a whole",
    RouteMode.NOVEL: "newly checked",
}


def answered_by(card: ClaimCard, on: Callable[[datetime], str] = day) -> str:
    """Whose answer a card is, and from when, as ``on`` writes days; a publisher's name comes from outside."""
    match card.origin:
        case CardOrigin.RUN:
            return f"Checked here on {on(card.checked_at)}{'' if card.reviewed else ', not reviewed'}"
        case CardOrigin.ANALYST:
            return f"The analyst's verdict of {on(card.checked_at)}"
        case CardOrigin.FACT_CHECK:
            how = ", as entered by hand" if card.entered else ""
            return f"Rated by {card.publisher or 'a fact-checker'} on {on(card.checked_at)}{how}"
        case CardOrigin.LIBRARY:
            return "From the starter library"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question with what it was answered from."""

    decision: RouterDecision
    cards: tuple[ClaimCard, ...] = ()
    run: Run | None = None
    """The new check, where there was one and it is still there."""

    @property
    def mode(self) -> str:
        """Where the answer came from, in words."""
        return _MODES[self.decision.mode]

    @property
    def label(self) -> str:
        """The verdict that answers; empty where several cards do, or none."""
        if self.run and self.run.label:
            return self.run.label.value
        return self.cards[0].label.value if self.decision.mode is RouteMode.EXACT and self.cards else ""

    @property
    def answer(self) -> str:
        """What was answered."""
        return self.run.verdict.explanation if self.run and self.run.verdict else self.decision.answer


def conversation_markdown(exchanges: Sequence[Exchange]) -> str:
    """The whole conversation, oldest question first; everything from outside is escaped."""
    return render("conversation.md", exchanges=exchanges, answered_by=answered_by, quoted=quoted)
