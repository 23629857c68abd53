"""A SearXNG server of your own."""

from collections.abc import Iterable
from typing import Any

from ghost.errors import EnginesSilentError, ProviderError, ProviderRefusedError
from ghost.text import visible
from ghost.types import host_of
from ghost.web.providers.base import Engine, Hit, Query
from ghost.web.providers.client import Answer, ProviderClient, hit_in

_ENGINES_NAMED = 5


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
