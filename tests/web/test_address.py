"""Addresses from outside: which are usable, and which lists they fall under."""

import pytest

from ghost.knowledge import HostRules
from ghost.web import canonical, same_page
from ghost.web.address import under


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("https://www.BBC.com/News", "https://www.bbc.com/News"),
        (" http://bbc.com:80/a#b ", "http://bbc.com/a"),
        ("https://bbc.com:8443/a?x=1&y=ü", "https://bbc.com:8443/a?x=1&y=%C3%BC"),
        ("https://bbc.com./a", "https://bbc.com/a"),
        ("https://de.wikipedia.org/wiki/Müller", "https://de.wikipedia.org/wiki/M%C3%BCller"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://bbc.com/news/../sport", "https://bbc.com/sport"),
        ("https://bbc.com/news/%2e%2e/sport", "https://bbc.com/sport"),
        ("https://bbc.com/news/a/../", "https://bbc.com/news/"),
        ("https://bbc.com/news/a/..", "https://bbc.com/news/"),
        ("https://bbc.com/../..", "https://bbc.com/"),
        ("https://bbc.com/a/..%2fb", "https://bbc.com/b"),
        ("https://bbc.com/wait...what", "https://bbc.com/wait...what"),
        ("https://bbc.com/what...now%2Fthen/", "https://bbc.com/what...now%2Fthen/"),
        ("https://bbc.com/1..2//3/", "https://bbc.com/1..2//3/"),
        ("https://bbc.com/...", "https://bbc.com/..."),
        ("https://bbc.com/%6Eew%73/%7Ea%2D1%2Fb%25%62", "https://bbc.com/news/~a-1%2Fb%25b"),
        ("https://bbc.com/./news/././a.b/.c/.", "https://bbc.com/news/a.b/.c/"),
        ("https://bbc.com/%2E/news/%2e", "https://bbc.com/news/"),
        ("https://bbc.com/%2%45/news/%%32e", "https://bbc.com/news/"),
        ("https://[2001:db8::1]/", "https://[2001:db8::1]/"),
    ],
)
def test_usable_addresses_get_one_form(url: str, form: str) -> None:
    assert canonical(url) == form


@pytest.mark.parametrize(
    "url",
    [
        "", "bbc.com", "ftp://bbc.com/", "javascript:alert(1)", "data:text/html,x", "https://", "https:///path",
        "https://bbc.com@evil.example/", "https://user:pw@bbc.com/", "https://evil.example\\@bbc.com/",
        "https://bbc.com/a b", "https://bbc.com/\u202etxt", "https://bbc.com:99999/", "https://bbc.com:x/",
        "https://a\u200db.example/",
        "https://[::1", "https://bbc..com/", "https://<b>.com/", "https://bbc.com/" + "a" * 2000,
    ],
)  # fmt: skip
def test_others_are_refused(url: str) -> None:
    assert canonical(url) == ""


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://reuters.com/world", True),
        ("https://www.reuters.com/", True),
        ("https://notreuters.com/", False),
        ("https://reuters.com.evil.example/", False),
        ("https://evil.example/reuters.com", False),
        ("https://evil.example/?u=https://reuters.com", False),
        ("https://rеuters.com/", False),  # a Cyrillic letter
        ("https://bbc.com/news/reality_check/1", True),
        ("https://bbc.com/news/reality_check", True),
        ("https://bbc.com/news/reality_checkers", False),
        ("https://bbc.com/news/reality_check/../../sport", False),
        ("https://bbc.com/news/reality_check/%2e%2e/%2E%2E/sport", False),
        ("https://bbc.com/sport", False),
        ("https://bbc.com/%6Eews/./reality%5Fcheck/1", True),
        ("https://bbc.com/./news/reality_check", True),
        ("https://bbc.com/news;v=1/reality_check;a=b;c/1", True),
        ("https://bbc.com/news/reality_check;v=1", True),
        ("https://bbc.com/news/reality_check%3Bv=1", False),
        ("https://bbc.com/;news/reality_check", False),
        ("https://xn--bcher-kva.example/a", True),
        ("https://bücher.example/a", True),
        ("https://strasse.example/a", True),
        ("https://straße.example/a", False),
    ],
)
def test_a_list_holds_host_suffixes_and_paths(url: str, inside: bool) -> None:
    rules = HostRules(
        dict.fromkeys(("reuters.com", "bbc.com/news/reality_check", "bücher.example", "strasse.example"), True)
    )
    assert rules.matches(canonical(url)) is inside


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.x.org/a/", "http://x.org/a", True),
        ("https://x.org/a?utm_source=b&id=1", "https://x.org/a?id=1#top", True),
        ("https://x.org/a?id=1&b=2", "https://x.org/a?b=2&id=1", True),
        ("https://x.org/a?id=1", "https://x.org/a?id=2", False),
        ("https://x.org/a", "https://x.org/b", False),
        ("https://x.org/caf%C3%A9", "https://x.org/café", True),
        ("", "", False),
        ("nonsense", "nonsense", False),
    ],
)
def test_one_page_under_several_addresses(one: str, other: str, same: bool) -> None:
    assert same_page(one, other) is same


def test_a_host_is_under_an_entry_on_label_borders() -> None:
    assert under("en.wikipedia.org", "wikipedia.org/wiki")
    assert not under("notwikipedia.org", "wikipedia.org")


def test_an_address_without_its_scheme_is_the_same_page() -> None:
    assert same_page("example.org/a", "https://www.example.org/a/?utm=1")
    assert not same_page("example.org/a", "https://www.example.org/b")
    assert not same_page("", "")
