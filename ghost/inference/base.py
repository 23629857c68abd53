"""What the rest of the house needs of a small model, whatever runs it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ghost.types import Stance


class Encoder(Protocol):
    """Turns texts into vectors."""

    name: str

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, or of what identifies them."""
        ...

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimensions), in the order given."""
        ...


class StanceReader(Protocol):
    """Reads a passage against a statement."""

    name: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, or of what identifies them."""
        ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        ...


class RelevanceScorer(Protocol):
    """Scores how much a passage bears on a statement; any sentence-transformers cross-encoder can be one."""

    name: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, or of what identifies them."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Relevance 0..1 of each (passage text, statement text), in the order given."""
        ...


class ClaimScorer(Protocol):
    """Reads the vector of a text and some numbers about it: what type of claim it is, how much a check is worth."""

    name: str
    classes: tuple[str, ...]
    """Names of the claim types, in the order of their probabilities."""
    inputs: tuple[str, ...]
    """Names of the numbers beside the vector."""

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        ...

    def predict(self, vectors: np.ndarray, style: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities of ``classes``, and of the check-worthiness 0, 1 and 2; a row for each text."""
        ...
