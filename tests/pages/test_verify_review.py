"""The Verify page between form and run: statements that are reviewed."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import JudgeError
from ghost.types import Run
from tests.pages.visits import Patch, Use, assert_no_markup, click, finish, shown
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE, contested_run, false_run, opinion_run


def under_review(at: AppTest, text: str = "The wall is long, and it is visible.") -> AppTest:
    at.run()
    at.text_area(key="verify_claim").input(text)
    at.toggle(key="verify_review_first").set_value(True)
    click(at, "verify_check")
    assert at.title[0].value == "What will be checked"
    return at


def rows(at: AppTest) -> list[str]:
    return [area.value for area in at.text_area if area.key and area.key.startswith("verify_statement_")]


def statements(run: Run) -> list[str]:
    return [s.text for s in run.classification.statements] if run.classification else []


def test_statements_are_corrected_before_the_run_and_each_review_has_its_own(
    use: Use, tmp_path: Path, monkeypatch: Patch
) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), contested_run())
    at = under_review(use(bench))
    first, second = rows(at)
    at.text_area(key="verify_statement_1").input("The wall is 20,000 kilometres long.").run()
    click(at, "verify_statement_1_down")
    assert rows(at) == [second, "The wall is 20,000 kilometres long."]
    click(at, "verify_statement_add")
    at.text_area(key="verify_statement_3").input("It is made of stone.").run()
    click(at, "verify_statement_2_remove")
    corrected = ("The wall is 20,000 kilometres long.", "It is made of stone.")
    assert rows(at) == [*corrected]
    assert not bench.runs.kept
    at.button(key="verify_review_check").click()
    finish(at)
    run = next(iter(bench.runs.kept.values()))
    assert run.claim.statements == corrected
    assert run.classification
    assert run.classification.extracted == (first, second)
    assert [given.statements for given in bench.given if given] == [(first, second)]
    assert "The analyst corrected the statements" in shown(at)
    monkeypatch.setattr(bench, "_script", false_run())
    click(at, "verify_new")
    assert at.toggle(key="verify_review_first").value is False
    at = under_review(at, "Vaccines cause autism")
    assert rows(at) == statements(false_run())


def test_the_way_back_keeps_the_claim_and_the_corrections(use: Use, bench: ScriptedBench) -> None:
    at = under_review(use(bench))
    at.text_area(key="verify_statement_1").input("My own words.").run()
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/verify.py").run()
    assert rows(at) == ["My own words."], "also after a visit to another page"
    click(at, "verify_review_back")
    assert at.text_area(key="verify_claim").value == "The wall is long, and it is visible."
    assert at.toggle(key="verify_review_first").value is True
    assert not bench.runs.kept
    click(at, "verify_check")
    assert rows(at) == ["My own words."]
    click(at, "verify_statement_reset")
    assert rows(at) == statements(false_run())


def test_what_cannot_be_checked_can_be_given_a_statement(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), opinion_run())
    at = under_review(use(bench), "Pineapple on pizza is delicious")
    assert rows(at) == []
    assert at.button(key="verify_review_check").disabled
    assert "Nothing in it can be checked." in shown(at)
    click(at, "verify_statement_add")
    click(at, "verify_review_check")
    assert "There is no statement to check." in shown(at)
    assert not bench.runs.kept


def test_a_hostile_claim_is_text_and_one_that_cannot_be_read_leads_back(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    def fail(*_: object) -> None:
        raise JudgeError("The model gave no answer.")

    at = under_review(use(bench), HOSTILE)
    assert_no_markup(at)
    click(at, "verify_review_back")
    monkeypatch.setattr(bench, "extract", fail)
    words = shown(click(at, "verify_check"))
    assert "The claim could not be read. The model gave no answer." in words
    assert "Nothing was searched." in words
    assert_no_markup(at)
    click(at, "verify_review_back")
    assert at.title[0].value == "Check a claim"
