"""Which passages are one source said several times, so that a wire story on six sites counts once."""

import re
from collections.abc import Sequence

from ghost.types import Passage

SAME_TEXT = 0.6
"""Jaccard similarity of word triples from which two texts are one."""
CONTAINED = 0.8
"""Share of the shorter text's triples found in the longer one from which the shorter is an excerpt."""
_SHINGLE = 3
_WORD = re.compile(r"\w+")


def groups(passages: Sequence[Passage]) -> list[int]:
    """A group number (from 1, in order of appearance) for each passage; passages of one origin share theirs.

    One origin are near-identical texts, passages of one page, and passages of one publisher on one domain.
    """
    parent = list(range(len(passages)))
    shingles = [_shingles(p.text) for p in passages]
    for i in range(len(passages)):
        for j in range(i):
            if _root(parent, i) != _root(parent, j) and (
                _same_source(passages[i], passages[j]) or near_identical(shingles[i], shingles[j])
            ):
                parent[_root(parent, i)] = _root(parent, j)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(_root(parent, i), len(numbers) + 1) for i in range(len(passages))]


def near_identical(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    """Whether two sets of word triples are of the same text, or of a text and its excerpt."""
    shared = len(one & other)
    if not shared:
        return False
    return shared / len(one | other) >= SAME_TEXT or shared / min(len(one), len(other)) >= CONTAINED


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = [w.casefold() for w in _WORD.findall(text)]
    return frozenset(tuple(words[i : i + _SHINGLE]) for i in range(max(1, len(words) - _SHINGLE + 1)))


def _same_source(one: Passage, other: Passage) -> bool:
    if one.source_url and one.source_url == other.source_url:
        return True
    return bool(one.domain) and one.domain == other.domain and one.publisher == other.publisher


def _root(parent: list[int], i: int) -> int:
    while parent[i] != i:
        i = parent[i]
    return i
