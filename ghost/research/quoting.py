"""What an answer may quote of a passage: whole sentences, without headings that stand beside or in front of them."""

import re

from ghost.knowledge import sentences
from ghost.types import Origin, Passage

LONGEST = 700
"""A longer sentence is a table or a list; nobody reads it as an answer."""
ALIKE = 0.8
"""From this share of common words on, a sentence and the title of its page are the same."""
_ENDED = re.compile(r"[.!?…。！？।॥؟۔։።][\"'”’»)\]』」]*(?:\[\d+\])*$")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_BETWEEN = frozenset(
    "a an and at by de del der des di du for from in la le les of on or the to und van von with y".split()
)
"""Words in small letters that stand between the words of a name."""
_LEANS = re.compile(
    r"(?:(?:after|at|before|because of|by|during|for|from|in|of|on|since|to|with) )?"
    r"(?:it|its|he|his|him|she|her|they|their|them|this|that|these|those)\b"
    r"|(?:there|such|both|but|and|so|then|also|however|instead)\b",
    re.IGNORECASE,
)
"""How a sentence begins that means little without the previous one."""


def quotable(passage: Passage) -> list[str]:
    """The sentences of a passage that can be quoted, in order; each stands in its text as it is here.

    What the extraction took from a page may be a heading, or a heading with the next sentence behind it; what people
    wrote down for the knowledge base is taken as it is.
    """
    found = sentences(passage.text)
    if passage.origin is not Origin.WEB:
        return [s for s in found if len(s) <= LONGEST]
    cut = [_without_title(s, passage.title) for s in found]
    return [s for s in cut if len(s) <= LONGEST and _is_sentence(s, passage.title)]


def leans(sentence: str) -> bool:
    """Whether a sentence means little without the previous one: "It was closed", "On these days"."""
    return bool(_LEANS.match(sentence))


def _is_sentence(text: str, title: str) -> bool:
    """Whether it ends as a sentence does, is more than a name, and is not the title of its page."""
    words = _WORD.findall(text)
    if not _ENDED.search(text) or _is_title(words, title):
        return False
    # Scripts without capitals, or without blanks between words, say nothing here.
    return not text.isascii() or any(w[0].islower() and w not in _BETWEEN for w in words)


def _is_title(words: list[str], title: str) -> bool:
    mine, other = ([w.casefold() for w in found] for found in (words, _WORD.findall(title)))
    if not mine or not other:
        return False
    within = any(other[n : n + len(mine)] == mine for n in range(len(other) - len(mine) + 1))
    return within or len(set(mine) & set(other)) / len(set(mine) | set(other)) >= ALIKE


def _without_title(sentence: str, title: str) -> str:
    """The sentence without the title of its page in front of it."""
    rest = sentence[len(title) :].lstrip()
    glued = title and sentence.casefold().startswith(title.casefold()) and sentence[len(title) :][:1].isspace()
    return rest if glued and rest[:1].isupper() else sentence
