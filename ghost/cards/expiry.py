"""For how long an answer holds: by how fast facts of its kind change, and by the words that speak of the present."""

import re
from datetime import date, datetime, timedelta

from ghost.types import Category

_YEAR = 365
DAYS: dict[Category, int] = {
    Category.HISTORICAL: 5 * _YEAR,  # the past stays; what is known of it changes slowly
    Category.QUOTATION: 5 * _YEAR,
    Category.LINGUISTIC: 5 * _YEAR,
    Category.SCIENTIFIC: 2 * _YEAR,
    Category.EPISTEMOLOGICAL: 2 * _YEAR,
    Category.INTERPRETIVE: 2 * _YEAR,
    Category.ETHICAL: 2 * _YEAR,
    Category.MEDICAL: _YEAR,  # guidelines are reviewed about once a year
    Category.OTHER: _YEAR,
    Category.STATISTICAL: 180,  # most figures are published anew twice a year or more often
    Category.INSTITUTIONAL: 180,
    Category.POLITICAL: 90,
}
"""How long an answer of each category holds where its words say nothing else."""

_PRESENT = (
    r"\b(?:current(?:ly)?|now|nowadays|today|tonight|yesterday|at the moment|presently|latest|newest|so far|still|yet|"
    r"no longer|this (?:week|month|year)|as of)\b"
)
_OFFICES = (
    r"\b(?:is|are|remains) (?:\w+ ){0,4}(?:president|prime minister|chancellor|minister|king|queen|pope|mayor|governor|"
    r"senator|secretary|leader|head|chair(?:man|woman)?|ceo|director|coach|captain|champion|owner)\b"
)
_FIGURES = (
    r"\b(?:costs?|prices?|salar(?:y|ies)|wages?|tax(?:es)?|inflation|unemployment|interest rates?|debt|gdp|polls?)\b"
)
_RECORDS = r"\b(?:tallest|highest|longest|largest|biggest|fastest|richest|oldest|youngest|most|record|population)\b"
_PLANS = r"\b(?:will|going to|plans? to|upcoming|next (?:week|month|year))\b"
_PAST = (
    r"\b(?:was|were|had|did|born|died|founded|invented|wrote|won|fought|discovered|(?:in|since|of) (?:1\d|20[01])\d+)\b"
)
_WORDS = ((30, _PRESENT), (30, _OFFICES), (90, _FIGURES), (90, _PLANS), (180, _RECORDS))
"""Words that speak of what changes faster, each with the days after which to look again."""
_SHORTER = tuple((days, re.compile(words, re.IGNORECASE)) for days, words in _WORDS)
_IS_PAST = re.compile(_PAST, re.IGNORECASE)
_TIMELESS = (Category.HISTORICAL, Category.QUOTATION, Category.SCIENTIFIC, Category.LINGUISTIC)
UNREVIEWED = timedelta(days=30)
"""No answer that nobody has reviewed holds longer."""
_FAST = 30
"""Words that speak of the present shorten every answer, the others none about the past or about nature."""


def holds_for(claim: str, category: Category) -> timedelta:
    """How long an answer to this claim holds."""
    days = DAYS[category]
    settled = category in _TIMELESS or _IS_PAST.search(claim)
    for shorter, words in _SHORTER:
        if (shorter == _FAST or not settled) and words.search(claim):
            days = min(days, shorter)
    return timedelta(days=days)


def expires(
    claim: str, category: Category, found_at: datetime, as_of: date | None = None, reviewed: bool = True
) -> datetime:
    """When an answer should be looked for again. What was known on a day long past does not change with the news."""
    holds = timedelta(days=DAYS[Category.HISTORICAL]) if as_of else holds_for(claim, category)
    return found_at + (holds if reviewed else min(holds, UNREVIEWED))
