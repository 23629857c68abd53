"""The second look of step 3: evidence of several sentences is read once more, sentence by sentence.

A cross-encoder of this size misses a plain sentence between two others; alone it sees it. What a sentence says apart
from its neighbours can also mislead, so the passage and what is its plainest sentence for either side count half each.
"""

from collections.abc import Sequence
from dataclasses import replace

from ghost.inference.base import StanceReader
from ghost.judges.ratings import followed, rated, rates
from ghost.knowledge.text import normalise, sentences
from ghost.types import Evidence, Stance, Statement

VERBATIM = 0.99
"""Probability that a passage supports a statement which is one of its sentences."""
AGREES = 0.5
"""The model has to read the passage as supporting the statement at least so probably."""


def focused(evidence: Sequence[Evidence], statements: Sequence[Statement], reader: StanceReader) -> list[Evidence]:
    """The same evidence with the stance of passage and sentences together, and its plainest sentence named."""
    texts = {s.number: s.text for s in statements}
    # A fact-check is read as a whole: a piece of it would be the claim without the verdict on it.
    parts = [[] if rates(e.passage.text) else sentences(e.passage.text) for e in evidence]
    rows = [(i, part) for i, found in enumerate(parts) if len(found) > 1 for part in found]
    stances = reader.read([(part, texts[evidence[i].statement]) for i, part in rows]) if rows else []
    read: dict[int, list[tuple[str, Stance]]] = {}
    for (i, part), stance in zip(rows, stances, strict=True):
        read.setdefault(i, []).append((part, stance))
    merged = [_merged(e, read[i]) if i in read else e for i, e in enumerate(evidence)]
    return [_word_for_word(e, found, texts[e.statement]) for e, found in zip(merged, parts, strict=True)]


def _word_for_word(e: Evidence, parts: Sequence[str], statement: str) -> Evidence:
    """A passage with a sentence that is the statement itself surely supports it, unless its whole reads otherwise.

    A sentence may stand in a passage only to be denied, so the model has to agree. Where a fact-check rates the very
    words of the statement, its rating is as sure.
    """
    wanted, rest = _plain(statement), (1.0 - VERBATIM) / 3
    check = rated(e.passage.text)
    if check and _plain(check[0]) == wanted:
        return replace(e, stance=followed(Stance(VERBATIM, rest, rest, rest), check[1]))
    said = next((part for part in parts or [e.passage.text] if _plain(part) == wanted), None)
    if said is None or e.stance.supports < AGREES or e.stance.supports >= VERBATIM:
        return e
    return replace(e, stance=Stance(VERBATIM, rest, rest, rest), focus=said if parts else e.focus)


def _plain(text: str) -> str:
    return normalise(text).casefold().strip(" .!?\"'“”‘’")


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
