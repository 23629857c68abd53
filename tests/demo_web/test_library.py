"""Files become pages, copies get their text, and what is wrong is said by name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ghost.demo_web.behaviours import BEHAVIOURS
from ghost.demo_web.library import Library
from ghost.demo_web.page import DemoError

LIBRARY = Library.read()
KINDS = {
    *("agency report", "wire copy", "retraction", "corrected article", "opinion", "fact-check", "old page", "undated"),
    *("pdf", "table", "other language", "slow", "endless", "huge", "gzip bomb", "broken encoding", "redirecting"),
    *("robots forbidden", "error", "injecting", "false report", "report", "company", "long page", "rumour"),
}
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


def test_every_kind_of_page_is_there() -> None:
    assert {p.head.kind for p in LIBRARY.pages} == KINDS


def test_there_are_a_dozen_events() -> None:
    assert len({p.head.event for p in LIBRARY.pages}) >= 12


def test_every_way_to_misbehave_exists_and_is_used() -> None:
    used = {p.head.serve.split()[0] for p in LIBRARY.pages if p.head.serve}
    assert used == BEHAVIOURS.keys()


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


def test_ten_long_pages_have_five_thousand_characters_and_no_two_the_same() -> None:
    long = [p for p in LIBRARY.pages if p.head.kind == "long page"]
    assert len(long) == 10
    assert all(5_000 <= len(p.text) < 6_500 for p in long)
    sentences = [s for p in long for s in p.text.split(". ")]
    assert len(set(sentences)) > 0.98 * len(sentences)
    assert Library.read().by_name[long[0].name].text == long[0].text


def test_hidden_text_is_no_text_of_the_page() -> None:
    for found in LIBRARY.pages:
        if found.head.kind == "injecting" and found.path != "wind-turbine-models":
            assert "ignore" not in found.text.casefold()
            assert "verdict" not in found.text.casefold()


def test_a_file_without_a_head_is_named(folder: Folder) -> None:
    with pytest.raises(DemoError, match=r"bare\.md does not begin with a head"):
        Library.read(folder(bare="Just text.\n"))


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


def test_a_page_needs_a_site(folder: Folder) -> None:
    root = folder(one=page())
    (root / "b.test").mkdir()
    (root / "b.test" / "x.md").write_text(page(), encoding="utf-8")
    with pytest.raises(DemoError, match=r"b\.test/x belongs to no site"):
        Library.read(root)


@pytest.mark.parametrize("text", ["{", "[]", '{"a.test": {"nam": "A"}}'])
def test_a_list_that_cannot_be_used_is_named(folder: Folder, text: str) -> None:
    with pytest.raises(DemoError, match="json"):
        Library.read(folder(sites=text))
