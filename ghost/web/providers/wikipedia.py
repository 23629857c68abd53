"""Wikipedia through MediaWiki's API."""

import re
from collections.abc import Iterator

from ghost.errors import ProviderError
from ghost.types import canonical, host_of, under
from ghost.web.extract.html import text_of
from ghost.web.providers.base import Engine, Hit, Query, plain_query
from ghost.web.providers.client import Answer, ProviderClient, text_at

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
