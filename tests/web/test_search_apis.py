"""What holds for every search API with JSON answers: hits, limits, errors, hostile answers, and where keys are."""

import json
import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ghost.errors import ProviderBusyError, ProviderError, ProviderRefusedError, RateLimitError
from ghost.web import Brave, FactCheckTools, GooglePSE, SearchProvider, SearXNG, SerpApi, Tavily
from tests.web.servers import Asked, Reply, serving

KEY = "k3y-of-mine"


@dataclass(frozen=True)
class Api:
    """How one provider is made, and how an answer of its looks around rows of (address, title, text)."""

    make: Callable[[str], SearchProvider]
    row: Callable[[Any, Any, Any], dict[str, Any]]
    around: Callable[[list[Any]], dict[str, Any]]
    key: Callable[[Asked], str]
    """Where the key is in a request."""

    def answer(self, *rows: Any) -> Reply:
        return Reply(json.dumps(self.around(list(rows))).encode())


def _review(url: Any, title: Any, text: Any) -> dict[str, Any]:
    return {"text": "Honey spoils.", "claimReview": [{"url": url, "title": title or text, "textualRating": "False"}]}


APIS = {
    "searxng": Api(
        SearXNG,
        lambda u, t, s: {"url": u, "title": t, "content": s, "engine": "x"},
        lambda rows: {"query": "q", "results": rows, "unresponsive_engines": []},
        lambda asked: KEY,
    ),
    "google_pse": Api(
        lambda url: GooglePSE(KEY, "cx1", url),
        lambda u, t, s: {"link": u, "title": t, "snippet": s},
        lambda rows: {"kind": "customsearch#search", "items": rows},
        lambda asked: asked.headers["X-Goog-Api-Key"],
    ),
    "serpapi": Api(
        lambda url: SerpApi(KEY, url),
        lambda u, t, s: {"position": 1, "link": u, "title": t, "snippet": s},
        lambda rows: {"search_metadata": {"status": "Success"}, "organic_results": rows},
        lambda asked: asked.words["api_key"],
    ),
    "brave": Api(
        lambda url: Brave(KEY, url),
        lambda u, t, s: {"url": u, "title": t, "description": s},
        lambda rows: {"type": "search", "web": {"type": "search", "results": rows}},
        lambda asked: asked.headers["X-Subscription-Token"],
    ),
    "tavily": Api(
        lambda url: Tavily(KEY, url),
        lambda u, t, s: {"url": u, "title": t, "content": s, "score": 0.9},
        lambda rows: {"query": "q", "results": rows, "response_time": 1.0},
        lambda asked: asked.headers["Authorization"].removeprefix("Bearer "),
    ),
    "fact_check_tools": Api(
        lambda url: FactCheckTools(KEY, url),
        _review,
        lambda rows: {"claims": rows},
        lambda asked: asked.headers["X-Goog-Api-Key"],
    ),
}
ONE = ("https://a.org/1", "Honey keeps", "Honey keeps for years.")
every = pytest.mark.parametrize("name", APIS)


@every
def test_it_is_the_provider_of_its_name_and_sends_words_only(name: str) -> None:
    engine = APIS[name].make("http://127.0.0.1:9/")
    assert engine.name == name
    assert engine.recipient
    words = engine.wording('!g "Honey" \\ -wax site:evil.example', ())
    assert words == "g Honey wax site evil.example"
    assert engine.wording("!!!", ("bbc.com",)) == ""
    assert engine.search("!!!", (), 5, 1) == []


@every
def test_hits_come_in_order_up_to_the_limit_and_the_key_goes_along(name: str) -> None:
    api = APIS[name]
    rows = [api.row(f"https://a.org/{n}", f"Title {n}", f"Text {n}") for n in range(5)]
    with serving(api.answer(*rows)) as server:
        hits = api.make(server.url).search("honey", (), 3, 5)
        assert api.key(server.asked[0]) == KEY
        assert server.asked[0].headers["User-Agent"].startswith("ghost-workbench/")
        assert KEY not in server.asked[0].path
    assert [h.url for h in hits] == ["https://a.org/0", "https://a.org/1", "https://a.org/2"]
    assert [h.title for h in hits] == ["Title 0", "Title 1", "Title 2"]
    assert {(h.provider, h.published_at) for h in hits} == {(name, None)}


