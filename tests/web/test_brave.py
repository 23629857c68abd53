"""Brave Search over a server of our own, in its documented format."""

import json
from datetime import date

import pytest

from ghost.errors import ProviderError, ProviderRefusedError, RateLimitError
from ghost.web import Brave
from ghost.web.brave import TERMS, WORDING_CHARS
from tests.web.servers import Reply, serving


def failure(status: int, code: str, **headers: str) -> Reply:
    error = {"id": "1", "status": status, "code": code, "detail": "hidden", "meta": {"component": "authentication"}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"type": "ErrorResponse", "error": error, "time": 1}).encode(), status, named)


def test_it_asks_as_documented_and_reads_the_day() -> None:
    result = {"type": "search_result", "url": "https://a.org/", "title": "<b>Honey</b>", "description": "It keeps.",
              "page_age": "2024-03-05T10:00:00", "age": "March 5, 2024"}  # fmt: skip
    with serving(Reply(json.dumps({"type": "search", "web": {"results": [result]}}).encode())) as server:
        hits = Brave("k", server.url).search("honey", ("bbc.com", "npr.org"), 50, 5)
        words = server.asked[0].words
    assert (words["q"], words["count"]) == ("honey (site:bbc.com OR site:npr.org)", "20")
    assert [(h.url, h.title, h.published_at) for h in hits] == [("https://a.org/", "<b>Honey</b>", date(2024, 3, 5))]


def test_an_answer_without_pages_has_no_hit() -> None:
    with serving(Reply(b'{"type": "search", "query": {"original": "honey"}}')) as server:
        assert Brave("k", server.url).search("honey", (), 5, 5) == []


def test_the_query_stays_within_what_it_accepts() -> None:
    words = Brave("k").wording("honey keeps " * 40, tuple(f"host{n}.org" for n in range(60)))
    assert len(words) <= WORDING_CHARS
    assert len(words.split()) <= TERMS
    assert words.count("site:") > 5


@pytest.mark.parametrize(
    ("remaining", "reset", "wait"),
    [
        ("0, 1500", "1, 1419704", 1.0),
        ("0, 0", "1, 1419704", 1419704.0),
        ("1, 0", "1, 1419704", 1419704.0),
        ("", "", None),
        ("0", "x", None),
        ("0, 0, 0", "1", 1.0),
    ],
)
def test_the_time_to_wait_is_that_of_the_windows_used_up(remaining: str, reset: str, wait: float | None) -> None:
    reply = failure(429, "RATE_LIMITED", X_RateLimit_Remaining=remaining, X_RateLimit_Reset=reset)
    with serving(reply) as server, pytest.raises(RateLimitError) as caught:
        Brave("k", server.url).search("honey", (), 5, 5)
    assert caught.value.retry_after == wait


@pytest.mark.parametrize(
    ("code", "kind"), [("SUBSCRIPTION_TOKEN_INVALID", ProviderRefusedError), ("VALIDATION", ProviderError)]
)
def test_a_key_that_it_does_not_know_is_a_422(code: str, kind: type[ProviderError]) -> None:
    with serving(failure(422, code)) as server, pytest.raises(kind) as caught:
        Brave("k", server.url).search("honey", (), 5, 5)
    assert type(caught.value) is kind
    assert "hidden" not in str(caught.value)
