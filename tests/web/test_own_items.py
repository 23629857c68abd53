import time

from ghost.web.own_items import own_items, without_others
from ghost.web.schema_org import Item

URL = "https://a.example/dam"


def test_what_stands_below_a_list_or_a_review_is_of_others() -> None:
    post = {"@type": "SocialMediaPosting"}
    listed = {"@type": "Article"}
    review = {"@type": "ClaimReview", "itemReviewed": {"@type": "Claim", "appearance": [post]}}
    items = [review, {"@type": "ItemList", "itemListElement": [{"item": listed}]}, post, listed]
    assert without_others(items) == items[:2]


def test_the_pages_own_are_known_by_address_or_headline() -> None:
    own: list[Item] = [
        {"url": URL},
        {"@id": "#article"},
        {"mainEntityOfPage": {"@id": "http://www.a.example/dam/"}},
        {"headline": " the  Dam "},
    ]
    others: list[Item] = [{"url": f"{URL}/2"}, {"@id": "https://["}, {"headline": "The other dam"}, {"url": 7}, {}]
    assert own_items([*others, *own], URL, "The dam") == own
    assert own_items([{"headline": ""}, {}], URL, "") == []


def test_items_that_hold_themselves_or_are_nested_deep_take_no_time() -> None:
    circle: Item = {"@type": "Claim"}
    circle["itemReviewed"] = [circle] * 1_000
    for _ in range(100):
        circle = {"@type": "Review", "itemReviewed": circle, "citation": [circle] * 100}
    started = time.process_time()
    assert without_others([circle]) == [circle]
    assert time.process_time() - started < 1
