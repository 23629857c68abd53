"""Where the answer to a question comes from: a card that answers it, several cards that bear on it, or a new check.

The claim match decides whether a card answers the question, also where a language model proposes one. Whatever fails,
and every doubt, leads to a new check.
"""

import logging
import re
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from ghost.budget import Budget
from ghost.cards.base import SHOWN_FROM, Cards
from ghost.cards.conversation import QuestionKind, Understood, leans_on_others, understand
from ghost.errors import BudgetExceeded, Cancelled, GhostError, JudgeError
from ghost.judges import Assistant, Proposal, content
from ghost.matching import ClaimMatcher
from ghost.types import (
    CardOrigin,
    CardState,
    ClaimCard,
    ClaimMatch,
    Relation,
    RouteCandidate,
    RouteMode,
    RouterDecision,
    Turn,
)

log = logging.getLogger(__name__)

LOOKED_AT = 5
"""Cards that are held against a question."""
READ_FROM = 0.65
"""Cards with a lower cosine are not held against a question: of 432 pairs that say the same, under one in a hundred."""
NEAR = 0.2
"""So far below its bound the claim match may be where a language model agrees with it."""
OPPOSITE_FROM = 0.8
"""From this probability of being the opposite on a card speaks for a question."""
MOST_CARDS = 4
"""Of a contextual answer."""


