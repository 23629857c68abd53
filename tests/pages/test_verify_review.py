"""The Verify page between form and run: sites for one check, statements that are reviewed, sources as they come."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import JudgeError
from ghost.events import SourceUpdate
from ghost.types import Claim
from tests.pages.test_verify import LIVE, finish, open_page, shown, use
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE, contested_run, false_run, opinion_run

__all__ = ["use"]
Use = Callable[[ScriptedBench], AppTest]


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    return ScriptedBench(Settings(data_dir=tmp_path))


def under_review(at: AppTest, text: str = "The wall is long, and it is visible.") -> AppTest:
    at.run()
    at.text_area(key="verify_claim").input(text)
    at.toggle(key="verify_review_first").set_value(True)
    at.button(key="verify_check").click().run()
    assert not at.exception
    assert at.title[0].value == "What will be checked"
    return at


def rows(at: AppTest) -> list[str]:
    return [area.value for area in at.text_area if area.key and area.key.startswith("verify_statement_")]


def test_sites_reach_the_run_and_are_shown_with_it(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.text_input(key="verify_without").input("https://www.Example.org/blog, tabloid.example")
    at.text_input(key="verify_only").input("nasa.gov")
    at.button(key="verify_check").click()
    finish(at)
    assert bench.asked_for_sites == [(("nasa.gov",), ("example.org/blog", "tabloid.example"))]
    words = shown(at)
    assert "Sites left out: example.org/blog, tabloid.example" in words
    assert "Only these sites were searched: nasa.gov" in words


def test_what_is_no_site_is_said_and_the_form_keeps_everything(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.text_input(key="verify_without").input("javascript:alert(1)")
    at.button(key="verify_check").click().run()
    assert "“javascript:alert(1)” is not a site" in shown(at)
    assert at.text_area(key="verify_claim").value == "The wall is visible"
    assert not bench.runs.kept


def test_editing_a_run_brings_back_all_that_was_set_for_it(use: Use, bench: ScriptedBench) -> None:
    bench.search_recipients = ("DuckDuckGo",)
    settings = {"web": False, "allowed_here": ["nasa.gov"], "denied_here": ["a.example", "b.example"]}
    claim = Claim("The wall is visible", "On television", None, "https://a.example/x", ("It is visible from orbit.",))
    run = replace(false_run(), claim=claim, settings=settings)
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    at.button(key="verify_edit").click().run()
    assert at.text_area(key="verify_context").value == "On television"
    assert at.text_input(key="verify_without").value == "a.example, b.example"
    assert at.text_input(key="verify_only").value == "nasa.gov"
    assert at.toggle(key="verify_web").value is False
    at.button(key="verify_check").click().run()
    assert rows(at) == ["It is visible from orbit."]
    at.button(key="verify_statement_reset").click().run()
    assert rows(at) == [s.text for s in run.classification.statements]  # type: ignore[union-attr]


def test_statements_are_corrected_before_the_run(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), contested_run())
    at = under_review(use(bench))
    first, second = rows(at)
    at.text_area(key="verify_statement_1").input("The wall is 20,000 kilometres long.").run()
    at.button(key="verify_statement_1_down").click().run()
    assert rows(at) == [second, "The wall is 20,000 kilometres long."]
    at.button(key="verify_statement_add").click().run()
    at.text_area(key="verify_statement_3").input("It is made of stone.").run()
    at.button(key="verify_statement_2_remove").click().run()
    assert rows(at) == ["The wall is 20,000 kilometres long.", "It is made of stone."]
    assert not bench.runs.kept
    at.button(key="verify_review_check").click()
    finish(at)
    run = next(iter(bench.runs.kept.values()))
    assert run.claim.statements == ("The wall is 20,000 kilometres long.", "It is made of stone.")
    assert run.classification
    assert run.classification.extracted == (first, second)
    assert [given.statements for given in bench.given if given] == [(first, second)]
    assert "The analyst corrected the statements" in shown(at)


def test_the_way_back_from_a_review_keeps_the_claim(use: Use, bench: ScriptedBench) -> None:
    at = under_review(use(bench))
    at.button(key="verify_review_back").click().run()
    assert at.text_area(key="verify_claim").value == "The wall is long, and it is visible."
    assert at.toggle(key="verify_review_first").value is True
    assert not bench.runs.kept


def test_the_way_back_from_a_review_keeps_the_corrections(use: Use, bench: ScriptedBench) -> None:
    at = under_review(use(bench))
    at.text_area(key="verify_statement_1").input("My own words.")
    at.button(key="verify_review_back").click().run()
    at.button(key="verify_check").click().run()
    assert rows(at) == ["My own words."]
    at.button(key="verify_statement_reset").click().run()
    assert rows(at) == [s.text for s in false_run().classification.statements]  # type: ignore[union-attr]


def test_each_review_of_a_visit_has_its_own_statements(
    use: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), contested_run())
    at = under_review(use(bench))
    at.text_area(key="verify_statement_1").input("My own words.").run()
    at.button(key="verify_review_check").click()
    finish(at)
    monkeypatch.setattr(bench, "_script", false_run())
    at.button(key="verify_new").click().run()
    at = under_review(at, "Vaccines cause autism")
    found = [s.text for s in false_run().classification.statements]  # type: ignore[union-attr]
    assert rows(at) == found
    at.button(key="verify_review_check").click()
    finish(at)
    assert next(r for r in bench.runs.kept.values() if r.claim.text == "Vaccines cause autism").claim.statements == (
        *found,
    )


def test_a_review_survives_a_visit_to_another_page(use: Use, bench: ScriptedBench) -> None:
    at = under_review(use(bench))
    at.text_area(key="verify_statement_1").input("My own words.").run()
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/verify.py").run()
    assert rows(at) == ["My own words."]


def test_what_cannot_be_checked_can_be_given_a_statement(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), opinion_run())
    at = under_review(use(bench), "Pineapple on pizza is delicious")
    assert rows(at) == []
    assert at.button(key="verify_review_check").disabled
    assert "Nothing in it was found to check." in shown(at)
    at.button(key="verify_statement_add").click().run()
    at.button(key="verify_review_check").click().run()
    assert "There is no statement to check." in shown(at)
    assert not bench.runs.kept


def test_a_claim_that_cannot_be_read_says_so_and_leads_back(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise JudgeError("The model gave no answer.")

    monkeypatch.setattr(bench, "extract", fail)
    at = under_review(use(bench))
    assert "The claim could not be read. The model gave no answer." in shown(at)
    assert "Nothing was searched." in shown(at)
    at.button(key="verify_review_back").click().run()
    assert at.title[0].value == "Check a claim"


def test_sources_arrive_one_by_one_with_what_is_known_of_each(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    bench.news = (
        SourceUpdate("https://a.example/x", "First", "kept", "", "trusted"),
        SourceUpdate("https://b.example/y", "Not listed", "dropped", "not on the list of trusted sources", "trusted"),
        SourceUpdate("https://a.example/x", "First", "reading", "", "trusted"),
        SourceUpdate(
            "https://a.example/x", "First", "read", "", "trusted", 14_200, 0.62,
            ("The wall cannot be seen.", "No astronaut has seen it.", "A third quote."), "refutes", 1,
        ),
        SourceUpdate("https://c.example/z", HOSTILE, "refused", "The server has no such page (HTTP 404).", "broad"),
        SourceUpdate("javascript:alert(1)", "", "new kind of state", HOSTILE, "elsewhere", 10, 0.1, (HOSTILE,), "odd"),
    )  # fmt: skip
    at = use(bench).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.button(key="verify_check").click().run()
    for _ in range(50):
        words = shown(at.run())
        if "4 sources" in words:
            break
    assert not at.exception
    assert "4 sources** :gray[· 1 read, 4 quotes that bear on the claim" in words
    assert "First" in words
    assert "a.example" in words
    assert "Contradicts" in words
    assert "The wall cannot be seen." in words
    assert "and 1 more quote" in words
    assert "3 quotes · 14 KB · 0.62 s · from trusted sources" in words
    assert "Not fetched" in words
    assert "The server has no such page (HTTP 404)." in words
    assert "1 hit left aside: not on the list of trusted sources (1)" in words
    for element in (*at.markdown, *at.caption):
        assert not LIVE.search(element.value), element.value
    bench.gate.set()
    finish(at)


def test_a_check_that_waits_for_its_turn_says_so(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="classify")
    at = use(bench).run()
    for number in range(3):
        at.text_area(key="verify_claim").input(f"The wall is visible, number {number}")
        at.button(key="verify_check").click().run()
        if number < 2:
            at.button(key="verify_new").click().run()
    assert "It waits for its turn; 2 checks began before it." in shown(at.run())
    bench.gate.set()
    finish(at)


def test_a_hostile_claim_is_text_in_its_review(use: Use, bench: ScriptedBench) -> None:
    at = under_review(use(bench), HOSTILE)
    for element in (*at.markdown, *at.caption, *at.title):
        assert not LIVE.search(element.value), element.value
