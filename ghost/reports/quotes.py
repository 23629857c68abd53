"""Where the quotes of a passage stand in it."""

from collections.abc import Iterable

_TYPOGRAPHY = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})


def spans(text: str, quotes: Iterable[str]) -> list[tuple[int, int]]:
    """Beginning and end of each quote in the text, in order, overlapping ones as one.

    Both have to be on one line already; typographic quotes count as plain ones. A quote that is not in the text, or
    is empty, has no place.
    """
    searched = text.translate(_TYPOGRAPHY)
    found = ((searched.find(quote.translate(_TYPOGRAPHY)), len(quote)) for quote in quotes if quote)
    places: list[tuple[int, int]] = []
    for start, length in sorted(hit for hit in found if hit[0] >= 0):
        if places and start <= places[-1][1]:
            places[-1] = (places[-1][0], max(places[-1][1], start + length))
        else:
            places.append((start, start + length))
    return places
