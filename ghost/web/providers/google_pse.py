"""Google Programmable Search, through the Custom Search JSON API.

https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list. Google takes no new customers for it and has
announced its end for existing ones on 1 January 2027.
"""

from collections.abc import Iterable
from dataclasses import replace

from pydantic import BaseModel, Field

from ghost.web.extract.dates import day_in
from ghost.web.providers import client
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import Failing, Maybe, Rows
from ghost.web.providers.google import google_client

API_URL = "https://www.googleapis.com/customsearch/v1"
MAX_HITS = 10
FIELDS = "items(link,title,snippet,pagemap/metatags)"
"""Nothing else is sent back. The whole of ``pagemap`` can be large."""
_DATES = ("article:published_time", "og:article:published_time", "datepublished", "date")


class PageMap(BaseModel):
    """What the page says of itself."""

    metatags: list[dict[str, object]] = []


class Result(client.Result):
    """One of ``items``."""

    url: str = Field(alias="link")
    pagemap: Maybe[PageMap] = None

    def hit(self, provider: str) -> Hit:
        """With the first of the page's own dates that is one."""
        tags = self.pagemap.metatags[0] if self.pagemap and self.pagemap.metatags else {}
        days = (day_in(value) for name in _DATES if isinstance(value := tags.get(name), str))
        return replace(super().hit(provider), published_at=next(filter(None, days), None))


class Found(Failing):
    """An answer. Without any hit it has no ``items``."""

    items: Rows[Result] = Field(default_factory=list)


class GooglePSE(Engine):
    """Searches what a Programmable Search Engine is set up to search."""

    name = "google_pse"
    recipient = "Google Programmable Search"
    query_terms = 32  # Google ignores what comes after them

    def __init__(self, key: str, engine: str, url: str = API_URL) -> None:
        """``engine`` is the id of the search engine (``cx``)."""
        self._api = google_client(self.recipient, url, key, "GHOST_GOOGLE_PSE_KEY")
        self._engine = engine

    def hits(self, query: Query) -> Iterable[Hit]:
        """The pages in the answer."""
        count = min(query.limit, MAX_HITS)
        asked: dict[str, str | int] = {"q": query.words, "cx": self._engine, "num": count, "fields": FIELDS}
        return [r.hit(self.name) for r in self._api.get(Found, asked, query.seconds).items]
