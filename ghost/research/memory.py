"""What is remembered of a topic: pages that were read, facts that were found, and skills, and why each is used."""

from collections.abc import Sequence

import numpy as np

from ghost.inference import Encoder
from ghost.records import MemoryStore, Remembered
from ghost.research.questions import may_share, topic_key
from ghost.research.vectors import MemoryVectors
from ghost.types import Collection, Coverage, Recalled, Skill

SHOWN_FROM = 0.3
"""Memories with a lower cosine to the topic are not shown."""
MOST_SHOWN = 8
"""Of each collection."""


class Memory:
    """The three collections. Safe to use from any thread."""

    def __init__(self, store: MemoryStore, encoder: Encoder) -> None:
        self.store = store
        self._encoder = encoder
        self.questions = MemoryVectors(store, Remembered.COVERAGE, encoder)
        self.pages = MemoryVectors(store, Remembered.EPISODES, encoder)
        self.model = self.questions.model
        """The encoder, as stored vectors name it."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors that memories are compared by. Raises ModelError."""
        return self._encoder.encode(list(texts))

    def recall(self, topic: str, skills: Sequence[Skill]) -> tuple[Recalled, ...]:
        """What the collections have for a topic, nearest first in each. Raises StoreError and ModelError."""
        vectors = self.encode([topic, *(f"{s.title}. {s.description}" for s in skills)])
        return (
            *self._pages_of(topic, vectors[0]),
            *self._facts_of(topic, vectors[0]),
            *_skills_of(skills, vectors[1:] @ vectors[0]),
        )

    def _pages_of(self, topic: str, vector: np.ndarray) -> list[Recalled]:
        near = {n.id: n.cosine for n in self.pages.nearest(vector[None, :], MOST_SHOWN)[0] if n.cosine >= SHOWN_FROM}
        found = []
        for e in self.store.episodes_with(list(near)):
            mine = topic_key(e.topic) == topic_key(topic)
            why = "It was read for this topic." if mine else f"It was read for another topic: “{e.topic}”."
            found.append(Recalled(Collection.EPISODIC, e.id, e.title or e.url, near[e.id], mine, why))
        return found

    def _facts_of(self, topic: str, vector: np.ndarray) -> list[Recalled]:
        near = self.questions.nearest(vector[None, :], MOST_SHOWN)[0]
        cosines = {n.id: n.cosine for n in near if n.cosine >= SHOWN_FROM}
        covered = self.store.coverages(list(cosines))
        facts = {f.id: f for f in self.store.facts_with([i for c in covered for i in c.facts])}
        found: dict[str, Recalled] = {}
        for c in covered:
            left_out = _left_out(topic, c)
            for fact in (facts[i] for i in c.facts if i in facts):
                why = fact.retired or left_out
                used = Recalled(
                    Collection.SEMANTIC, fact.id, c.question, cosines[c.id], not why,
                    why or "It may answer a question of this topic.",
                )  # fmt: skip
                found.setdefault(fact.id, used)
        return list(found.values())[: 2 * MOST_SHOWN]


def _left_out(topic: str, covered: Coverage) -> str:
    """Why the facts of a question cannot be used for a topic; empty where they may be."""
    # A question that names both topics can be asked in either.
    if may_share(covered.question, topic, covered.question, covered.topic):
        return ""
    return f"It was found for another topic: “{covered.topic}”."


def _skills_of(skills: Sequence[Skill], cosines: np.ndarray) -> list[Recalled]:
    """The skills; which of them is used is decided in the next phase."""
    rows = sorted(zip(skills, cosines, strict=True), key=lambda row: -row[1])
    return [
        Recalled(Collection.PROCEDURAL, s.name, s.title, round(float(c), 4), False, "Another skill is nearer.")
        for s, c in rows
    ]
