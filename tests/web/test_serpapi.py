"""SerpApi over a server of our own, in its documented format."""

import json
from datetime import date

import pytest

from ghost.errors import ProviderBusyError, ProviderRefusedError, RateLimitError
from ghost.web import SerpApi
from tests.web.servers import Reply, serving

EMPTY = {
    "search_metadata": {"id": "1", "status": "Success"},
    "search_information": {"organic_results_state": "Fully empty"},
    "error": "Google hasn't returned any results for this query.",
}


def test_it_asks_as_documented_and_reads_the_day() -> None:
    result = {"position": 1, "link": "https://a.org/", "title": "Honey", "snippet": "It keeps.", "date": "Mar 5, 2024"}
    older = {"link": "https://b.org/", "date": "3 days ago"}
    with serving(Reply(json.dumps({"organic_results": [result, older]}).encode())) as server:
        hits = SerpApi("k", server.url).search("honey", ("bbc.com",), 7, 5)
        words = server.asked[0].words
    assert words == {
        "engine": "google", "q": "honey site:bbc.com", "num": "7", "safe": "off", "api_key": "k",
    }  # fmt: skip
    assert [(h.title, h.snippet, h.published_at) for h in hits] == [
        ("Honey", "It keeps.", date(2024, 3, 5)),
        ("", "", None),
    ]


@pytest.mark.parametrize("left_out", ["", "search_metadata", "error", "search_information"])
def test_nothing_found_comes_with_an_error_that_is_none(left_out: str) -> None:
    answer = {name: value for name, value in EMPTY.items() if name != left_out}
    with serving(Reply(json.dumps(answer).encode())) as server:
        assert SerpApi("k", server.url).search("honey", (), 5, 5) == []


def test_a_search_that_failed_there_is_a_failure_here() -> None:
    failed = Reply(json.dumps({"search_metadata": {"status": "Error"}, "error": "We couldn't."}).encode())
    with serving(failed) as server, pytest.raises(ProviderBusyError, match="could not finish"):
        SerpApi("k", server.url).search("honey", (), 5, 5)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key", ProviderRefusedError),
        (429, "Your account has run out of searches.", RateLimitError),
        (503, "We couldn't get valid results for this search. Please try again later.", ProviderBusyError),
    ],
)
def test_its_documented_errors(status: int, error: str, kind: type[Exception]) -> None:
    with serving(Reply(json.dumps({"error": error}).encode(), status)) as server, pytest.raises(kind) as caught:
        SerpApi("k", server.url).search("honey", (), 5, 5)
    assert error not in str(caught.value)
