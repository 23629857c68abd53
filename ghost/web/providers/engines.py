"""Search engines behind an API: Brave, SearXNG, SerpApi and Tavily. Each says what it sends and where its hits are."""

from collections.abc import Iterable
from typing import Any

from ghost.errors import EnginesSilentError, ProviderBusyError, ProviderError, ProviderRefusedError, RateLimitError
from ghost.text import visible
from ghost.types import host_of
from ghost.web.providers.base import Engine, Hit, Query, plain_query
from ghost.web.providers.client import Answer, ProviderClient, hit_in, wait

BRAVE_URL = "https://api.search.brave.com/res/v1/web/search"
SERPAPI_URL = "https://serpapi.com/search.json"
TAVILY_URL = "https://api.tavily.com/search"
MAX_HITS = 20
MAX_SITES = 300
_ENGINES_NAMED = 5


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


class SearXNG(Engine):
    """Searches with the engines of a SearXNG server: https://docs.searxng.org/dev/search_api.html."""

    name = "searxng"
    query_chars = 480  # what the narrowest of the engines behind it takes

    def __init__(self, url: str) -> None:
        """``url`` is where its page is, with or without ``/search``."""
        self.recipient = f"SearXNG at {host_of(url)}"
        address = f"{url.rstrip('/').removesuffix('/search')}/search"
        self._api = ProviderClient(self.recipient, address, explain=self._explain)

    def hits(self, query: Query) -> Iterable[Hit]:
        """The pages in the answer. Raises EnginesSilentError for an empty one that says nothing."""
        asked: dict[str, str | int] = {"q": query.words, "format": "json", "categories": "general", "safesearch": 0}
        answer = self._api.get(asked, query.seconds)
        rows = answer.rows("results", key="url", required=True)
        if not rows and (silent := _silent(answer.at("unresponsive_engines"))):
            more = f" and {len(silent) - _ENGINES_NAMED} more" if len(silent) > _ENGINES_NAMED else ""
            named = ", ".join(silent[:_ENGINES_NAMED])
            raise EnginesSilentError(
                f"{self.recipient} found nothing, but engines behind it did not answer: {named}{more}."
            )
        return [hit_in(row, self.name, "url", "content", "publishedDate") for row in rows]

    def _explain(self, answer: Answer) -> ProviderError | None:
        if answer.status != 403:
            return None
        return ProviderRefusedError(
            f"{self.recipient} refused the search (HTTP 403). "
            "Allow the format json in its settings.yml (search: formats)."
        )


def _silent(pairs: Any) -> list[str]:
    """The engines that did not answer, each with the reason."""
    words = ([_short(part) for part in pair] for pair in pairs or () if isinstance(pair, list))
    return [f"{name} ({why[0]})" if why and why[0] else name for name, *why in filter(None, words) if name]


def _short(value: object) -> str:
    return " ".join(visible(value).split())[:60] if isinstance(value, str) else ""


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
