"""A text as it is compared with others: its words, its word triples, and what it denies.

"The number has fallen" and "the number has not fallen" share most of their triples, and are no copies: who counts them
as one source hears only the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Self

from ghost.records import shingles, split_words

SMALL = 3
"""Words on either side of a difference that a denial by itself makes: "fell", "did not fall"."""
PASSAGE = 120
"""Words up to which a text is one point that can be denied; the knowledge base cuts passages of at most 110.

A longer one makes many points, stays a copy whichever of them it denies, and would take long to compare.
"""
_SHORTENED = frozenset(
    "isn aren wasn weren don doesn didn hasn haven hadn can won wouldn couldn shouldn mustn needn ain".split()
)
"""What stands before the t of "isn't", the apostrophe aside."""
_DENIALS = frozenset("not never no nobody none nothing neither nor without cannot hardly".split())


@dataclass(frozen=True, slots=True)
class Said:
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
        if self.denials == other.denials or max(len(mine), len(its)) > PASSAGE:
            return False
        for tag, a, b, c, d in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes():
            small = tag != "equal" and b - a <= SMALL and d - c <= SMALL
            if small and any(_denies(mine, i) for i in range(a, b)) != any(_denies(its, i) for i in range(c, d)):
                return True
        return False


def _denies(words: Sequence[str], i: int) -> bool:
    shortened = words[i] == "t" and i > 0 and words[i - 1] in _SHORTENED
    return shortened or words[i] in _DENIALS
