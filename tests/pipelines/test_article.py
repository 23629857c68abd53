"""Articles from a text or an address: what is fetched, what is refused, and what to do then."""

import re
from datetime import date

import pytest

from ghost.errors import Cancelled, ClaimError
from ghost.pipelines import read_article
from ghost.web import Fetcher
from tests.web.sites import page, redirect, site

STORY = (
    b"<!doctype html><html><head><title>Bridge shut</title>"
    b'<meta property="article:published_time" content="2024-03-12"><meta property="og:site_name" content="The Gazette">'
    b"</head><body><nav><a href=/>Home</a></nav><article><h1>Bridge shut</h1>"
    b"<p>The Saltgate Bridge was closed on Monday after inspectors found cracks in two of its cables.</p>"
    b"<p>It was built in 1931 and carries 40,000 cars a day. "
    b"The repair will cost 12 million crowns, the city said on Tuesday.</p></article></body></html>"
)


def test_a_pasted_text_keeps_its_address_and_nothing_is_fetched() -> None:
    found = read_article(
        "Bridge shut\nThe bridge was closed on Monday.", "https://a.example/story#top", None, None, 1.0
    )
    assert (found.title, found.url) == ("Bridge shut", "https://a.example/story")
    assert [s.statement for s in found.checkable] == ["The bridge was closed on Monday."]


def test_the_source_of_a_page_is_read_as_the_page() -> None:
    found = read_article(STORY.decode(), "", None, None, 1.0)
    assert (found.title, found.url, found.published_at) == ("Bridge shut", "", date(2024, 3, 12))
    assert "The repair will cost 12 million crowns" in " ".join(s.statement for s in found.checkable)
    with pytest.raises(ClaimError, match="cannot be read"):
        read_article("<html><body></body></html>", "", None, None, 1.0)


def test_a_page_is_fetched_and_read_and_where_it_led_is_kept() -> None:
    told: list[str] = []
    with site({"/a": redirect("/b"), "/b": page(STORY)}) as web:
        fetcher = Fetcher(local=[(web.host, web.port)])
        found = read_article("", f"{web.url}/a", None, fetcher, 5.0, lambda what, done, total: told.append(what))
        assert found.url == f"{web.url}/b"
    assert (found.title, found.site, found.published_at) == ("Bridge shut", "The Gazette", date(2024, 3, 12))
    assert len(found.checkable) >= 2
    assert list(dict.fromkeys(told)) == [f"Fetching {web.host}", "Reading the page", "Reading its sentences"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (page(b"gone", 404), "no such page"),
        (page(b"\x89PNG\r\n\x1a\n" + b"\x00" * 400, content_type="image/png"), "could not be fetched"),
        (page(b"<html><body><script>x()</script></body></html>"), "cannot be read"),
    ],
)
def test_a_page_that_cannot_be_had_says_why_and_to_paste_the_text(answer: bytes, words: str) -> None:
    with site(answer) as web, pytest.raises(ClaimError, match=f"{words}.*paste its text"):
        read_article("", f"{web.url}/x", None, Fetcher(local=[(web.host, web.port)]), 5.0)


def test_addresses_of_this_machine_are_refused() -> None:
    with site(page(STORY)) as web, pytest.raises(ClaimError, match="could not be fetched"):
        read_article("", f"{web.url}/x", None, Fetcher(), 5.0)
    assert web.asked == []


@pytest.mark.parametrize(
    ("text", "url", "words"),
    [
        ("", "", "There is no article"),
        (" \n ", "  ", "There is no article"),
        ("", "javascript:alert(1)", "The address cannot be used"),
        ("A text.", "ftp://a.example/x", "The address cannot be used"),
        ("\x00\x01", "", "There is no sentence"),
        ("", "https://a.example/x", "web is switched off .*paste its text"),
    ],
)
def test_what_cannot_be_used_is_refused_with_what_to_do(text: str, url: str, words: str) -> None:
    with pytest.raises(ClaimError) as error:
        read_article(text, url, None, None, 1.0)
    assert re.search(words, str(error.value))


def test_fetching_can_be_stopped() -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise Cancelled("Enough.")

    with site(page(STORY)) as web, pytest.raises(Cancelled):
        read_article("", web.url, None, Fetcher(local=[(web.host, web.port)]), 5.0, stop)
