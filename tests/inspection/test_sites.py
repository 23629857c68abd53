"""What the lists say of one site."""

import pytest

from ghost.inspection import Lists, standing
from ghost.knowledge import CredibilityBook
from ghost.types import SourceType

BOOK = CredibilityBook({"bbc.com": 0.8, "gov": 0.95}, ("snopes.com",))
LISTS = Lists(("bbc.com",), ("snopes.com", "bbc.com/news/reality_check"), (), ("x.com",))


def test_the_entries_that_hold_are_named() -> None:
    found = standing("https://www.bbc.com/news/reality_check/1", LISTS, BOOK)
    assert found
    assert (found.trusted, found.fact_check, found.denied) == ("bbc.com", "bbc.com/news/reality_check", "")
    assert (found.credibility, found.kept, found.host) == (0.8, True, "www.bbc.com")
    unknown = standing("blog.example.org", LISTS, BOOK)
    assert unknown
    assert (unknown.credibility, unknown.source_type, unknown.kept) == (0.5, SourceType.UNKNOWN, True)


def test_denied_and_not_allowed_sites_are_not_kept() -> None:
    denied = standing("mobile.x.com/a", LISTS, BOOK)
    assert denied
    assert (denied.denied, denied.kept) == ("x.com", False)
    narrow = Lists((), (), ("gov",), ())
    assert standing("nasa.gov", narrow, BOOK).kept  # type: ignore[union-attr]
    assert not standing("bbc.com", narrow, BOOK).kept  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "no site", "https://", "x", "https://[bad", "<script>"])
def test_what_is_no_site_is_none(text: str) -> None:
    assert standing(text, LISTS, BOOK) is None
