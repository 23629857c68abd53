"""The second look of step 3: evidence of several sentences is read once more, sentence by sentence.

A cross-encoder of this size misses a plain sentence between two others; alone it sees it. What a sentence says apart
from its neighbours can also mislead, so the passage and what is its plainest sentence for either side count half each.
"""

from collections.abc import Sequence
from dataclasses import replace

from ghost.inference import StanceReader
from ghost.judges import rates
from ghost.knowledge import sentences
from ghost.steps.verbatim import sentences_of, word_for_word
from ghost.types import Evidence, Stance, Statement


def focused(
    evidence: Sequence[Evidence], statements: Sequence[Statement], reader: StanceReader, claim: str = ""
) -> list[Evidence]:
    """The same evidence with the stance of passage and sentences together, and its plainest sentence named.

    ``claim`` is what the statements were made of; a passage may have it word for word.
    """
    texts = {s.number: s.text for s in statements}
    # A fact-check is read as a whole: a piece of it would be the claim without the verdict on it.
    parts = [[] if rates(e.passage.text) else sentences(e.passage.text) for e in evidence]
    rows = [(i, part) for i, found in enumerate(parts) if len(found) > 1 for part in found]
    stances = reader.read([(part, texts[evidence[i].statement]) for i, part in rows]) if rows else []
    read: dict[int, list[tuple[str, Stance]]] = {}
    for (i, part), stance in zip(rows, stances, strict=True):
        read.setdefault(i, []).append((part, stance))
    merged = [_merged(e, read[i]) if i in read else e for i, e in enumerate(evidence)]
    claimed = sentences_of(claim)
    return [
        word_for_word(e, before.stance, texts[e.statement], claimed) for e, before in zip(merged, evidence, strict=True)
    ]


def _merged(e: Evidence, parts: Sequence[tuple[str, Stance]]) -> Evidence:
    plainest, _ = max(parts, key=lambda part: max(part[1].supports, part[1].refutes))
    supports = (e.stance.supports + max(s.supports for _, s in parts)) / 2
    refutes = (e.stance.refutes + max(s.refutes for _, s in parts)) / 2
    return replace(e, stance=_stance(supports, refutes, e.stance), focus=plainest)


def _stance(supports: float, refutes: float, whole: Stance) -> Stance:
    """A distribution with these two sides; what is left is shared as the whole passage shares it."""
    if (sides := supports + refutes) >= 1.0:
        return Stance(supports / sides, refutes / sides, 0.0, 0.0)
    rest = whole.neutral + whole.off_topic
    neutral = (1.0 - sides) * (whole.neutral / rest if rest else 1.0)
    return Stance(supports, refutes, neutral, 1.0 - sides - neutral)
