"""A SearXNG of one's own, through its JSON API: https://docs.searxng.org/dev/search_api.html."""

from typing import Any

from pydantic import BaseModel

from ghost.errors import EnginesSilentError, ProviderError, ProviderRefusedError
from ghost.text import visible
from ghost.web.address import host_of
from ghost.web.days import day_in
from ghost.web.json_api import Answer, JsonApi, Rows, Text
from ghost.web.search import ALL_STAGES, Hit, plain_query, with_sites

WORDING_CHARS = 480
"""What the narrowest of the engines behind it takes."""
NAMED = 5
"""Engines that did not answer and are named."""


class Row(BaseModel):
    """One of ``results``."""

    url: str
    title: Text = ""
    content: Text = ""
    publishedDate: Text = ""


class Found(BaseModel):
    """An answer in the format ``json``."""

    results: Rows[Row]
    unresponsive_engines: Any = None
    """Pairs of an engine and why it did not answer."""

    def silent(self) -> list[str]:
        """The engines that did not answer, each with the reason."""
        pairs = self.unresponsive_engines if isinstance(self.unresponsive_engines, list) else []
        told = ([_short(part) for part in pair] for pair in pairs if isinstance(pair, list))
        return [f"{name} ({why[0]})" if why and why[0] else name for name, *why in filter(None, told) if name]


class SearXNG:
    """Searches with the engines that a SearXNG is set up with; it hands ``site:`` on to them."""

    name = "searxng"
    stages = ALL_STAGES

    def __init__(self, url: str) -> None:
        """``url`` is where its page is, with or without ``/search``."""
        self.recipient = f"SearXNG at {host_of(url)}"
        self._api = JsonApi(self.recipient, f"{url.rstrip('/').removesuffix('/search')}/search", explain=self._explain)

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words, then as many ``site:`` operators as fit."""
        return with_sites(plain_query(query), sites, WORDING_CHARS)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits; raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        if not words:
            return []
        asked: dict[str, str | int] = {"q": words, "format": "json", "categories": "general", "safesearch": 0}
        found = self._api.get(Found, asked, seconds)
        rows = found.results
        if not rows and (silent := found.silent()):
            more = f" and {len(silent) - NAMED} more" if len(silent) > NAMED else ""
            names = ", ".join(silent[:NAMED])
            raise EnginesSilentError(
                f"{self.recipient} found nothing, but engines behind it did not answer: {names}{more}."
            )
        return [Hit(r.url, r.title, r.content, self.name, day_in(r.publishedDate)) for r in rows][:limit]

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
