"""The content agrees with itself: every claim has the pages that its label needs, and nothing is of the real world."""

import json
import re
import unicodedata
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from config import PROJECT, SOURCE_CREDIBILITY
from ghost.demo_web import DemoClaim, demo_claims
from ghost.demo_web.library import Library
from ghost.demo_web.page import DemoError
from ghost.knowledge import CredibilityBook, HostRules
from ghost.types import Label

CLAIMS = demo_claims()
LIBRARY = Library.read()
PAGES = {page.url: page for page in LIBRARY.pages}
DECIDED = [claim for claim in CLAIMS if claim.label is not Label.NOT_ENOUGH_EVIDENCE]
SEEDS = [json.loads(line) for line in (PROJECT / "packs" / "basics.jsonl").read_text(encoding="utf-8").splitlines()]


def plain(text: str) -> str:
    return " ".join(text.split())


def words(text: str) -> set[str]:
    return {w for w in re.findall(r"\w+", unicodedata.normalize("NFKD", text.casefold())) if len(w) > 3}


def test_there_are_enough_of_each_label() -> None:
    counts = Counter(claim.label for claim in CLAIMS)
    assert len(CLAIMS) >= 48
    assert counts.keys() == set(Label) - {Label.NOT_VERIFIABLE}
    assert min(counts.values()) >= 5
    assert min(counts[Label.TRUE], counts[Label.FALSE]) >= 20


def test_ids_and_claims_are_unique() -> None:
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    assert len({(claim.claim, claim.as_of) for claim in CLAIMS}) == len(CLAIMS)


@pytest.mark.parametrize("claim", DECIDED, ids=lambda c: c.id)
def test_a_decided_claim_has_pages_that_say_so(claim: DemoClaim) -> None:
    assert claim.pages
    for url, sentence in claim.pages.items():
        page = PAGES[url]
        assert page.head.search, f"{url} cannot be found"
        assert page.head.serve in ("", "pdf"), f"{url} cannot be read"
        assert plain(sentence) in plain(page.text)
        if claim.as_of:
            assert page.head.published is not None
            assert page.head.published <= claim.as_of, f"{url} is younger than the claim's day"


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c not in DECIDED], ids=lambda c: c.id)
def test_an_open_claim_has_no_page(claim: DemoClaim) -> None:
    assert not claim.pages
    assert claim.note


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.label is Label.MISLEADING], ids=lambda c: c.id)
def test_misleading_is_what_a_fact_checker_calls_misleading(claim: DemoClaim) -> None:
    checkers = HostRules(dict.fromkeys(LIBRARY.lists.fact_checkers, True))
    said = [url for url, sentence in claim.pages.items() if checkers.matches(url) and "misleading" in sentence]
    others = [url for url in claim.pages if not checkers.matches(url)]
    assert said
    assert others, "somebody must say that it is literally true"
    assert all(PAGES[url].head.review_rating == "Misleading" for url in said)


def test_a_claim_is_no_copy_of_a_sentence() -> None:
    """Else a system that only looks for equal strings would do well."""
    everything = plain(" ".join(page.text for page in LIBRARY.pages)).casefold()
    assert [c.claim for c in CLAIMS if c.claim.rstrip(".").casefold() in everything] == []


def test_facts_that_changed_are_asked_for_with_and_without_a_day() -> None:
    dated = [claim for claim in CLAIMS if claim.as_of]
    assert len(dated) >= 5
    bridge = {c.as_of: c.label for c in CLAIMS if c.id in ("bridge-still-closed", "bridge-closed-then")}
    assert bridge == {None: Label.FALSE, date(2024, 6, 1): Label.TRUE}


@pytest.mark.parametrize("seed", SEEDS, ids=lambda s: s["text"][:40])
def test_no_seed_fact_speaks_of_a_claim(seed: dict[str, str]) -> None:
    known = words(seed["text"])
    for claim in CLAIMS:
        shared = words(claim.claim) & known
        assert len(shared) < 0.5 * len(words(claim.claim)), f"{claim.id}: {shared}"


def test_no_host_is_of_the_real_web() -> None:
    assert all(host.endswith(".test") for host in LIBRARY.sites)
    real = HostRules(SOURCE_CREDIBILITY)
    assert not [host for host in LIBRARY.sites if real.matches(f"http://{host}/")]


def test_the_lists_name_sites_that_exist() -> None:
    lists = LIBRARY.lists
    for entry in (*lists.trusted, *lists.fact_checkers, *lists.credibility):
        rule = HostRules({entry: True})
        assert any(rule.matches(page.url) for page in LIBRARY.pages), entry


def test_the_lists_make_a_book_that_ranks_the_sources() -> None:
    book = CredibilityBook(LIBRARY.lists.credibility, LIBRARY.lists.fact_checkers)
    assert book.credibility("http://police.velmark-gov.test/figures/port-ansel-2024") == 0.95
    assert book.credibility("http://truth-beacon.test/dead-voters") < 0.3
    assert book.domain("http://velmark-press.test/x") == "velmark-press.test"
    assert book.source_type("http://karsovia-radio.test/fact-check/x") == "fact_checker"
    assert book.source_type("http://karsovia-radio.test/news/x") != "fact_checker"


def test_a_line_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text('{"id": "a", "claim": "b", "label": "Half true"}\n', encoding="utf-8")
    with pytest.raises(DemoError, match="Line 1"):
        demo_claims(path)
