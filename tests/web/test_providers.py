"""Every search API over a server of our own: hits, limits, errors, hostile answers, and where keys are."""

import json
import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from ghost.errors import EnginesSilentError, ProviderBusyError, ProviderError, ProviderRefusedError, RateLimitError
from ghost.web import (
    Brave,
    ClaimReview,
    FactCheckTools,
    GooglePSE,
    SearchProvider,
    SearXNG,
    SerpApi,
    Stage,
    Tavily,
    plain_query,
)
from tests.web.servers import Asked, Reply, serving

KEY = "k3y-of-mine"
SITES = tuple(f"host{n}.org" for n in range(60))
DAY = "2024-03-05T10:00:00"


@dataclass(frozen=True)
class Api:
    """How one provider is made, and how it writes rows of (address, title, text, day)."""

    make: Callable[[str], SearchProvider]
    row: Callable[[Any, Any, Any, Any], dict[str, Any]]
    around: Callable[[list[Any]], dict[str, Any]]
    key: Callable[[Asked], str]
    """Where the key is in a request."""
    asks: dict[str, Any]
    """What it sends for "honey" on two sites and 50 hits, besides the key."""

    def answer(self, *rows: Any) -> Reply:
        return Reply(json.dumps(self.around(list(rows))).encode())


def _review(url: Any, title: Any, text: Any, day: Any) -> dict[str, Any]:
    review = {"url": url, "title": title or text, "textualRating": "False", "reviewDate": day}
    return {"text": "Honey spoils.", "claimReview": [review]}


TWO = "honey (site:bbc.com OR site:npr.org)"
APIS = {
    "searxng": Api(
        SearXNG,
        lambda u, t, s, d: {"url": u, "title": t, "content": s, "publishedDate": d, "engine": "x", "engines": ["x"]},
        lambda rows: {"query": "q", "results": rows, "unresponsive_engines": [["google", "timeout"]] if rows else []},
        lambda asked: KEY,
        {"q": TWO, "format": "json", "categories": "general", "safesearch": "0"},
    ),
    "google_pse": Api(
        lambda url: GooglePSE(KEY, "cx1", url),
        lambda u, t, s, d: {"link": u, "title": t, "snippet": s, "pagemap": {"metatags": [{"date": d}]}},
        lambda rows: {"kind": "customsearch#search", "items": rows} if rows else {},
        lambda asked: asked.headers["X-Goog-Api-Key"],
        {"q": TWO, "cx": "cx1", "num": "10", "fields": "items(link,title,snippet,pagemap/metatags)"},
    ),
    "serpapi": Api(
        lambda url: SerpApi(KEY, url),
        lambda u, t, s, d: {"position": 1, "link": u, "title": t, "snippet": s, "date": d},
        lambda rows: {"search_metadata": {"status": "Success"}, "organic_results": rows},
        lambda asked: asked.words["api_key"],
        {"engine": "google", "q": TWO, "num": "50", "safe": "off", "api_key": KEY},
    ),
    "brave": Api(
        lambda url: Brave(KEY, url),
        lambda u, t, s, d: {"url": u, "title": t, "description": s, "page_age": d, "age": "March 5, 2024"},
        lambda rows: {"type": "search"} | ({"web": {"type": "search", "results": rows}} if rows else {}),
        lambda asked: asked.headers["X-Subscription-Token"],
        {"q": TWO, "count": "20", "safesearch": "off", "text_decorations": "false", "spellcheck": "false",
         "result_filter": "web"},
    ),
    "tavily": Api(
        lambda url: Tavily(KEY, url),
        lambda u, t, s, d: {"url": u, "title": t, "content": s, "published_date": d, "score": 0.9},
        lambda rows: {"query": "q", "results": rows, "response_time": 1.0},
        lambda asked: asked.headers["Authorization"].removeprefix("Bearer "),
        {"query": "honey", "max_results": 20, "search_depth": "basic", "topic": "general", "include_answer": False,
         "include_raw_content": False, "include_images": False, "include_domains": ["bbc.com", "npr.org"]},
    ),
    "fact_check_tools": Api(
        lambda url: FactCheckTools(KEY, url),
        _review,
        lambda rows: {"claims": rows} if rows else {},
        lambda asked: asked.headers["X-Goog-Api-Key"],
        {"query": "honey", "pageSize": "50"},
    ),
}  # fmt: skip
every = pytest.mark.parametrize("name", APIS)


