"""The edge to search engines: what a provider is, and what a hit is."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol


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

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """At most ``limit`` hits within ``seconds``, on ``sites`` only where any are named; raises ProviderError."""
        ...
