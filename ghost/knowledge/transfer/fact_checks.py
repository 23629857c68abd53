"""Published fact-checks: schema.org's ClaimReview as feeds and pages have it, and saved answers of Google's API."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from ghost.knowledge.transfer.import_file import RowProblem
from ghost.types import NewPassage, Origin, Status, canonical
from ghost.web import Review, day_in, meaning, types_of, worded

_INSIDE = ("dataFeedElement", "item", "itemListElement", "@graph", "claimReview", "reviews", "mainEntity")
_DEPTH = 8
_UNCLEAR = "quarantined: no judge can tell what the rating “{}” means"
_WHY = {
    "claimReviewed": "is missing: which claim was checked?",
    "reviewRating": "is missing, or is a number without bestRating and worstRating",
    "url": "is missing or not a web address: nobody could look it up",
    "author": "is missing: who checked it?",
}


class _GooglePublisher(BaseModel):
    name: str = ""
    site: str = ""


class _GoogleReview(BaseModel):
    publisher: _GooglePublisher = Field(default_factory=_GooglePublisher)
    url: str = ""
    title: str = ""
    reviewDate: str = ""
    textualRating: str
    languageCode: str = ""


class _GoogleClaim(BaseModel):
    """One of ``claims`` in an answer of ``claims:search`` of Google's Fact Check Tools."""

    text: str
    claimReview: list[_GoogleReview]


def contains_review(value: Any) -> bool:
    """Whether a JSON value is a fact-check or contains any."""
    return next(reviews_in(value), None) is not None


def read_review(number: int, value: Any, latest: date | None = None) -> Iterator[NewPassage | RowProblem]:
    """A fact-check as a passage, after the problems with it. Dates after ``latest`` are not accepted."""
    if isinstance(value, dict) and "ClaimReview" in types_of(value):
        yield from _passage(number, value, latest)
    else:
        field = "@type" if isinstance(value, dict | list) else ""
        yield RowProblem(number, field, "is no ClaimReview", str(value)[:80])


def reviews_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """The ClaimReviews in a value, in order, as deep as feeds put them."""
    level: list[tuple[Any, int]] = [(value, 0)]
    while level:
        part, depth = level.pop()
        if isinstance(part, list):
            level += [(p, depth + 1) for p in reversed(part) if depth < _DEPTH]
        elif isinstance(part, dict):
            if "ClaimReview" in types_of(part):
                yield part
            elif google := list(_google_reviews(part)):
                yield from google
            elif depth < _DEPTH:
                level += [(part[name], depth + 1) for name in reversed(_INSIDE) if name in part]


def _google_reviews(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The reviews in an answer of Google's API, or in one of its claims, as schema.org writes them."""
    claims = value.get("claims") if isinstance(value.get("claims"), list) else [value]
    for item in claims or ():
        try:
            claim = _GoogleClaim.model_validate(item)
        except (ValidationError, RecursionError):
            continue
        for review in claim.claimReview:
            yield {
                "@type": "ClaimReview",
                "claimReviewed": claim.text,
                "url": review.url,
                "headline": review.title,
                "datePublished": review.reviewDate,
                "author": {"name": review.publisher.name or review.publisher.site},
                "reviewRating": {"alternateName": review.textualRating},
                "inLanguage": review.languageCode,
            }


def _passage(number: int, item: Mapping[str, Any], latest: date | None) -> Iterator[NewPassage | RowProblem]:
    try:
        read = Review.model_validate({k: v for k, v in item.items() if isinstance(k, str)})
    except (ValidationError, RecursionError):
        yield RowProblem(number, "", "cannot be read as a ClaimReview")
        return
    claim, rating = read.what(), read.rating.words()
    url, reviewer = canonical(read.url), read.author or read.publisher
    lacking = {"claimReviewed": claim, "reviewRating": rating, "url": url, "author": reviewer}
    missing = [RowProblem(number, f, _WHY[f], read.url[:80] if f == "url" else "") for f, v in lacking.items() if not v]
    if missing:
        yield from missing
        return
    published = day_in(read.published, latest)
    if read.published and published is None:
        why = "is not a day such as 2024-05-31; the row is used without it"
        yield RowProblem(number, "datePublished", why, read.published[:80], fatal=False)
    unclear = meaning(rating) is None
    yield NewPassage(
        text=worded(reviewer, claim, rating),
        source_url=url,
        title=read.headline or read.name,
        publisher=reviewer,
        origin=Origin.IMPORT,
        status=Status.QUARANTINED if unclear else Status.ACTIVE,
        language=read.language,
        published_at=published,
        note=_UNCLEAR.format(rating) if unclear else "",
    )