def raised(name: str, reply: Reply) -> ProviderError:
    with serving(reply) as server, pytest.raises(ProviderError) as caught:
        APIS[name].make(server.url).search("honey", (), 5, 5)
    return caught.value


@every
def test_it_asks_as_documented_and_the_key_goes_along(name: str) -> None:
    api = APIS[name]
    with serving(api.answer()) as server:
        assert api.make(server.url).search("honey", ("bbc.com", "npr.org"), 50, 5) == []
        asked = server.asked[0]
    assert (json.loads(asked.body) if asked.body else asked.words) == api.asks
    assert api.key(asked) == KEY
    assert KEY not in asked.path
    assert asked.headers["User-Agent"].startswith("ghost-workbench/")


@every
def test_it_is_the_provider_of_its_name_and_sends_words_only(name: str) -> None:
    engine = APIS[name].make("http://127.0.0.1:9/")
    assert engine.name == name
    assert engine.recipient
    assert engine.stages == ({Stage.FACT_CHECK} if name == "fact_check_tools" else set(Stage))
    assert engine.wording('!g "Honey" \\ -wax site:evil.example', ()) == "g Honey wax site evil.example"
    assert engine.wording("!!!", ("bbc.com",)) == ""
    assert engine.search("!!!", (), 5, 1) == []


@pytest.mark.parametrize(
    ("name", "chars", "terms"),
    [("brave", 400, 50), ("google_pse", 1_000, 32), ("serpapi", 1_000, 32), ("searxng", 480, 1_000)],
)
def test_the_query_stays_within_what_it_accepts_and_names_sites(name: str, chars: int, terms: int) -> None:
    words = APIS[name].make("http://127.0.0.1:9/").wording("honey keeps " * 40, SITES)
    assert len(words) <= chars
    assert len(words.split()) <= terms
    assert words.count("site:") > 5
    assert "(site:host0.org OR site:host1.org" in words


@every
def test_hits_come_in_order_up_to_the_limit_with_their_day(name: str) -> None:
    api = APIS[name]
    rows = [api.row(f"https://a.org/{n}", f"<b>Title</b> {n}", f"Text {n}", DAY) for n in range(5)]
    with serving(api.answer(*rows)) as server:
        hits = api.make(server.url).search("honey", (), 3, 5)
    assert [h.url for h in hits] == ["https://a.org/0", "https://a.org/1", "https://a.org/2"]
    assert [h.title for h in hits] == ["<b>Title</b> 0", "<b>Title</b> 1", "<b>Title</b> 2"]
    assert {(h.provider, h.published_at) for h in hits} == {(name, date(2024, 3, 5))}
    if name == "fact_check_tools":  # neither the claim nor the title of a review could be read as evidence
        assert {h.snippet for h in hits} == {""}
    else:
        assert [h.snippet for h in hits] == ["Text 0", "Text 1", "Text 2"]


@every
def test_a_hostile_row_stays_data_and_a_broken_one_is_left_out(name: str) -> None:
    api = APIS[name]
    rows = [
        api.row(None, "no address", "x", ""), 7, None, [], api.row({"a": 1}, "x", "x", {}),
        api.row("javascript:alert(1)", "<script>alert(1)</script>", "<img onerror=x>", 7),
        api.row("https://a.org/2", None, ["x"], "3 days ago"), api.row("https://a.org/1", "Honey", "It keeps.", None),
    ]  # fmt: skip
    with serving(api.answer(*rows)) as server:
        hits = api.make(server.url).search("honey", (), 10, 5)
    assert [h.url for h in hits] == ["javascript:alert(1)", "https://a.org/2", "https://a.org/1"]
    assert all(isinstance(h.title, str) and isinstance(h.snippet, str) for h in hits)
    assert {h.published_at for h in hits} == {None}


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
    error = raised(name, reply)
    assert type(error) is kind
    assert APIS[name].make("http://x.example").recipient.split(" at ")[0] in str(error)
    if isinstance(error, RateLimitError):
        assert error.retry_after == 9
    assert KEY not in caplog.text + "".join(traceback.format_exception(error))


@every
@pytest.mark.parametrize(
    "error",
    ["Your account has run out of searches.", {"message": "hidden", "code": "X"}, {"code": True}, ["hidden"], 7],
    ids=["text", "object", "no code", "list", "number"],
)
def test_an_error_with_the_status_of_success_is_no_empty_answer(name: str, error: object) -> None:
    assert "hidden" not in str(raised(name, Reply(json.dumps({"error": error}).encode())))


