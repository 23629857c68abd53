"""Search engines that want no key: DuckDuckGo through the library ``ddgs``, and Wikipedia through MediaWiki's API."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ghost.errors import ProviderError, ProviderTimeoutError, ProviderUnreachableError, RateLimitError
from ghost.types import canonical, host_of, under
from ghost.web.extract.html import text_of
from ghost.web.providers.base import Engine, Hit, Query, plain_query
from ghost.web.providers.client import Answer, ProviderClient, text_at

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
        return ProviderUnreachableError("DuckDuckGo cannot be reached. Is there a network?")
    return ProviderError(f"DuckDuckGo's answer could not be read ({type(error).__name__}).")


def _target(href: str) -> str:
    """The address of a result, without DuckDuckGo's own redirection."""
    found = _REDIRECT.match(href)
    return found["url"] if found else href


WIKIPEDIA_URL = "https://en.wikipedia.org/w/api.php"
SENTENCES = 3
WORDS = 12
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_COMMON = frozenset(
    """
a an and are as at be been but by can did do does for from had has have he her his how i in into is it its no not of on
or our she so than that the their them there they this to was we were what when where which who will with would you
""".split()
)


class Wikipedia(Engine):
    """Searches one Wikipedia. Each page can give two hits: what matched the words, and how the page begins."""

    name = "wikipedia"
    recipient = "Wikipedia"

    def __init__(self, url: str = WIKIPEDIA_URL) -> None:
        """``url`` is the ``api.php`` that is asked."""
        self._api = ProviderClient(self.recipient, url, own_errors=True)
        self._host = host_of(url)

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The telling words joined by OR, since the API asks for all of them otherwise. Empty for other sites."""
        if sites and not any(under(self._host, site) or under("wikipedia.org", site) for site in sites):
            return ""
        words = [w for w in _WORD.findall(plain_query(query)) if w.casefold() not in _COMMON]
        return " OR ".join(list(dict.fromkeys(words))[:WORDS])

    def hits(self, query: Query) -> Iterator[Hit]:
        """The beginning of each page, and what matched where that is something else."""
        answer = self._answer(query.words, query.limit, query.seconds)
        pages = {page["pageid"]: page for page in answer.rows("query", "pages", key="pageid")}
        for row in answer.rows("query", "search", key="pageid"):
            page = pages.get(row["pageid"])
            url = canonical(text_at(page, "fullurl"))
            if not self._is_page(host_of(url)):
                continue
            matched, begins = text_of(text_at(row, "snippet")), " ".join(text_at(page, "extract").split())
            if begins:
                yield Hit(url, text_at(row, "title"), begins, self.name)
            if matched and matched not in begins:
                yield Hit(url, text_at(row, "title"), matched, self.name)

    def _answer(self, words: str, limit: int, seconds: float) -> Answer:
        """One request for both lists: what matches, and how those pages begin."""
        asked: dict[str, str | int] = {
            "action": "query", "format": "json", "formatversion": 2,
            "list": "search", "srsearch": words, "srlimit": limit, "srnamespace": 0, "srprop": "snippet",
            "generator": "search", "gsrsearch": words, "gsrlimit": limit, "gsrnamespace": 0,
            "prop": "extracts|info", "inprop": "url",
            "exintro": 1, "explaintext": 1, "exsentences": SENTENCES, "exlimit": "max",
        }  # fmt: skip
        answer = self._api.get(asked, seconds)
        if answer.at("error"):
            code = str(answer.at("error", "code"))
            if code in ("ratelimited", "maxlag"):
                raise self._api.limited(None)
            raise ProviderError(f"{self.recipient}'s API refused the search ({' '.join(code.split())[:60]}).")
        return answer

    def _is_page(self, host: str) -> bool:
        """Whether a page is of the wiki that was asked. No other address may come in under its name."""
        return bool(host) and (host == self._host or under(host, "wikipedia.org"))
