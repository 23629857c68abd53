"""What a search provider is, what a hit is, and which words may be sent."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from ghost.web.extract.claim_review import ClaimReview

QUERY_CHARS = 250
"""A longer statement is cut at a word: engines ignore or refuse what is longer."""


class Stage(StrEnum):
    """The stages of an investigation, in the order in which they run."""

    TRUSTED = "trusted"
    FACT_CHECK = "fact_check"
    BROAD = "broad"


ALL_STAGES = frozenset(Stage)


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result as the provider gave it. All of it is outside text."""

    url: str
    title: str
    snippet: str
    provider: str
    published_at: date | None = None
    review: ClaimReview | None = None
    """The fact-check that the hit leads to, where the provider gives its rating."""


class SearchProvider(Protocol):
    """A search engine."""

    name: str
    """As in the setting."""
    recipient: str
    """Who receives the words, as the page and the reports name them."""
    stages: frozenset[Stage]
    """Where it is of use. One that only knows fact-checks is asked in their stage only."""

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The words that ``search`` sends, exactly. Empty when it cannot search these sites."""
        ...

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """At most ``limit`` hits within ``seconds``, on ``sites`` only where any are named. Raises ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class Query:
    """What one search asks for."""

    words: str
    sites: tuple[str, ...]
    limit: int
    seconds: float


class Engine:
    """Base of the providers in this folder."""

    name: str
    recipient: str
    stages: frozenset[Stage] = ALL_STAGES
    query_chars = 1_000
    """Longest query that it accepts. Sites that do not fit are left out."""
    query_terms = 1_000
    """Most terms that it accepts or heeds."""

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words, then as many ``site:`` operators as fit."""
        return with_sites(plain_query(query), sites, self.query_chars, self.query_terms)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits. Raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        return list(self.hits(Query(words, sites, limit, seconds)))[:limit] if words else []

    def hits(self, query: Query) -> Iterable[Hit]:
        """The hits for words that are not empty. Raises ProviderError."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Remembered:
    """An answer that was kept."""

    hits: tuple[Hit, ...]
    stored_at: datetime


@runtime_checkable
class Remembering(Protocol):
    """A provider whose earlier answers can be had without a request."""

    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        """What ``search`` found for the same words a while ago. None when it must be asked."""
        ...


_OPERATOR = re.compile(r"\b(site|intitle|inurl|inbody|filetype|ext|insource|incategory|linksto|prefix|feed):", re.I)
_NOT_WORDS = re.compile(r"[\"“”„«»*\\|~^<>{}()\[\]]")
_BEFORE_WORD = re.compile(r"(?<!\S)[-+!&]+")


def plain_query(text: str, limit: int = QUERY_CHARS) -> str:
    """A text as words only. What a search engine takes for an operator or a redirection (``!g``) is defused."""
    words = _OPERATOR.sub(r"\1 ", text)
    words = _BEFORE_WORD.sub("", _NOT_WORDS.sub(" ", words))
    short = " ".join(w.lower() if w in ("AND", "OR", "NOT") else w for w in words.split())
    if len(short) <= limit:
        return short
    return short[: limit + 1].rpartition(" ")[0] or short[:limit]


def with_sites(words: str, sites: tuple[str, ...], chars: int, terms: int) -> str:
    """The words, then as many ``site:`` operators as fit into ``chars`` and ``terms``, in the order of the list.

    An engine with a limit of terms ignores what is beyond, so the words leave half of it to the sites.
    """
    if not words or not sites:
        return " ".join(words.split()[:terms])
    words = " ".join(words.split()[: terms // 2])
    room, left = chars - len(words) - len(" ()"), (terms - len(words.split()) + 1) // 2  # each has an OR before it
    kept: list[str] = []
    for site in sites:
        part = f"site:{site}"
        if len(kept) < left and len(" OR ".join([*kept, part])) <= room:
            kept.append(part)
    return f"{words} ({' OR '.join(kept)})" if len(kept) > 1 else f"{words} {''.join(kept)}".strip()
