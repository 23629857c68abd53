"""A stance reader that compares amounts by arithmetic and leaves everything else to the model."""

from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.text import aligned, other_scale
from ghost.types import Stance


class AmountReader:
    """Reads equal amounts as equal, and lets none support a statement with another size. Same interface, same order."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader = reader
        """What reads everything else."""
        self.name = reader.name

    @property
    def checksum(self) -> str:
        """Of the weights; arithmetic has none."""
        return self.reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        read = self.reader.read([(aligned(passage, statement), statement) for passage, statement in pairs])
        return [
            _without_support(stance) if other_scale(passage, statement) else stance
            for stance, (passage, statement) in zip(read, pairs, strict=True)
        ]


def _without_support(stance: Stance) -> Stance:
    return Stance(0.0, stance.refutes, stance.neutral + stance.supports, stance.off_topic)
