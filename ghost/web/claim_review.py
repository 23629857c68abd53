"""A published fact-check in the form of schema.org's ClaimReview, whoever delivered it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from ghost.web.address import host_of

MOST = 100
"""Characters of what a page calls itself that are shown, so that nothing long stands in the place of a name."""


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


def reviewer_named(reviewer: str, url: str, known: bool | None) -> str:
    """How a reader is told who published a fact-check at ``url``; outside text.

    Any page can call itself Reuters: where it is not that of a ``known`` fact-checker, its host is named first. None
    where nobody noted whether it is, as in older traces.
    """
    host = host_of(url)
    if known or not host:
        return reviewer or host or "Somebody"
    said = (f"calls itself {reviewer[:MOST]}" if reviewer else "", "not a known fact-checker" if known is False else "")
    notes = "; ".join(note for note in said if note)
    return f"{host} ({notes})" if notes else host


def reviewer_of(row: Mapping[str, Any]) -> str:
    """The same for the row of a stored trace, which another version may have written."""
    known = row.get("known")
    noted = known if isinstance(known, bool) else None
    return reviewer_named(str(row.get("reviewer") or ""), str(row.get("url") or ""), noted)
