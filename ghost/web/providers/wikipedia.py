"""Wikipedia, through the API of MediaWiki: https://www.mediawiki.org/wiki/API:Search."""

import re
from collections.abc import Iterator

from pydantic import BaseModel

from ghost.errors import ProviderError
from ghost.types import canonical, host_of, under
from ghost.web.extract.html import text_of
from ghost.web.providers.base import Engine, Hit, Query, plain_query
from ghost.web.providers.client import ProviderClient

API_URL = "https://en.wikipedia.org/w/api.php"
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
    """The result of a search."""

    search: list[FoundPage] = []
    pages: list[PageText] = []


class Answer(BaseModel):
    """An answer of the API in its format version 2."""

    query: Found | None = None
    error: WikipediaError | None = None


class Wikipedia(Engine):
    """Searches one Wikipedia. Each page can give two hits: what matched the words, and how the page begins."""

    name = "wikipedia"
    recipient = "Wikipedia"

    def __init__(self, url: str = API_URL) -> None:
        """``url`` is the ``api.php`` that is asked."""
        self._api = ProviderClient(self.recipient, url)
        self._host = host_of(url)

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The telling words joined by OR, since the API asks for all of them otherwise. Empty for other sites."""
        if sites and not any(under(self._host, site) or under("wikipedia.org", site) for site in sites):
            return ""
        words = [w for w in _WORD.findall(plain_query(query)) if w.casefold() not in _COMMON]
        return " OR ".join(list(dict.fromkeys(words))[:WORDS])

    def hits(self, query: Query) -> Iterator[Hit]:
        """The beginning of each page, and what matched where that is something else."""
        found = self._found(query.words, query.limit, query.seconds)
        texts = {page.pageid: page for page in found.pages}
        for row in found.search:
            page = texts.get(row.pageid)
            url = canonical(page.fullurl) if page else ""
            if page is None or not self._is_page(host_of(url)):
                continue
            matched = text_of(row.snippet)
            begins = " ".join(page.extract.split())
            if begins:
                yield Hit(url, row.title, begins, self.name)
            if matched and matched not in begins:
                yield Hit(url, row.title, matched, self.name)

    def _found(self, words: str, limit: int, seconds: float) -> Found:
        """One request for both lists: what matches, and how those pages begin."""
        asked: dict[str, str | int] = {
            "action": "query", "format": "json", "formatversion": 2,
            "list": "search", "srsearch": words, "srlimit": limit, "srnamespace": 0, "srprop": "snippet",
            "generator": "search", "gsrsearch": words, "gsrlimit": limit, "gsrnamespace": 0,
            "prop": "extracts|info", "inprop": "url",
            "exintro": 1, "explaintext": 1, "exsentences": SENTENCES, "exlimit": "max",
        }  # fmt: skip
        answer = self._api.get(Answer, asked, seconds)
        if answer.error:
            if answer.error.code in ("ratelimited", "maxlag"):
                raise self._api.limited(None)
            code = " ".join(answer.error.code.split())[:60]
            raise ProviderError(f"{self.recipient}'s API refused the search ({code}).")
        return answer.query or Found()

    def _is_page(self, host: str) -> bool:
        """Whether a page is of the wiki that was asked. No other address may come in under its name."""
        return bool(host) and (host == self._host or under(host, "wikipedia.org"))
