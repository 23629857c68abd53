"""Published fact-checks, through Google Fact Check Tools.

https://developers.google.com/fact-check/tools/api/reference/rest/v1alpha1/claims/search
"""

from collections.abc import Iterable

from pydantic import BaseModel, Field

from ghost.types import canonical
from ghost.web.extract.claim_review import ClaimReview
from ghost.web.extract.dates import day_in
from ghost.web.extract.html import text_of
from ghost.web.providers.base import Engine, Hit, Query, Stage, plain_query
from ghost.web.providers.client import Failing, Maybe, Rows, Text
from ghost.web.providers.google import google_client

API_URL = "https://factchecktools.googleapis.com/v1alpha1/claims:search"
MAX_CHARS = 500
"""Of a claim or a title. Ratings are shorter."""


class Publisher(BaseModel):
    """Who reviewed."""

    name: Text = ""
    site: Text = ""


class Review(BaseModel):
    """One of ``claimReview``."""

    url: str
    publisher: Maybe[Publisher] = None
    title: Text = ""
    reviewDate: Text = ""
    textualRating: Text = ""
    languageCode: Text = ""


class Reviewed(BaseModel):
    """One of ``claims``."""

    text: Text = ""
    claimant: Text = ""
    claimReview: Rows[Review]


class Found(Failing):
    """An answer. Without any claim it is empty."""

    claims: Rows[Reviewed] = Field(default_factory=list)


class FactCheckTools(Engine):
    """Finds reviews of claims like the one asked about, by any publisher of ClaimReview."""

    name = "fact_check_tools"
    recipient = "Google Fact Check Tools"
    stages = frozenset({Stage.FACT_CHECK})

    def __init__(self, key: str, url: str = API_URL) -> None:
        self._api = google_client(self.recipient, url, key, "GHOST_FACT_CHECK_TOOLS_KEY")

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
        for claim in self._api.get(Found, {"query": query.words, "pageSize": query.limit}, query.seconds).claims:
            for row in claim.claimReview:
                review = _review(claim, row)
                yield Hit(row.url, row.title, "", self.name, review.reviewed_at, review)


def _review(claim: Reviewed, row: Review) -> ClaimReview:
    publisher = row.publisher or Publisher()
    return ClaimReview(
        claim=text_of(claim.text)[:MAX_CHARS],
        rating=text_of(row.textualRating)[:MAX_CHARS],
        reviewer=text_of(publisher.name or publisher.site)[:MAX_CHARS],
        url=canonical(row.url),
        title=text_of(row.title)[:MAX_CHARS],
        claimant=text_of(claim.claimant)[:MAX_CHARS],
        reviewed_at=day_in(row.reviewDate),
        language=text_of(row.languageCode)[:35],
    )
