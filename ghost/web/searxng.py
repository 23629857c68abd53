"""A SearXNG of one's own, through its JSON API: https://docs.searxng.org/dev/search_api.html."""

from pydantic import BaseModel

from ghost.errors import ProviderError, ProviderRefusedError
from ghost.web.address import host_of
from ghost.web.days import day_in
from ghost.web.json_api import Answer, JsonApi, Rows, Text
from ghost.web.search import ALL_STAGES, Hit, plain_query, with_sites

WORDING_CHARS = 480
"""What the narrowest of the engines behind it takes."""


class Row(BaseModel):
    """One of ``results``."""

    url: str
    title: Text = ""
    content: Text = ""
    publishedDate: Text = ""


class Found(BaseModel):
    """An answer in the format ``json``."""

    results: Rows[Row]


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
        rows = self._api.get(Found, asked, seconds).results
        return [Hit(r.url, r.title, r.content, self.name, day_in(r.publishedDate)) for r in rows][:limit]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status != 403:
            return None
        return ProviderRefusedError(
            f"{self.recipient} refused the search (HTTP 403). "
            "Allow the format json in its settings.yml (search: formats)."
        )
