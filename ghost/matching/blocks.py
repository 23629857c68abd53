"""Which claims of a long list may say the same: those whose content words differ by one at most."""

from hashlib import blake2b

from ghost.matching.statements import asked
from ghost.matching.words import content

LEAST_WORDS = 4
"""Of fewer content words none is left out: what is left would fit too many claims."""


def block_keys(claim: str) -> list[int]:
    """64-bit keys; two claims share one where the words of one are those of the other, or all but one of them.

    The order of the words, and words that carry no content, do not matter. A figure is never the word that differs.
    """
    words = sorted(set(content(asked(claim).statement)))
    kept = [words] if words else []
    if len(words) >= LEAST_WORDS:
        kept += [words[:n] + words[n + 1 :] for n, word in enumerate(words) if not any(map(str.isdigit, word))]
    return list(dict.fromkeys(_hash(" ".join(some)) for some in kept))


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)
