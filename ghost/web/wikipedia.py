"""Wikipedia, through the API of MediaWiki: https://www.mediawiki.org/wiki/API:Search."""

import re
import time
from collections.abc import Iterator

import httpx
from pydantic import BaseModel, ValidationError

from ghost import __version__
from ghost.errors import ProviderError, ProviderTimeoutError, ProviderUnreachableError, RateLimitError
from ghost.web.address import canonical, host_of, under
from ghost.web.markup import text_of
from ghost.web.search import Hit, plain_query

API_URL = "https://en.wikipedia.org/w/api.php"
USER_AGENT = (
    f"ghost-workbench/{__version__} (checks claims for one reader; no bulk use) python-httpx/{httpx.__version__}"
)
MAX_BYTES = 1_000_000
SENTENCES = 3
WORDS = 12
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_COMMON = frozenset(
    """
a an and are as at be been but by can did do does for from had has have he her his how i in into is it its no not of on
or our she so than that the their them there they this to was we were what when where which who will with would you
""".split()
)


class WikipediaError(BaseModel):
    """What the API says went wrong."""

    code: str = ""
    info: str = ""


class FoundPage(BaseModel):
    """One row of ``list=search``."""

    pageid: int
    title: str
    snippet: str = ""


class PageText(BaseModel):
    """One row of ``generator=search`` with the beginning of the page."""

    pageid: int
    fullurl: str = ""
    extract: str = ""


class Found(BaseModel):
    """What a search brings."""

    search: list[FoundPage] = []
    pages: list[PageText] = []


class Answer(BaseModel):
    """An answer of the API in its format version 2."""

    query: Found | None = None
    error: WikipediaError | None = None


class Wikipedia:
    """Searches one Wikipedia; each page can give two hits: what matched the words, and how the page begins."""

    name = "wikipedia"
    recipient = "Wikipedia"

    def __init__(self, url: str = API_URL) -> None:
        """``url`` is the ``api.php`` that is asked."""
        self._url = url
        self._host = host_of(url)

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The telling words joined by OR, since the API asks for all of them otherwise; empty for other sites."""
        if sites and not any(self._ours(host_of(self._url), site) for site in sites):
            return ""
        words = [w for w in _WORD.findall(plain_query(query)) if w.casefold() not in _COMMON]
        return " OR ".join(list(dict.fromkeys(words))[:WORDS])

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """The first hits; raises a ProviderError that says what happened."""
        words = self.wording(query, sites)
        return list(self._hits(self._ask(words, limit, seconds)))[:limit] if words else []

    def _ours(self, host: str, site: str) -> bool:
        return under(host, site) or under("wikipedia.org", site)

    def _ask(self, words: str, limit: int, seconds: float) -> Found:
        """One request for both lists: what matches, and how those pages begin."""
        asked: dict[str, str | int] = {
            "action": "query", "format": "json", "formatversion": 2,
            "list": "search", "srsearch": words, "srlimit": limit, "srnamespace": 0, "srprop": "snippet",
            "generator": "search", "gsrsearch": words, "gsrlimit": limit, "gsrnamespace": 0,
            "prop": "extracts|info", "inprop": "url",
            "exintro": 1, "explaintext": 1, "exsentences": SENTENCES, "exlimit": "max",
        }  # fmt: skip
        try:
            body = self._get(asked, seconds)
        except httpx.TimeoutException as error:
            raise ProviderTimeoutError("Wikipedia did not answer in time.") from error
        except httpx.ConnectError as error:
            raise ProviderUnreachableError("Wikipedia cannot be reached. Is there a network?") from error
        except httpx.HTTPError as error:
            raise ProviderError(f"Wikipedia's answer was cut off or broken ({type(error).__name__}).") from error
        return _read(body)

    def _get(self, asked: dict[str, str | int], seconds: float) -> bytes:
        """The body, within ``seconds`` as a whole and MAX_BYTES; httpx counts its seconds between two pieces only."""
        deadline = time.monotonic() + seconds
        client = httpx.Client(timeout=seconds, headers={"User-Agent": USER_AGENT}, follow_redirects=False)
        with client, client.stream("GET", self._url, params=asked) as answer:
            if answer.status_code == 429:
                raise _limited(answer.headers.get("Retry-After", ""))
            if answer.status_code != 200:
                raise ProviderError(f"Wikipedia answered with HTTP {answer.status_code}.")
            body = bytearray()
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > MAX_BYTES:
                    raise ProviderError(f"Wikipedia's answer is longer than {MAX_BYTES:,} bytes and was not read.")
                if time.monotonic() > deadline:
                    raise ProviderTimeoutError("Wikipedia did not answer in time.")
            return bytes(body)

    def _hits(self, found: Found) -> Iterator[Hit]:
        texts = {page.pageid: page for page in found.pages}
        for row in found.search:
            page = texts.get(row.pageid)
            url = canonical(page.fullurl) if page else ""
            if page is None or not url or not self._is_page(host_of(url)):
                continue
            matched = text_of(row.snippet)
            begins = " ".join(page.extract.split())
            if begins:
                yield Hit(url, row.title, begins, self.name)
            if matched and matched not in begins:
                yield Hit(url, row.title, matched, self.name)

    def _is_page(self, host: str) -> bool:
        """A page of the wiki that was asked; nobody else's address may come in under its name."""
        return host == self._host or under(host, "wikipedia.org")


def _read(body: bytes) -> Found:
    try:
        answer = Answer.model_validate_json(body)
    except ValidationError as error:
        raise ProviderError("Wikipedia's answer is not what its API promises.") from error
    if answer.error:
        if answer.error.code in ("ratelimited", "maxlag"):
            raise _limited("")
        raise ProviderError(f"Wikipedia's API refused the search ({' '.join(answer.error.code.split())[:60]}).")
    return answer.query or Found()


def _limited(retry_after: str) -> RateLimitError:
    """Retry-After may also be a date; then only the fact is passed on."""
    wait = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
    when = f"in {wait:g} s" if wait is not None else "later"
    return RateLimitError(f"Wikipedia refuses more searches for now. Try again {when}.", wait)
