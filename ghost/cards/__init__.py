"""Claim cards, which are finished answers that later questions can reuse, and the router that asks them first."""

from ghost.cards.asking import MAX_QUESTION_CHARS, Asking, tidy_question
from ghost.cards.base import SHOWN_FROM, Cards, Found, no_packs, uncategorised
from ghost.cards.conversation import QuestionKind, Understood, understand
from ghost.cards.expiry import DAYS, expires, holds_for
from ghost.cards.making import CategoryOf, refusal
from ghost.cards.router import Router

__all__ = [
    "DAYS",
    "MAX_QUESTION_CHARS",
    "SHOWN_FROM",
    "Asking",
    "Cards",
    "CategoryOf",
    "Found",
    "QuestionKind",
    "Router",
    "Understood",
    "expires",
    "holds_for",
    "no_packs",
    "refusal",
    "tidy_question",
    "uncategorised",
    "understand",
]
