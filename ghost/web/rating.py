"""What the words of a fact-checker's rating mean, and the one form of words for a fact-check as a passage."""

import re
from enum import Enum


class Meaning(Enum):
    """What a rating says of the claim that was reviewed."""

    FALSE = "false"
    TRUE = "true"
    MISLEADING = "misleading"
    """It deceives, whether or not it is true to the letter: no side can be taken from it."""


_PATTERNS = (
    (
        Meaning.FALSE,
        re.compile(
            r"^(?:mostly |completely |totally )?(?:false|untrue|fake|incorrect|wrong|hoax)\b|\bpants on fire\b", re.I
        ),
    ),
    (Meaning.TRUE, re.compile(r"^(?:mostly |completely )?(?:true|correct|accurate)\b(?! but)", re.I)),
    (Meaning.MISLEADING, re.compile(r"mislead|context|decept|distort", re.I)),
)
_FORM = re.compile(r"^.{1,400}? rated the claim “(?P<claim>[^“”]+)” as (?P<rating>[^“”]+)\.$", re.DOTALL)
_QUOTES = str.maketrans("“”", "‘’")


def meaning(rating: str) -> Meaning | None:
    """What one of the usual ratings means; None for other words, which only a person can judge."""
    return next((m for m, pattern in _PATTERNS if pattern.search(rating.strip())), None)


def worded(reviewer: str, claim: str, rating: str) -> str:
    """A fact-check in the one form that ``rated`` knows; quotation marks inside cannot imitate it."""
    who, what, how = (text.strip().translate(_QUOTES) for text in (reviewer, claim, rating))
    return f"{who} rated the claim “{what}” as {how}."


def rated(text: str) -> tuple[str, Meaning] | None:
    """The reviewed claim and what was said of it, where a text is a fact-check in our form and of a usual rating."""
    found = _FORM.match(text)
    means = meaning(found["rating"]) if found else None
    return (found["claim"], means) if found and means else None
