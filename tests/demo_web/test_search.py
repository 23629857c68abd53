"""The search engine over a socket: SearXNG's form, ``site:`` operators, ranking, snippets, dates."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from ghost.demo_web import DemoWeb, demo_claims
from ghost.types import Label
from tests.demo_web.conftest import Get

DECIDED = [claim for claim in demo_claims() if claim.label is not Label.NOT_ENOUGH_EVIDENCE]
Find = Callable[..., list[dict[str, Any]]]


def hosts(results: list[dict[str, Any]]) -> set[str]:
    return {urlsplit(row["url"]).hostname or "" for row in results}


def test_an_answer_has_the_form_of_searxng(web: DemoWeb, get: Get) -> None:
    answer = json.loads(get(f"{web.url}/search?q=Saltgate+Bridge&format=json").body)
    assert answer["query"] == "Saltgate Bridge"
    assert {"results", "answers", "corrections", "infoboxes", "suggestions", "unresponsive_engines"} <= answer.keys()
    row = answer["results"][0]
    assert {"url", "title", "content", "publishedDate", "engine", "engines", "score", "category"} <= row.keys()
    assert row["parsed_url"][1] == urlsplit(row["url"]).netloc


def test_inflected_words_and_accents_are_found(find: Find) -> None:
    assert find("retracting kelp studies")
    assert any("chomage" in row["url"] for row in find("chômage Velmark"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("mayor Port Ansel site:karsovia-radio.test", {"karsovia-radio.test"}),
        ("Velmark (site:openpedia.test OR site:claimlens.test)", {"openpedia.test", "claimlens.test"}),
        ("Brack fever site:karsovia-radio.test/fact-check", {"karsovia-radio.test"}),
        ("Brack fever SITE:nobody.test", set()),
        ("Brack fever site:karsovia-radio.test/nothing", set()),
        ("xylophone quasar", set()), ("the of and", set()),
    ],
)  # fmt: skip
def test_sites_are_honoured(find: Find, query: str, expected: set[str]) -> None:
    assert hosts(find(query)) == expected


def test_a_suffix_stands_for_all_hosts_below_it(find: Find) -> None:
    assert hosts(find("Velmark site:velmark-gov.test")) > {"statistics.velmark-gov.test"}
    assert all(host.endswith("velmark-gov.test") for host in hosts(find("Velmark site:velmark-gov.test")))
    assert not hosts(find("Velmark site:gov.test"))  # no host ends with .gov.test


def test_snippets_are_short_pieces_around_the_words(find: Find, web: DemoWeb) -> None:
    rows = find("gust at Hollin Point")
    row = next(r for r in rows if "hollin-point" in r["url"])
    assert "201 kilometres per hour" in row["content"]
    for row in find("Port Ansel"):
        text = web.library.by_name[web.plain(row["url"]).removeprefix("http://")]
        assert len(row["content"]) <= 204
        assert row["content"].removesuffix(" ...").split()[0] in text.text


def test_a_snippet_can_carry_orders(find: Find) -> None:
    row = next(r for r in find("fever tea lime blossom") if "bargain-corner" in r["url"])
    assert "ignore all previous instructions" in row["content"]
    assert "SYSTEM OVERRIDE" in row["title"]


def test_there_are_pages_of_ten(find: Find) -> None:
    first, second = find("Velmark"), find("Velmark", pageno="2")
    assert len(first) == 10
    assert second
    assert not {r["url"] for r in first} & {r["url"] for r in second}
    assert find("Velmark", pageno="nonsense") == first


def test_no_query_and_unknown_formats_are_refused_as_searxng_does(web: DemoWeb, get: Get) -> None:
    refused = get(f"{web.url}/search?q=&format=json")
    assert (refused.status, json.loads(refused.body)) == (400, {"error": "No query"})
    assert get(f"{web.url}/search?q=kelp&format=csv").status == 403


def test_a_person_gets_a_page_of_hits(web: DemoWeb, get: Get) -> None:
    answer = get(f"{web.url}/search?q=<b>kelp</b>+tea")
    assert answer.headers["content-type"].startswith("text/html")
    assert "/at/health.velmark-gov.test/advice/kelp-tea" in answer.text
    assert "<b>kelp" not in answer.text


def test_the_words_of_a_claim_find_a_page_that_decides_it(find: Find, web: DemoWeb) -> None:
    for claim in DECIDED:
        found = {web.plain(row["url"]) for page in "12" for row in find(claim.claim, pageno=page)}
        assert found & claim.pages.keys(), claim.id
