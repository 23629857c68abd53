"""Telling text about the world from text that gives orders to an AI."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from ghost.knowledge.disguise import readable, readings, spelled, squeezed
from ghost.knowledge.orders import ENGLISH, FORGERIES, IGNORE, MARKUP, OTHER_LANGUAGES, PAIR, SHOTS, SQUEEZED
from ghost.types import NewPassage

CODED_TEXT = "it has a text in code"
STUFFED = "it says the same again and again"
MAX_CHARS = 100_000
"""Of longer texts only so much is screened."""
WINDOW = 4_000
"""Longer texts are screened in pieces that overlap: some patterns would take the square of the length."""
OVERLAP = 400
REMEMBERED_CHARS = 1_000
SHOTS_IN_A_ROW = 3
SAME_SENTENCE = 3
"""A sentence that stands so often in one text is there for machines."""

_ROWS = ENGLISH + FORGERIES + OTHER_LANGUAGES
_COMPILED = tuple((re.compile(pattern), what) for what, pattern in _ROWS)
_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_SLUG = re.compile(r"[-_+/=&?.,;:~%#]+")


def suspicious(text: str) -> str:
    """Why a text could be meant as an instruction to an AI; empty when nothing points to it.

    It errs on the side of suspicion: what it names waits for the analyst, nothing is lost. The text is read as it
    stands and in the readings of ``ghost.knowledge.disguise``.
    """
    text = text[:MAX_CHARS]
    if len(text) <= REMEMBERED_CHARS:
        return _remembered(text)
    if len(text) > WINDOW:
        parts = (text[at : at + WINDOW] for at in range(0, len(text), WINDOW - OVERLAP))
        return next((why for part in parts if (why := _suspicious(part))), "")
    return _suspicious(text)


@lru_cache(maxsize=512)
def _remembered(text: str) -> str:
    """Title and address of a page are screened with each of its sentences, and a sentence again when it is admitted."""
    return _suspicious(text)


def _suspicious(text: str) -> str:
    for reading, decoded in readings(text):
        for pattern, what in _COMPILED:
            if pattern.search(reading):
                return what
        if len(PAIR.findall(reading)) >= SHOTS_IN_A_ROW:
            return SHOTS
        if decoded and readable(reading):
            return CODED_TEXT
    if SQUEEZED.search(squeezed(text)) or SQUEEZED.search(spelled(text).replace(" ", "")):
        return IGNORE
    return STUFFED if _stuffed(text) else ""


def forged_markup(text: str) -> str:
    """Why a text with HTML in it imitates the markup of chats or of ours, which is gone once the HTML is stripped."""
    found = any(p.search(r) for r, _ in readings(text[:WINDOW]) for p, what in _COMPILED if what == MARKUP)
    return MARKUP if found else ""


def suspicious_address(url: str) -> str:
    """The same for the words in an address."""
    return suspicious(_SLUG.sub(" ", url)) or suspicious(url) if len(url) > 20 else ""


def suspicious_passage(new: NewPassage) -> str:
    """The same for everything of a passage that a judge is shown: text, title, publisher, address."""
    return (
        suspicious(new.text) or suspicious(new.title) or suspicious(new.publisher) or suspicious_address(new.source_url)
    )


def _stuffed(text: str) -> bool:
    """Whether a text repeats a sentence or a few words as nobody does who writes for people."""
    said = Counter(" ".join(s.lower().split()) for s in _SENTENCE.findall(text))
    if any(times >= SAME_SENTENCE and len(s.split()) >= 4 for s, times in said.items()):
        return True
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if len(words) < 24:
        return False
    pairs = Counter(pairwise(words))
    most = pairs.most_common(1)[0][1]
    return most >= 6 and most * 2 > len(words) * 0.3
