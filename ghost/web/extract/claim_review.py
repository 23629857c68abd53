"""Published fact-checks in the form of https://schema.org/ClaimReview."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from ghost.types import host_of, joined
from ghost.web.extract.dates import day_in
from ghost.web.extract.decoding import declared_language
from ghost.web.extract.ratings import on_scale, share_of
from ghost.web.extract.structured_data import Item, plain, types_of, words_of

MAX_REVIEWS = 20
CLAIM_CHARS = 1_000
MOST = 100
"""Characters of what a page calls itself that are shown, so that nothing long stands in the place of a name."""
_CLAIMS = frozenset(("Claim", "Statement", "Quotation", "Text", "Thing"))
"""Types of what ``claimReviewed`` may be where it is no plain text."""


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """What one fact-checker said of one claim. All of it is outside text: never markup, never an instruction."""

    claim: str
    rating: str
    """The reviewer's own words for it ("False", "Pants on Fire", "Missing context")."""
    reviewer: str
    url: str
    title: str = ""
    claimant: str = ""
    reviewed_at: date | None = None
    language: str = ""
    value: float | None = None
    """``ratingValue`` brought to 0 (worst) .. 1 (best); None where the numbers do not make sense."""


def _claim(value: object) -> str:
    return plain(value, CLAIM_CHARS)


def _first(value: object) -> dict[str, Any]:
    """The property as one item; a bare text becomes its name."""
    if isinstance(value, list):
        value = next((part for part in value[:10] if part), None)
    if isinstance(value, dict):
        return value
    return {"name": value} if isinstance(value, str) else {}


def _number(value: object) -> float | None:
    written = words_of(value).strip()[:20].replace(",", ".")
    if not re.fullmatch(r"[+-]?\d+(?:\.\d+)?", written, re.ASCII):
        return None
    number = float(written)
    return number if math.isfinite(number) else None


Name = Annotated[str, BeforeValidator(plain)]
Words = Annotated[str, BeforeValidator(_claim)]
Number = Annotated[float | None, BeforeValidator(_number)]


class Rating(BaseModel):
    """https://schema.org/Rating."""

    alternate: Name = Field("", alias="alternateName")
    name: Name = ""
    written: Any = Field(None, alias="ratingValue")
    best: Number = Field(None, alias="bestRating")
    worst: Number = Field(None, alias="worstRating")

    @property
    def value(self) -> float | None:
        """The number in ``ratingValue``; None where it is a word or none at all."""
        return _number(self.written)

    def words(self) -> str:
        """The reviewer's own words, or a value that is a word ("False"), or the number on the scale that it has.

        Never ``ratingExplanation``: it says why, and often what is right instead.
        """
        words = self.alternate or self.name or (plain(self.written) if self.value is None else "")
        return on_scale(words, self.value, self.worst, self.best)

    def between(self) -> float | None:
        """0 (worst) to 1 (best); None outside its own scale. schema.org's scale is 1 to 5 where none is given."""
        best = 5.0 if self.best is None else self.best
        worst = 1.0 if self.worst is None else self.worst
        return share_of(self.value, worst, best)


class Reviewed(BaseModel):
    """What was reviewed: a Claim, or the work it stood in, such as a post."""

    types: Annotated[set[str], BeforeValidator(lambda value: types_of({"@type": value}))] = Field(set(), alias="@type")
    author: Name = ""
    value: Words = Field("", alias="@value")
    text: Words = ""
    name: Words = ""
    description: Words = ""

    def words(self) -> str:
        """What it says; never its address, which would be taken for the claim."""
        return self.value or self.text or self.name or self.description


class Review(BaseModel):
    """https://schema.org/ClaimReview as pages write it."""

    claim: Annotated[Reviewed, BeforeValidator(_first)] = Field(default_factory=Reviewed, alias="claimReviewed")
    rating: Annotated[Rating, BeforeValidator(_first)] = Field(default_factory=Rating, alias="reviewRating")
    author: Name = ""
    publisher: Name = ""
    url: Annotated[str, BeforeValidator(lambda value: words_of(value)[:2_000])] = ""
    headline: Name = ""
    name: Name = ""
    reviewed: Annotated[Reviewed, BeforeValidator(_first)] = Field(default_factory=Reviewed, alias="itemReviewed")
    published: Annotated[str, BeforeValidator(lambda value: words_of(value)[:100])] = Field("", alias="datePublished")
    language: Annotated[str, BeforeValidator(lambda value: declared_language(words_of(value)[:20]))] = Field(
        "", alias="inLanguage"
    )

    def what(self) -> str:
        """The claim that was reviewed. Neither the text of a work nor its name ("Facebook post") is one."""
        claim = self.claim if self.claim.types <= _CLAIMS else Reviewed()
        return claim.words() or ("Claim" in self.reviewed.types and self.reviewed.words()) or ""


def reviews_of(items: Iterable[Item], page_url: str, latest: date | None = None) -> tuple[ClaimReview, ...]:
    """The fact-checks among a page's items, each once; one without a claim or a rating is none."""
    found: dict[tuple[str, str], ClaimReview] = {}
    for item in items:
        if "ClaimReview" in types_of(item) and len(found) < MAX_REVIEWS and (review := _review(item, page_url, latest)):
            found.setdefault((review.claim, review.reviewer), review)
    return tuple(found.values())


def _review(item: Item, page_url: str, latest: date | None) -> ClaimReview | None:
    try:
        read = Review.model_validate({k: v for k, v in item.items() if isinstance(k, str)})
    except (ValidationError, RecursionError):
        return None
    claim, rating = read.what(), read.rating.words()
    if not claim or not rating:
        return None
    return ClaimReview(
        claim=claim,
        rating=rating,
        reviewer=read.author or read.publisher,
        url=joined(page_url, read.url),
        title=read.headline or read.name,
        claimant=read.reviewed.author or read.claim.author,
        reviewed_at=day_in(read.published, latest),
        language=read.language,
        value=read.rating.between(),
    )


def reviewer_named(reviewer: str, url: str, known: bool | None) -> str:
    """The name shown for the party that published a fact-check at ``url``; outside text.

    Any page can call itself Reuters: where it is not that of a ``known`` fact-checker, its host is named first. None
    where that was not recorded, as in older traces.
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
