"""Tavily over a server of our own, in its documented format."""

import json
from datetime import date

import pytest

from ghost.errors import RateLimitError
from ghost.web import Tavily
from tests.web.servers import Reply, serving


def test_it_posts_the_words_and_the_sites_apart() -> None:
    result = {"url": "https://a.org/", "title": "Honey", "content": "It keeps.", "score": 0.9,
              "published_date": "Tue, 05 Mar 2024 10:00:00 GMT"}  # fmt: skip
    with serving(Reply(json.dumps({"query": "honey", "results": [result]}).encode())) as server:
        engine = Tavily("k", server.url)
        hits = engine.search("honey", ("bbc.com", "reuters.com/fact-check"), 50, 5)
        asked = json.loads(server.asked[0].body)
        assert server.asked[0].headers["Authorization"] == "Bearer k"
    assert engine.wording("honey", ("bbc.com",)) == asked["query"] == "honey"
    assert asked["include_domains"] == ["bbc.com", "reuters.com/fact-check"]
    assert (asked["max_results"], asked["include_answer"]) == (20, False)
    assert [(h.snippet, h.published_at) for h in hits] == [("It keeps.", date(2024, 3, 5))]


@pytest.mark.parametrize("status", [432, 433])
def test_a_used_up_plan_is_a_limit(status: int) -> None:
    body = b'{"detail": {"error": "This request exceeds your plan\'s set usage limit."}}'
    with (
        serving(Reply(body, status)) as server,
        pytest.raises(RateLimitError, match="plan at Tavily allows is used up"),
    ):
        Tavily("k", server.url).search("honey", (), 5, 5)
