"""Which words of a text are worth ranking rows for, where many rows have one of them."""

from collections.abc import Mapping

RANKED = 20_000
"""So many rows are ranked for a text; of more, those with its rarer words."""


def rarest(often: Mapping[str, float]) -> list[str]:
    """The rarest words which together are in RANKED rows at most, or the rarest one; all where that is so of all.

    ``often`` has the rows of each word. To rank a row takes fifteen times as long as to find it, and what only has the
    commoner words of a claim is seldom among the best.
    """
    rare: list[str] = []
    rows = 0.0
    for word in sorted(often, key=lambda word: often[word]):
        if rows and rows + often[word] > RANKED:
            break
        rows += often[word]
        rare.append(word)
    return rare
