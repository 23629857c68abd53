"""SerpApi, which asks Google and reads its page: https://serpapi.com/search-api and https://serpapi.com/search-errors."""

from typing import Any

from pydantic import BaseModel

from ghost.errors import ProviderBusyError, ProviderError
from ghost.web.days import day_in
from ghost.web.json_api import JsonApi, Maybe, Rows, Text
from ghost.web.search import ALL_STAGES, Hit, plain_query, with_sites

API_URL = "https://serpapi.com/search.json"
WORDING_CHARS = 1_000
TERMS = 32
"""Google ignores what comes after them."""
_NOTHING = "Google hasn't returned any results"


class Result(BaseModel):
    """One of ``organic_results``."""

    link: str
    title: Text = ""
    snippet: Text = ""
    date: Text = ""


class Metadata(BaseModel):
    """How the search went: ``Success``, also without any hit, or ``Error``."""

    status: Text = ""


class Found(BaseModel):
    """An answer."""

    search_metadata: Maybe[Metadata] = None
    organic_results: Rows[Result] = []
    error: Any = None
    """Also there when the search went well and Google found nothing."""

    @property
    def failed(self) -> bool:
        """Whether the error says more than that nothing was found."""
        went_well = self.search_metadata is not None and self.search_metadata.status == "Success"
        return bool(self.error) and not went_well and not str(self.error).startswith(_NOTHING)


class SerpApi:
    """Searches Google through a service that is paid by the search."""

    name = "serpapi"
    recipient = "SerpApi"
    stages = ALL_STAGES

    def __init__(self, key: str, url: str = API_URL) -> None:
        """The key goes into the address: the API takes it nowhere else."""
        self._api = JsonApi(self.recipient, url, key, "GHOST_SERPAPI_KEY", key_parameter="api_key")

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words, then as many ``site:`` operators as Google heeds."""
        return with_sites(plain_query(query), sites, WORDING_CHARS, TERMS)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits; raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        if not words:
            return []
        asked: dict[str, str | int] = {"engine": "google", "q": words, "num": limit, "safe": "off"}
        found = self._api.get(Found, asked, seconds)
        if found.search_metadata and found.search_metadata.status == "Error":
            raise ProviderBusyError(f"{self.recipient} could not finish the search.")
        if found.failed:
            raise ProviderError(f"{self.recipient} answered with an error in place of hits.")
        return [Hit(r.link, r.title, r.snippet, self.name, day_in(r.date)) for r in found.organic_results][:limit]
