import json
from datetime import date
from typing import Any

import pytest

from ghost.web import ReadPage, read, types_of
from ghost.web.reviews import reviews_of
from ghost.web.schema_org import Item, items_of
from ghost.web.tree import parse

URL = "https://a.example/x"
PERSON = {"@type": "Person", "@id": "#ann", "name": "Ann Lind", "worksFor": {"@id": "#desk"}}
DESK = {"@type": "Organization", "@id": "#desk", "name": "Moon Desk", "employee": [{"@id": "#ann"}]}


def html(*scripts: Any) -> str:
    written = "".join(f'<script type="application/ld+json">{json.dumps(script)}</script>' for script in scripts)
    return f"<html lang=en><head>{written}</head><body><p>The moon was seen from the tower on Monday night.</p></body>"


def first(kind: str, *scripts: Any) -> Item:
    return next(item for item in items_of(parse(html(*scripts))) if kind in types_of(item))


@pytest.mark.parametrize("reference", [{"@id": "#ann"}, {"@id": "#ann", "@type": "Person"}, [{"@id": "#ann"}]])
def test_an_item_stands_in_place_of_its_name(reference: Any) -> None:
    article = {"@type": "NewsArticle", "author": reference}
    page = read(html({"@graph": [article, PERSON]}, DESK).encode(), "text/html", URL, today=date(2026, 1, 1))
    assert isinstance(page, ReadPage)
    assert page.author == "Ann Lind"


def test_a_review_may_refer_to_its_rating_and_reviewer() -> None:
    review = {
        "@type": "ClaimReview",
        "claimReviewed": "The moon is made of cheese.",
        "reviewRating": {"@id": "#rating"},
        "author": {"@id": "#desk"},
        "url": {"@id": URL},
    }
    rating = {"@type": "Rating", "@id": "#rating", "alternateName": "False"}
    page = {"@type": "WebPage", "@id": URL, "name": "The moon"}
    (found,) = reviews_of(items_of(parse(html(review, [rating, DESK, page]))), URL)
    assert (found.rating, found.reviewer, found.url) == ("False", "Moon Desk", URL)


def test_references_are_followed_once() -> None:
    author = first("NewsArticle", {"@type": "NewsArticle", "author": {"@id": "#ann"}}, PERSON, DESK)["author"]
    assert (author["name"], author["worksFor"]) == ("Ann Lind", {"@id": "#desk"})


@pytest.mark.parametrize("author", [{"@id": "#nobody"}, {"@id": 7}, {"@id": ""}, {"@id": ["#ann"]}, {}])
def test_a_reference_to_nothing_stays(author: Any) -> None:
    assert first("NewsArticle", {"@type": "NewsArticle", "author": author}, PERSON)["author"] == author


def test_items_that_refer_to_themselves_and_to_one_another_can_be_read() -> None:
    one = {"@type": "ClaimReview", "@id": "#one", "itemReviewed": {"@id": "#one"}, "reviewRating": {"@id": "#two"}}
    two = {"@type": "Rating", "@id": "#two", "alternateName": {"@id": "#two"}, "author": {"@type": "Thing", "x": one}}
    many = [{"@type": "Thing", "@id": f"#{n}", "x": [{"@id": f"#{m}"} for m in range(100)]} for n in range(200)]
    assert isinstance(read(html(one, two, many).encode(), "text/html", URL), ReadPage)
