"""Fact-checks as evidence: one form of words for published ones, and a reader that knows what they mean.

A model of this size reads “X rated the claim “C” as Pants on Fire.” as support for C, and a plain “False” as support in
one case of four: the claim stands there in so many words. So the reviewed claim is read against the statement, and the
rating says what follows from that.
"""

import re
from collections.abc import Sequence
from enum import Enum

from ghost.inference.base import StanceReader
from ghost.types import Stance


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
    """A fact-check in the one form that ``RatingReader`` knows; quotation marks inside cannot imitate it."""
    who, what, how = (text.strip().translate(_QUOTES) for text in (reviewer, claim, rating))
    return f"{who} rated the claim “{what}” as {how}."


def rated(text: str) -> tuple[str, Meaning] | None:
    """The reviewed claim and what was said of it, where a text is a fact-check in our form or begins like one."""
    found = _FORM.match(text) or _PROSE.match(text.strip())
    means = meaning(found["rating"]) if found else None
    return (found["claim"], means) if found and means else None


class RatingReader:
    """A stance reader that takes fact-checks by what their rating means. Same interface, same order."""

    def __init__(self, reader: StanceReader) -> None:
        self._reader = reader
        self.name = f"{reader.name} + ratings"

    @property
    def checksum(self) -> str:
        """Of the weights; ratings have none."""
        return self._reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        checks = [rated(passage) for passage, _ in pairs]
        asked = [
            (check[0] if check else passage, statement)
            for check, (passage, statement) in zip(checks, pairs, strict=True)
        ]
        return [
            followed(stance, check[1]) if check else stance
            for check, stance in zip(checks, self._reader.read(asked), strict=True)
        ]


def followed(stance: Stance, means: Meaning) -> Stance:
    """What a rating says of a statement, from the stance of the rated claim towards it.

    What follows from a true claim is true, and what contradicts it false. What says the same as a false claim is
    false; what contradicts a false claim may be false as well. A claim that misleads settles nothing.
    """
    supports, refutes = stance.supports, stance.refutes
    if means is Meaning.TRUE:
        return stance
    if means is Meaning.FALSE:
        return Stance(0.0, supports, stance.neutral + refutes, stance.off_topic)
    return Stance(0.0, 0.0, stance.neutral + supports + refutes, stance.off_topic)
