"""Fact-checks in the structured data of a page: wrong types, bounds, references, and who published them."""

import json
import time
from datetime import date
from typing import Any

import pytest

from ghost.web import ClaimReview, ReadPage, read, reviewer_named, reviewer_of

URL = "https://a.example/x"
GOOD: dict[str, Any] = {
    "@type": "ClaimReview",
    "claimReviewed": "The moon is made of cheese.",
    "reviewRating": {"alternateName": "False", "ratingValue": 1, "bestRating": 5, "worstRating": 1},
    "author": {"name": "Moon Desk"},
}
PERSON = {"@type": "Person", "@id": "#ann", "name": "Ann Lind", "worksFor": {"@id": "#desk"}}
DESK = {"@type": "Organization", "@id": "#desk", "name": "Moon Desk", "employee": [{"@id": "#ann"}]}


def page(*scripts: Any, body: str = "") -> ReadPage:
    written = "".join(
        f'<script type="application/ld+json">{s if isinstance(s, str) else json.dumps(s)}</script>' for s in scripts
    )
    html = f"<html lang=en><head>{written}</head><body><p>The moon was seen from the tower on Monday.</p>{body}</body>"
    found = read(html.encode("utf-8", "replace"), "text/html", URL, today=date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    return found


def reviewed(**changes: Any) -> ClaimReview | None:
    return next(iter(page({**GOOD, **changes}).claim_reviews), None)


@pytest.mark.parametrize(
    ("rating", "value"),
    [
        ({"ratingValue": 1, "bestRating": 5, "worstRating": 1}, 0.0),
        ({"ratingValue": "3,0", "bestRating": "5", "worstRating": "1"}, 0.5),
        ({"ratingValue": 5}, 1.0),
        ({"ratingValue": 1, "bestRating": 1, "worstRating": 6}, 1.0),
        ({"ratingValue": 9, "bestRating": 5, "worstRating": 1}, None),
        ({"ratingValue": -1, "bestRating": 5, "worstRating": 1}, None),
        ({"ratingValue": 1, "bestRating": 1, "worstRating": 1}, None),
        ({"ratingValue": "NaN"}, None), ({"ratingValue": "1e999"}, None), ({"ratingValue": 10**400}, None),
        ({"ratingValue": True}, None), ({"ratingValue": [[]]}, None), ({"ratingValue": {"a": "b"}}, None),
    ],
)  # fmt: skip
def test_a_rating_lies_between_its_own_ends_or_is_none(rating: dict[str, Any], value: float | None) -> None:
    found = reviewed(reviewRating={"alternateName": "Words", **rating})
    assert found
    assert found.value == value


@pytest.mark.parametrize("wrong", [None, True, 7, 1.5, [], {}, "", [[[[[[]]]]]], {"@value": {"@value": {}}}])
def test_a_property_of_a_wrong_type_is_left_out(wrong: Any) -> None:
    for name in ("author", "itemReviewed", "url", "datePublished", "inLanguage", "headline", "publisher"):
        found = reviewed(**{name: wrong})
        assert found, name
        assert (found.claim, found.rating) == ("The moon is made of cheese.", "False")


@pytest.mark.parametrize("name", ["claimReviewed", "reviewRating"])
@pytest.mark.parametrize("wrong", [None, True, [], {}, "", " \u200b "])
def test_without_claim_or_rating_there_is_no_review(name: str, wrong: Any) -> None:
    assert reviewed(**{name: wrong}) is None


@pytest.mark.parametrize(
    "written",
    [
        {"@type": "Claim", "name": "Bees sing."}, {"@type": ["Claim"], "text": "Bees sing.", "name": "Claim 12"},
        {"@type": "https://schema.org/Claim", "description": "Bees sing.", "appearance": {"url": "https://b.example"}},
        [{"@value": "Bees sing.", "@language": "en"}, {"@value": "Bienen singen.", "@language": "de"}],
        {"name": {"@value": "Bees sing."}}, {"@id": "#bees"}, [[], {"text": ["Bees sing."]}],
    ],
)  # fmt: skip
def test_the_claim_may_be_an_item(written: Any) -> None:
    item = {"@type": "Claim", "@id": "#bees", "text": "Bees sing.", "author": {"name": "Jon Velde"}}
    (found,) = page({**GOOD, "claimReviewed": written}, item).claim_reviews
    assert found.claim == "Bees sing."
    assert found.claimant in ("", "Jon Velde")


@pytest.mark.parametrize(
    "written",
    [{"@type": "SocialMediaPosting", "name": "Facebook post"}, {"@type": "Claim", "@id": "#none"},
     {"@type": "Claim", "appearance": {"name": "A post", "url": "https://b.example"}}],
)  # fmt: skip
def test_an_address_a_work_and_a_post_are_no_claim(written: Any) -> None:
    assert reviewed(claimReviewed=written) is None


def test_markup_and_invisible_characters_go_and_lengths_are_bounded() -> None:
    found = reviewed(
        claimReviewed="<b onclick=x>The moon</b> &amp; \u202e stars" + " word" * 10_000, author={"name": "N" * 10_000}
    )
    assert found
    assert found.claim.startswith("The moon & stars word")
    assert len(found.claim) <= 1_001
    assert len(found.reviewer) <= 201


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://b.example/check", "https://b.example/check"), ("/check", "https://a.example/check"),
        ("javascript:alert(1)", ""), ("data:text/html,x", ""), ("https://user@b.example/", ""), ("http://[", ""),
        ("https://b.example/ x\n", ""),
    ],
)  # fmt: skip
def test_an_address_is_one_or_none(written: str, url: str) -> None:
    found = reviewed(url=written)
    assert found
    assert found.url == url


