"""Telling text about the world from text that gives orders to an AI."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from ghost.knowledge.codes import readable
from ghost.knowledge.disguise import letters, readings, spelled, squeezed
from ghost.knowledge.orders.addressing import ADDRESSED
from ghost.knowledge.orders.forgeries import FORGERIES
from ghost.knowledge.orders.instructions import INSTRUCTIONS
from ghost.knowledge.orders.joined import SQUEEZED
from ghost.knowledge.orders.languages import OTHER_LANGUAGES
from ghost.knowledge.orders.praise import BELIEF, PAIR
from ghost.knowledge.orders.verdicts import VERDICTS
from ghost.knowledge.orders.words import IGNORE, MARKUP, SHOTS, Order
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

_ROWS: tuple[Order, ...] = INSTRUCTIONS + ADDRESSED + VERDICTS + BELIEF + FORGERIES + OTHER_LANGUAGES
_COMPILED = tuple((re.compile(unicodedata.normalize("NFKC", row.pattern)), row) for row in _ROWS)
"""In the form in which texts are read: some letters of Thai and Hindi are two then."""
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
    excused = 0
    for reading, decoded in readings(text):
        stories = 0
        for pattern, row in _COMPILED:
            found, told = _found(pattern, row, reading)
            if found:
                return row.what
            stories += told
        excused = max(excused, stories)
        if len(PAIR.findall(reading)) >= SHOTS_IN_A_ROW:
            return SHOTS
        if decoded and readable(reading):
            return CODED_TEXT
    # without the spaces the stories that were excused turn up once more
    if len(SQUEEZED.findall(squeezed(text))) > excused or SQUEEZED.search(spelled(text).replace(" ", "")):
        return IGNORE
    return STUFFED if _stuffed(text) else ""


def _found(pattern: re.Pattern[str], row: Order, reading: str) -> tuple[bool, int]:
    """Whether a reading has this order, and how often only a story has what is an order without its spaces."""
    if row.needs and not any(word in reading for word in row.needs):
        return False, 0
    if row.unless is None:
        return pattern.search(reading) is not None, 0
    stories = 0
    for match in pattern.finditer(reading):
        if not row.unless(match):
            return True, stories
        stories += SQUEEZED.search(letters(match[0])) is not None
    return False, stories


def forged_markup(text: str) -> str:
    """Why a text with HTML in it imitates the markup of chats or of ours, which is gone once the HTML is stripped."""
    found = any(p.search(r) for r, _ in readings(text[:WINDOW]) for p, row in _COMPILED if row.what == MARKUP)
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
