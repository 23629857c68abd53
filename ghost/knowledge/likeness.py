"""Which of some texts are copies, excerpts or long quotations of one another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from ghost.knowledge.denial import Said
from ghost.records.shingles import SIZE, shingles, words

SAME_TEXT = 0.6
"""Jaccard similarity of word triples from which two texts are one."""
CONTAINED = 0.8
"""Share of the shorter text's triples found in the longer one from which the shorter is an excerpt."""
EXCERPT_WORDS = 8
"""A shorter text stands in many others by chance."""
RUN = 12
"""Words in a row that two texts do not share by chance; the name of what both are about can take eight."""
QUOTED = 0.34
"""Share of the shorter text's words that stand in common runs, from which the two lean on one text."""


class Kind(StrEnum):
    """How two texts are alike."""

    COPY = "copy"
    EXCERPT = "excerpt"
    QUOTATION = "quotation"


@dataclass(frozen=True, slots=True)
class Likeness:
    """That two texts are alike."""

    one: int
    other: int
    """Positions of the two; for an excerpt ``one`` is the shorter text, else ``one`` is the later."""
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Read:
    """A text as it is compared."""

    ordered: tuple[str, ...]
    triples: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        ordered = tuple(shingles(words(text)))
        return cls(ordered, frozenset(ordered))

    @property
    def length(self) -> int:
        """In words."""
        return len(self.ordered) + SIZE - 1


def likenesses(texts: Sequence[str]) -> list[Likeness]:
    """Every two of these texts that are alike.

    Only texts that share a triple are compared, so among texts about different things the time grows with the text and
    not with the number of pairs; texts of the same words are compared once. All is counted, nothing estimated: an
    estimate would miss a short excerpt.
    """
    read = [_Read.of(text) for text in texts]
    first: dict[str, int] = {}
    holders: dict[str, int] = {}
    """Triple -> the texts that have it, a bit for each."""
    found: list[Likeness] = []
    for i, mine in enumerate(read):
        if not mine.ordered:
            continue
        twin = first.setdefault(" ".join(mine.ordered), i)
        if twin != i:
            found.append(Likeness(i, twin, Kind.COPY))
            continue
        others = 0
        for triple in mine.triples:
            there = holders.get(triple, 0)
            holders[triple] = there | 1 << i
            others |= there
        compared = (_compare(i, j, len(mine.triples & read[j].triples), read) for j in _positions(others))
        found += [like for like in compared if like]
    return found


def one_text(one: str, other: str) -> bool:
    """Whether two texts are the same one but for a few words, and neither denies what the other says."""
    return jaccard(one, other) >= SAME_TEXT and not Said.of(one).denies(Said.of(other))


def jaccard(one: str, other: str) -> float:
    """Share of the word triples of two texts that they have in common."""
    left, right = set(shingles(words(one))), set(shingles(words(other)))
    return len(left & right) / len(left | right) if left and right else 0.0


def _positions(bits: int) -> Iterator[int]:
    """Which bits of a number are set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _compare(i: int, j: int, shared: int, read: Sequence[_Read]) -> Likeness | None:
    short, long = (i, j) if len(read[i].triples) <= len(read[j].triples) else (j, i)
    least, most = len(read[short].triples), len(read[long].triples)
    if shared >= SAME_TEXT * (least + most - shared):
        return Likeness(i, j, Kind.COPY)
    if len(read[short].ordered) > EXCERPT_WORDS - SIZE and shared >= CONTAINED * least:
        return Likeness(short, long, Kind.EXCERPT)
    if shared > RUN - SIZE and _in_runs(read[short].ordered, read[long].triples) >= QUOTED * read[short].length:
        return Likeness(i, j, Kind.QUOTATION)
    return None


def _in_runs(ordered: Sequence[str], there: frozenset[str]) -> int:
    """How many words of a text, given as its triples in order, stand in runs of RUN words that the other has too."""
    covered = run = 0
    for triple in (*ordered, ""):
        if triple in there:
            run += 1
            continue
        if run > RUN - SIZE:  # so many triples in a row are a run of RUN words
            covered += run + SIZE - 1
        run = 0
    return covered
