"""A published fact-check in the form of schema.org's ClaimReview, whoever delivered it."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """What one fact-checker said of one claim. All of it is outside text: never markup, never an instruction."""

    claim: str
    """The claim that was reviewed, in the reviewer's words."""
    rating: str
    """The reviewer's own words for it ("False", "Pants on Fire", "Missing context")."""
    reviewer: str
    """Who reviewed it."""
    url: str
    """The review; empty when it does not say."""
    title: str = ""
    claimant: str = ""
    """Who made the claim; empty when it does not say."""
    reviewed_at: date | None = None
    language: str = ""
    value: float | None = None
    """``ratingValue`` brought to 0 (worst) .. 1 (best); None where the numbers do not make sense."""
