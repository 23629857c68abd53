"""ClaimReview: only for what can be published, and valid by the fields of schema.org."""

import json
from dataclasses import replace
from typing import Any

import pytest

from ghost.errors import ExportError
from ghost.reports import Publisher, claim_review, unpublishable
from ghost.types import Intake, Kind, Label, Leaning, Override, Review, Verdict
from tests.reports.runs import NOON, TEXT, cancelled, finished

PUBLISHER = Publisher("Example Checks", "https://checks.example", "https://checks.example/wall")


def test_a_published_verdict_has_the_fields_of_schema_org() -> None:
    review = json.loads(claim_review(finished(), PUBLISHER))
    assert review == {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": "https://checks.example/wall",
        "datePublished": "2026-03-01",
        "author": {"@type": "Organization", "name": "Example Checks", "url": "https://checks.example"},
        "claimReviewed": "The Great Wall of China is visible from space.",
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": 1,
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": "False",
            "ratingExplanation": f"[1] NASA says “{TEXT}”, which contradicts the claim.",
        },
        "itemReviewed": {
            "@type": "Claim",
            "text": "The Great Wall of China is visible from space.",
            "appearance": {"@type": "CreativeWork", "url": "https://a.example/q"},
        },
        "reviewBody": f"[1] NASA says “{TEXT}”, which contradicts the claim.",
        "citation": [
            {"@type": "CreativeWork", "url": "https://www.nasa.gov/wall",
             "name": "China's Wall Less Great in View from Space"},
        ],
    }  # fmt: skip


def test_the_analysts_verdict_is_the_rating_and_its_reason_the_text() -> None:
    run = finished(review=Review(Override(1, Label.MISLEADING, "It deceives.", NOON)))
    review = json.loads(claim_review(run, PUBLISHER))
    assert review["reviewRating"]["alternateName"] == "Misleading"
    assert review["reviewRating"]["ratingValue"] == 2
    assert review["reviewBody"] == review["reviewRating"]["ratingExplanation"] == "It deceives."
    assert "citation" not in review


@pytest.mark.parametrize("differing", [{"kind": Kind.NOTE}, {"intake": Intake.ENTERED}, {"snippet": True}])
def test_only_what_was_read_is_cited(differing: dict[str, Any]) -> None:
    run = finished()
    assert run.verdict
    assert "citation" in json.loads(claim_review(run, PUBLISHER))
    cited = tuple(replace(c, **differing) for c in run.verdict.citations)
    unread = replace(run, verdict=replace(run.verdict, citations=cited))
    if differing == {"kind": Kind.NOTE}:  # of notes alone only a person makes a review
        unread = replace(unread, review=Review(Override(1, Label.FALSE, "", NOON)))
    assert "citation" not in json.loads(claim_review(unread, PUBLISHER))


def test_only_a_name_is_needed_of_the_publisher() -> None:
    review = json.loads(claim_review(finished(), Publisher("Somebody")))
    assert review["author"] == {"@type": "Organization", "name": "Somebody"}
    assert "url" not in review


@pytest.mark.parametrize(
    ("label", "leaning"),
    [
        (Label.NOT_ENOUGH_EVIDENCE, None),
        (Label.NOT_ENOUGH_EVIDENCE, Leaning(Label.TRUE, 0.55)),
        (Label.NOT_VERIFIABLE, None),
    ],
)
def test_what_cannot_be_published_says_why_and_what_would_help(label: Label, leaning: Leaning | None) -> None:
    run = finished(verdict=Verdict(label, None, "Because.", leaning=leaning))
    assert "says nothing about whether" in unpublishable(run)
    with pytest.raises(ExportError, match="verdict"):
        claim_review(run, PUBLISHER)
    confirmed = finished(verdict=run.verdict, review=Review(Override(1, Label.TRUE, "Seen it.", NOON)))
    assert unpublishable(confirmed) == ""
    undone = finished(review=Review(Override(1, Label.NOT_ENOUGH_EVIDENCE, "Not so sure.", NOON)))
    assert unpublishable(undone)


def test_a_run_without_a_verdict_is_none() -> None:
    with pytest.raises(ExportError, match="no verdict"):
        claim_review(cancelled(), PUBLISHER)


@pytest.mark.parametrize(
    ("publisher", "words"),
    [
        (Publisher(), "GHOST_PUBLISHER_NAME"),
        (Publisher(" \u200b "), "GHOST_PUBLISHER_NAME"),
        (Publisher("x", "javascript:alert(1)"), "author.url"),
        (Publisher("x", "", "https://nasa.gov@evil.example"), "url"),
        (Publisher("x", "http://[::1"), "author.url"),
    ],
)
def test_a_publisher_that_cannot_be_used_is_refused(publisher: Publisher, words: str) -> None:
    with pytest.raises(ExportError, match=words):
        claim_review(finished(), publisher)
