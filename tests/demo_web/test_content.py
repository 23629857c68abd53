"""The content agrees with itself, what is wrong is said by name, and nothing is of the real world."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from config import PROJECT, SOURCE_CREDIBILITY
from ghost.demo_web import DemoError, Library, demo_claims
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


def test_every_claim_has_the_pages_that_its_label_needs() -> None:
    counts = Counter(claim.label for claim in CLAIMS)
    assert counts.keys() == set(Label) - {Label.NOT_VERIFIABLE}
    assert min(counts.values()) >= 5
    assert min(counts[Label.TRUE], counts[Label.FALSE]) >= 20
    assert len({claim.id for claim in CLAIMS}) == len({(claim.claim, claim.as_of) for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert bool(claim.pages) is (claim in DECIDED), claim.id
        assert claim.pages or claim.note, claim.id
        for url, sentence in claim.pages.items():
            page = PAGES[url]
            assert page.head.search, f"{url} cannot be found"
            assert page.head.serve in ("", "pdf"), f"{url} cannot be read"
            assert plain(sentence) in plain(page.text), url
            if claim.as_of:
                assert page.head.published is not None, url
                assert page.head.published <= claim.as_of, f"{url} is younger than the claim's day"


def test_misleading_is_what_a_fact_checker_calls_misleading() -> None:
    checkers = HostRules(dict.fromkeys(LIBRARY.lists.fact_checkers, True))
    for claim in (c for c in CLAIMS if c.label is Label.MISLEADING):
        said = [url for url, sentence in claim.pages.items() if checkers.matches(url) and "misleading" in sentence]
        assert said, claim.id
        assert any(not checkers.matches(url) for url in claim.pages), "somebody must say that it is literally true"
        assert all(PAGES[url].head.review_rating == "Misleading" for url in said)


def test_no_seed_fact_speaks_of_a_claim() -> None:
    for seed in SEEDS:
        known = words(seed["text"])
        for claim in CLAIMS:
            shared = words(claim.claim) & known
            assert len(shared) < 0.5 * len(words(claim.claim)), f"{claim.id}: {shared}"


def test_a_claim_is_no_copy_of_a_sentence() -> None:
    """Else a system that only looks for equal strings would do well."""
    everything = plain(" ".join(page.text for page in LIBRARY.pages)).casefold()
    assert [c.claim for c in CLAIMS if c.claim.rstrip(".").casefold() in everything] == []


def test_facts_that_changed_are_asked_for_with_and_without_a_day() -> None:
    dated = [claim for claim in CLAIMS if claim.as_of]
    assert len(dated) >= 5
    bridge = {c.as_of: c.label for c in CLAIMS if c.id in ("bridge-still-closed", "bridge-closed-then")}
    assert bridge == {None: Label.FALSE, date(2024, 6, 1): Label.TRUE}


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


SITES = '{"a.test": {"name": "A"}}'
LISTS = '{"trusted": [], "fact_checkers": [], "credibility": {}}'
Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A web of one's own, from texts by path."""

    def write(**files: str) -> Path:
        (tmp_path / "a.test").mkdir(exist_ok=True)
        (tmp_path / "sites.json").write_text(files.pop("sites", SITES), encoding="utf-8")
        (tmp_path / "lists.json").write_text(files.pop("lists", LISTS), encoding="utf-8")
        for name, text in files.items():
            (tmp_path / "a.test" / f"{name}.md").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def page(body: str = "It says something.", **head: str) -> str:
    lines = {"title": "T", "kind": "report"} | head
    return "---\n" + "".join(f"{k}: {v}\n" for k, v in lines.items()) + f"---\n{body}\n"


def test_a_page_has_a_text_and_a_date_where_its_kind_wants_one() -> None:
    for found in LIBRARY.pages:
        assert found.text
        if found.head.kind == "undated":
            assert found.head.published is None
        if found.head.kind in ("agency report", "wire copy", "fact-check", "old page"):
            assert found.head.published is not None


def test_a_copy_says_nearly_the_same_and_whose_text_it_is() -> None:
    copies = [p for p in LIBRARY.pages if p.head.copy_of]
    assert len(copies) >= 12
    for copy in copies:
        original = LIBRARY.by_name[copy.head.copy_of]
        mine, theirs = set(copy.text.split()), set(original.text.split())
        assert copy.text != original.text
        assert len(mine & theirs) > 0.6 * len(mine)
        assert copy.host != original.host
        assert copy.head.credit


def test_the_copies_of_the_first_report_were_not_corrected() -> None:
    for name in ("coastline-daily.test/ferry-aground-off-skerrin", "morning-courier.test/2025/02/ferry-accident"):
        assert "Twelve people were injured" in LIBRARY.by_name[name].text
        assert "Correction" not in LIBRARY.by_name[name].text


def test_fact_checks_are_reviews() -> None:
    for found in LIBRARY.pages:
        assert bool(found.head.review_claim) == (found.head.kind == "fact-check")
        if found.head.review_claim:
            assert found.head.review_rating
            assert found.head.review_value >= 1


def test_hidden_text_is_no_text_of_the_page() -> None:
    for found in LIBRARY.pages:
        if found.head.kind == "injecting" and found.path != "wind-turbine-models":
            assert "ignore" not in found.text.casefold()
            assert "verdict" not in found.text.casefold()


@pytest.mark.parametrize("line", ["colour: red", "published: some day", "title: twice", "no colon here"])
def test_a_head_that_cannot_be_used_is_named(folder: Folder, line: str) -> None:
    text = page().replace("kind: report", f"kind: report\n{line}")
    with pytest.raises(DemoError, match=r"x\.md cannot be used"):
        Library.read(folder(x=text))


def test_an_edit_that_changes_nothing_is_a_mistake(folder: Folder) -> None:
    copy = page(body="", copy_of="a.test/one", replace="nowhere => somewhere")
    with pytest.raises(DemoError, match="nowhere"):
        Library.read(folder(one=page(), two=copy))


def test_a_copy_needs_an_original(folder: Folder) -> None:
    with pytest.raises(DemoError, match=r"a\.test/none"):
        Library.read(folder(two=page(body="", copy_of="a.test/none")))


@pytest.mark.parametrize("text", ["{", "[]", '{"a.test": {"nam": "A"}}'])
def test_a_list_that_cannot_be_used_is_named(folder: Folder, text: str) -> None:
    with pytest.raises(DemoError, match="json"):
        Library.read(folder(sites=text))
