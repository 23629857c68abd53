"""Google Programmable Search, through the Custom Search JSON API.

https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list. Google takes no new customers for it and has
announced its end for existing ones on 1 January 2027.
"""

from datetime import date

from pydantic import BaseModel, Field

from ghost.web.days import day_in
from ghost.web.google import google_api
from ghost.web.json_api import Failing, Maybe, Rows, Text
from ghost.web.search import ALL_STAGES, Hit, plain_query, with_sites

API_URL = "https://www.googleapis.com/customsearch/v1"
MOST = 10
"""It refuses to give more at once."""
WORDING_CHARS = 1_000
TERMS = 32
"""Google ignores what comes after them."""
FIELDS = "items(link,title,snippet,pagemap/metatags)"
"""Nothing else is sent back; the whole of ``pagemap`` can be large."""
_DATES = ("article:published_time", "og:article:published_time", "datepublished", "date")


class PageMap(BaseModel):
    """What the page says of itself."""

    metatags: list[dict[str, object]] = []


class Item(BaseModel):
    """One of ``items``."""

    link: str
    title: Text = ""
    snippet: Text = ""
    pagemap: Maybe[PageMap] = None


class Found(Failing):
    """An answer; without any hit it has no ``items``."""

    items: Rows[Item] = Field(default_factory=list)


class GooglePSE:
    """Searches what a Programmable Search Engine is set up to search."""

    name = "google_pse"
    recipient = "Google Programmable Search"
    stages = ALL_STAGES

    def __init__(self, key: str, engine: str, url: str = API_URL) -> None:
        """``engine`` is the id of the search engine (``cx``)."""
        self._api = google_api(self.recipient, url, key, "GHOST_GOOGLE_PSE_KEY")
        self._engine = engine

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words, then as many ``site:`` operators as Google heeds."""
        return with_sites(plain_query(query), sites, WORDING_CHARS, TERMS)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits; raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        if not words:
            return []
        asked: dict[str, str | int] = {"q": words, "cx": self._engine, "num": min(limit, MOST), "fields": FIELDS}
        items = self._api.get(Found, asked, seconds).items
        return [Hit(i.link, i.title, i.snippet, self.name, _published(i.pagemap)) for i in items][:limit]


def _published(pagemap: PageMap | None) -> date | None:
    """The first of the page's own dates that is one."""
    tags = pagemap.metatags[0] if pagemap and pagemap.metatags else {}
    days = (day_in(value) for name in _DATES if isinstance(value := tags.get(name), str))
    return next(filter(None, days), None)