_DENIAL = re.compile(r"\b(?:not|no|never|nobody|none|nothing|without)\b|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Routed:
    """A decision with what it was made from."""

    decision: RouterDecision
    cards: tuple[ClaimCard, ...] = ()
    """What the answer comes from."""
    earlier: ClaimCard | None = None
    """An earlier answer to this very question that does not hold any more."""
    kind: QuestionKind = QuestionKind.CLAIM
    context: str = ""
    """What a new check should know besides the question."""
    problem: str = ""
    """Why a language model, or the search for cards, was left."""


@dataclass(slots=True)
class _Asked:
    """One question on its way to a decision."""

    question: str
    turns: Sequence[Turn]
    understood: Understood
    seen: dict[str, tuple[ClaimCard, CardState]] = field(default_factory=dict)
    """Cards that were looked at, by id."""
    matched: dict[str, ClaimMatch] = field(default_factory=dict)


class Router:
    """Decides where an answer comes from. Safe to share by threads."""

    def __init__(
        self,
        cards: Cards,
        matcher: ClaimMatcher,
        assistant: Callable[[], Assistant | None] = lambda: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """``assistant`` gives the language model to ask first; without one the claim match decides alone."""
        self._cards = cards
        self._matcher = matcher
        self._assistant = assistant
        self._now = now

    @property
    def same_from(self) -> float:
        """From which probability on a claim is surely the same."""
        return self._matcher.same_from

    def checked_before(self, claim: str, budget: Budget) -> ClaimCard | None:
        """The card that answers exactly this claim and holds, or None. Raises StoreError, ModelError and Cancelled.

        A language model is asked about the best candidate only; its failure is a doubt.
        """
        asked = _Asked(claim, (), Understood(claim, QuestionKind.CLAIM))
        self._look(asked, claim)
        best = self._best(asked, Relation.SAME) or next(filter(lambda i: self._near(asked, i), asked.matched), "")
        card, state = asked.seen[best] if best else (None, None)
        if card is None or state is not CardState.ACTIVE or self._contradicted(asked, card):
            return None
        try:
            if assistant := self._assistant():
                return card if assistant.relation(claim, card.claim, budget) is Relation.SAME else None
            return card if self._is_same(asked, best) else None
        except (JudgeError, BudgetExceeded):
            return None

    def decide(
        self, question: str, conversation_id: str, turns: Sequence[Turn], budget: Budget, anew: bool = False
    ) -> Routed:
        """The decision on a question; a failure is a new check, with its reason. Raises Cancelled only.

        With ``anew`` the analyst has decided already: the question is only understood, and checked.
        """
        began = time.monotonic()
        asked = _Asked(question, turns, understand(question, turns))
        name, problem = "embedded", ""
        try:
            routed = self._new(asked, "You asked for a new check.") if anew else None
            if routed is None and (assistant := self._assistant()):
                name = assistant.info.name
                try:
                    routed = self._proposed(asked, assistant, budget)
                except (JudgeError, BudgetExceeded) as failure:
                    name, problem = "embedded", str(failure)
            routed = routed or self._matched(asked)
        except Cancelled:
            raise
        except Exception as failure:
            if not isinstance(failure, GhostError):
                log.exception("A question could not be routed")
            problem = str(failure) if isinstance(failure, GhostError) else f"Unexpected {type(failure).__name__}."
            routed = self._new(asked, f"The earlier answers could not be used: {problem}")
        decision = replace(routed.decision, conversation_id=conversation_id, decided_by=name)
        return replace(routed, decision=replace(decision, seconds=time.monotonic() - began), problem=problem)

    def _matched(self, asked: _Asked) -> Routed:
        """By the claim match and the form of the question."""
        understood = asked.understood
        said = [card for turn in reversed(asked.turns) for card in turn.cards]
        if understood.kind is QuestionKind.CLARIFYING:
            last = self._usable(asked, asked.turns[-1].cards)
            if last:
                return self._contextual(asked, last, "The question asks more about the answer before it.")
            return self._new(asked, "It asks about an answer that no card holds.")
        self._look(asked, understood.text)
        if understood.kind is QuestionKind.COMPARING:
            near = [i for i, m in asked.matched.items() if m.relation is not Relation.DIFFERENT]
            both = self._usable(asked, [*said, *near])
            if len(both) > 1:
                return self._contextual(asked, both, "The question holds several earlier answers against each other.")
            return self._new(asked, "It compares, and fewer than two earlier answers bear on it.")
        if understood.context:
            return self._new(asked, "It leans on the question before it, and cannot be matched by itself.")
        if best := self._best(asked, Relation.SAME):
            return self._exact(asked, best)
        if (best := self._best(asked, Relation.OPPOSITE)) and (cards := self._usable(asked, [best])):
            return self._contextual(asked, cards, "The opposite claim was answered before.")
        return self._new(asked, "No earlier answer surely answers this question.")

    def _proposed(self, asked: _Asked, assistant: Assistant, budget: Budget) -> Routed:
        """By a language model that looks for cards itself; what it calls the same must be so for the claim match."""
        proposal = assistant.route(asked.question, asked.turns, _Lookup(self, asked), budget)
        asked.understood = _reworded(asked, proposal)
        self._look(asked, asked.understood.text)  # a model may have missed what a person has decided
        self._match(asked, [*asked.seen, *proposal.cards])
        known = [i for i in proposal.cards if i in asked.seen]
        reasoning = proposal.reasoning or "The model gave no reason."
        best = "" if asked.understood.context else self._best(asked, Relation.SAME)
        if best and asked.seen[best][0].approved_at and asked.seen[best][1] is CardState.ACTIVE:
            return self._exact(asked, best, reasoning)
        if proposal.mode is RouteMode.EXACT and known:
            if asked.understood.context:
                return self._new(asked, f"{reasoning} The question cannot be matched by itself.")
            if self._is_same(asked, known[0]) or self._near(asked, known[0]):
                return self._exact(asked, best or known[0], reasoning)
            return self._new(asked, f"{reasoning} The claim match does not find that card to say the same.")
        if proposal.mode is RouteMode.CONTEXTUAL:
            said = {card for turn in asked.turns for card in turn.cards}
            near = [i for i in known if i in said or asked.matched[i].relation is not Relation.DIFFERENT]
            if cards := self._usable(asked, near):
                return self._contextual(asked, cards, reasoning)
            return self._new(asked, f"{reasoning} None of the cards it names bears on the question.")
        return self._new(asked, reasoning, proposal.context)

    def look(self, asked: _Asked, query: str, limit: int) -> list[str]:
        """Search for cards, and keep them as seen; their ids, best first."""
        found = self._cards.search(query, limit)
        asked.seen |= {f.card.id: (f.card, f.state) for f in found}
        return [f.card.id for f in found if f.cosine >= SHOWN_FROM]

    def _look(self, asked: _Asked, text: str) -> None:
        found = self._cards.search(text, LOOKED_AT)
        asked.seen |= {f.card.id: (f.card, f.state) for f in found}
        self._match(asked, [f.card.id for f in found if f.cosine >= READ_FROM])

    def details(self, asked: _Asked, card_id: str) -> ClaimCard | None:
        """One card, kept as seen; None when there is none with this id."""
        if card_id not in asked.seen and (card := self._cards.get(card_id)):
            asked.seen[card_id] = (card, card.state(self._now()))
        return asked.seen[card_id][0] if card_id in asked.seen else None

    def _match(self, asked: _Asked, ids: Sequence[str]) -> None:
        cards = {i: card for i in ids if i not in asked.matched and (card := self.details(asked, i))}
        matches = self._matcher.match([(asked.understood.text, card.claim) for card in cards.values()])
        asked.matched |= dict(zip(cards, matches, strict=True))

    def _usable(self, asked: _Asked, ids: Sequence[str]) -> list[ClaimCard]:
        """The cards among these that may answer, each once."""
        cards = [card for i in dict.fromkeys(ids) if (card := self.details(asked, i))]
        return [card for card in cards if asked.seen[card.id][1] is CardState.ACTIVE][:MOST_CARDS]

    def _best(self, asked: _Asked, relation: Relation) -> str:
        """Id of the card that surely stands so to the question; empty when there is none.

        One that holds comes before one that does not, what a person stands behind before the rest, the latest first,
        and an answer of this workbench, which shows its evidence, before those of others.
        """
        least = OPPOSITE_FROM if relation is Relation.OPPOSITE else 0.0
        matched = {i: m for i, m in asked.matched.items() if m.relation is relation and m.probability >= least}
        sure = [i for i in matched if self._sure(asked, i)]
        active = [i for i in sure if asked.seen[i][1] is CardState.ACTIVE]
        return max(active or sure, key=lambda i: (*_rank(asked.seen[i][0]), asked.matched[i].probability), default="")

    def _contradicted(self, asked: _Asked, card: ClaimCard) -> bool:
        """Whether another card that holds answers the same question otherwise; a person's verdict stands before all."""
        if card.approved_at:
            return False
        same = [i for i in asked.matched if self._is_same(asked, i) and asked.seen[i][1] is CardState.ACTIVE]
        return any(asked.seen[i][0].label is not card.label for i in same)

    def _sure(self, asked: _Asked, card_id: str) -> bool:
        margin = asked.seen[card_id][0].margin
        return not margin or asked.matched[card_id].probability >= self._matcher.same_from + margin

    def _is_same(self, asked: _Asked, card_id: str) -> bool:
        return asked.matched[card_id].relation is Relation.SAME and self._sure(asked, card_id)

    def _near(self, asked: _Asked, card_id: str) -> bool:
        """Whether a card says the same if a language model, too, finds that it does."""
        least = self._matcher.same_from - NEAR
        return not asked.seen[card_id][0].margin and asked.matched[card_id].same >= least

    def _exact(self, asked: _Asked, card_id: str, reasoning: str = "") -> Routed:
        """One card answers; where it does not hold any more, the question is checked again."""
        card, state = asked.seen[card_id]
        if state is CardState.ACTIVE and self._contradicted(asked, card):
            return self._new(asked, "It was answered before, and the earlier answers differ.")
        if state is CardState.ACTIVE:
            reasoning = reasoning or "A card answers exactly this question."
            nobody = "" if card.reviewed else " Nobody has reviewed its answer."
            return self._made(asked, RouteMode.EXACT, [card], reasoning + nobody)
        why = f"It was answered before, and that answer is {state}. {card.stale}".strip()
        routed = self._new(asked, why)
        return replace(routed, earlier=None if state is CardState.RETIRED else card)

    def _contextual(self, asked: _Asked, cards: Sequence[ClaimCard], reasoning: str) -> Routed:
        return self._made(asked, RouteMode.CONTEXTUAL, cards, reasoning)

    def _new(self, asked: _Asked, reasoning: str, context: str = "") -> Routed:
        routed = self._made(asked, RouteMode.NOVEL, (), reasoning)
        # In the words of a model it still leans on them, and what is found out becomes no card.
        leans = understand(asked.question, asked.turns).context
        return replace(routed, context=asked.understood.context or context or leans)

    def _made(self, asked: _Asked, mode: RouteMode, cards: Sequence[ClaimCard], reasoning: str) -> Routed:
        candidates = (RouteCandidate(i, asked.seen[i][0].claim, m) for i, m in asked.matched.items())
        decision = RouterDecision(
            id=uuid.uuid4().hex,
            question=asked.question,
            reformulated=asked.understood.text,
            conversation_id="",
            mode=mode,
            cards=tuple(card.id for card in cards),
            candidates=tuple(sorted(candidates, key=lambda c: -c.match.cosine)),
            reasoning=reasoning,
            seconds=0.0,
            created_at=self._now(),
        )
        return Routed(decision, tuple(cards), kind=asked.understood.kind)


class _Lookup:
    """The functions of a language model, over the cards; what they return is data."""

    def __init__(self, router: Router, asked: _Asked) -> None:
        self._router = router
        self._asked = asked

    def search_existing_claims(self, query: str, limit: int = LOOKED_AT) -> list[dict[str, Any]]:
        """Cards from a cosine of 0.8 on: their similarity, never a decision."""
        found = self._router.look(self._asked, query, limit)
        return [self._row(card_id) for card_id in found]

    def get_claim_details(self, claim_id: str) -> dict[str, Any] | None:
        """One card with its answer and sources."""
        card = self._router.details(self._asked, claim_id)
        if card is None:
            return None
        more = {"answer": card.answer, "limitations": card.limitations, "would_change": card.would_change}
        sources = [{key: asdict(c)[key] for key in ("n", "title", "url")} for c in card.citations]
        return self._row(claim_id) | more | {"confidence": card.confidence, "sources": sources}

    def _row(self, card_id: str) -> dict[str, Any]:
        card, state = self._asked.seen[card_id]
        return {
            "claim_id": card.id,
            "claim": card.claim,
            "category": card.category.value,
            "label": card.label.value,
            "answered_by": card.answered_by or "this workbench",
            "checked_at": card.checked_at.date().isoformat(),
            "state": state.value,
        }


def _rank(card: ClaimCard) -> tuple[float, int]:
    origins = (CardOrigin.LIBRARY, CardOrigin.FACT_CHECK, CardOrigin.RUN, CardOrigin.ANALYST)
    return card.approved_at.timestamp() if card.approved_at else 0.0, origins.index(card.origin)


def _reworded(asked: _Asked, proposal: Proposal) -> Understood:
    """A question that leans on others in the model's words, where they add nothing; else as the rules understand it."""
    understood = asked.understood
    if not understood.context:
        return understood
    told = content(" ".join([asked.question, *(f"{turn.question} {turn.answer}" for turn in asked.turns)]))
    new = content(proposal.question)
    denied = len(_DENIAL.findall(proposal.question)) >= len(_DENIAL.findall(asked.question))
    if new and new <= told and denied and not leans_on_others(proposal.question):
        return Understood(proposal.question, understood.kind)
    return understood
