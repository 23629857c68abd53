"""Which of some texts are copies, excerpts or long quotations of one another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ghost.knowledge.said import Said
from ghost.records import SHINGLE_WORDS

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


def likenesses(read: Sequence[Said]) -> list[Likeness]:
    """Every two of these texts that are alike.

    Only texts that share a triple are compared, so among texts about different things the time grows with the text and
    not with the number of pairs; texts of the same words are compared once. All is counted, nothing estimated: an
    estimate would miss a short excerpt.
    """
    first: dict[str, int] = {}
    holders: dict[str, int] = {}
    """Triple -> the texts that have it, a bit for each."""
    found: list[Likeness] = []
    for i, mine in enumerate(read):
        if not mine.triples:
            continue
        twin = first.setdefault(" ".join(mine.triples), i)
        if twin != i:
            found.append(Likeness(i, twin, Kind.COPY))
            continue
        others = 0
        for triple in mine.distinct:
            there = holders.get(triple, 0)
            holders[triple] = there | 1 << i
            others |= there
        compared = (_compare(i, j, len(mine.distinct & read[j].distinct), read) for j in _positions(others))
        found += [like for like in compared if like]
    return found


def one_text(one: Said, other: Said) -> bool:
    """Whether two texts are the same one but for a few words, and neither denies what the other says."""
    shared = len(one.distinct & other.distinct)
    return shared > 0 and shared >= SAME_TEXT * len(one.distinct | other.distinct) and not one.denies(other)


def _positions(bits: int) -> Iterator[int]:
    """Which bits of a number are set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _compare(i: int, j: int, shared: int, read: Sequence[Said]) -> Likeness | None:
    short, long = (i, j) if len(read[i].distinct) <= len(read[j].distinct) else (j, i)
    least, most = len(read[short].distinct), len(read[long].distinct)
    if shared >= SAME_TEXT * (least + most - shared):
        return Likeness(i, j, Kind.COPY)
    if len(read[short].triples) > EXCERPT_WORDS - SHINGLE_WORDS and shared >= CONTAINED * least:
        return Likeness(short, long, Kind.EXCERPT)
    quoted = shared > RUN - SHINGLE_WORDS and _in_runs(read[short].triples, read[long].distinct)
    if quoted and quoted >= QUOTED * (len(read[short].triples) + SHINGLE_WORDS - 1):
        return Likeness(i, j, Kind.QUOTATION)
    return None


def _in_runs(ordered: Sequence[str], there: frozenset[str]) -> int:
    """How many words of a text, given as its triples in order, stand in runs of RUN words that the other has too."""
    covered = run = 0
    for triple in (*ordered, ""):
        if triple in there:
            run += 1
            continue
        if run > RUN - SHINGLE_WORDS:  # so many triples in a row are a run of RUN words
            covered += run + SHINGLE_WORDS - 1
        run = 0
    return covered
