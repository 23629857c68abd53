"""Claim cards, which are finished answers that later questions can reuse, and the router that asks them first."""

from ghost.cards.asking import MAX_QUESTION_CHARS, Asking, tidy_question
from ghost.cards.base import Cards, Found, no_packs
from ghost.cards.conversation import leans_on_others, understand
from ghost.cards.expiry import expires, holds_for
from ghost.cards.making import refusal
from ghost.cards.router import Router

__all__ = [
    "MAX_QUESTION_CHARS",
    "Asking",
    "Cards",
    "Found",
    "Router",
    "expires",
    "holds_for",
    "leans_on_others",
    "no_packs",
    "refusal",
    "tidy_question",
    "understand",
]