@every
def test_no_hit_is_no_error(name: str) -> None:
    with serving(APIS[name].answer()) as server:
        assert APIS[name].make(server.url).search("honey", (), 5, 5) == []


@every
def test_a_hostile_row_stays_data_and_a_broken_one_is_left_out(name: str) -> None:
    api = APIS[name]
    rows = [
        api.row(None, "no address", "x"), 7, None, [], api.row({"a": 1}, "x", "x"),
        api.row("javascript:alert(1)", "<script>alert(1)</script>", "<img onerror=x>"),
        api.row("https://a.org/2", None, ["x"]), api.row(*ONE),
    ]  # fmt: skip
    with serving(api.answer(*rows)) as server:
        hits = api.make(server.url).search("honey", (), 10, 5)
    assert [h.url for h in hits] == ["javascript:alert(1)", "https://a.org/2", "https://a.org/1"]
    assert all(isinstance(h.title, str) and isinstance(h.snippet, str) for h in hits)


@every
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(b"", 401), ProviderRefusedError),
        (Reply(b"{}", 403), ProviderRefusedError),
        (Reply(b"", 429, {"Retry-After": "9"}), RateLimitError),
        (Reply(b"<html>", 502), ProviderBusyError),
        (Reply(b"<html>Sign in to the hotel's network</html>"), ProviderError),
        (Reply(b"null"), ProviderError),
        (Reply(b" " * 10_000_000), ProviderError),
    ],
    ids=["401", "403", "429", "502", "html", "null", "10 MB"],
)
def test_a_failure_has_its_name_and_never_the_key(
    name: str, reply: Reply, kind: type[ProviderError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(reply) as server, pytest.raises(kind) as caught:
        APIS[name].make(server.url).search("honey", (), 5, 5)
    assert type(caught.value) is kind
    assert APIS[name].make("http://x.example").recipient.split(" at ")[0] in str(caught.value)
    if isinstance(caught.value, RateLimitError):
        assert caught.value.retry_after == 9
    assert KEY not in caplog.text + "".join(traceback.format_exception(caught.value))


@every
@pytest.mark.parametrize(
    "error",
    ["Your account has run out of searches.", {"message": "hidden", "code": "X"}, {"code": True}, ["hidden"], 7],
    ids=["text", "object", "no code", "list", "number"],
)
def test_an_error_with_the_status_of_success_is_no_empty_answer(name: str, error: object) -> None:
    reply = Reply(json.dumps({"error": error}).encode())
    with serving(reply) as server, pytest.raises(ProviderError) as caught:
        APIS[name].make(server.url).search("honey", (), 5, 5)
    assert "hidden" not in str(caught.value)


@every
def test_an_empty_error_is_none(name: str) -> None:
    answer = json.loads(APIS[name].answer().body)
    with serving(Reply(json.dumps(answer | {"error": None}).encode())) as server:
        assert APIS[name].make(server.url).search("honey", (), 5, 5) == []


@pytest.mark.parametrize("name", ["google_pse", "fact_check_tools"])
@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [(429, "RESOURCE_EXHAUSTED", RateLimitError), (200, "RESOURCE_EXHAUSTED", RateLimitError),
     (403, "PERMISSION_DENIED", ProviderRefusedError), (503, "UNAVAILABLE", ProviderBusyError),
     (0, "UNKNOWN", ProviderError)],
)  # fmt: skip
def test_an_error_of_google_counts_as_what_it_calls_itself(
    name: str, code: int, status: str, kind: type[ProviderError]
) -> None:
    reply = Reply(json.dumps({"error": {"code": code, "message": "hidden", "status": status}}).encode())
    with serving(reply) as server, pytest.raises(kind) as caught:
        APIS[name].make(server.url).search("honey", (), 5, 5)
    assert type(caught.value) is kind


@every
def test_rows_of_another_kind_are_an_error_and_not_no_result(name: str) -> None:
    changed = APIS[name].answer({"changed": 1}, {"changed": 2})
    with serving(changed) as server, pytest.raises(ProviderError, match="not what its API promises"):
        APIS[name].make(server.url).search("honey", (), 5, 5)
