"""Measures pairs of claims: each model is called once for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ghost.inference import Encoder, StanceReader
from ghost.matching.features import vector
from ghost.matching.slots import WORDS, Difference, compare
from ghost.matching.statements import Asked, asked
from ghost.text import aligned
from ghost.types import Stance


@dataclass(frozen=True, slots=True)
class Measured:
    """A pair with what was found of it."""

    claims: tuple[Asked, Asked]
    differences: tuple[Difference, ...]
    stances: tuple[Stance, Stance]
    """Of the first statement towards the second one, and back."""
    cosine: float
    vector: np.ndarray
    """Its features, in the order of ``features.NAMES``."""

    @property
    def verbatim(self) -> bool:
        """Whether both say the same in the same words, and nothing else differs."""
        one, other = ((claim.denied, claim.statement.casefold().rstrip(" .!?")) for claim in self.claims)
        return one == other and all(d.slot.agrees for d in self.differences)


def measure(pairs: Sequence[tuple[str, str]], encoder: Encoder, reader: StanceReader) -> list[Measured]:
    """What models and words say of each pair; raises ModelError."""
    if not pairs:
        return []
    claims = [(asked(one), asked(other)) for one, other in pairs]
    differences = [compare(*both) for both in claims]
    texts = [(one.statement, other.statement) for one, other in claims]
    read = reader.read(
        [(aligned(one, other), other) for one, other in texts] + [(aligned(other, one), one) for one, other in texts]
    )
    rests = [next(d.slot for d in found if d.slot.name == WORDS) for found in differences]
    cosines = _cosines(encoder, [*texts, *((rest.one, rest.other) for rest in rests)])
    found = []
    for n, both in enumerate(claims):
        stances = read[n], read[len(pairs) + n]
        cosine, rest = cosines[n], cosines[len(pairs) + n]
        found.append(
            Measured(both, differences[n], stances, cosine, vector(both, differences[n], stances, cosine, rest))
        )
    return found


def _cosines(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """1 for two empty texts, 0 where one is empty."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair if text))
    vectors = dict(zip(texts, encoder.encode(texts), strict=True)) if texts else {}
    return [float(vectors[one] @ vectors[other]) if one and other else float(one == other) for one, other in pairs]
