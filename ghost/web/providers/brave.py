"""Brave Search behind its API."""

from collections.abc import Iterable

from ghost.errors import ProviderError
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import Answer, ProviderClient, hit_in, wait

BRAVE_URL = "https://api.search.brave.com/res/v1/web/search"
MAX_HITS = 20


class Brave(Engine):
    """Searches Brave's own index: https://api-dashboard.search.brave.com/documentation."""

    name = "brave"
    recipient = "Brave Search"
    query_chars = 400
    query_terms = 50

    def __init__(self, key: str, url: str = BRAVE_URL) -> None:
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
        rows = self._api.get(asked, query.seconds).rows("web", "results", key="url")
        return [hit_in(row, self.name, "url", "description", "page_age") for row in rows]

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
    return max([seconds for reset in used_up if (seconds := wait(reset)) is not None], default=answer.wait())
