"""Google's APIs: Programmable Search, and published fact-checks through Fact Check Tools.

The key goes into a header, so that it is in no address. https://google.aip.dev/193 documents the errors.
"""

from collections.abc import Iterable
from typing import Any

from ghost.errors import ProviderError
from ghost.types import canonical
from ghost.web.extract.claim_review import ClaimReview
from ghost.web.extract.dates import day_in
from ghost.web.extract.html import text_of
from ghost.web.providers.base import Engine, Hit, Query, Stage, plain_query
from ghost.web.providers.client import Answer, ProviderClient, text_at, with_key

PSE_URL = "https://www.googleapis.com/customsearch/v1"
FACT_CHECK_URL = "https://factchecktools.googleapis.com/v1alpha1/claims:search"
MAX_HITS = 10
MAX_CHARS = 500
_FIELDS = "items(link,title,snippet,pagemap/metatags)"
"""Nothing else is sent back. The whole of ``pagemap`` can be large."""
_DATES = ("article:published_time", "og:article:published_time", "datepublished", "date")
_SPENT = {"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "RATE_LIMIT_EXCEEDED"}


def _client(who: str, url: str, key: str, setting: str) -> ProviderClient:
    def explain(answer: Answer) -> ProviderError | None:
        parts = (answer.at("error", "details"), answer.at("error", "errors"))
        reasons = {text_at(row, "reason") for part in parts if isinstance(part, list) for row in part}
        if answer.at("error", "status") == "RESOURCE_EXHAUSTED" or reasons & _SPENT:
            return client.limited(answer.wait())  # older quotas answer with 403, as a refused key does
        if answer.status == 400 and any(r.startswith("API_KEY_") or r == "keyInvalid" for r in reasons):
            return client.refused("HTTP 400, API key not valid")
        return None

    client = ProviderClient(who, url, key, setting, "X-Goog-Api-Key", explain=explain)
    return client


class GooglePSE(Engine):
    """Searches what a Programmable Search Engine is set up to search.

    Google takes no new customers for it and has announced its end for existing ones on 1 January 2027.
    https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list
    """

    name = "google_pse"
    recipient = "Google Programmable Search"
    query_terms = 32  # Google ignores what comes after them

    def __init__(self, key: str, engine: str, url: str = PSE_URL) -> None:
        """``engine`` is the id of the search engine (``cx``)."""
        self._api = _client(self.recipient, url, key, "GHOST_GOOGLE_PSE_KEY")
        self._engine = engine

    def hits(self, query: Query) -> Iterable[Hit]:
        """The pages in the answer, each with the first of its own dates that is one."""
        asked: dict[str, str | int] = {
            "q": query.words,
            "cx": self._engine,
            "num": min(query.limit, MAX_HITS),
            "fields": _FIELDS,
        }
        for row in self._api.get(asked, query.seconds).rows("items", key="link"):
            pagemap = row.get("pagemap")
            tags = pagemap.get("metatags") if isinstance(pagemap, dict) else None
            own = tags[0] if isinstance(tags, list) and tags else {}
            days = (day_in(text_at(own, name)) for name in _DATES)
            title, snippet = text_at(row, "title"), text_at(row, "snippet")
            yield Hit(row["link"], title, snippet, self.name, next(filter(None, days), None))


class FactCheckTools(Engine):
    """Finds reviews of claims like the one asked about, by any publisher of ClaimReview.

    https://developers.google.com/fact-check/tools/api/reference/rest/v1alpha1/claims/search
    """

    name = "fact_check_tools"
    recipient = "Google Fact Check Tools"
    stages = frozenset({Stage.FACT_CHECK})

    def __init__(self, key: str, url: str = FACT_CHECK_URL) -> None:
        self._api = _client(self.recipient, url, key, "GHOST_FACT_CHECK_TOOLS_KEY")

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """The query as plain words. Sites are left out, as the API takes only one."""
        del sites
        return plain_query(query)

    def hits(self, query: Query) -> Iterable[Hit]:
        """One hit for each review.

        It has no snippet: neither the claim nor the title of a review is evidence. Read as a passage, a false claim
        speaks for itself, and so does "Does 5G spread COVID-19?" to a small model. What counts is the review as a
        value, and the page once it was read.
        """
        answer = self._api.get({"query": query.words, "pageSize": query.limit}, query.seconds)
        claims = answer.at("claims") or []
        pairs = [(c, r) for c in claims if isinstance(c, dict) for r in with_key(c.get("claimReview"), "url")]
        if claims and not pairs:
            raise answer.broken()
        for claim, row in pairs:
            review = _review(claim, row)
            yield Hit(row["url"], text_at(row, "title"), "", self.name, review.reviewed_at, review)


def _review(claim: dict[str, Any], row: dict[str, Any]) -> ClaimReview:
    def plain(part: object, name: str) -> str:
        return text_of(text_at(part, name))[:MAX_CHARS]

    publisher = row.get("publisher")
    return ClaimReview(
        claim=plain(claim, "text"),
        rating=plain(row, "textualRating"),
        reviewer=plain(publisher, "name") or plain(publisher, "site"),
        url=canonical(row["url"]),
        title=plain(row, "title"),
        claimant=plain(claim, "claimant"),
        reviewed_at=day_in(text_at(row, "reviewDate")),
        language=plain(row, "languageCode")[:35],
    )
