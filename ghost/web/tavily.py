"""Tavily: https://docs.tavily.com/documentation/api-reference/endpoint/search."""

from pydantic import BaseModel

from ghost.errors import ProviderError, RateLimitError
from ghost.web.days import day_in
from ghost.web.json_api import Answer, JsonApi, Rows, Text
from ghost.web.search import ALL_STAGES, Hit, plain_query

API_URL = "https://api.tavily.com/search"
MOST = 20
MOST_SITES = 300
_PLAN_LIMIT, _PAY_LIMIT = 432, 433


class Result(BaseModel):
    """One of ``results``."""

    url: str
    title: Text = ""
    content: Text = ""
    published_date: Text = ""
    """Mostly for news."""


class Found(BaseModel):
    """An answer."""

    results: Rows[Result]


class Tavily:
    """Searches with a service that answers with passages of the pages; it takes the sites beside the words."""

    name = "tavily"
    recipient = "Tavily"
    stages = ALL_STAGES

    def __init__(self, key: str, url: str = API_URL) -> None:
        """``url`` is its endpoint ``search``."""
        self._api = JsonApi(
            self.recipient, url, key, "GHOST_TAVILY_KEY", "Authorization", "Bearer {}", explain=self._explain
        )

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words."""
        del sites  # they are sent beside the words
        return plain_query(query)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits; raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        if not words:
            return []
        asked = {
            "query": words, "max_results": min(limit, MOST), "search_depth": "basic", "topic": "general",
            "include_answer": False, "include_raw_content": False, "include_images": False,
            "include_domains": list(sites[:MOST_SITES]),
        }  # fmt: skip
        rows = self._api.post(Found, asked, seconds).results
        return [Hit(r.url, r.title, r.content, self.name, day_in(r.published_date)) for r in rows][:limit]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status not in (_PLAN_LIMIT, _PAY_LIMIT):
            return None
        return RateLimitError(f"What the plan at {self.recipient} allows is used up (HTTP {answer.status}).")
