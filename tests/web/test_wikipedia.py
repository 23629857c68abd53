"""Wikipedia over a server of our own: documented answers, errors, and everything else that a network brings."""

import json

import pytest

from ghost.errors import ProviderError, RateLimitError
from ghost.web import Wikipedia
from tests.web.servers import Reply, serving

HONEY = "https://en.wikipedia.org/wiki/Honey"


def answer(**query: object) -> Reply:
    return Reply(json.dumps({"batchcomplete": True, "query": query}).encode())


FOUND = answer(
    search=[
        {"ns": 0, "title": "Honey", "pageid": 14104,
         "snippet": 'found in <span class="searchmatch">tombs</span> &amp; jars'},
        {"ns": 0, "title": "Tomb", "pageid": 7, "snippet": "a burial chamber"},
    ],
    pages=[
        {"pageid": 7, "ns": 0, "title": "Tomb", "index": 2, "extract": "A tomb is\na burial chamber.",
         "fullurl": "https://en.wikipedia.org/wiki/Tomb"},
        {"pageid": 14104, "ns": 0, "title": "Honey", "index": 1, "extract": "Honey is a sweet substance.",
         "fullurl": HONEY},
    ],
)  # fmt: skip


def test_a_search_gives_how_pages_begin_and_what_matched_in_the_engines_order() -> None:
    with serving(FOUND) as server:
        hits = Wikipedia(server.url).search("Honey was found in Egyptian tombs", (), 5, 5)
    assert [(h.url, h.snippet) for h in hits] == [
        (HONEY, "Honey is a sweet substance."),
        (HONEY, "found in tombs & jars"),
        ("https://en.wikipedia.org/wiki/Tomb", "A tomb is a burial chamber."),
    ]
    assert {h.published_at for h in hits} == {None}
    assert {h.provider for h in hits} == {"wikipedia"}


def test_it_asks_as_the_api_documents_and_says_who_it_is() -> None:
    with serving(FOUND) as server:
        found = Wikipedia(server.url)
        found.search("Honey was found in Egyptian tombs", (), 3, 5)
        asked = server.asked[0]
    assert asked.words["action"] == "query"
    assert asked.words["srsearch"] == asked.words["gsrsearch"] == "Honey OR found OR Egyptian OR tombs"
    assert asked.words["srsearch"] == found.wording("Honey was found in Egyptian tombs", ())
    assert (asked.words["srlimit"], asked.words["exsentences"]) == ("3", "3")
    assert asked.headers["User-Agent"].startswith("ghost-workbench/")


@pytest.mark.parametrize(
    ("sites", "can"),
    [((), True), (("reuters.com",), False), (("reuters.com", "wikipedia.org"), True), (("en.wikipedia.org",), True)],
)
def test_it_is_asked_only_where_its_own_pages_are_wanted(sites: tuple[str, ...], can: bool) -> None:
    assert bool(Wikipedia().wording("honey", sites)) is can


def test_words_that_the_engine_would_take_for_operators_are_only_words() -> None:
    words = Wikipedia().wording('-insource:secret "honey" AND !wax ~bees prefix:x', ())
    assert words == "insource OR secret OR honey OR wax OR bees OR prefix OR x"
    assert Wikipedia().wording("!!! ??? the of", ()) == ""


def test_a_page_of_another_site_cannot_come_in_under_its_name() -> None:
    bad = answer(
        search=[{"title": "Honey", "pageid": 1, "snippet": "x"}],
        pages=[{"pageid": 1, "extract": "Honey is plastic.", "fullurl": "https://www.reuters.com/honey"}],
    )
    with serving(bad) as server:
        assert Wikipedia(server.url).search("honey", (), 5, 5) == []


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(b'{"query": {"search": [{"title": 7}]}}'), "not what its API promises"),
        (Reply(b"\xff\xfe\x00"), "not what its API promises"),
        (Reply(b""), "not what its API promises"),
        (Reply(b'{"error": {"code": "badvalue", "info": "no"}}'), r"refused the search \(badvalue\)"),
        (Reply(b'{"error": {"code": "ratelimited"}}'), "refuses more searches"),
    ],
)
def test_a_bad_answer_is_an_error_that_says_so(reply: Reply, words: str) -> None:
    with serving(reply) as server, pytest.raises(ProviderError, match=words) as caught:
        Wikipedia(server.url).search("honey", (), 5, 5)
    assert isinstance(caught.value, RateLimitError) is ("more searches" in words)
