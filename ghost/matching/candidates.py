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


def nearest(question: str, claims: Sequence[str], encoder: Encoder, vectors: np.ndarray, k: int) -> list[int]:
    """Numbers of the ``k`` claims that are likeliest to be what the question asks, the likeliest first.

    ``vectors`` are those of the claims by ``encoder``, one row each. Raises ModelError.
    """
    if not len(claims):
        return []
    query = encoder.encode([asked(question).statement or question])[0]
    scores = vectors @ query + WORDS_WEIGHT * _shared(question, claims)
    return [int(n) for n in np.argsort(-scores, kind="stable")[:k]]


def _shared(question: str, claims: Sequence[str]) -> np.ndarray:
    """Of each claim, the part of its content words that the question has; rarer words count more."""
    words = [set(content(asked(claim).statement)) for claim in claims]
    frequent = Counter(word for found in words for word in found)
    weight = {word: math.log(1 + len(claims) / count) for word, count in frequent.items()}
    mine = set(content(asked(question).statement))
    totals = np.array([sum(weight[w] for w in found) for found in words])
    return np.array([sum(weight[w] for w in found & mine) for found in words]) / np.maximum(totals, 1e-9)
