"""What the words of a fact-checker's rating mean, and the one form of words for a fact-check as a passage."""

import re
from enum import Enum


class Meaning(Enum):
    """What a rating says of the claim that was reviewed."""

    FALSE = "false"
    TRUE = "true"
    MISLEADING = "misleading"
    """It deceives, whether or not it is true to the letter: no side can be taken from it."""


_DECEIVES = r"(?:mislead|(?:\w+ )?(?:of )?context|decept|distort)"
_PATTERNS = (
    # First: “True, but misleading” deceives, and “False context” is about a claim that may be true to the letter.
    (Meaning.MISLEADING, re.compile(rf"^(?!.*\bnot (?:\w+ly )?{_DECEIVES}).*{_DECEIVES}", re.I | re.S)),
    (
        Meaning.FALSE,
        re.compile(
            r"^(?:mostly |completely |totally )?(?:false|untrue|fake|incorrect|wrong|hoax)\b|\bpants on fire\b", re.I
        ),
    ),
    (Meaning.TRUE, re.compile(r"^(?:mostly |completely )?(?:true|correct|accurate)\b(?!\W*but\b)", re.I)),
)
_FORM = re.compile(r"^.{1,400}? rated the claim “(?P<claim>[^“”]+)” as (?P<rating>[^“”]+)\.$", re.DOTALL)
_PROSE = re.compile(
    r"^(?:the|this|that|a) (?:\w+ ){0,2}"
    r"(?:claim|rumou?r|allegation|assertion|statement|story|report|idea|notion|belief)s? that "
    r"(?P<claim>[^.!?“”]{3,300}?) (?:is|are|was|were) (?:(?:simply|plainly|also|largely|therefore|just) )?"
    r"(?P<rating>false|untrue|fake|incorrect|wrong|true|correct|accurate|misleading|deceptive|"
    r"(?:taken )?out of context|missing context)\.(?:\s|$)",
    re.IGNORECASE,
)
"""How fact-checkers say it in a sentence of their text, which may go on with the reasons."""
_QUOTES = str.maketrans("“”", "‘’")


def meaning(rating: str) -> Meaning | None:
    """What one of the usual ratings means; None for other words, which only a person can judge."""
    return next((m for m, pattern in _PATTERNS if pattern.search(rating.strip())), None)


def worded(reviewer: str, claim: str, rating: str) -> str:
    """A fact-check in the one form that ``rated`` knows; quotation marks inside cannot imitate it."""
    who, what, how = (text.strip().translate(_QUOTES) for text in (reviewer, claim, rating))
    return f"{who} rated the claim “{what}” as {how}."


def rated(text: str) -> tuple[str, Meaning] | None:
    """The reviewed claim and what was said of it, where a text is a fact-check in our form or begins like one."""
    found = _FORM.match(text) or _PROSE.match(text.strip())
    means = meaning(found["rating"]) if found else None
    return (found["claim"], means) if found and means else None
