"""Texts that rate a claim, and what a stance reader makes of them.

A model of this size reads “X rated the claim “C” as Pants on Fire.” as support for C, and “Satire: C” and “C. We rate
this as false.” too: the claim itself stands there. So the rated claim is read against the statement, and the
rating says what follows from that. A text of nothing but questions states nothing. And one that is the statement
itself needs no model, which takes it for a denial once in fifty times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ghost.inference import StanceReader, readable
from ghost.knowledge import normalise, sentences
from ghost.types import Stance
from ghost.web import Meaning as Meaning
from ghost.web import announced, asks, labelled
from ghost.web import meaning as meaning
from ghost.web import rated as rated
from ghost.web import worded as worded

VERBATIM = 0.99
"""Probability that a text supports a statement which says the very same."""
_KNOWN = 4096
"""Texts whose rating is remembered: one is read for many statements."""


class RatingReader:
    """A stance reader that takes fact-checks by what their rating means. Same interface, same order."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader = reader
        """What reads everything else."""
        self.name = f"{reader.name} + ratings"

    @property
    def checksum(self) -> str:
        """Of the weights; ratings have none."""
        return self.reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        ratings = [_SAME if bare(passage) == bare(statement) else _rating(passage) for passage, statement in pairs]
        asked = [
            (part, statement)
            for found, (passage, statement) in zip(ratings, pairs, strict=True)
            for part in (found.parts if found else (passage,))
        ]
        read = iter(self.reader.read(asked))
        return [
            _of_rated([next(read) for _ in found.parts], found.means) if found else _of_plain(next(read), passage)
            for found, (passage, _) in zip(ratings, pairs, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Rating:
    parts: tuple[str, ...]
    """The rated claim, and what the text says beside it, if anything."""
    means: Meaning


_SAME = _Rating((), Meaning.TRUE)
"""Of a text that is the statement: nothing is left to be read."""


def rates(text: str) -> bool:
    """Whether a text rates a claim that stands in it, so that its sentences cannot be read apart."""
    return _rating(text) is not None


@lru_cache(_KNOWN)
def _rating(text: str) -> _Rating | None:
    """The rating in a text: a fact-check, a claim with a label before it, or one with the rating after it."""
    if check := rated(text):
        return _Rating((check[0],), check[1])
    parts = sentences(text)
    for i, part in enumerate(parts):
        if label := labelled(part):
            return _with_rest(label[0], label[1], (*parts[:i], *parts[i + 1 :]))
        if i and (means := announced(part)):
            return _with_rest(" ".join(parts[:i]), means, parts[i + 1 :])
    return None


def _with_rest(claim: str, means: Meaning, rest: Sequence[str]) -> _Rating:
    return _Rating((claim, " ".join(rest)) if rest else (claim,), means)


@lru_cache(_KNOWN)
def asks_only(text: str) -> bool:
    """Whether a text is made of questions alone."""
    parts = sentences(text)
    return bool(parts) and all(map(asks, parts))


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


def said() -> Stance:
    """The stance of a text that is the statement."""
    rest = (1.0 - VERBATIM) / 3
    return Stance(VERBATIM, rest, rest, rest)


@lru_cache(_KNOWN)
def bare(text: str) -> str:
    """The text without case and without its full stop. A question stays one, and a quotation is somebody's words."""
    return readable(normalise(text)).casefold().strip(" .!")


def _of_plain(stance: Stance, text: str) -> Stance:
    return followed(stance, Meaning.UNPROVEN) if asks_only(text) else stance


def _of_rated(read: Sequence[Stance], means: Meaning) -> Stance:
    """What a rating and the rest of its text say together: each side as strong as in the stronger of the two."""
    if not read:
        return said()
    found, *rest = (followed(read[0], means), *read[1:])
    supports, refutes = (max(getattr(s, side) for s in (found, *rest)) for side in ("supports", "refutes"))
    if (sides := supports + refutes) >= 1.0:
        return Stance(supports / sides, refutes / sides, 0.0, 0.0)
    off_topic = min(1.0 - sides, *(s.off_topic for s in (found, *rest)))
    return Stance(supports, refutes, 1.0 - sides - off_topic, off_topic)
