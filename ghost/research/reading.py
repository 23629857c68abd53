"""Which passages answer a question, and how well.

A question is no statement, and the stance model was fitted on statements. Yet where a passage answers a question it
mostly takes a side on it, whatever that side means, and the encoder finds it near. Of 22 questions to the starter
library, weighing both told every answer from every passage that is only on the subject; either alone did not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ghost.inference import Encoder, StanceReader
from ghost.knowledge import embedded_text, origins
from ghost.research.questions import as_statement
from ghost.types import Passage, Stance

ANSWERS = 0.58
"""From this score on a passage answers a question."""
NEAR_WEIGHT = 0.8
"""Of the cosine; the rest is that of the side it takes."""
READ = 12
"""Passages that the stance model reads for a question: the nearest."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that answers a question."""

    passage: Passage
    cosine: float
    stance: Stance
    """Towards the question as a statement; of use where yes or no answers it."""
    score: float
    """0..1."""
    group: int = 0
    """Those with the same number are of one origin."""


class AnswerReader:
    """Weighs passages for questions. Safe to use from any thread."""

    def __init__(self, encoder: Encoder, reader: StanceReader) -> None:
        self._encoder = encoder
        self._reader = reader

    def weigh(
        self,
        question: str,
        passages: Sequence[Passage],
        pages: Mapping[str, str] | None = None,
        everything: bool = False,
    ) -> list[Excerpt]:
        """Those that answer, best first, each with its origin; with ``everything`` every one. Raises ModelError.

        ``pages``: the whole text of pages by address, by which copies are recognised.
        """
        distinct = list({p.id: p for p in passages}.values())
        if not distinct:
            return []
        statement = as_statement(question)
        vectors = self._encoder.encode([statement, *(embedded_text(p.text, p.title) for p in distinct)])
        cosines = vectors[1:] @ vectors[0]
        near = np.argsort(-cosines, kind="stable")
        near = near if everything else near[:READ]
        stances = self._reader.read([(distinct[i].text, statement) for i in near])
        found = [
            Excerpt(distinct[i], float(cosines[i]), stance, _score(float(cosines[i]), stance))
            for i, stance in zip(near, stances, strict=True)
        ]
        kept = sorted((e for e in found if everything or e.score >= ANSWERS), key=lambda e: -e.score)
        groups = origins([e.passage for e in kept], pages)
        return [
            Excerpt(e.passage, e.cosine, e.stance, e.score, origin.group)
            for e, origin in zip(kept, groups, strict=True)
        ]


def _score(cosine: float, stance: Stance) -> float:
    side = max(stance.supports, stance.refutes)
    return NEAR_WEIGHT * max(0.0, cosine) + (1 - NEAR_WEIGHT) * side
