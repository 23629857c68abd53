"""Google, as SerpApi reads its page."""

from collections.abc import Iterable

from ghost.errors import ProviderBusyError, ProviderError
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import ProviderClient, hit_in

SERPAPI_URL = "https://serpapi.com/search.json"


class SerpApi(Engine):
    """Asks Google and reads its page: https://serpapi.com/search-api and https://serpapi.com/search-errors."""

    name = "serpapi"
    recipient = "SerpApi"
    query_terms = 32  # Google ignores what comes after them

    def __init__(self, key: str, url: str = SERPAPI_URL) -> None:
        """The key goes into the address: the API takes it nowhere else."""
        self._api = ProviderClient(
            self.recipient, url, key, "GHOST_SERPAPI_KEY", key_parameter="api_key", own_errors=True
        )

    def hits(self, query: Query) -> Iterable[Hit]:
        """The organic results. An error beside them only says that there are none, where the search went well."""
        answer = self._api.get({"engine": "google", "q": query.words, "num": query.limit, "safe": "off"}, query.seconds)
        status, error = answer.at("search_metadata", "status"), answer.at("error")
        if status == "Error":
            raise ProviderBusyError(f"{self.recipient} could not finish the search.")
        if error and status != "Success" and not str(error).startswith("Google hasn't returned any results"):
            raise ProviderError(f"{self.recipient} answered with an error in place of hits.")
        rows = answer.rows("organic_results", key="link")
        return [hit_in(row, self.name, "link", "snippet", "date") for row in rows]
