"""Google Programmable Search over a server of our own, in the format of the Custom Search JSON API."""

import json
from datetime import date

import pytest

from ghost.errors import ProviderError, ProviderRefusedError, RateLimitError
from ghost.web import GooglePSE
from ghost.web.google_pse import TERMS
from tests.web.servers import Reply, serving


def found(*pagemaps: object) -> Reply:
    items = [{"link": "https://a.org/", "title": "Honey", "snippet": "It keeps.", "pagemap": p} for p in pagemaps]
    return Reply(json.dumps({"items": items}).encode())


def failure(status: int, name: str, *reasons: str, old: bool = False) -> Reply:
    kind = "errors" if old else "details"
    error = {"code": status, "message": "hidden", "status": name, kind: [{"reason": r} for r in reasons]}
    return Reply(json.dumps({"error": error}).encode(), status)


def test_it_asks_as_documented() -> None:
    with serving(Reply(b"{}")) as server:
        assert GooglePSE("k", "cx1", server.url).search("honey", (), 50, 5) == []
        words = server.asked[0].words
    assert (words["q"], words["cx"], words["num"]) == ("honey", "cx1", "10")
    assert "items(" in words["fields"]
    assert "key" not in words


def test_sites_are_asked_for_as_far_as_google_heeds_them() -> None:
    words = GooglePSE("k", "cx1").wording("one two three " * 20, tuple(f"host{n}.org" for n in range(40)))
    assert len(words.split()) <= TERMS
    assert words.count("site:") == 8
    assert words.count("(site:host0.org OR site:host1.org") == 1


@pytest.mark.parametrize(
    ("pagemap", "day"),
    [
        ({"metatags": [{"article:published_time": "2024-03-05T10:00:00Z"}]}, date(2024, 3, 5)),
        ({"metatags": [{"article:published_time": "soon", "date": "2024-03-05"}]}, date(2024, 3, 5)),
        ({"metatags": [{"date": 7}]}, None),
        ({"metatags": []}, None),
        ({"metatags": "x"}, None),
        ("x", None),
        (None, None),
    ],
)
def test_the_day_is_the_one_the_page_gives(pagemap: object, day: date | None) -> None:
    with serving(found(pagemap)) as server:
        assert [h.published_at for h in GooglePSE("k", "c", server.url).search("honey", (), 5, 5)] == [day]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failure(400, "INVALID_ARGUMENT", "API_KEY_INVALID"), ProviderRefusedError),
        (failure(400, "INVALID_ARGUMENT", "keyInvalid", old=True), ProviderRefusedError),
        (failure(400, "INVALID_ARGUMENT", "badRequest", old=True), ProviderError),
        (failure(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), ProviderRefusedError),
        (failure(403, "PERMISSION_DENIED", "dailyLimitExceeded", old=True), RateLimitError),
        (failure(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"), RateLimitError),
        (Reply(b'{"error": "text"}', 400), ProviderError),
    ],
)
def test_its_errors_say_more_than_their_status(reply: Reply, kind: type[ProviderError]) -> None:
    with serving(reply) as server, pytest.raises(kind) as caught:
        GooglePSE("k", "c", server.url).search("honey", (), 5, 5)
    assert type(caught.value) is kind
    assert "hidden" not in str(caught.value)
    assert ("GHOST_GOOGLE_PSE_KEY" in str(caught.value)) is (kind is ProviderRefusedError)
