"""What the words of a fact-checker's rating mean, by a small vocabulary per language (``rating_words.json``).

A rating is *true* only where every word of it is known and none takes anything back: "True photo, false caption" is
not true, nor is "Correct until 2018". A rating is *false* where nothing unknown stands before or right behind the word
that says so: "False attribution" is about the attribution. What cannot be read this way is left to a person.
"""

import json
import re
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path


class Meaning(Enum):
    """What a rating says of the claim that was reviewed. Only the first two take a side."""

    FALSE = "false"
    TRUE = "true"
    MISLEADING = "misleading"
    """It deceives, whether or not it is true to the letter."""
    MIXED = "mixed"
    """True in part, or true with a reservation."""
    UNPROVEN = "unproven"
    SATIRE = "satire"


_FILE = Path(__file__).with_name("rating_words.json")
_MOST = 500
"""Characters of a rating that are read."""
_KNOWN = 1024
"""Ratings that are remembered."""
_TOKEN = re.compile(r"[^\W_]+|[,.:;!?…()\[\]\n–—|/]|(?<=\s)-(?=\s)")
_ENDS = frozenset(".:;!?…\n")
_PAUSES = frozenset(",()[]–—|/-")
_NO_SIDE = (Meaning.SATIRE, Meaning.MISLEADING, Meaning.UNPROVEN, Meaning.MIXED)
"""In the order in which they outrank one another, and any side, within one sentence."""
_LEAD = frozenset(("check", "label", "rates", "it", "degree", ","))
"""What may stand around a rating and is none: “Our rating:”."""

Kinds = list[str]
"""The kind of each word or phrase in turn; empty for one that is not in the vocabulary."""


@lru_cache(_KNOWN)
def read_rating(words: str) -> Meaning | None:
    """What a rating means; None where the vocabulary does not suffice."""
    sentences = [s for s in _sentences(words) if not _leads(*s)]
    if not sentences:
        return None
    means = _meaning(sentences[0][0])
    if means is Meaning.TRUE:  # whatever the rest takes back, is taken back
        kinds = {kind for rest, _ in sentences[1:] for kind in rest}
        means = next((m for m in _NO_SIDE if m.value in kinds), means)
        if means is Meaning.TRUE and kinds & {"false", "not", "but", "partly"}:
            means = Meaning.MIXED
    return means


def is_rating(words: str) -> bool:
    """Whether all of it is a rating and nothing else: “FALSE”, “Hoax Alert”, and neither “No” nor “False friends”."""
    kinds = kinds_of(words)
    return all(kinds) and bool(set(kinds) - _LEAD - {"not", "thing"})


def is_check(words: str) -> bool:
    """Whether it only announces a fact-check: “Fact check”."""
    kinds = kinds_of(words)
    return "check" in kinds and set(kinds) <= _LEAD


def announced(sentence: str) -> Meaning | None:
    """What a sentence rates that says it is a rating: “Our rating: False”, “We rate this claim as false”; else None."""
    if is_rating(sentence) and "rates" in kinds_of(sentence):
        return read_rating(sentence)
    head, colon, rest = sentence.partition(":")
    return read_rating(rest) if colon and is_rating(rest) and _leads(kinds_of(head), colon) else None


def kinds_of(words: str) -> Kinds:
    """The kinds of the words and phrases of a short text, in order."""
    return [kind for sentence, _ in _sentences(words) for kind in sentence]


def _meaning(kinds: Kinds) -> Meaning | None:
    """That of one sentence."""
    if "because" in kinds:
        kinds = kinds[: kinds.index("because")]
    have = set(kinds)
    if "misleading" in have and kinds[kinds.index("misleading") - 1 : kinds.index("misleading")] == ["not"]:
        return None
    if found := next((m for m in _NO_SIDE if m.value in have), None):
        return found
    if "partly" in have and have & {"true", "false"}:
        return Meaning.MIXED
    if {"true", "false"} <= have:
        return Meaning.MIXED if "" not in have else None
    if "true" in have:
        return _of_true(kinds, have)
    if "false" in have:
        return _of_false(kinds, have)
    if "not" in have and have <= {"not", "it", ","}:
        return Meaning.FALSE
    return Meaning.FALSE if kinds[:2] == ["not", ","] else None


def _of_true(kinds: Kinds, have: set[str]) -> Meaning | None:
    before = kinds[: kinds.index("true")]
    if "not" in before:
        between = before[len(before) - before[::-1].index("not") :]
        if set(between) <= {"it"}:
            return Meaning.FALSE
        return Meaning.MIXED if set(between) <= {"it", "degree"} else None
    if "not" in have and have <= {"true", "not", "it", "degree"}:  # “Das stimmt nicht”
        return Meaning.FALSE
    if "but" in have:
        return Meaning.MIXED
    return Meaning.TRUE if not have & {"", "not", "thing"} else None


def _of_false(kinds: Kinds, have: set[str]) -> Meaning | None:
    if "not" in kinds[: kinds.index("false")]:
        return None
    if "but" in have:
        return Meaning.MIXED
    clause = kinds[: next((i for i, k in enumerate(kinds) if k == "," and "false" in kinds[:i]), len(kinds))]
    return Meaning.FALSE if all(clause) else None


def _leads(kinds: Kinds, end: str) -> bool:
    """Whether a sentence comes before the rating: “True or false?”, “AP's assessment:”, “Fact check –”."""
    asks = end == "?"
    names = end == ":" and bool({"label", "check"} & set(kinds)) and not {"true", "false"} & set(kinds)
    return asks or names or set(kinds) <= _LEAD


def _sentences(words: str) -> list[tuple[Kinds, str]]:
    """The kinds of the words of each sentence, and what ends it."""
    text = unicodedata.normalize("NFKC", words[:_MOST]).casefold().replace("’", "'").replace("n't", " not")
    found: list[tuple[Kinds, str]] = []
    run: list[str] = []
    for token in [*_TOKEN.findall(text), "."]:
        if token not in _ENDS:
            run.append(token)
        elif run:
            found.append((_kinds(run), token))
            run = []
        elif found and token == "?":
            found[-1] = (found[-1][0], token)
    return found


def _kinds(tokens: list[str]) -> Kinds:
    """Longest phrases first."""
    words, longest = _vocabulary()
    kinds: Kinds = []
    at = 0
    while at < len(tokens):
        if tokens[at] in _PAUSES:
            kinds.append(",")
            at += 1
            continue
        size = next((n for n in range(longest, 0, -1) if tuple(tokens[at : at + n]) in words), 0)
        kinds.append(words[tuple(tokens[at : at + size])] if size else "")
        at += size or 1
    return kinds


@cache
def _vocabulary() -> tuple[dict[tuple[str, ...], str], int]:
    """Phrase -> kind in all languages together, as a rating seldom says which it is in; and the longest phrase."""
    languages = json.loads(_FILE.read_text(encoding="utf-8"))
    words = {
        tuple(unicodedata.normalize("NFKC", phrase).casefold().split()): kind
        for kinds in languages.values()
        for kind, phrases in kinds.items()
        for phrase in phrases
    }
    return words, max(map(len, words))
