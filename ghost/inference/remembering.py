"""A stance reader that reads each pair once: the rounds of a run come back to the same passages."""

from collections.abc import Sequence

from ghost.inference.base import StanceReader
from ghost.types import Stance


class Remembering:
    """Keeps what it has read for as long as it lives, which is one run. For one thread."""

    def __init__(self, reader: StanceReader) -> None:
        self._reader = reader
        self._read: dict[tuple[str, str], Stance] = {}
        self.name = reader.name

    @property
    def checksum(self) -> str:
        """That of the reader behind it."""
        return self._reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._read]
        if new:
            self._read.update(zip(new, self._reader.read(new), strict=True))
        return [self._read[pair] for pair in pairs]