def _google(status: int, name: str, *reasons: str, old: bool = False) -> Reply:
    kind = "errors" if old else "details"
    error = {"code": status, "message": "hidden", "status": name, kind: [{"reason": r} for r in reasons]}
    return Reply(json.dumps({"error": error}).encode(), status)


def _brave(status: int, code: str, **headers: str) -> Reply:
    error = {"id": "1", "status": status, "code": code, "detail": "hidden", "meta": {"component": "authentication"}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"type": "ErrorResponse", "error": error, "time": 1}).encode(), status, named)


def _serpapi(status: int, error: str) -> Reply:
    return Reply(json.dumps({"error": error}).encode(), status)


_PLAN = b'{"detail": {"error": "hidden"}}'


@pytest.mark.parametrize(
    ("name", "reply", "kind", "words"),
    [
        ("google_pse", _google(400, "INVALID_ARGUMENT", "API_KEY_INVALID"), ProviderRefusedError, "GOOGLE_PSE_KEY"),
        ("google_pse", _google(400, "X", "keyInvalid", old=True), ProviderRefusedError, "GOOGLE_PSE_KEY"),
        ("google_pse", _google(400, "INVALID_ARGUMENT", "badRequest", old=True), ProviderError, "400"),
        ("google_pse", _google(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), ProviderRefusedError, "403"),
        ("google_pse", _google(403, "PERMISSION_DENIED", "dailyLimitExceeded", old=True), RateLimitError, "later"),
        ("google_pse", _google(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"), RateLimitError, "later"),
        ("google_pse", Reply(b'{"error": "text"}', 400), ProviderError, "400"),
        ("fact_check_tools", _google(403, "X", "quotaExceeded", old=True), RateLimitError, "later"),
        ("brave", _brave(422, "SUBSCRIPTION_TOKEN_INVALID"), ProviderRefusedError, "GHOST_BRAVE_KEY"),
        ("brave", _brave(422, "VALIDATION"), ProviderError, "422"),
        ("tavily", Reply(_PLAN, 432), RateLimitError, "plan at Tavily allows is used up"),
        ("tavily", Reply(_PLAN, 433), RateLimitError, "plan at Tavily allows is used up"),
        ("serpapi", _serpapi(401, "Invalid API key: hidden"), ProviderRefusedError, "GHOST_SERPAPI_KEY"),
        ("serpapi", _serpapi(429, "Your account has run out (hidden)."), RateLimitError, "later"),
        ("serpapi", _serpapi(503, "We couldn't (hidden)."), ProviderBusyError, "503"),
        ("serpapi", Reply(b'{"search_metadata": {"status": "Error"}, "error": "hidden"}'), ProviderBusyError, "finish"),
        ("searxng", Reply(b"", 403), ProviderRefusedError, "format json in its settings.yml"),
    ],
)
def test_its_documented_errors_say_more_than_their_status(
    name: str, reply: Reply, kind: type[ProviderError], words: str
) -> None:
    error = raised(name, reply)
    assert type(error) is kind
    assert words in str(error)
    assert "hidden" not in str(error)


@pytest.mark.parametrize(
    ("remaining", "reset", "wait"),
    [
        ("0, 1500", "1, 1419704", 1.0), ("0, 0", "1, 1419704", 1419704.0), ("1, 0", "1, 1419704", 1419704.0),
        ("", "", None), ("0", "x", None), ("0, 0, 0", "1", 1.0),
    ],
)  # fmt: skip
def test_brave_asks_to_wait_for_the_windows_used_up(remaining: str, reset: str, wait: float | None) -> None:
    error = raised("brave", _brave(429, "RATE_LIMITED", X_RateLimit_Remaining=remaining, X_RateLimit_Reset=reset))
    assert isinstance(error, RateLimitError)
    assert error.retry_after == wait


EMPTY = {
    "search_metadata": {"id": "1", "status": "Success"},
    "search_information": {"organic_results_state": "Fully empty"},
    "error": "Google hasn't returned any results for this query.",
}


@pytest.mark.parametrize("left_out", ["", "search_metadata", "error", "search_information"])
def test_an_empty_answer_of_serpapi_comes_with_an_error_that_is_none(left_out: str) -> None:
    answer = {name: value for name, value in EMPTY.items() if name != left_out}
    with serving(Reply(json.dumps(answer).encode())) as server:
        assert SerpApi("k", server.url).search("honey", (), 5, 5) == []


@pytest.mark.parametrize(
    ("pagemap", "day"),
    [
        ({"metatags": [{"article:published_time": "2024-03-05T10:00:00Z"}]}, date(2024, 3, 5)),
        ({"metatags": [{"article:published_time": "soon", "date": "2024-03-05"}]}, date(2024, 3, 5)),
        ({"metatags": [{"date": 7}]}, None), ({"metatags": []}, None), ({"metatags": "x"}, None), ("x", None),
        (None, None),
    ],
)  # fmt: skip
def test_the_day_from_google_is_the_one_the_page_gives(pagemap: object, day: date | None) -> None:
    item = {"link": "https://a.org/", "title": "Honey", "snippet": "It keeps.", "pagemap": pagemap}
    with serving(APIS["google_pse"].answer(item)) as server:
        assert [h.published_at for h in GooglePSE("k", "c", server.url).search("honey", (), 5, 5)] == [day]


@pytest.mark.parametrize(
    ("silent", "words"),
    [
        ([["google", "CAPTCHA"], ["bing", "Suspended: too many requests"]],
         "did not answer: google (CAPTCHA), bing (Suspended: too many requests)."),
        ([["duckduckgo"], "odd", [], [1, 2], ["", "x"], ["qwant\u202e\n", None]], "did not answer: duckduckgo, qwant."),
        ([[f"engine {n}", "timeout"] for n in range(7)], "engine 4 (timeout) and 2 more."),
        ([], ""), (None, ""), ("x", ""), ({"google": "timeout"}, ""), ([[]], ""),
    ],
)  # fmt: skip
def test_nothing_found_while_engines_of_a_searxng_did_not_answer_is_no_answer(silent: object, words: str) -> None:
    reply = Reply(json.dumps({"results": [], "unresponsive_engines": silent}).encode())
    if words:
        error = raised("searxng", reply)
        assert isinstance(error, EnginesSilentError)
        assert "found nothing, but" in str(error)
        assert str(error).endswith(words)
    else:
        with serving(reply) as server:
            assert SearXNG(server.url).search("honey", (), 5, 5) == []


REVIEWS = {
    "claims": [
        {
            "text": "Honey spoils <b>fast</b>", "claimant": "Facebook posts", "claimDate": "2024-03-01T00:00:00Z",
            "claimReview": [
                {"publisher": {"name": "Snopes", "site": "snopes.com"}, "url": "https://www.snopes.com/honey/",
                 "title": "Does Honey Spoil?", "reviewDate": "2024-03-05T10:00:00Z", "textualRating": "False",
                 "languageCode": "en"},
                {"publisher": None, "url": "javascript:alert(1)", "textualRating": 7},
            ],
        },
        {"text": 7, "claimReview": [{"publisher": {"site": "fullfact.org"}, "url": "https://fullfact.org/honey"}]},
        {"text": "No review"},
    ],
    "nextPageToken": "10",
}  # fmt: skip


def test_each_published_review_is_a_value() -> None:
    with serving(Reply(json.dumps(REVIEWS).encode())) as server:
        hits = FactCheckTools("k", server.url).search("honey spoils", ("snopes.com",), 5, 5)
    assert [h.review for h in hits] == [
        ClaimReview(
            "Honey spoils fast", "False", "Snopes", "https://www.snopes.com/honey/", "Does Honey Spoil?",
            "Facebook posts", date(2024, 3, 5), "en",
        ),
        ClaimReview("Honey spoils fast", "", "", "", claimant="Facebook posts"),
        ClaimReview("", "", "fullfact.org", "https://fullfact.org/honey"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Honey does not spoil.", "Honey does not spoil."),
        ('!g "honey"  \\ -wax', "g honey wax"),
        ("honey site:evil.example OR (INTITLE:wax)", "honey site evil.example or INTITLE wax"),
        ("COVID-19 is A AND B", "COVID-19 is A and B"),
        ("It rose by 5% & fell: 3 + 4", "It rose by 5% fell: 3 4"),
        ("*** !!! ", ""),
        ("honey keeps " * 100, "honey keeps " * 20 + "honey"),
        ("蜂" * 1000, "蜂" * 250),
    ],
)
def test_operators_and_redirections_are_defused_and_long_text_is_cut_at_a_word(text: str, words: str) -> None:
    assert plain_query(text) == words
