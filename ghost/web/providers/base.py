"""What a search provider is, what a hit is, which words may be sent, and how answers are kept for a while."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from pydantic import TypeAdapter, ValidationError

from ghost.web.extract.claim_review import ClaimReview
from ghost.web.fetch.cache import SafeCache, WebCache

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
    query_terms = 1_000
    """The longest query that it accepts or heeds. Sites that do not fit are left out."""

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


_HITS = TypeAdapter(tuple[Hit, ...])


class CachedSearch:
    """Any provider with the memory of a ``WebCache``. A cache that fails stops no search."""

    def __init__(self, provider: SearchProvider, cache: WebCache, seconds: float, place: str = "") -> None:
        """Answers live for ``seconds``. ``place`` tells apart the servers that one provider can be set up to ask."""
        self.name, self.recipient, self.stages = provider.name, provider.recipient, provider.stages
        self.wording = provider.wording
        self._provider, self._cache, self._seconds, self._place = provider, SafeCache(cache), seconds, place

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """Ask the provider and keep its hits. An empty answer is not kept, as the next may be better."""
        hits = self._provider.search(query, sites, limit, seconds)
        if hits:
            self._cache.put("search", self._key(query, sites, limit), {}, _HITS.dump_json(tuple(hits)), self._seconds)
        return hits

    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        """The answer to the same words for the same sites, while it is fresh."""
        kept = self._cache.get("search", self._key(query, sites, limit))
        try:
            return Remembered(_HITS.validate_json(kept.body), kept.stored_at) if kept and kept.fresh else None
        except ValidationError:  # another version wrote it
            return None

    def _key(self, query: str, sites: tuple[str, ...], limit: int) -> str:
        return json.dumps([self.name, self._place, self.wording(query, sites), sites, limit])


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
