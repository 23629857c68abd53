"""SearXNG over a server of our own, in the format of its search API."""

import json
from datetime import date

import pytest

from ghost.errors import EnginesSilentError, ProviderRefusedError
from ghost.web import SearXNG
from tests.web.servers import Reply, serving

FOUND = Reply(
    json.dumps(
        {
            "query": "honey", "number_of_results": 0, "answers": [], "corrections": [], "infoboxes": [],
            "results": [
                {"url": "https://www.reuters.com/a", "title": "Honey", "content": "It keeps.", "engine": "bing",
                 "parsed_url": ["https", "www.reuters.com", "/a", "", "", ""], "template": "default.html",
                 "engines": ["bing"], "positions": [1], "score": 1.0, "category": "general",
                 "publishedDate": "2024-03-05T10:00:00"},
                {"url": "https://b.org/", "title": "Wax", "content": None, "publishedDate": None},
            ],
            "unresponsive_engines": [["google", "timeout"]],
        }
    ).encode()
)  # fmt: skip


@pytest.mark.parametrize("end", ["", "search", "search/"])
def test_it_asks_as_documented_wherever_its_page_is(end: str) -> None:
    with serving(FOUND) as server:
        hits = SearXNG(server.url + end).search("honey", ("bbc.com", "npr.org"), 5, 5)
        asked = server.asked[0]
    assert asked.path == "/search"
    assert asked.words["q"] == "honey (site:bbc.com OR site:npr.org)"
    assert asked.words["format"] == "json"
    assert [(h.url, h.snippet, h.published_at) for h in hits] == [
        ("https://www.reuters.com/a", "It keeps.", date(2024, 3, 5)), ("https://b.org/", "", None),
    ]  # fmt: skip


def test_it_is_named_by_its_host_without_a_password() -> None:
    assert SearXNG("http://me:pw@searx.example:8888/").recipient == "SearXNG at searx.example"


def test_a_refusal_says_what_to_allow() -> None:
    with (
        serving(Reply(b"", 403)) as server,
        pytest.raises(ProviderRefusedError, match=r"format json in its settings\.yml"),
    ):
        SearXNG(server.url).search("honey", (), 5, 5)


def empty(silent: object) -> Reply:
    return Reply(json.dumps({"results": [], "unresponsive_engines": silent}).encode())


def test_nothing_found_while_engines_did_not_answer_is_no_answer() -> None:
    many = [[f"engine {n}", "timeout"] for n in range(7)]
    for silent, words in (
        ([["google", "CAPTCHA"], ["bing", "Suspended: too many requests"]],
         "did not answer: google (CAPTCHA), bing (Suspended: too many requests)."),
        ([["duckduckgo"], "odd", [], [1, 2], ["", "x"], ["qwant\u202e\n", None]], "did not answer: duckduckgo, qwant."),
        (many, "engine 4 (timeout) and 2 more."),
    ):  # fmt: skip
        with serving(empty(silent)) as server, pytest.raises(EnginesSilentError) as raised:
            SearXNG(server.url).search("honey", (), 5, 5)
        assert str(raised.value).endswith(words)
        assert "found nothing, but" in str(raised.value)


@pytest.mark.parametrize("silent", [[], None, "x", {"google": "timeout"}, [[]]])
def test_nothing_found_by_engines_that_answered_is_an_answer(silent: object) -> None:
    with serving(empty(silent)) as server:
        assert SearXNG(server.url).search("honey", (), 5, 5) == []
