"""A verdict as schema.org's ClaimReview, in the form in which fact-checkers publish theirs (JSON-LD)."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from ghost.errors import ExportError
from ghost.reports.formatting import web_address
from ghost.text import one_line
from ghost.types import Label, Run, RunStatus

SCALE: dict[Label, int] = {Label.FALSE: 1, Label.MISLEADING: 2, Label.PARTIALLY_TRUE: 3, Label.TRUE: 5}
"""``ratingValue`` on a scale from 1 (false) to 5 (true); other labels say nothing about the claim and have none."""
BEST, WORST = 5, 1


def _plain_address(url: str) -> str:
    if not web_address(url) or not urlsplit(url).hostname or "@" in urlsplit(url).netloc:
        raise ValueError("must be a web address that starts with http:// or https://")
    return url


Address = Annotated[str, AfterValidator(_plain_address)]
Words = Annotated[str, Field(min_length=1, max_length=100_000)]


class Thing(BaseModel):
    """What all types of schema.org share here: a property that the type does not have is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Organization(Thing):
    """Who publishes the review."""

    type: Literal["Organization", "Person"] = Field("Organization", alias="@type")
    name: Words
    url: Address | None = None


class CreativeWork(Thing):
    """A page: where the claim appeared, or what the review cites."""

    type: Literal["CreativeWork"] = Field("CreativeWork", alias="@type")
    url: Address
    name: Words | None = None


class Rating(Thing):
    """The verdict as a number and in words."""

    type: Literal["Rating"] = Field("Rating", alias="@type")
    ratingValue: int
    bestRating: int = BEST
    worstRating: int = WORST
    alternateName: Words
    """The verdict in words, which is what readers see."""
    ratingExplanation: Words | None = None

    @model_validator(mode="after")
    def _on_the_scale(self) -> "Rating":
        if not self.worstRating <= self.ratingValue <= self.bestRating:
            raise ValueError("ratingValue must lie between worstRating and bestRating")
        return self


class Claim(Thing):
    """What was reviewed."""

    type: Literal["Claim"] = Field("Claim", alias="@type")
    text: Words
    appearance: CreativeWork | None = None


class ClaimReview(Thing):
    """A published fact-check: https://schema.org/ClaimReview."""

    context: Literal["https://schema.org"] = Field("https://schema.org", alias="@context")
    type: Literal["ClaimReview"] = Field("ClaimReview", alias="@type")
    url: Address | None = None
    """The page on which the review is published."""
    datePublished: date
    author: Organization
    claimReviewed: Words
    reviewRating: Rating
    itemReviewed: Claim
    reviewBody: Words | None = None
    citation: tuple[CreativeWork, ...] = ()


@dataclass(frozen=True, slots=True)
class Publisher:
    """Who publishes a review, and where."""

    name: str = ""
    url: str = ""
    """Home page; may be empty."""
    page: str = ""
    """The page on which this review is published; may be empty."""


def unpublishable(run: Run) -> str:
    """Why a run is no ClaimReview, and what would make it one; empty when it can be published."""
    if run.status is not RunStatus.FINISHED or not run.verdict or not run.label:
        return "This check has no verdict, so there is nothing to publish. Check the claim again."
    if run.label not in SCALE:
        return (
            f"“{run.label.value}” says nothing about whether the claim is true, so it is no ClaimReview. Add sources "
            "and check again, or give your own verdict with a reason."
        )
    return ""


def claim_review(run: Run, publisher: Publisher) -> ClaimReview:
    """The review; the analyst's verdict is its rating where there is one. Raises ExportError saying what is lacking."""
    if why := unpublishable(run):
        raise ExportError(why)
    if not one_line(publisher.name):
        raise ExportError(
            "A ClaimReview names who publishes it. Give the author's name, or set GHOST_PUBLISHER_NAME (and "
            "GHOST_PUBLISHER_URL)."
        )
    try:
        return ClaimReview.model_validate(_values(run, publisher))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ExportError(
            f"The ClaimReview would not be valid: {place}: {first['msg']}. Nothing was written."
        ) from error


def json_ld(review: ClaimReview) -> str:
    """The review as JSON-LD that can also stand inside a script element of a page."""
    values = review.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=False)
    if not values["citation"]:
        del values["citation"]
    text = json.dumps(values, ensure_ascii=False, indent=2)
    # A "</script>" in a claim would end the element that the review is pasted into.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text + "\n"


def _values(run: Run, publisher: Publisher) -> dict[str, Any]:
    verdict, override = run.verdict, run.review.override
    assert verdict
    label = override.label if override else verdict.label
    decided = override.at if override else run.finished_at or run.started_at
    differs = override is not None and override.label is not verdict.label
    # The machine's explanation would argue against a verdict that the analyst has given in its place.
    body = one_line(override.reason if override and differs else verdict.explanation)
    explanation = one_line(override.reason if override and override.reason else verdict.explanation)
    text = one_line(run.claim.text)
    return {
        "url": publisher.page.strip() or None,
        "datePublished": decided.date(),
        "author": {"name": one_line(publisher.name), "url": publisher.url.strip() or None},
        "claimReviewed": text,
        "reviewRating": {
            "ratingValue": SCALE[label],
            "alternateName": label.value,
            "ratingExplanation": explanation or None,
        },
        "itemReviewed": {"text": text, "appearance": _appearance(run)},
        "reviewBody": body or None,
        "citation": () if differs else _cited(run),
    }


def _appearance(run: Run) -> dict[str, str] | None:
    page = run.claim.found_at or ""
    return {"url": page} if _is_address(page) else None


def _cited(run: Run) -> tuple[dict[str, str | None], ...]:
    """The pages that the explanation quotes, each once."""
    cited = [c for c in run.verdict.citations if c.accepted] if run.verdict else []
    pages = {c.url: one_line(c.title) or None for c in reversed(cited) if _is_address(c.url)}
    return tuple({"url": url, "name": title} for url, title in reversed(pages.items()))


def _is_address(url: str) -> bool:
    try:
        return bool(_plain_address(url))
    except ValueError:
        return False
