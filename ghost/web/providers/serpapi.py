"""SerpApi, which asks Google and reads its page: https://serpapi.com/search-api and https://serpapi.com/search-errors."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field

from ghost.errors import ProviderBusyError, ProviderError
from ghost.web.providers import client
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import Maybe, ProviderClient, Rows, Text

API_URL = "https://serpapi.com/search.json"
_NOTHING = "Google hasn't returned any results"


class Result(client.Result):
    """One of ``organic_results``."""

    url: str = Field(alias="link")
    day: Text = Field("", alias="date")


class Metadata(BaseModel):
    """How the search went: ``Success``, also without any hit, or ``Error``."""

    status: Text = ""


class Found(BaseModel):
    """An answer."""

    search_metadata: Maybe[Metadata] = None
    organic_results: Rows[Result] = []
    error: Any = None
    """Also there when the search went well and Google found nothing."""


class SerpApi(Engine):
    """Searches Google through a service that is paid by the search."""

    name = "serpapi"
    recipient = "SerpApi"
    query_terms = 32  # Google ignores what comes after them

    def __init__(self, key: str, url: str = API_URL) -> None:
        """The key goes into the address: the API takes it nowhere else."""
        self._api = ProviderClient(self.recipient, url, key, "GHOST_SERPAPI_KEY", key_parameter="api_key")

    def hits(self, query: Query) -> Iterable[Hit]:
        """The organic results in the answer."""
        asked: dict[str, str | int] = {"engine": "google", "q": query.words, "num": query.limit, "safe": "off"}
        found = self._api.get(Found, asked, query.seconds)
        status = found.search_metadata.status if found.search_metadata else ""
        if status == "Error":
            raise ProviderBusyError(f"{self.recipient} could not finish the search.")
        if found.error and status != "Success" and not str(found.error).startswith(_NOTHING):
            raise ProviderError(f"{self.recipient} answered with an error in place of hits.")
        return [r.hit(self.name) for r in found.organic_results]
