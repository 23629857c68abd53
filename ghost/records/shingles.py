"""Texts as overlapping runs of words, by which copies are known; and fingerprints of them that a table can hold."""

import hashlib
import re
from collections.abc import Sequence

SIZE = 3
"""Words of a shingle."""
WINDOW = 8
"""Of so many neighbouring shingles a table keeps one: a common run of ``WINDOW + SIZE - 1`` words always has one."""

# Scripts without spaces between words are taken character by character, or a sentence would be one word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")


def words(text: str) -> list[str]:
    """The words of a text in order, case and punctuation aside."""
    return _WORD.findall(text.casefold())


def shingles(of: Sequence[str], size: int = SIZE) -> list[str]:
    """Runs of ``size`` words in order; a shorter text is one run, an empty one has none."""
    if len(of) <= size:
        return [" ".join(of)] if of else []
    if size == SIZE:  # a third of the time of the general way, and this is what is needed most
        return [f"{a} {b} {c}" for a, b, c in zip(of, of[1:], of[2:], strict=False)]
    return [" ".join(of[i : i + size]) for i in range(len(of) - size + 1)]


def fingerprint(shingle: str) -> int:
    """A number for a shingle, the same in every process and small enough for a database."""
    return int.from_bytes(hashlib.blake2b(shingle.encode(), digest_size=8).digest(), "big") >> 1


def winnowed(of: Sequence[str]) -> set[int]:
    """Fingerprints of about two in nine shingles, chosen so that a long enough run common to two texts shares one."""
    numbers = [fingerprint(s) for s in of]
    return {min(numbers[i : i + WINDOW]) for i in range(max(1, len(numbers) - WINDOW + 1))} if numbers else set()
