import json
from datetime import date
from typing import Any

import pytest

from ghost.web.reviews import CLAIM_CHARS, NAME_CHARS, reviews_of
from ghost.web.schema_org import items_of
from ghost.web.tree import parse

GOOD: dict[str, Any] = {
    "@type": "ClaimReview",
    "claimReviewed": "The moon is made of cheese.",
    "reviewRating": {"alternateName": "False", "ratingValue": 1, "bestRating": 5, "worstRating": 1},
    "author": {"name": "Moon Desk"},
}
URL = "https://a.example/x"


def reviewed(**changes: Any) -> Any:
    found = reviews_of([{**GOOD, **changes}], URL, date(2026, 1, 1))
    return found[0] if found else None


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
        ({"ratingValue": "NaN"}, None),
        ({"ratingValue": "1e999"}, None),
        ({"ratingValue": 10**400}, None),
        ({"ratingValue": True}, None),
        ({"ratingValue": [[]]}, None),
        ({"ratingValue": {"a": "b"}}, None),
    ],
)
def test_a_rating_lies_between_its_own_ends_or_is_none(rating: dict[str, Any], value: float | None) -> None:
    assert reviewed(reviewRating={"alternateName": "Words", **rating}).value == value


@pytest.mark.parametrize("wrong", [None, True, 7, 1.5, [], {}, "", [[[[[[]]]]]], {"@value": {"@value": {}}}])
@pytest.mark.parametrize(
    "name", ["author", "itemReviewed", "url", "datePublished", "inLanguage", "headline", "publisher"]
)
def test_a_property_of_a_wrong_type_is_left_out(name: str, wrong: Any) -> None:
    found = reviewed(**{name: wrong})
    assert found.claim == "The moon is made of cheese."
    assert found.rating == "False"


@pytest.mark.parametrize("name", ["claimReviewed", "reviewRating"])
@pytest.mark.parametrize("wrong", [None, True, [], {}, "", " \u200b "])
def test_without_claim_or_rating_there_is_no_review(name: str, wrong: Any) -> None:
    assert reviewed(**{name: wrong}) is None


def test_markup_and_invisible_characters_go_and_lengths_are_bounded() -> None:
    found = reviewed(
        claimReviewed="<b onclick=x>The moon</b> &amp; <script>alert(1)</script>\u202e stars" + " word" * 10_000,
        author={"name": "N" * 10_000},
    )
    assert found.claim.startswith("The moon & stars word")
    assert len(found.claim) <= CLAIM_CHARS + 1
    assert len(found.reviewer) <= NAME_CHARS + 1


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://b.example/check", "https://b.example/check"),
        ("/check", "https://a.example/check"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("https://user@b.example/", ""),
        ("http://[", ""),
        ("https://b.example/ x\n", ""),
    ],
)
def test_an_address_is_one_or_none(written: str, url: str) -> None:
    assert reviewed(url=written).url == url


@pytest.mark.parametrize("words", ["<![x[ y", "<!", "</", "&#0;", "&#x110000;", "<" * 5_000, "\ud800"])
def test_words_that_a_parser_stumbles_over(words: str) -> None:
    assert reviewed(headline=words).claim == "The moon is made of cheese."


def test_a_day_to_come_is_none() -> None:
    assert reviewed(datePublished="2030-01-01").reviewed_at is None
    assert reviewed(datePublished="2020-01-01").reviewed_at == date(2020, 1, 1)


@pytest.mark.parametrize(
    "kind", ["ClaimReview", "https://schema.org/ClaimReview", "schema:ClaimReview", ["Review", "ClaimReview"]]
)
def test_names_of_the_type(kind: Any) -> None:
    assert reviewed(**{"@type": kind})


def found_in(script: str) -> int:
    root = parse(f'<html><head><script type="application/ld+json">{script}</script></head><body>x</body></html>')
    return len(reviews_of(items_of(root), URL))


@pytest.mark.parametrize(
    "script",
    [
        json.dumps(GOOD),
        json.dumps([[GOOD]]),
        json.dumps({"@graph": [{"x": {"y": [GOOD]}}]}),
        json.dumps({"@type": "WebPage", "mainEntity": GOOD}),
        "<!-- " + json.dumps(GOOD) + " -->",
        "//<![CDATA[\n" + json.dumps(GOOD) + "\n//]]>",
        json.dumps(GOOD) + ";",
        json.dumps(GOOD)[:-1] + ",}",
        json.dumps({"@type": "WebSite"}) + json.dumps(GOOD),
        json.dumps(GOOD).replace("is made", "is\n\tmade"),
        json.dumps(GOOD) + '{"@type": "broken',
    ],
)
def test_data_is_found_however_it_is_wrapped(script: str) -> None:
    assert found_in(script) == 1


@pytest.mark.parametrize(
    "script", ["", "null", "7", '"x"', "{", "[" * 100_000, '{"@type":"ClaimReview"', "undefined", "\x00"]
)
def test_data_that_is_none_is_none(script: str) -> None:
    assert found_in(script) == 0


def test_what_is_nested_a_thousand_deep_is_not_followed() -> None:
    assert found_in('{"a":' * 900 + json.dumps(GOOD) + "}" * 900) == 0


def test_a_thousand_reviews_are_bounded() -> None:
    many = [{**GOOD, "claimReviewed": f"The moon is {n} years old."} for n in range(1_000)]
    assert found_in(json.dumps(many)) == 20


def test_items_in_attributes_that_hold_one_another() -> None:
    root = parse(
        '<div itemscope itemtype="https://schema.org/ClaimReview"><p itemprop="claimReviewed">One.</p>'
        '<p itemprop="claimReviewed">Two.</p>'
        '<div itemprop="reviewRating" itemscope><b itemprop="alternateName">False</b>'
        '</div><i itemprop="@type">Thing</i></div>'
    )
    (found,) = reviews_of(items_of(root), URL)
    assert (found.claim, found.rating) == ("One.", "False")
