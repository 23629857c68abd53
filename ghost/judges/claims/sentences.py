"""From what a person pastes to sentences: ends trimmed, list marks taken off, sentences cut."""

import re

from ghost.judges.claims import lexicon
from ghost.judges.claims.wordscan import bare, has_predicate

_URL = r"(?:https?://\S+|www\.\S+|\bt\.co/\S+)"
_SYMBOL = (
    r"[\U0001F000-\U0001FAFF\u2190-\u21FF\u2300-\u23FF\u2460-\u24FF\u25A0-\u27BF\u2900-\u297F\u2B00-\u2BFF"
    r"\uFE00-\uFE0F\u200D\u20E3\U000E0020-\U000E007F]"
)
_TAG = r"[#@][\w]+(?:[.:]?(?=\s|$))"
_TAIL = re.compile(rf"(?:{_URL}|{_TAG})")
_HEAD = re.compile(
    rf"^(?:RT\s+@\w+:?\s*|{_URL}\s*|{_SYMBOL}\s*|[!\s.,;:–—|>•*·]+(?=\w)(?<!\*\*)|"
    r"-\s+(?=[^\W\d])|\d{1,2}\)\s+(?=\w))"
)
_HEAD_TAG = re.compile(r"^([#@])(\w+)[:,]?\s+(?=\S)")
_END_SYMBOL = re.compile(rf"(?:{_SYMBOL}|[\s!~])+$")
_SPACES = re.compile(r"\s+")

# A full stop that ends no sentence: initials, titles, "U.S.", "e.g.", decimals are handled by the look-behind list.
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|Hon|Gov|Sen|Rep|No|Nos|vs|etc|al|e\.g|i\.e|approx|"
    r"ca|c|Inc|Ltd|Co|Corp|Bros|Ave|Blvd|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Fig|Vol|pp|p|a\.m|p\.m|"
    r"U\.S|U\.K|U\.N|E\.U|D\.C|B\.C|A\.D)|\b[A-Z])\.$"
)
# After a semicolon these lean on the part before it.
_ANAPHORIC = lexicon.words("some others many few both his her their this that these those such there here none")
_NEAR = 300
_END = re.compile(r"[.!?…。！？]+[\"”’')\]]*\s+|\s*;\s+|\s+(?=[•▪◦]\s)|\s[-*]\s+(?=[A-Z])")


def trim(text: str) -> str:
    """The text without the emoji, links, hashtags, mentions and exclamation marks at its ends."""
    text = _SPACES.sub(" ", text).strip()
    while True:
        before = text
        text = _END_SYMBOL.sub("", text)
        text = _without_tail(text)
        text = _HEAD.sub("", text)
        tag = _HEAD_TAG.match(text)
        if tag:
            rest = text[tag.end() :]
            # "#5G causes cancer": the tag is the subject, so it stays as a word.
            first = bare(rest.split(" ", 1)[0])
            keep = first in lexicon.THIRD or first in lexicon.PAST or first in lexicon.AUXILIARY
            text = tag.group(2) + " " + rest if keep else rest
        text = _unquote(text)
        if text == before:
            return text


def _without_tail(text: str) -> str:
    """The text without the links, hashtags and mentions at its end; word by word, since there may be thousands."""
    while True:
        shorter = text.rstrip(" !.")
        last = shorter[shorter.rfind(" ") + 1 :]
        if not _TAIL.fullmatch(last):
            return text.rstrip()
        text = shorter[: len(shorter) - len(last)].rstrip()


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
        head = text[start : match.end()].strip()
        mark = match.group().strip() if match.group().strip() in {"-", "*"} else ""
        following = text[match.end() :].lstrip(" \"“'‘([")[:1]
        stop = text[match.start()]
        if stop == "." and (_ABBREVIATION.search(head[-12:]) or not following or following.islower()):
            continue
        if stop == ";" and bare(text[match.end() :].split(" ", 1)[0]) in _ANAPHORIC:
            continue
        if (stop == ";" or mark) and not (_says(head) and _says(text[match.end() :])):
            continue
        if head:
            head = head[: len(head) - len(mark)].rstrip()
            found.append(head.rstrip("; ") + ("." if text.endswith(".") else "") if stop == ";" else head)
        start = match.end()
    rest = text[start:].strip()
    return [s for s in (*found, rest) if s]


def _says(text: str) -> bool:
    """Whether a verb can be found near the beginning; a list may have a thousand items."""
    return has_predicate([bare(t) for t in text[:_NEAR].split()])


def capitalised(text: str) -> str:
    """First letter in upper case, unless the first word has its own way ("iPhone", "mRNA", "pH")."""
    first = text.split(" ", 1)[0]
    if not first[:1].islower() or any(c.isupper() for c in first) or first[:1] == "ß":
        return text
    return text[0].upper() + text[1:]
