"""The edge to search engines: what a provider is, what a hit is, and which words may be sent."""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

QUERY_CHARS = 250
"""A longer statement is cut at a word: engines ignore or refuse what is longer."""


class Stage(StrEnum):
    """The stages of an investigation, in the order in which they run."""

    TRUSTED = "trusted"
    FACT_CHECK = "fact_check"
    BROAD = "broad"


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result as the provider gave it; all of it is outside text."""

    url: str
    title: str
    snippet: str
    provider: str
    published_at: date | None = None


class SearchProvider(Protocol):
    """A search engine."""

    name: str
    """As in the setting."""
    recipient: str
    """Who receives the words, as the page and the reports name them."""

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The words that ``search`` sends, exactly; empty when it cannot search these sites."""
        ...

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """At most ``limit`` hits within ``seconds``, on ``sites`` only where any are named; raises ProviderError."""
        ...


_OPERATOR = re.compile(r"\b(site|intitle|inurl|inbody|filetype|ext|insource|incategory|linksto|prefix|feed):", re.I)
_NOT_WORDS = re.compile(r"[\"“”„«»*\\|~^<>{}()\[\]]")
_BEFORE_WORD = re.compile(r"(?<!\S)[-+!&]+")


def plain_query(text: str, limit: int = QUERY_CHARS) -> str:
    """A text as words only: what a search engine takes for an operator or a redirection (``!g``) is defused."""
    words = _OPERATOR.sub(r"\1 ", text)
    words = _BEFORE_WORD.sub("", _NOT_WORDS.sub(" ", words))
    kept = [w.lower() if w in ("AND", "OR", "NOT") else w for w in words.split()]
    short = " ".join(kept)
    if len(short) <= limit:
        return short
    cut = short[: limit + 1].rpartition(" ")[0]
    return cut or short[:limit]
