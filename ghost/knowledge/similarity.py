"""How alike texts are: copies, excerpts and long quotations of one another, by their word triples.

"The number has fallen" and "the number has not fallen" share most of their triples, and are no copies: counted as one
source, only the first of them would be heard.
"""

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Self

from ghost.records import SHINGLE_WORDS, shingles, split_words

SMALL = 3
"""Words on either side of a difference that a denial by itself makes: "fell", "did not fall"."""
MAX_COMPARED_WORDS = 120
"""Words up to which a text is one point that can be denied; the knowledge base cuts passages of at most 110.

A longer one makes many points, stays a copy whichever of them it denies, and would take long to compare.
"""
_SHORTENED = frozenset(
    "isn aren wasn weren don doesn didn hasn haven hadn can won wouldn couldn shouldn mustn needn ain".split()
)
"""What comes before the t of "isn't", without the apostrophe."""
_DENIALS = frozenset("not never no nobody none nothing neither nor without cannot hardly".split())


@dataclass(frozen=True, slots=True)
class ComparableText:
    """A text as it is compared with others."""

    words: tuple[str, ...]
    triples: tuple[str, ...]
    """Runs of three words, in order; a shorter text is one run, an empty one has none."""
    distinct: frozenset[str]
    """The triples, each once."""
    denials: tuple[str, ...]
    """The denials among its words, sorted; the t of "hasn't" is one."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a text."""
        ordered = tuple(split_words(text))
        triples = tuple(shingles(ordered))
        denials = sorted(word for i, word in enumerate(ordered) if _denies(ordered, i))
        return cls(ordered, triples, frozenset(triples), tuple(denials))

    def denies(self, other: Self) -> bool:
        """Whether the two differ somewhere in few words of which one side's deny.

        Never of texts longer than PASSAGE. No time where both have the same denials, as copies do.
        """
        mine, its = self.words, other.words
        if self.denials == other.denials or max(len(mine), len(its)) > MAX_COMPARED_WORDS:
            return False
        for tag, a, b, c, d in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes():
            small = tag != "equal" and b - a <= SMALL and d - c <= SMALL
            if small and any(_denies(mine, i) for i in range(a, b)) != any(_denies(its, i) for i in range(c, d)):
                return True
        return False


def _denies(words: Sequence[str], i: int) -> bool:
    shortened = words[i] == "t" and i > 0 and words[i - 1] in _SHORTENED
    return shortened or words[i] in _DENIALS


SAME_TEXT = 0.6
"""Jaccard similarity of word triples from which two texts are one."""
EXCERPT_SHARE = 0.8
"""Share of the shorter text's triples found in the longer one from which the shorter is an excerpt."""
EXCERPT_WORDS = 8
"""A shorter text is part of many others by chance."""
RUN = 12
"""Words in a row that two texts do not share by chance; the name of what both are about can take eight."""
QUOTED = 0.34
"""Share of the shorter text's words that stand in common runs, from which the two lean on one text."""


class Similarity(StrEnum):
    """How two texts are alike."""

    COPY = "copy"
    EXCERPT = "excerpt"
    QUOTATION = "quotation"


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """That two texts are alike."""

    one: int
    other: int
    """Positions of the two; for an excerpt ``one`` is the shorter text, else ``one`` is the later."""
    kind: Similarity


def similar_pairs(read: Sequence[ComparableText]) -> list[SimilarPair]:
    """Every two of these texts that are alike.

    Only texts that share a triple are compared, so among texts about different things the time grows with the text and
    not with the number of pairs; texts of the same words are compared once. All is counted, nothing estimated: an
    estimate would miss a short excerpt.
    """
    first: dict[str, int] = {}
    holders: dict[str, int] = {}
    """Triple -> the texts that have it, a bit for each."""
    found: list[SimilarPair] = []
    for i, mine in enumerate(read):
        if not mine.triples:
            continue
        twin = first.setdefault(" ".join(mine.triples), i)
        if twin != i:
            found.append(SimilarPair(i, twin, Similarity.COPY))
            continue
        others = 0
        for triple in mine.distinct:
            there = holders.get(triple, 0)
            holders[triple] = there | 1 << i
            others |= there
        compared = (_compare(i, j, len(mine.distinct & read[j].distinct), read) for j in _positions(others))
        found += [like for like in compared if like]
    return found


def nearly_same(one: ComparableText, other: ComparableText) -> bool:
    """Whether two texts are the same one but for a few words, and neither denies what the other says."""
    shared = len(one.distinct & other.distinct)
    return shared > 0 and shared >= SAME_TEXT * len(one.distinct | other.distinct) and not one.denies(other)


def root_of(root: MutableMapping[int, int], i: int) -> int:
    """The first of those that ``i`` was joined with; each knows one before it, or itself."""
    while root[i] != i:
        root[i] = root[root[i]]
        i = root[i]
    return i


def _positions(bits: int) -> Iterator[int]:
    """Which bits of a number are set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _compare(i: int, j: int, shared: int, read: Sequence[ComparableText]) -> SimilarPair | None:
    short, long = (i, j) if len(read[i].distinct) <= len(read[j].distinct) else (j, i)
    least, most = len(read[short].distinct), len(read[long].distinct)
    if shared >= SAME_TEXT * (least + most - shared):
        return SimilarPair(i, j, Similarity.COPY)
    if len(read[short].triples) > EXCERPT_WORDS - SHINGLE_WORDS and shared >= EXCERPT_SHARE * least:
        return SimilarPair(short, long, Similarity.EXCERPT)
    quoted = shared > RUN - SHINGLE_WORDS and _in_runs(read[short].triples, read[long].distinct)
    if quoted and quoted >= QUOTED * (len(read[short].triples) + SHINGLE_WORDS - 1):
        return SimilarPair(i, j, Similarity.QUOTATION)
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
