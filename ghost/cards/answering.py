"""Answers reasoned from cards: each sentence cites a card in its words and passes the gate; the whole is not audited.

A language model writes them where there is one. Without one, and where nothing it writes can be shown, the cards speak
for themselves.
"""

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from ghost.budget import Budget
from ghost.cards.conversation import QuestionKind
from ghost.errors import BudgetExceeded, JudgeError
from ghost.inference import StanceReader
from ghost.judges import Assistant
from ghost.reports import of_100
from ghost.steps import QuoteReader, check_sentence
from ghost.types import (
    CardOrigin,
    ClaimCard,
    DraftSentence,
    Evidence,
    Label,
    Origin,
    Passage,
    SourceType,
    Stance,
    Status,
    in_own_words,
)

AGAINST = 0.8
"""From this probability of saying the opposite of a card's verdict a sentence is left out."""
_MARK = re.compile(r"\s*\[\d{1,4}\]")
"""Points at a citation of the card, which an answer from several cards does not have."""
_ASIDE = Stance(0.0, 0.0, 1.0, 0.0)
"""A card takes no side on a question: it is quoted, not weighed."""


def day(card: ClaimCard) -> str:
    """When it was answered: 27 November 2026."""
    return f"{card.checked_at.day} {card.checked_at:%B %Y}"


def told(card: ClaimCard) -> str:
    """A card in sentences: whose answer it is, to which claim, from which day, and what it says."""
    claim, label = f"the claim “{card.claim}”", card.label.value
    before = "According to a fact-check entered by hand, " if card.entered else ""
    unread = "" if card.reviewed else ", not reviewed"
    finding = {
        CardOrigin.RUN: f"An earlier check found {claim} {label} ({day(card)}{unread}).",
        CardOrigin.ANALYST: f"The analyst decided that {claim} is {label} ({day(card)}).",
        CardOrigin.LIBRARY: f"The starter library answers {claim} with {label}.",
        CardOrigin.FACT_CHECK: f"{before}{card.publisher or 'A fact-checker'} rates {claim} as {label} ({day(card)}).",
    }[card.origin]
    return f"{finding} {_MARK.sub('', card.answer)}".strip()


def answer_from(
    question: str,
    kind: QuestionKind,
    cards: Sequence[ClaimCard],
    assistant: Assistant | None,
    reader: StanceReader,
    budget: Budget,
) -> Generator[str, None, str]:
    """Sentences with ``[n]``, the position of a card among ``cards``; at the end why a language model was left.

    A sentence is given as soon as it may be shown. Raises Cancelled.
    """
    problem, shown = "", 0
    if assistant:
        try:
            for sentence in assistant.answer(question, [told(card) for card in cards], budget):
                if text := _shown(sentence, question, cards, reader):
                    shown += 1
                    yield text
            problem = "" if shown else "Nothing that the language model wrote stands in the cards."
        except (JudgeError, BudgetExceeded) as failure:
            problem = str(failure)
    if not shown:
        yield from _plain_answer(question, kind, cards)
    return problem


def _shown(sentence: DraftSentence, question: str, cards: Sequence[ClaimCard], reader: StanceReader) -> str:
    """The sentence as the gate lets it through; empty where it does not."""
    quotes = QuoteReader(reader, {1: question})
    evidence = [e for n, card in enumerate(cards, start=1) for e in _as_evidence(n, card)]
    checked = check_sentence(sentence, evidence, [question], quotes)
    cited = {c.n for c in checked.citations if c.accepted}
    if checked.text and not any(_against(checked.text, cards[n - 1], quotes) for n in cited):
        return checked.text
    return ""


def _against(text: str, card: ClaimCard, quotes: QuoteReader) -> bool:
    """Whether a sentence says the opposite of a card's verdict."""
    says = quotes.says(text, card.claim)
    wrong = {Label.TRUE: says.refutes, Label.FALSE: says.supports}.get(card.label, 0.0)
    return wrong >= AGAINST


def _plain_answer(question: str, kind: QuestionKind, cards: Sequence[ClaimCard]) -> Generator[str, None, None]:
    """The cards in their own words; of a question about an answer, what the card says to that."""
    for n, card in enumerate(cards, start=1):
        more = _more(question.casefold(), card) if kind is QuestionKind.CLARIFYING else ""
        yield f"{more or told(card)} [{n}]"


def _more(asks: str, card: ClaimCard) -> str:
    """What a card says to a question about itself; empty where the answer itself says it best."""
    if "sure" in asks or "certain" in asks or "confident" in asks:
        if card.confidence is None:
            return "Nobody has measured how often answers of this kind are right."
        return of_100(card.confidence)
    if "change" in asks:
        return card.would_change
    if "limitation" in asks:
        return card.limitations
    if "source" in asks or "evidence" in asks or "from" in asks.split():
        named = (
            f"{c.title} ({c.domain})" if in_own_words(c) and c.title and c.url else c.named for c in card.citations
        )
        names = list(dict.fromkeys(filter(None, named)))
        return f"The answer rests on: {'; '.join(names)}." if names else ""
    if "checked" in asks:
        return f"It was checked on {day(card)}."
    return ""


def _as_evidence(n: int, card: ClaimCard) -> list[Evidence]:
    """A card as evidence, once for each of its sources that was not read, so that the gate knows their names."""
    whole = Passage(
        card.id, told(card), "", card.claim, "", card.publisher, "", Origin.CURATED, Status.ACTIVE,
        SourceType.UNKNOWN, "en", None, None, None, 0.5,
    )  # fmt: skip
    unread = [] if card.origin is CardOrigin.FACT_CHECK else [c for c in card.citations if not in_own_words(c)]
    passages = [replace(whole, title=c.title, domain=c.domain, kind=c.kind, intake=c.intake) for c in unread]
    return [Evidence(n, 1, p, _ASIDE, 1.0, 0.5, 0.0, 0.5, n, n) for p in passages or [whole]]
