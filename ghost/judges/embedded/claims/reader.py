"""The claim classifier as step 1 uses it: texts in, readings out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ghost.errors import WeightsDamagedError
from ghost.inference import ClaimScorer, Encoder
from ghost.judges.embedded.claims.style import NAMES, style
from ghost.types import ClaimType


@dataclass(frozen=True, slots=True)
class Reading:
    """How likely each claim type is for one text, and how much a check of it is worth."""

    factual: float
    opinion: float
    mixed: float
    ambiguous: float
    check_worthiness: float
    """0 nothing to check … 1 worth checking."""

    @property
    def type(self) -> ClaimType:
        """The most probable type."""
        values = (self.factual, self.opinion, self.mixed, self.ambiguous)
        return CLASSES[values.index(max(values))]

    @property
    def subjective(self) -> bool:
        """Whether the text judges, in whole or in part, leaving aside whether it is clear what it is about."""
        return self.opinion + self.mixed > self.factual


class ReadsClaims(Protocol):
    """Whoever can tell claim types apart."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """One reading for each text, in the order given; raises ModelError."""
        ...


class ClaimReader:
    """The encoder's vector and the style of a text, read by the bundled weights."""

    def __init__(self, encoder: Encoder, head: ClaimScorer) -> None:
        """Raises WeightsDamagedError when the weights were fitted on other numbers than this version makes."""
        if head.inputs != NAMES or head.classes != tuple(c.value for c in CLASSES):
            raise WeightsDamagedError(
                "The claim classifier in ghost/models was fitted for another version of Ghost. Bring it back with "
                "`git checkout -- ghost/models`, or fit it again as training/README.md describes."
            )
        self._encoder = encoder
        self._head = head
        self.name = head.name

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self._head.checksum

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """One reading for each text, in the order given; all texts are encoded at once. Raises ModelError."""
        if not texts:
            return []
        types, worth = self._head.predict(self._encoder.encode(texts), np.stack([style(t) for t in texts]))
        scores = worth[:, 2] + worth[:, 1] / 2
        return [
            Reading(factual, opinion, mixed, ambiguous, score)
            for (factual, opinion, mixed, ambiguous), score in zip(types.tolist(), scores.tolist(), strict=True)
        ]


CLASSES = (ClaimType.FACTUAL, ClaimType.OPINION, ClaimType.MIXED, ClaimType.AMBIGUOUS)
