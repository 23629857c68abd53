"""A SearXNG server of the analyst's own: https://docs.searxng.org/dev/search_api.html."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field

from ghost.errors import EnginesSilentError, ProviderError, ProviderRefusedError
from ghost.text import visible
from ghost.types import host_of
from ghost.web.providers import client
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import Answer, ProviderClient, Rows, Text

NAMED = 5
"""Engines without an answer that are named."""


class Result(client.Result):
    """One of ``results``."""

    snippet: Text = Field("", alias="content")
    day: Text = Field("", alias="publishedDate")


class Found(BaseModel):
    """An answer in the format ``json``."""

    results: Rows[Result]
    unresponsive_engines: Any = None
    """Pairs of an engine and why it did not answer."""

    def silent(self) -> list[str]:
        """The engines that did not answer, each with the reason."""
        pairs = self.unresponsive_engines if isinstance(self.unresponsive_engines, list) else []
        words = ([_short(part) for part in pair] for pair in pairs if isinstance(pair, list))
        return [f"{name} ({why[0]})" if why and why[0] else name for name, *why in filter(None, words) if name]


class SearXNG(Engine):
    """Searches with the engines of a SearXNG, which hands ``site:`` on to them."""

    name = "searxng"
    query_chars = 480  # what the narrowest of the engines behind it takes

    def __init__(self, url: str) -> None:
        """``url`` is where its page is, with or without ``/search``."""
        self.recipient = f"SearXNG at {host_of(url)}"
        address = f"{url.rstrip('/').removesuffix('/search')}/search"
        self._api = ProviderClient(self.recipient, address, explain=self._explain)

    def hits(self, query: Query) -> Iterable[Hit]:
        """The pages in the answer. Raises EnginesSilentError for an empty one that says nothing."""
        asked: dict[str, str | int] = {"q": query.words, "format": "json", "categories": "general", "safesearch": 0}
        found = self._api.get(Found, asked, query.seconds)
        if not found.results and (silent := found.silent()):
            more = f" and {len(silent) - NAMED} more" if len(silent) > NAMED else ""
            raise EnginesSilentError(
                f"{self.recipient} found nothing, but engines behind it did not answer: "
                f"{', '.join(silent[:NAMED])}{more}."
            )
        return [r.hit(self.name) for r in found.results]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status != 403:
            return None
        return ProviderRefusedError(
            f"{self.recipient} refused the search (HTTP 403). "
            "Allow the format json in its settings.yml (search: formats)."
        )


def _short(value: object) -> str:
    """Outside text as a few plain words."""
    return " ".join(visible(value).split())[:60] if isinstance(value, str) else ""
