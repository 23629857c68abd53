"""How a question was answered: from one card, from several, or by a new check."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ghost.types.match import ClaimMatch


class RouteMode(StrEnum):
    """Where the answer to a question comes from."""

    EXACT = "exact_match"
    """One card answers this very question."""
    CONTEXTUAL = "contextual"
    """Reasoned from cards, citing them; not audited as a whole."""
    NOVEL = "novel_claim"
    """Nobody has answered it: the full pipeline checks it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation and what was answered."""

    question: str
    answer: str
    cards: tuple[str, ...] = ()
    """Ids of the cards that the answer came from."""
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class RouteCandidate:
    """A card that was looked at for a question."""

    card_id: str
    claim: str
    match: ClaimMatch


@dataclass(frozen=True, slots=True)
class RouterDecision:
    """One question and where its answer was taken from, as it is kept."""

    id: str
    question: str
    """As it was asked."""
    reformulated: str
    """The same, so that it can be understood without the conversation."""
    conversation_id: str
    mode: RouteMode
    cards: tuple[str, ...]
    """Ids of the cards that the answer rests on; none for a new check."""
    candidates: tuple[RouteCandidate, ...]
    reasoning: str
    """Why this mode, in a sentence or two."""
    seconds: float
    """Until the mode was known."""
    created_at: datetime
    decided_by: str = "embedded"
    """Name of the judge whose model decided."""
    run_id: str = ""
    """The new check, where one was started."""
    answer: str = ""
    """What was answered; empty where a run answers."""
    wrong: bool = False
    """Whether the analyst said that this is not what was asked."""
