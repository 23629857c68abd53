"""Which claims may be the one that is asked for: by meaning and by words, since either alone misses some."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ghost.inference import Encoder
from ghost.matching.statements import asked
from ghost.matching.words import content

WORDS_WEIGHT = 0.5
"""How much shared words count beside the cosine."""


class Candidates:
    """Claims with their vectors and words, to be searched by many questions."""

    def __init__(self, claims: Sequence[str], encoder: Encoder, vectors: np.ndarray) -> None:
        """``vectors`` are those of the claims by ``encoder``, one row each."""
        self._encoder = encoder
        self._vectors = vectors
        self._words = [frozenset(content(asked(claim).statement)) for claim in claims]
        frequent = Counter(word for found in self._words for word in found)
        self._weight = {word: math.log(1 + len(claims) / count) for word, count in frequent.items()}
        self._total = np.array([sum(self._weight[w] for w in found) for found in self._words])

    def nearest(self, question: str, k: int) -> list[int]:
        """Numbers of the ``k`` claims likeliest to be what a question asks, the likeliest first; raises ModelError."""
        if not self._words:
            return []
        wanted = asked(question).statement
        mine = set(content(wanted))
        shared = np.array([sum(self._weight[w] for w in found & mine) for found in self._words])
        cosines = self._vectors @ self._encoder.encode([wanted or question])[0]
        scores = cosines + WORDS_WEIGHT * shared / np.maximum(self._total, 1e-9)
        return [int(n) for n in np.argsort(-scores, kind="stable")[:k]]
