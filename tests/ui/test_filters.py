"""What an address asks for, whatever stands in it."""

import pytest

from ghost.knowledge import Sort
from ghost.types import Status
from ghost.ui.knowledge import ACTIVE, Browsing, browsing


def test_nothing_asks_for_the_active_passages_newest_first() -> None:
    assert browsing({}) == Browsing("", ACTIVE, Sort.NEWEST, 1)
    assert browsing({"status": "any"}).filter.status is None
    assert browsing({"status": "retired"}).filter.status is Status.RETIRED


@pytest.mark.parametrize(
    "value", ["", "nonsense", "-1", "1e99", "NaN", "<script>", "٣", "9" * 400, "\x00", "2024-13-01"]
)
def test_what_cannot_be_used_is_ignored(value: str) -> None:
    names = ("status", "origin", "source_type", "sort", "page", "undated", "unused", "published_from", "published_to")
    asked = browsing(dict.fromkeys((*names, "credibility_from", "credibility_to"), value))
    assert asked == Browsing()


def test_an_empty_domain_is_none_at_all() -> None:
    assert browsing({"domain": ""}).filter.domain == ""
    assert browsing({}).filter.domain is None
    assert browsing({"domain": " NASA.gov "}).filter.domain == "nasa.gov"
