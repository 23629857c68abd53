"""Stance readers that correct what a model of this size gets wrong, each around another one, with its interface.

Amounts: equal ones in other words are read as equal, and none supports a statement with another size.

Denials (“It is not true that …”, “The claim that … is false”): the model hears “not” and takes the side that the word
suggests: “It is not true that vaccines do not cause autism” was supported by “Vaccines do not cause autism”. So it
reads the denied statement, and the sides change places.

Ratings: the model reads “X rated the claim “C” as Pants on Fire.” as support for C, and “Satire: C” and “C. We rate
this as false.” too: the claim itself stands there. So the rated claim is read against the statement, and the rating
says what follows from that. A text of nothing but questions states nothing. And one that is the statement itself needs
no model, which takes it for a denial once in fifty times.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ghost.inference import StanceReader, readable
from ghost.knowledge import normalise, sentences
from ghost.text import aligned, in_their_period, plain_numbers, unfit
from ghost.types import Stance
from ghost.web import Meaning, announced, asks, labelled, rated, settle_signs

VERBATIM = 0.99
"""Probability that a text supports a statement which says the very same."""
_KNOWN = 4096
"""Texts whose rating is remembered: one is read for many statements."""


class _Around:
    """A stance reader around another one."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader = reader
        """What reads everything else."""
        self.name = reader.name

    @property
    def checksum(self) -> str:
        """Of the weights; rules have none."""
        return self.reader.checksum


class AmountReader(_Around):
    """Compares amounts and years by arithmetic."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        written = [(_in_plain_numbers(passage), _in_plain_numbers(statement)) for passage, statement in pairs]
        alike = [(in_their_period(aligned(*pair), pair[1]), pair[1]) for pair in written]
        return [
            stance.at_most(0.0) if unfit(*pair)
            else said() if bare(passage) == bare(statement) else stance
            for stance, pair, (passage, statement) in zip(self.reader.read(alike), written, alike, strict=True)
        ]  # fmt: skip


@lru_cache(_KNOWN)
def _in_plain_numbers(text: str) -> str:
    """The text with every number written in one way, and without the marks of notes that hang on numbers."""
    return plain_numbers(settle_signs(readable(text)))


_FALSE = r"false|untrue|incorrect|wrong|an? (?:lie|myth|hoax|misconception|falsehood)"
_TRUE_OR_NOT = rf"(?:(?P<true>true)|{_FALSE})"
_SAID = r"(?P<said>\S+ \S+.*)"
_SURELY = r"(?:simply |just |completely |entirely )?"
_WHAT = r"(?:claim|idea|notion|belief|rumou?r|story|theory|statement)"
_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"it(?:'s|’s| is| was)(?P<no> not)? {_SURELY}{_TRUE_OR_NOT},? that {_SAID}",
        rf"it (?P<no>isn't|isn’t|wasn't|wasn’t) (?P<true>true) that {_SAID}",
        rf"the {_WHAT} that {_SAID} is(?P<no> not)? {_TRUE_OR_NOT}\.?",
    )
)


def denied(statement: str) -> tuple[str, bool]:
    """What a statement speaks about, and whether it denies it; the statement itself where it is plain."""
    for frame in _FRAMES:
        if found := frame.fullmatch(statement.strip()):
            said = found["said"].strip()
            return said[0].upper() + said[1:], (found["true"] is not None) == (found["no"] is not None)
    return statement, False


class DenialReader(_Around):
    """Reads what a statement denies, and turns the sides round."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        spoken = [denied(statement) for _, statement in pairs]
        read = self.reader.read([(passage, said) for (passage, _), (said, _) in zip(pairs, spoken, strict=True)])
        return [
            Stance(stance.refutes, stance.supports, stance.neutral, stance.off_topic) if turned else stance
            for stance, (_, turned) in zip(read, spoken, strict=True)
        ]


class RatingReader(_Around):
    """Takes fact-checks by what their rating means."""

    def __init__(self, reader: StanceReader) -> None:
        super().__init__(reader)
        self.name = f"{reader.name} + ratings"

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
    return stance.at_most(0.0, 0.0)


def said() -> Stance:
    """The stance of a text that is the statement."""
    rest = (1.0 - VERBATIM) / 3
    return Stance(VERBATIM, rest, rest, rest)


@lru_cache(_KNOWN)
def bare(text: str) -> str:
    """The text without case and without its full stop. A question stays one, and a quotation is somebody's words."""
    return _in_plain_numbers(normalise(text)).casefold().strip(" .!")


@lru_cache(_KNOWN)
def _asks_only(text: str) -> bool:
    parts = sentences(text)
    return bool(parts) and all(map(asks, parts))


def _of_plain(stance: Stance, text: str) -> Stance:
    return followed(stance, Meaning.UNPROVEN) if _asks_only(text) else stance


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
