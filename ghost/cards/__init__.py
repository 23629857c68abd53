"""Claim cards: finished answers that later questions can reuse, for as long as what they rest on stands."""

from ghost.cards.base import SHOWN_FROM, Cards, Found, no_packs, uncategorised
from ghost.cards.expiry import DAYS, expires, holds_for
from ghost.cards.making import CategoryOf, refusal

__all__ = [
    "DAYS",
    "SHOWN_FROM",
    "Cards",
    "CategoryOf",
    "Found",
    "expires",
    "holds_for",
    "no_packs",
    "refusal",
    "uncategorised",
]
