"""From what a person pastes to sentences: ends trimmed, list marks taken off, sentences cut."""

import re

from ghost.judges.embedded.claims.words import AUXILIARY, PAST, THIRD, has_predicate
from ghost.text import bare

_URL = r"(?:https?://\S+|www\.\S+|\bt\.co/\S+)"
_SYMBOL = (
    r"[\U0001F000-\U0001FAFF\u2190-\u21FF\u2300-\u23FF\u2460-\u24FF\u25A0-\u27BF\u2900-\u297F\u2B00-\u2BFF"
    r"\uFE00-\uFE0F\u200D\u20E3\U000E0020-\U000E007F]"
)
_TAG = r"[#@][\w]+(?:[.:]?(?=\s|$))"
_TAIL = re.compile(rf"(?:{_URL}|{_TAG})")
_HEAD = re.compile(
    rf"(?:RT\s+@\w+:?\s*|{_URL}\s*|{_SYMBOL}\s*|[!\s.,;:–—|>•*·]+(?=\w)(?<!\*\*)|"
    r"-\s+(?=[^\W\d])|\d{1,2}\)\s+(?=\w))"
)
_HEAD_TAG = re.compile(r"([#@])(\w+)[:,]?\s+(?=\S)")
_ANY_SYMBOL = re.compile(_SYMBOL)
_END_MARKS = " !~"
_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s+")

# A full stop that ends no sentence: initials, titles, "U.S.", "e.g.", decimals are handled by the look-behind list.
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|Hon|Gov|Sen|Rep|No|Nos|vs|etc|al|e\.g|i\.e|approx|"
    r"ca|c|Inc|Ltd|Co|Corp|Bros|Ave|Blvd|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Fig|Vol|pp|p|a\.m|p\.m|"
    r"U\.S|U\.K|U\.N|E\.U|D\.C|B\.C|A\.D)|\b[A-Z])\.$"
)
_NEAR = 300
"""Characters around a semicolon or a list mark in which a verb is looked for; a list may have a thousand items."""
# Each run of marks or blanks is taken from its beginning only, so that a thousand dots are not tried from every dot.
_END = re.compile(
    r"(?<![.!?…。！？])[.!?…。！？]++[\"”’')\]]*+\s+|(?<!\s)\s++;\s+|;\s+|(?<!\s)\s++(?=[•▪◦]\s)|\s[-*]\s+(?=[A-Z])"
)
_BACK = 12
"""Characters before a full stop that tell an abbreviation."""


def trim(text: str) -> str:
    """The text without the emoji, links, hashtags, mentions and exclamation marks at its ends.

    There may be thousands of them, so what is left moves between two ends and is cut out once in each round. Quotation
    marks that come off may bare more of them; there are only so many kinds, hence few rounds.
    """
    text = _SPACES.sub(" ", text).strip()
    while True:
        before = text
        text = text[: _end(text)]
        start, word = _start(text)
        text = _unquote(word + text[start:])
        if text == before:
            return text


def _end(text: str) -> int:
    """Where a text ends without the symbols, links, hashtags and mentions behind it."""
    end = len(text)
    while True:
        before = end
        while end and (text[end - 1] in _END_MARKS or _ANY_SYMBOL.match(text[end - 1])):
            end -= 1
        while True:
            last = _back(text, end, " !.")
            word = text.rfind(" ", 0, last) + 1
            if not _TAIL.fullmatch(text, word, last):
                break
            end = word
        end = _back(text, end, " ")
        if end == before:
            return end


def _back(text: str, end: int, marks: str) -> int:
    while end and text[end - 1] in marks:
        end -= 1
    return end


def _start(text: str) -> tuple[int, str]:
    """Where a text begins without what is in front of it, and the word that a hashtag there leaves behind."""
    at = 0
    while True:
        head = _HEAD.match(text, at)
        if head:
            at = head.end()
            continue
        tag = _HEAD_TAG.match(text, at)
        if not tag:
            return at, ""
        at = tag.end()
        # "#5G causes cancer": the tag is the subject, so it stays as a word.
        following = _WORD.match(text, at)
        first = bare(following.group()) if following else ""
        if first in THIRD | PAST | AUXILIARY:
            return at, tag.group(2) + " "


def _unquote(text: str) -> str:
    for left, right in (('"', '"'), ("“", "”"), ("«", "»"), ("'", "'"), ("‘", "’")):
        inner = text[1:-1]
        if len(text) > 2 and text[0] == left and text[-1] == right and left not in inner and right not in inner:
            return inner.strip()
    return text


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, each with its end mark."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        mark = match.group().strip() if match.group().strip() in {"-", "*"} else ""
        ahead = text[match.end() : match.end() + _NEAR]
        following = ahead.lstrip(" \"“'‘([")[:1]
        stop = text[match.start()]
        before = text[max(start, match.end() - _BACK - len(match.group())) : match.end()].rstrip()
        if stop == "." and (_ABBREVIATION.search(before[-_BACK:]) or not following or following.islower()):
            continue
        if (stop == ";" or mark) and not (_says(text[start : min(match.end(), start + _NEAR)]) and _says(ahead)):
            continue
        head = text[start : match.end()].strip()
        if head:
            head = head[: len(head) - len(mark)].rstrip()
            found.append(head.rstrip("; ") + ("." if text.endswith(".") else "") if stop == ";" else head)
        start = match.end()
    rest = text[start:].strip()
    return [s for s in (*found, rest) if s]


def _says(text: str) -> bool:
    return has_predicate([bare(t) for t in text.split()])


def capitalised(text: str) -> str:
    """First letter in upper case, unless the first word has its own way ("iPhone", "mRNA", "pH")."""
    first = text.split(" ", 1)[0]
    if not first[:1].islower() or any(c.isupper() for c in first) or first[:1] == "ß":
        return text
    return text[0].upper() + text[1:]
