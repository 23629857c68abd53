"""Brave Search: https://api-dashboard.search.brave.com/documentation."""

from collections.abc import Iterable

from pydantic import BaseModel, Field

from ghost.errors import ProviderError
from ghost.web.providers import client
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import Answer, Failing, ProviderClient, Rows, Text

API_URL = "https://api.search.brave.com/res/v1/web/search"
MAX_HITS = 20


class Result(client.Result):
    """One of ``web.results``."""

    snippet: Text = Field("", alias="description")
    day: Text = Field("", alias="page_age")


class Web(BaseModel):
    """Pages among the other kinds of results."""

    results: Rows[Result] = []


class Found(Failing):
    """An answer. Without any page it has no ``web``."""

    web: Web | None = None


class Brave(Engine):
    """Searches Brave's own index."""

    name = "brave"
    recipient = "Brave Search"
    query_chars = 400
    query_terms = 50

    def __init__(self, key: str, url: str = API_URL) -> None:
        """``key`` is the subscription token."""
        self._api = ProviderClient(
            self.recipient, url, key, "GHOST_BRAVE_KEY", "X-Subscription-Token", explain=self._explain
        )

    def hits(self, query: Query) -> Iterable[Hit]:
        """The pages in the answer."""
        asked: dict[str, str | int] = {
            "q": query.words, "count": min(query.limit, MAX_HITS), "safesearch": "off", "text_decorations": "false",
            "spellcheck": "false", "result_filter": "web",
        }  # fmt: skip
        web = self._api.get(Found, asked, query.seconds).web or Web()
        return [r.hit(self.name) for r in web.results]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status == 429:
            return self._api.limited(_until_next(answer))
        if answer.status == 422 and str(answer.at("error", "code")).startswith("SUBSCRIPTION_TOKEN_"):
            return self._api.refused("HTTP 422, subscription token not valid")
        return None


def _until_next(answer: Answer) -> float | None:
    """Seconds until no window of the plan is used up. They come as ``1, 1419704`` for the second and the month."""
    left = [part.strip() for part in answer.headers.get("X-RateLimit-Remaining", "").split(",")]
    resets = answer.headers.get("X-RateLimit-Reset", "").split(",")
    used_up = [reset for number, reset in zip(left, resets, strict=False) if number == "0"]
    waits = [wait for reset in used_up if (wait := client.wait(reset)) is not None]
    return max(waits, default=answer.wait())
