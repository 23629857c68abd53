"""Addresses: one canonical form, which lists a page falls under, and which addresses lead to the same page."""

import csv
from pathlib import Path

import pytest

from ghost.types import Url, UrlError, canonical, host_of, original, page_key, registrable, same_page

COPIES = Path(__file__).parent / "data" / "copies.tsv"
"""Pairs of addresses, and whether they lead to one page."""


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
    assert Url.parse(url).text == canonical(url) == form
    assert canonical(form) == form


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
    with pytest.raises(UrlError, match="not the address of a web page"):
        Url.parse(url)


def test_a_refused_address_keeps_its_password_to_itself() -> None:
    with pytest.raises(UrlError) as caught:
        Url.parse("https://me:s3cret@example.org/a?api_key=s3cret")
    assert "s3cret" not in str(caught.value)


def test_an_address_knows_its_parts() -> None:
    url = Url.parse("https://www.news.bbc.co.uk:8443/a?b=c#d")
    assert (url.scheme, url.host, url.port, url.target) == ("https", "www.news.bbc.co.uk", 8443, "/a?b=c")
    assert (url.origin, registrable(url.host)) == ("https://www.news.bbc.co.uk:8443", "bbc.co.uk")
    assert Url.parse("http://[2606:2800:220:1::1]/").origin == "http://[2606:2800:220:1::1]"
    assert registrable("1.2.3.4") == "1.2.3.4"
    assert (host_of("http://[::1"), host_of("javascript:x")) == ("", "")


def test_copies_count_as_the_page_itself() -> None:
    rows = list(csv.reader(COPIES.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    wrong = [(one, other) for one, other, same in rows if same_page(one, other) is not (same == "same")]
    assert wrong == []
    assert all(same_page(one, other) is same_page(other, one) for one, other, _ in rows)
    assert len(rows) > 40


def test_the_key_of_a_page_that_has_no_address_is_its_text() -> None:
    assert page_key("report.pdf of the office") == "report.pdf of the office"
    assert page_key("https://www.x.org/a/") == page_key("http://x.org/a#b") == Url.parse("http://x.org/a").page
    assert original("https://archive.ph/2024/https://x.org/a") == "https://x.org/a"
    assert original("https://x.org/a?utm_source=b") == "https://x.org/a?utm_source=b"
