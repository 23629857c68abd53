"""DuckDuckGo through the library ``ddgs``."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ghost.errors import NO_CONNECTION, ProviderError, ProviderTimeoutError, ProviderUnreachableError, RateLimitError
from ghost.web.providers.base import Engine, Hit, Query

if TYPE_CHECKING:
    from ddgs.engines.duckduckgo import Duckduckgo

DUCKDUCKGO_URL = "https://html.duckduckgo.com/html/"
_REFUSALS = (202, 403, 418, 429)
_CHALLENGE = ("anomaly-modal", "anomaly.js", "challenge-form")
_REDIRECT = re.compile(r"^(?:https?:)?//(?:\w+\.)?duckduckgo\.com/l/\?(?:.*&)?uddg=(?P<url>.+?)(?:&rut=\w*)?$")
_MAX_PAGE = 3_000_000


class DuckDuckGo(Engine):
    """Searches with DuckDuckGo's page without scripts."""

    name = "ddgs"
    recipient = "DuckDuckGo"
    query_chars = 480  # it takes 500

    def __init__(self, url: str = DUCKDUCKGO_URL) -> None:
        """``url`` is the page that is asked."""
        self._url = url

    def hits(self, query: Query) -> Iterable[Hit]:
        """The results on the page, without advertisements."""
        try:
            rows = self._engine(query.seconds).search(query.words, region="wt-wt", safesearch="off") or []
        except ProviderError:
            raise
        except Exception as error:  # the library passes on whatever its parser and its client raise
            raise _named(error) from error
        return [Hit(_target(r.href), r.title, r.body, self.name) for r in rows if r.href]

    def _engine(self, seconds: float) -> "Duckduckgo":
        # Here, because the library with its parser takes a quarter of a second to import.
        from ddgs.engines.duckduckgo import Duckduckgo

        class Candid(Duckduckgo):
            """The library's engine, but it says when it was refused. The original then reports no results."""

            search_url = self._url

            def request(self, *args: Any, **kwargs: Any) -> str:
                answer = self.http_client.request(*args, **kwargs)
                text = answer.text if len(answer.content) <= _MAX_PAGE else ""
                if answer.status_code in _REFUSALS or any(sign in text for sign in _CHALLENGE):
                    raise RateLimitError(
                        f"DuckDuckGo refuses searches from here for now (HTTP {answer.status_code}). Wait some minutes."
                    )
                if answer.status_code != 200:
                    raise ProviderError(f"DuckDuckGo answered with HTTP {answer.status_code}.")
                if "duckduckgo" not in text.lower():  # each of its own pages has the name
                    raise ProviderError("What answered was no page of DuckDuckGo that Ghost can read.")
                return text

        return Candid(timeout=max(1, round(seconds)))


def _named(error: Exception) -> ProviderError:
    """The error of the library as one of ours. It wraps those of its HTTP client in their text."""
    from ddgs.exceptions import RatelimitException, TimeoutException

    text = str(error)
    if isinstance(error, RatelimitException):
        return RateLimitError("DuckDuckGo refuses searches from here for now. Wait some minutes.")
    if isinstance(error, TimeoutException) or "TimeoutError" in text:
        return ProviderTimeoutError("DuckDuckGo did not answer in time.")
    if isinstance(error, OSError) or any(sign in text for sign in ("ConnectError", "DNSError", "RequestError")):
        return ProviderUnreachableError(f"DuckDuckGo {NO_CONNECTION}")
    return ProviderError(f"DuckDuckGo's answer could not be read ({type(error).__name__}).")


def _target(href: str) -> str:
    """The address of a result, without DuckDuckGo's own redirection."""
    found = _REDIRECT.match(href)
    return found["url"] if found else href
