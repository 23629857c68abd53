"""Screening: telling text about the world from text that tries to steer whoever judges it."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from ghost.inference import InjectionHead, load_injection_head
from ghost.knowledge.deobfuscation import decoded, plain, readings
from ghost.types import NewPassage

STEERING = "it reads like an instruction to whoever judges it"
MARKUP = "it has chat markup"
CODED_TEXT = "it has a text in code"
STUFFED = "it says the same again and again"
MAX_CHARS = 100_000
"""Of longer texts only so much is screened."""
WINDOW = 600
"""Longer texts are screened in pieces that overlap: the model has learned from sentences and short paragraphs."""
OVERLAP = 150
SAME_SENTENCE = 3
"""A sentence that stands so often in one text is there for machines."""

_MARKUP = re.compile(
    r"<\|\s?[a-z_]{2,24}\s?\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|\bfound for statement \d"
    r"|<\s*/?\s*(?:system|assistant|tool_calls?|function_calls?|evidence|passages?|claim|context|statements|source|"
    r"instructions?|untrusted\w*|prompt)\s*/?\s*>",
    re.IGNORECASE,
)
"""Marks that models are trained to obey, and those that our prompts are made of."""
_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_SLUG = re.compile(r"[-_+/=&?.,;:~%#]+")


def suspicious(text: str) -> str:
    """Why a text could be meant as an instruction to whoever judges it; empty when nothing points to it.

    What it names waits for the analyst, nothing is lost. The text is read as it stands and in the other readings of
    ``ghost.knowledge.deobfuscation``. Raises ModelError when the model cannot be read: nothing enters unscreened.
    """
    text = text[:MAX_CHARS]
    if len(text) > WINDOW:
        parts = (text[at : at + WINDOW] for at in range(0, len(text) - OVERLAP, WINDOW - OVERLAP))
        return next((why for part in parts if (why := _piece(part))), "") or _whole(text)
    return _piece(text) or _whole(text)


def forged_markup(text: str) -> str:
    """Why a text with HTML in it imitates the markup of chats or of ours, which is gone once the HTML is stripped."""
    return MARKUP if any(_MARKUP.search(reading) for reading in readings(text[: 4 * WINDOW])) else ""


def suspicious_address(url: str) -> str:
    """The same for the words in an address."""
    words = _SLUG.sub(" ", url.partition("://")[2])
    return suspicious(words) or suspicious(url) if len(url) > 20 else ""


def suspicious_passage(new: NewPassage) -> str:
    """The same for everything of a passage that a judge is shown: text, title, publisher, address."""
    return (
        suspicious(new.text) or suspicious(new.title) or suspicious(new.publisher) or suspicious_address(new.source_url)
    )


@lru_cache(maxsize=2048)
def _piece(text: str) -> str:
    """Kept, since title and address of a page are screened with each of its sentences, and a sentence twice."""
    for reading in readings(text):
        if _MARKUP.search(reading):
            return MARKUP
        if _head().suspects(reading):
            return STEERING
    return CODED_TEXT if next(_codes(text), "") else ""


def _codes(text: str) -> Iterator[str]:
    return decoded(plain(text))


def _whole(text: str) -> str:
    """What only a text as a whole shows: that it repeats a sentence or a few words, as hardly anybody does for people."""
    said = Counter(" ".join(s.lower().split()) for s in _SENTENCE.findall(text))
    if any(times >= SAME_SENTENCE and len(s.split()) >= 4 for s, times in said.items()):
        return STUFFED
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if len(words) < 24:
        return ""
    most = Counter(pairwise(words)).most_common(1)[0][1]
    return STUFFED if most >= 6 and most * 2 > len(words) * 0.3 else ""


@lru_cache(maxsize=1)
def _head() -> InjectionHead:
    return load_injection_head()
