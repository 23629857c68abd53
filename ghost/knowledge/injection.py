"""Screening: telling text about the world from text that tries to steer whoever judges it."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from ghost.inference import InjectionHead, load_injection_head
from ghost.knowledge.deobfuscation import decoded, plain, readings
from ghost.knowledge.injection_patterns import MARKUP, orders
from ghost.types import NewPassage

STEERING = "it reads like an instruction to whoever judges it"
CHAT_MARKUP = "it has chat markup"
CODED_TEXT = "it has a text in code"
STUFFED = "it says the same again and again"
MAX_CHARS = 100_000
"""Of longer texts only so much is screened."""
WINDOW = 200
"""Longer texts are screened in pieces that overlap: the model has learned from sentences and short paragraphs."""
OVERLAP = 80
ADDRESS_WORDS = 5
"""With fewer, an address is a name and a number."""
SAME_SENTENCE = 3
"""A sentence that stands so often in one text is there for machines."""

_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SLUG = re.compile(r"[-_+/=&?.,;:~%#]+")


def suspicious(text: str) -> str:
    """Why a text could be meant as an instruction to whoever judges it; empty when nothing points to it.

    What it names waits for the analyst, nothing is lost. The text is read as it stands and in the other readings of
    ``ghost.knowledge.deobfuscation``. Raises ModelError when the model cannot be read: nothing enters unscreened.
    """
    text = text[:MAX_CHARS]
    if len(text) > WINDOW:
        parts = [text[at : at + WINDOW] for at in range(0, len(text) - OVERLAP, WINDOW - OVERLAP)]
        return next((why for part in parts if (why := _piece(part, len(parts)))), "") or _whole(text)
    return _piece(text) or _whole(text)


def forged_markup(text: str) -> str:
    """Why a text with HTML in it imitates the markup of chats or of ours, which is gone once the HTML is stripped."""
    return CHAT_MARKUP if any(MARKUP.search(reading) for reading in readings(text[: 4 * WINDOW])) else ""


def suspicious_address(url: str) -> str:
    """The same for the words in an address. The model reads them only where they are enough for a sentence."""
    words = _SLUG.sub(" ", plain(url).partition("://")[2])
    sentence = suspicious(words) if len(_WORD.findall(words)) >= ADDRESS_WORDS else ""
    return sentence or next((why for reading in readings(url[:MAX_CHARS]) if (why := _given_away(reading))), "")


def suspicious_passage(new: NewPassage) -> str:
    """The same for everything of a passage that a judge is shown: text, title, publisher, address."""
    return (
        suspicious(new.text) or suspicious(new.title) or suspicious(new.publisher) or suspicious_address(new.source_url)
    )


@lru_cache(maxsize=2048)
def _piece(text: str, pieces: int = 1) -> str:
    """Kept, since title and address of a page are screened with each of its sentences, and a sentence twice."""
    for reading in readings(text):
        if why := _given_away(reading) or (STEERING if injection_model().suspects(reading, pieces) else ""):
            return why
    return ""


def _given_away(reading: str) -> str:
    """Why a text needs no model to be told from others."""
    if MARKUP.search(reading):
        return CHAT_MARKUP
    return orders(reading) or (CODED_TEXT if any(decoded(reading)) else "")


def _whole(text: str) -> str:
    """What only the whole of a text shows: a sentence or a few words again and again, as for machines."""
    said = Counter(" ".join(s.lower().split()) for s in _SENTENCE.findall(text))
    if any(times >= SAME_SENTENCE and len(s.split()) >= 4 for s, times in said.items()):
        return STUFFED
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if len(words) < 24:
        return ""
    most = Counter(pairwise(words)).most_common(1)[0][1]
    return STUFFED if most >= 6 and most * 2 > len(words) * 0.3 else ""


@lru_cache(maxsize=1)
def injection_model() -> InjectionHead:
    """The model that screens, read once. Raises WeightsMissingError or WeightsDamagedError."""
    return load_injection_head()
