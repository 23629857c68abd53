"""Which passages answer a question, and how well.

A question is no statement, and the stance model was fitted on statements. Yet where a passage answers a question it
mostly takes a side on it, whatever that side means, and the encoder finds it near. Of 22 questions to the starter
library, weighing both told every answer from every passage that is only on the subject; either alone did not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ghost.inference import Encoder, StanceReader
from ghost.judges import read_framed
from ghost.knowledge import embedded_text, origins
from ghost.matching import has_namesake
from ghost.research.questions import as_statement
from ghost.research.quoting import leans, quotable
from ghost.types import Passage, Stance

ANSWERS = 0.58
"""From this score on a passage answers a question."""
NEAR_WEIGHT = 0.8
"""Of the cosine; the rest is that of the side it takes."""
READ = 12
"""Passages that the stance model reads for a question: the nearest."""
QUOTE_CHARS = 320
"""A quote of several sentences is no longer than this."""


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
    """Weighs passages for questions. One for each research: it keeps the vectors of what it has weighed."""

    def __init__(self, encoder: Encoder, reader: StanceReader) -> None:
        self._encoder = encoder
        self._reader = reader
        self._vectors: dict[str, np.ndarray] = {}

    def weigh(
        self,
        question: str,
        passages: Sequence[Passage],
        pages: Mapping[str, str] | None = None,
        everything: bool = False,
    ) -> list[Excerpt]:
        """Those that answer, best first, each with its origin; with ``everything`` every one. Raises ModelError.

        A passage without a whole sentence, such as a heading, answers nothing, nor does one on a thing of a like name.
        ``pages``: the whole text of pages by address, by which copies are recognised.
        """
        distinct = [
            p
            for p in {p.id: p for p in passages}.values()
            if quotable(p) and (everything or not has_namesake(question, f"{p.title}. {p.text}"))
        ]
        if not distinct:
            return []
        statement = as_statement(question)
        vectors = self._encoded([statement, *(embedded_text(p.text, p.title) for p in distinct)])
        cosines = vectors[1:] @ vectors[0]
        near = np.argsort(-cosines, kind="stable")
        near = near if everything else near[:READ]
        stances = read_framed(self._reader, [(distinct[i], statement) for i in near])
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

    def learn(self, passages: Sequence[Passage], vectors: np.ndarray | None) -> None:
        """Take over vectors of passages that were made already, by the same encoder."""
        if vectors is not None:
            texts = (embedded_text(p.text, p.title) for p in passages)
            self._vectors |= zip(texts, vectors, strict=True)

    def quote(self, question: str, passage: Passage) -> str:
        """Of a passage the sentence that answers best, with the one before it where it leans on that, and with those
        beside it that answer too; empty where it has no whole sentence. Raises ModelError.
        """
        whole = quotable(passage)
        if len(whole) < 2:
            return "".join(whole)
        statement = as_statement(question)
        vectors = self._encoded([statement, *(embedded_text(s, passage.title) for s in whole)])
        stances = read_framed(self._reader, [(replace(passage, text=s), statement) for s in whole])
        scores = [_score(float(v @ vectors[0]), stance) for v, stance in zip(vectors[1:], stances, strict=True)]
        best = max(range(len(whole)), key=lambda n: scores[n])
        # Two sentences are quoted as one only where they follow each other in the text.
        joined = [f"{one} {other}" in passage.text for one, other in pairwise(whole)]
        first = last = best
        while first and joined[first - 1] and (leans(whole[first]) or scores[first - 1] >= ANSWERS):
            first -= 1
        while last + 1 < len(whole) and joined[last] and scores[last + 1] >= ANSWERS:
            last += 1
        for start, end in ((first, last), (first, best)):
            if len(quote := " ".join(whole[start : end + 1])) <= QUOTE_CHARS:
                return quote
        return whole[best]

    def _encoded(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of texts; those that it has seen are not made again."""
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors |= zip(new, self._encoder.encode(new), strict=True)
        return np.stack([self._vectors[text] for text in texts])


def _score(cosine: float, stance: Stance) -> float:
    side = max(stance.supports, stance.refutes)
    return NEAR_WEIGHT * max(0.0, cosine) + (1 - NEAR_WEIGHT) * side
