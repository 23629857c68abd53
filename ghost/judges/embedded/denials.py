"""A stance reader for statements that deny another one: “It is not true that …”, “The claim that … is false”.

A model of this size hears “not” and takes the side that the word suggests: “It is not true that vaccines do not cause
autism” was supported by “Vaccines do not cause autism”. So it reads the denied statement, and the sides change places.
"""

import re
from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.types import Stance

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


class DenialReader:
    """Reads what a statement denies, and turns the sides round. Same interface, same order."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader = reader
        """What reads everything else."""
        self.name = reader.name

    @property
    def checksum(self) -> str:
        """Of the weights."""
        return self.reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        spoken = [denied(statement) for _, statement in pairs]
        read = self.reader.read([(passage, said) for (passage, _), (said, _) in zip(pairs, spoken, strict=True)])
        return [
            Stance(stance.refutes, stance.supports, stance.neutral, stance.off_topic) if turned else stance
            for stance, (_, turned) in zip(read, spoken, strict=True)
        ]
