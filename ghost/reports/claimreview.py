"""A verdict as schema.org's ClaimReview, in the form in which fact-checkers publish theirs (JSON-LD)."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ghost.errors import ExportError
from ghost.reports.formatting import web_address
from ghost.text import one_line
from ghost.types import Kind, Label, Run, RunStatus, in_own_words

SCALE: dict[Label, int] = {Label.FALSE: 1, Label.MISLEADING: 2, Label.PARTIALLY_TRUE: 3, Label.TRUE: 5}
"""``ratingValue`` on a scale from 1 (false) to 5 (true); other labels say nothing about the claim and have none."""


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
    cited = [c for c in run.verdict.citations if c.accepted]
    if cited and not run.review.override and all(c.kind is Kind.NOTE for c in cited):
        return (
            "This verdict rests on notes of the library alone, which nobody has compared with their pages. Check them "
            "against the source, or give your own verdict with a reason."
        )
    return ""


def claim_review(run: Run, publisher: Publisher) -> str:
    """The review as JSON-LD, which can also stand inside a script element of a page.

    The analyst's verdict is its rating where there is one. Raises ExportError saying what is lacking.
    """
    if why := unpublishable(run):
        raise ExportError(why)
    if not one_line(publisher.name):
        raise ExportError(
            "A ClaimReview names who publishes it. Give the author's name, or set GHOST_PUBLISHER_NAME (and "
            "GHOST_PUBLISHER_URL)."
        )
    for place, address in (("author.url", publisher.url.strip()), ("url", publisher.page.strip())):
        if address and not _is_address(address):
            raise ExportError(
                f"The ClaimReview would not be valid: {place}: must be a web address that starts with http:// or "
                "https://. Nothing was written."
            )
    text = json.dumps(_values(run, publisher), ensure_ascii=False, indent=2)
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
    text, page = one_line(run.claim.text), run.claim.found_at or ""
    cited = {} if differs else {c.url: one_line(c.title) for c in reversed(verdict.citations)
                                if c.accepted and in_own_words(c) and _is_address(c.url)}  # fmt: skip
    return {"@context": "https://schema.org"} | _thing(
        "ClaimReview",
        url=publisher.page.strip(),
        datePublished=decided.date().isoformat(),
        author=_thing("Organization", name=one_line(publisher.name), url=publisher.url.strip()),
        claimReviewed=text,
        reviewRating=_thing(
            "Rating", ratingValue=SCALE[label], bestRating=5, worstRating=1, alternateName=label.value,
            ratingExplanation=explanation,
        ),
        itemReviewed=_thing(
            "Claim", text=text, appearance=_thing("CreativeWork", url=page) if _is_address(page) else None
        ),
        reviewBody=body,
        citation=[_thing("CreativeWork", url=url, name=title) for url, title in reversed(cited.items())],
    )  # fmt: skip


def _thing(type_: str, **values: Any) -> dict[str, Any]:
    """An object of schema.org without its empty properties."""
    return {"@type": type_} | {name: value for name, value in values.items() if value}


def _is_address(url: str) -> bool:
    try:
        return bool(web_address(url) and urlsplit(url).hostname and "@" not in urlsplit(url).netloc)
    except ValueError:
        return False