def test_a_day_to_come_is_none() -> None:
    days = [found.reviewed_at for day in ("2030-01-01", "2020-01-01") if (found := reviewed(datePublished=day))]
    assert days == [None, date(2020, 1, 1)]


def test_reviews_are_bounded_in_number_and_depth() -> None:
    many = [{**GOOD, "claimReviewed": f"The moon is {n} years old."} for n in range(1_000)]
    assert len(page(many).claim_reviews) == 20
    assert page('{"a":' * 900 + json.dumps(GOOD) + "}" * 900).claim_reviews == ()
    assert page("[" * 100_000).claim_reviews == ()


def test_items_in_attributes_that_hold_one_another() -> None:
    (found,) = page(
        body='<div itemscope itemtype="https://schema.org/ClaimReview"><p itemprop="claimReviewed">One.</p>'
        '<p itemprop="claimReviewed">Two.</p>'
        '<div itemprop="reviewRating" itemscope><b itemprop="alternateName">False</b>'
        '</div><i itemprop="@type">Thing</i></div>'
    ).claim_reviews
    assert (found.claim, found.rating) == ("One.", "False")


@pytest.mark.parametrize("reference", [{"@id": "#ann"}, {"@id": "#ann", "@type": "Person"}, [{"@id": "#ann"}]])
def test_an_item_stands_in_place_of_its_name(reference: Any) -> None:
    assert page({"@graph": [{"@type": "NewsArticle", "author": reference}, PERSON]}, DESK).author == "Ann Lind"


def test_a_review_may_refer_to_its_rating_and_reviewer() -> None:
    review = {**GOOD, "reviewRating": {"@id": "#rating"}, "author": {"@id": "#desk"}, "url": {"@id": URL}}
    rating = {"@type": "Rating", "@id": "#rating", "alternateName": "False"}
    (found,) = page(review, [rating, DESK, {"@type": "WebPage", "@id": URL, "name": "The moon"}]).claim_reviews
    assert (found.rating, found.reviewer, found.url) == ("False", "Moon Desk", URL)


def test_broken_data_of_any_length_is_given_up_in_time() -> None:
    started = time.process_time()
    for bit in ('{"a": "b" ', '"\\', "/*", "//", "\\'", "&quot;", '{"', '", "'):
        page((bit * 60_000)[:130_000])
    assert time.process_time() - started < 8


@pytest.mark.parametrize(
    ("reviewer", "url", "known", "named"),
    [
        ("Snopes", "https://www.snopes.com/a", True, "Snopes"),
        ("", "https://www.snopes.com/a", True, "www.snopes.com"),
        ("Reuters", "https://evil.test/x", False, "evil.test (calls itself Reuters; not a known fact-checker)"),
        ("", "https://evil.test/x", False, "evil.test (not a known fact-checker)"),
        ("Reuters", "https://evil.test/x", None, "evil.test (calls itself Reuters)"),
        ("", "https://evil.test/x", None, "evil.test"), ("Snopes", "", False, "Snopes"), ("", "", None, "Somebody"),
        ("R" * 999, "https://evil.test/x", False, f"evil.test (calls itself {'R' * 100}; not a known fact-checker)"),
    ],
)  # fmt: skip
def test_a_page_that_is_no_known_fact_checker_is_named_by_its_host(
    reviewer: str, url: str, known: bool | None, named: str
) -> None:
    assert reviewer_named(reviewer, url, known) == named
    assert reviewer_of({"reviewer": reviewer, "url": url, "known": known}) == named
