"""Tavily, which answers with passages."""

from collections.abc import Iterable

from ghost.errors import ProviderError, RateLimitError
from ghost.web.providers.base import Engine, Hit, Query, plain_query
from ghost.web.providers.client import Answer, ProviderClient, hit_in

TAVILY_URL = "https://api.tavily.com/search"
MAX_HITS = 20
MAX_SITES = 300


class Tavily(Engine):
    """Answers with passages of pages: https://docs.tavily.com/documentation/api-reference/endpoint/search."""

    name = "tavily"
    recipient = "Tavily"

    def __init__(self, key: str, url: str = TAVILY_URL) -> None:
        self._api = ProviderClient(
            self.recipient, url, key, "GHOST_TAVILY_KEY", "Authorization", "Bearer {}", explain=self._explain
        )

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words. The sites are sent beside them."""
        del sites
        return plain_query(query)

    def hits(self, query: Query) -> Iterable[Hit]:
        """The passages in the answer."""
        asked = {
            "query": query.words, "max_results": min(query.limit, MAX_HITS), "search_depth": "basic",
            "topic": "general", "include_answer": False, "include_raw_content": False, "include_images": False,
            "include_domains": list(query.sites[:MAX_SITES]),
        }  # fmt: skip
        rows = self._api.post(asked, query.seconds).rows("results", key="url", required=True)
        return [hit_in(row, self.name, "url", "content", "published_date") for row in rows]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status not in (432, 433):  # the limit of the plan, and of what may be paid beyond it
            return None
        return RateLimitError(f"What the plan at {self.recipient} allows is used up (HTTP {answer.status}).")
