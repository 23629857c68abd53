"""Whether of two texts in nearly the same words one denies what the other says.

"The number has fallen" and "the number has not fallen" share most of their word triples, and are no copies: who counts
them as one source hears only the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Self

from ghost.records.shingles import words

SMALL = 3
"""Words on either side of a difference that a denial by itself makes: "fell", "did not fall"."""
_SHORTENED = frozenset(
    "isn aren wasn weren don doesn didn hasn haven hadn can won wouldn couldn shouldn mustn needn ain".split()
)
"""What stands before the t of "isn't", the apostrophe aside."""
_DENIALS = frozenset("not never no nobody none nothing neither nor without cannot hardly".split())


@dataclass(frozen=True, slots=True)
class Said:
    """A text as it is compared with others."""

    words: tuple[str, ...]
    denials: tuple[str, ...]
    """The denials among its words, sorted; the t of "hasn't" is one."""

    @classmethod
    def of(cls, text: str) -> Self:
        ordered = tuple(words(text))
        return cls(ordered, tuple(sorted(word for i, word in enumerate(ordered) if _denies(ordered, i))))

    def denies(self, other: Self) -> bool:
        """Whether the two differ somewhere in few words of which one side's deny.

        No time where both have the same denials, as copies do; else it grows with the product of the lengths.
        """
        if self.denials == other.denials:
            return False
        mine, its = self.words, other.words
        for tag, a, b, c, d in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes():
            small = tag != "equal" and b - a <= SMALL and d - c <= SMALL
            if small and any(_denies(mine, i) for i in range(a, b)) != any(_denies(its, i) for i in range(c, d)):
                return True
        return False


def _denies(words: Sequence[str], i: int) -> bool:
    shortened = words[i] == "t" and i > 0 and words[i - 1] in _SHORTENED
    return shortened or words[i] in _DENIALS
