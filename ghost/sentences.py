"""Plain text in one form, and where its sentences begin and end."""

import re
import unicodedata
from collections.abc import Iterator

from ghost.invisible import stream_safe, visible

_SPACE = re.compile(r"\s+")
# The run of marks is taken from its beginning only: a page of a million dots must not be tried from every dot.
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]++[”’」』）]*+|(?<=[।॥؟])(?=\s)")
_SHORT = """
al approx apr art aug bros ca capt cf ch co col corp dec dept dr ed eds est etc feb fig figs gen gov hon inc jan jr jul
jun lt ltd mar max messrs min mr mrs ms mt mts no nos nov oct op pp prof pt rep rev sec sen sep sept sgt sr st vol vols
vs bzw evtl ggf nr usw vgl zb
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_DOTTED = re.compile(r"(?:^|[\s(\"'“‘])(?:[^\W\d_]\.)+$")  # initials and e.g. / i.e. / U.S.
_PAUSE = re.compile(r"(?<=[;:,–—])\s")
_BACK = 60
_AHEAD = 20
"""So far around a mark decides whether it ends a sentence; looking further would cost more than the text is long."""

Span = tuple[int, int]
"""Where something begins and ends in a text, as Python slices it."""


def normalise(text: str) -> str:
    """NFC, without control and invisible characters, every run of white space one blank.

    Invisible characters go because they can carry instructions that no reader sees, and lone surrogates because they
    cannot be stored. They go first: between accents they would hide how many a letter has.
    """
    text = unicodedata.normalize("NFC", stream_safe(visible(text)))
    return _SPACE.sub(" ", text).strip()


def spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of a normalised text; abbreviations, initials and decimals do not end one."""
    end = len(text) if end is None else end
    for match in _SENTENCE_END.finditer(text, start, end):
        if _ends(text, start, match, end):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, end)


def pieces(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    """The sentence itself, or what a very long one (a table, a list without stops) is cut into, at pauses."""
    while end - start > limit:
        pauses = [m.start() for m in _PAUSE.finditer(text, start, start + limit)]
        at = pauses[-1] if pauses and pauses[-1] - start > limit // 3 else text.rfind(" ", start, start + limit)
        at = at if at > start else start + limit
        yield from _trimmed(text, start, at)
        start = at
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _ends(text: str, start: int, match: re.Match[str], end: int) -> bool:
    following = text[match.end() : min(end, match.end() + _AHEAD)].lstrip()[:1]
    if match.group().startswith(".") and not match.group().startswith("..."):
        before = text[max(start, match.start() - _BACK) : match.start() + 1]
        word = re.split(r"[\s(]", before)[-1].rstrip(".").lower()
        if word in _ABBREVIATIONS or _DOTTED.search(before):
            return False
    return not following.islower()  # “What?” she asked.
