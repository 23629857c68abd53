"""Plain text in one form, and its cut into passages."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ghost.web.invisible import visible

SENTENCES_PER_PASSAGE = 3
PASSAGE_CHARS = 700
"""A passage grows up to so many characters; a longer sentence is cut at a pause."""

_SPACE = re.compile(r"\s+")
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[”’」』）]*|(?<=[।॥؟])(?=\s)")
_SHORT = """
al approx apr art aug bros ca capt cf ch co col corp dec dept dr ed eds est etc feb fig figs gen gov hon inc jan jr jul
jun lt ltd mar max messrs min mr mrs ms mt mts no nos nov oct op pp prof pt rep rev sec sen sep sept sgt sr st vol vols
vs bzw evtl ggf nr usw vgl zb
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_DOTTED = re.compile(r"(?:^|[\s(\"'“‘])(?:[^\W\d_]\.)+$")  # initials and e.g. / i.e. / U.S.
_PAUSE = re.compile(r"(?<=[;:,–—])\s")


def normalise(text: str) -> str:
    """NFC, without control and invisible characters, every run of white space one blank.

    Invisible characters go because they can carry instructions that no reader sees, and lone surrogates because they
    cannot be stored.
    """
    text = unicodedata.normalize("NFC", text)
    return _SPACE.sub(" ", visible(text)).strip()


def cut(text: str) -> list[str]:
    """Passages of one to three whole sentences, in order; paragraphs are never joined."""
    return [passage for paragraph in _PARAGRAPH.split(text) for passage in together(sentences(normalise(paragraph)))]


def together(sentences: Iterable[str]) -> list[str]:
    """Normalised sentences that belong together as passages of one to three of them, in order."""
    passages: list[str] = []
    current: list[str] = []
    for sentence in sentences:
        for piece in _pieces(sentence):
            full = len(current) == SENTENCES_PER_PASSAGE
            if current and (full or len(" ".join([*current, piece])) > PASSAGE_CHARS):
                passages.append(" ".join(current))
                current = []
            current.append(piece)
    if current:
        passages.append(" ".join(current))
    return passages


def sentences(text: str) -> list[str]:
    """The sentences of a normalised text; abbreviations, initials and decimals do not end one."""
    found: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _ends(text, start, match):
            found.append(text[start : match.end()].strip())
            start = match.end()
    rest = text[start:].strip()
    return [s for s in [*found, rest] if s]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    if not match.group().startswith(".") or match.group().startswith("..."):
        following = text[match.end() :].lstrip()[:1]
        return not following.islower()  # “What?” she asked.
    before = text[start : match.start() + 1]
    word = re.split(r"[\s(]", before)[-1].rstrip(".").lower()
    if word in _ABBREVIATIONS or _DOTTED.search(before):
        return False
    following = text[match.end() :].lstrip()[:1]
    return not following.islower()


def _pieces(sentence: str) -> Iterator[str]:
    """The sentence itself, or what a very long one (a table, a list without stops) is cut into."""
    while len(sentence) > PASSAGE_CHARS:
        head = sentence[:PASSAGE_CHARS]
        pauses = [m.start() for m in _PAUSE.finditer(head)]
        at = pauses[-1] if pauses and pauses[-1] > PASSAGE_CHARS // 3 else head.rfind(" ")
        at = at if at > 0 else PASSAGE_CHARS
        yield sentence[:at].strip()
        sentence = sentence[at:].strip()
    yield sentence
