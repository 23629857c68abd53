"""DuckDuckGo through ddgs, over a server of our own that sends the markup of its results page."""

import time

import pytest

from ghost.errors import ProviderError, ProviderTimeoutError, RateLimitError
from ghost.web import DuckDuckGo
from tests.web.servers import Reply, serving

HEAD = "<html><head><title>honey at DuckDuckGo</title></head><body>"


def result(href: str, title: str, snippet: str) -> str:
    return (
        '<div class="result results_links results_links_deep web-result">'
        '<div class="links_main links_deep result__body">'
        f'<h2 class="result__title"><a rel="nofollow" class="result__a" href="{href}">{title}</a></h2>'
        f'<div class="result__extras"><a class="result__url" href="{href}">x</a></div>'
        f'<a class="result__snippet" href="{href}">{snippet}</a></div></div>'
    )


def page(*results: str) -> Reply:
    return Reply(f"{HEAD}{''.join(results)}</body></html>".encode(), headers={"Content-Type": "text/html"})


FOUND = page(
    result("https://www.reuters.com/honey", "Honey &amp; tombs", "<b>Honey</b> keeps for thousands of years."),
    result("https://duckduckgo.com/y.js?ad_domain=shop.example", "Buy honey", "An advertisement."),
    result(
        "//duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.bbc.com%2Fnews%2Fhoney%3Fa%3D1&amp;rut=0a1b",
        "Honey", "The BBC on honey.",
    ),
)  # fmt: skip


def test_hits_have_address_title_and_snippet_without_markup_and_advertisements() -> None:
    with serving(FOUND) as server:
        hits = DuckDuckGo(server.url).search("honey", (), 5, 5)
        assert server.asked[0].words["q"] == "honey"
    assert [(h.url, h.title, h.snippet) for h in hits] == [
        ("https://www.reuters.com/honey", "Honey & tombs", "Honey keeps for thousands of years."),
        ("https://www.bbc.com/news/honey?a=1", "Honey", "The BBC on honey."),
    ]
    assert {(h.provider, h.published_at) for h in hits} == {("ddgs", None)}


def test_the_words_that_are_sent_are_the_wording() -> None:
    with serving(FOUND) as server:
        engine = DuckDuckGo(server.url)
        engine.search('"Honey" !g site:evil.example \\ -keeps', ("bbc.com", "npr.org"), 5, 5)
        sent = server.asked[0].words["q"]
    assert sent == engine.wording('"Honey" !g site:evil.example \\ -keeps', ("bbc.com", "npr.org"))
    assert sent == "Honey g site evil.example keeps (site:bbc.com OR site:npr.org)"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"duckduckgo", 202),
        Reply(b"duckduckgo", 429),
        Reply(b"", 403),
        Reply(HEAD.encode() + b'<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>'),
    ],
    ids=["202", "429", "403", "puzzle"],
)
def test_a_refusal_is_named_although_the_library_hides_it(reply: Reply) -> None:
    with serving(reply) as server, pytest.raises(RateLimitError, match="refuses searches"):
        DuckDuckGo(server.url).search("honey", (), 5, 5)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(b"duckduckgo", 500), "HTTP 500"),
        (Reply(b"<html>Sign in to the hotel's network</html>"), "no page of DuckDuckGo"),
        (Reply(b""), "no page of DuckDuckGo"),
        (Reply(b"\x00\xff" * 500), "no page of DuckDuckGo"),
        (Reply(b"duckduckgo " * 400_000), "no page of DuckDuckGo"),
    ],
)
def test_a_bad_answer_is_an_error_that_says_so(reply: Reply, words: str) -> None:
    with serving(reply) as server, pytest.raises(ProviderError, match=words):
        DuckDuckGo(server.url).search("honey", (), 5, 5)


def test_a_slow_answer_is_given_up() -> None:
    started = time.monotonic()
    with serving(Reply(FOUND.body, wait=20)) as server, pytest.raises(ProviderTimeoutError, match="in time"):
        DuckDuckGo(server.url).search("honey", (), 5, 1)
    assert time.monotonic() - started < 5
