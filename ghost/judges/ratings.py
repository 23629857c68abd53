"""Fact-checks as evidence: one form of words for published ones, and a reader that knows what they mean.

A model of this size reads “X rated the claim “C” as Pants on Fire.” as support for C, and a plain “False” as support in
one case of four: the claim stands there in so many words. So the reviewed claim is read against the statement, and the
rating says what follows from that.
"""

from collections.abc import Sequence

from ghost.inference.base import StanceReader
from ghost.types import Stance
from ghost.web.rating import Meaning as Meaning
from ghost.web.rating import meaning as meaning
from ghost.web.rating import rated as rated
from ghost.web.rating import worded as worded


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
        checks = [rated(passage) for passage, _ in pairs]
        asked = [
            (check[0] if check else passage, statement)
            for check, (passage, statement) in zip(checks, pairs, strict=True)
        ]
        return [
            followed(stance, check[1]) if check else stance
            for check, stance in zip(checks, self.reader.read(asked), strict=True)
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
