"""What a text names: the words, where they stand, and the name by which other words for the same thing are known."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("scopes.toml").read_text(encoding="utf-8"))
"""The places, groups and measures that are known."""
_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*+\.?")


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its place in the text."""

    text: str
    start: int
    end: int
    plain: str
    """In small letters, without dots, an ending 's or apostrophe."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a text names."""

    start: int
    end: int
    text: str
    """In the words of the text."""
    key: str
    """The same for all words that mean it: ``United Kingdom`` for Britain."""


def tokens(text: str) -> list[Token]:
    """The words of a text. A full stop belongs to an abbreviation only: “U.S.”, “D.C.”."""
    found = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word.endswith(".") and "." not in word[:-1]:
            word = word[:-1]
        plain = word.casefold().replace("’", "'").removesuffix("'s").replace(".", "")
        found.append(Token(word, match.start(), match.start() + len(word), plain))
    return found


def unlike(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions in the order of the text, each thing once."""
    first: dict[str, Mention] = {}
    for mention in sorted(mentions, key=lambda m: m.start):
        first.setdefault(mention.key, mention)
    return list(first.values())
