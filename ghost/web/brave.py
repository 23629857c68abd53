"""Brave Search: https://api-dashboard.search.brave.com/documentation."""

from pydantic import BaseModel

from ghost.errors import ProviderError
from ghost.web.days import day_in
from ghost.web.json_api import Answer, Failing, JsonApi, Rows, Text, parsed, wait_of
from ghost.web.search import ALL_STAGES, Hit, plain_query, with_sites

API_URL = "https://api.search.brave.com/res/v1/web/search"
MOST = 20
WORDING_CHARS = 400
TERMS = 50
"""It refuses a query with more."""


class Result(BaseModel):
    """One of ``web.results``."""

    url: str
    title: Text = ""
    description: Text = ""
    page_age: Text = ""
    """When the page was published, as far as Brave knows."""


class Web(BaseModel):
    """Pages among the other kinds of results."""

    results: Rows[Result] = []


class Found(Failing):
    """An answer; without any page it has no ``web``."""

    web: Web | None = None


class Problem(BaseModel):
    """What went wrong."""

    code: Text = ""


class Failure(BaseModel):
    """The body of an error."""

    error: Problem


class Brave:
    """Searches Brave's own index."""

    name = "brave"
    recipient = "Brave Search"
    stages = ALL_STAGES

    def __init__(self, key: str, url: str = API_URL) -> None:
        """``key`` is the subscription token."""
        self._api = JsonApi(self.recipient, url, key, "GHOST_BRAVE_KEY", "X-Subscription-Token", explain=self._explain)

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words, then as many ``site:`` operators as fit."""
        return with_sites(plain_query(query), sites, WORDING_CHARS, TERMS)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits; raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        if not words:
            return []
        asked: dict[str, str | int] = {
            "q": words, "count": min(limit, MOST), "safesearch": "off", "text_decorations": "false",
            "spellcheck": "false", "result_filter": "web",
        }  # fmt: skip
        web = self._api.get(Found, asked, seconds).web or Web()
        return [Hit(r.url, r.title, r.description, self.name, day_in(r.page_age)) for r in web.results][:limit]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status == 429:
            return self._api.limited(_until_next(answer))
        failure = parsed(Failure, answer.body)
        if answer.status == 422 and failure and failure.error.code.startswith("SUBSCRIPTION_TOKEN_"):
            return self._api.refused("HTTP 422, subscription token not valid")
        return None


def _until_next(answer: Answer) -> float | None:
    """Seconds until no window of the plan is used up: they come as ``1, 1419704`` for the second and the month."""
    left = [part.strip() for part in answer.headers.get("X-RateLimit-Remaining", "").split(",")]
    resets = [wait_of({"at": part}, "at") for part in answer.headers.get("X-RateLimit-Reset", "").split(",")]
    used_up = [s for number, s in zip(left, resets, strict=False) if number == "0" and s is not None]
    return max(used_up, default=wait_of(answer.headers))
