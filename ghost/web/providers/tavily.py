"""Tavily: https://docs.tavily.com/documentation/api-reference/endpoint/search."""

from collections.abc import Iterable

from pydantic import BaseModel, Field

from ghost.errors import ProviderError, RateLimitError
from ghost.web.providers import client
from ghost.web.providers.base import Engine, Hit, Query, plain_query
from ghost.web.providers.client import Answer, ProviderClient, Rows, Text

API_URL = "https://api.tavily.com/search"
MAX_HITS = 20
MAX_SITES = 300
_PLAN_LIMIT, _PAY_LIMIT = 432, 433


class Result(client.Result):
    """One of ``results``."""

    snippet: Text = Field("", alias="content")
    day: Text = Field("", alias="published_date")  # mostly for news


class Found(BaseModel):
    """An answer."""

    results: Rows[Result]


class Tavily(Engine):
    """Searches with a service that answers with passages of the pages."""

    name = "tavily"
    recipient = "Tavily"

    def __init__(self, key: str, url: str = API_URL) -> None:
        """``url`` is its endpoint ``search``."""
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
        return [r.hit(self.name) for r in self._api.post(Found, asked, query.seconds).results]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status not in (_PLAN_LIMIT, _PAY_LIMIT):
            return None
        return RateLimitError(f"What the plan at {self.recipient} allows is used up (HTTP {answer.status}).")
