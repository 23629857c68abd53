"""What is typed on the Verify page: kept until it is checked, and brought back where something took its place."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.types import Claim
from tests.pages.test_verify import finish, shown, use
from tests.ui.bench import ScriptedBench
from tests.ui.samples import false_run

__all__ = ["use"]
Use = Callable[[ScriptedBench], AppTest]
OTHER = replace(false_run(), claim=Claim("Honey never spoils", found_at="https://a.example/honey"))


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    made = ScriptedBench(Settings(data_dir=tmp_path))
    made.runs.kept[OTHER.id] = OTHER
    return made


def typed(at: AppTest) -> AppTest:
    at.run()
    at.text_area(key="verify_claim").input("Bees dance in the dark")
    at.text_area(key="verify_context").input("Said on television")
    at.date_input(key="verify_as_of").set_value(date(2024, 5, 6))
    return at.run()


def entered(at: AppTest) -> tuple[object, ...]:
    return (
        at.text_area(key="verify_claim").value, at.text_area(key="verify_context").value,
        at.date_input(key="verify_as_of").value,
    )  # fmt: skip


BEES = ("Bees dance in the dark", "Said on television", date(2024, 5, 6))


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


def test_a_look_at_an_earlier_check_leaves_what_was_typed(use: Use, bench: ScriptedBench) -> None:
    at = typed(use(bench))
    click(at, f"verify_recent_{OTHER.id}")
    assert "“Honey never spoils”" in shown(at)
    click(at, "verify_new")
    assert entered(at) == BEES


def test_a_look_at_an_earlier_check_leaves_a_pasted_article(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.segmented_control(key="verify_mode").set_value("An article").run()
    at.text_area(key="verify_article_text").input("Bees dance. They are yellow.")
    click(at, f"verify_recent_{OTHER.id}")
    click(at, "verify_new")
    assert at.text_area(key="verify_article_text").value == "Bees dance. They are yellow."
    click(at, "verify_article_list")
    assert "article" in at.query_params
    click(at, "verify_new")
    assert at.text_area(key="verify_article_text").value == ""


@pytest.mark.parametrize("review", [False, True])
def test_the_form_is_empty_after_a_check_was_started(use: Use, bench: ScriptedBench, review: bool) -> None:
    at = typed(use(bench))
    at.toggle(key="verify_review_first").set_value(review)
    at.button(key="verify_check").click()
    if review:
        at.run()
        at.button(key="verify_review_check").click()
    finish(at)
    assert "“Bees dance in the dark”" in shown(at)
    click(at, "verify_new")
    assert entered(at) == ("", "", None)
    assert at.toggle(key="verify_review_first").value is False


@pytest.mark.parametrize("by", ["example", "edit"])
def test_what_took_the_place_of_a_typed_claim_can_be_undone(use: Use, bench: ScriptedBench, by: str) -> None:
    at = typed(use(bench))
    if by == "example":
        click(at, "verify_example_1")
        assert at.text_area(key="verify_claim").value == "Vaccines cause autism"
    else:
        click(at, f"verify_recent_{OTHER.id}")
        click(at, "verify_edit")
        assert at.text_input(key="verify_found_at").value == "https://a.example/honey"
    click(at, "verify_undo")
    assert entered(at) == BEES
    assert at.text_input(key="verify_found_at").value == ""


def taken_over_while_reviewed(at: AppTest) -> None:
    """A statement is corrected, and then an earlier claim takes the place of the reviewed one."""
    at.toggle(key="verify_review_first").set_value(True)
    click(at, "verify_check")
    at.text_area(key="verify_statement_1").input("My own words.")
    at.query_params["run"] = OTHER.id
    at.run()
    click(at, "verify_edit")


def test_a_review_that_an_earlier_claim_took_the_place_of_comes_back(use: Use, bench: ScriptedBench) -> None:
    at = typed(use(bench))
    taken_over_while_reviewed(at)
    assert at.text_area(key="verify_claim").value == "Honey never spoils"
    click(at, "verify_undo")
    assert at.text_area(key="verify_statement_1").value == "My own words."


def test_statements_that_were_corrected_come_back_though_the_claim_was_not_typed(
    use: Use, bench: ScriptedBench
) -> None:
    at = use(bench).run()
    click(at, "verify_example_1")
    taken_over_while_reviewed(at)
    click(at, "verify_undo")
    assert at.text_area(key="verify_statement_1").value == "My own words."


def test_nothing_is_offered_back_where_nothing_was_typed(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    click(at, "verify_example_1")
    click(at, "verify_example_2")
    assert not [b for b in at.button if b.key == "verify_undo"]
    at.text_area(key="verify_claim").input("Water boils")
    click(at, "verify_example_1")
    click(at, "verify_undo")
    assert at.text_area(key="verify_claim").value == "Water boils"
