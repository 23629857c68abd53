"""The Cases page: empty, filled, and over records that fail."""

import pytest

from ghost.errors import StoreError
from ghost.records import RunStore
from ghost.types import Label
from tests.pages.sections import Page, assert_plain, at_address, elsewhere_and_back, keys, page
from tests.pages.visits import Patch, click, shown, turn_to
from tests.records.kept import keep
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE

__all__ = ["page"]


@pytest.fixture(autouse=True)
def _runs(bench: ScriptedBench) -> None:
    bench.runs = RunStore(bench.database)  # type: ignore[assignment]
    keep(bench.database, "r1", "The wall is visible.")
    keep(bench.database, "r2", "Honey keeps.", Label.TRUE, minutes=1)
    keep(bench.database, "r3", "It broke off.", None, minutes=2)


def test_a_case_is_created_deleted_found_and_opened(page: Page, bench: ScriptedBench) -> None:
    at = page("cases")
    assert at.title[0].value == "Cases"
    assert "No cases yet" in shown(at)
    click(at, "cases_new")
    click(at, "cases_new_keep")
    assert "a case needs a name" in shown(at)
    at.text_input(key="cases_new_name").input("Walls")
    at.text_area(key="cases_new_notes").input("All about walls.")
    click(at, "cases_new_keep")
    walls = bench.cases.list()[0]
    assert (walls.name, walls.notes) == ("Walls", "All about walls.")
    assert at.query_params["case"] == walls.id
    assert at.title[0].value == "Walls"
    elsewhere_and_back(at, "cases")
    assert at.title[0].value == "Walls"  # still open after another page
    click(at, "cases_delete")
    assert "case" not in at.query_params
    assert "was deleted" in shown(at)
    click(at, "cases_undo")
    assert at.title[0].value == "Walls"
    click(at, "cases_delete")
    at_address(at, case=walls.id)
    assert "This case was deleted." in shown(at)
    click(at, "cases_restore")
    food = bench.cases.create("Food")
    bench.cases.add(food.id, ["r2"])
    click(at, "cases_back")
    assert "2 cases" in shown(at)
    at.text_input(key="cases_query").input("honey").run()
    assert keys(at, "cases_open_") == [f"cases_open_{food.id}"]
    at.text_input(key="cases_query").input("nothing of the kind").run()
    assert "No case has these words" in shown(at)
    at.text_input(key="cases_query").input("").run()
    click(at, f"cases_open_{walls.id}")
    assert at.title[0].value == "Walls"
    at_address(at, case="<b>nonsense</b>")
    assert "This case is not here" in at.title[0].value
    assert "<b>nonsense</b>" in shown(at)
    assert click(at, "cases_back").title[0].value == "Cases"


def test_checks_are_added_removed_and_exported(page: Page, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls")
    bench.reviews.override("r1", Label.MISLEADING, "It deceives.")
    at = page("cases", case=case.id)
    assert "No checks yet." in shown(at)
    at.text_input(key=f"cases_find_{case.id}").input("WALL").run()
    assert keys(at, "cases_add_") == ["cases_add_r1"]
    click(at, "cases_add_r1")
    assert "Misleading**] :gray[(yours; Ghost: False)]" in shown(at)
    assert "No other check has these words." in shown(at)
    click(at, "cases_out_r1")
    assert bench.cases.runs(case.id) == []
    click(at, "cases_undo")
    assert [r.id for r in bench.cases.runs(case.id)] == ["r1"]
    click(at, "cases_prepare")
    assert [d.label for d in at.get("download_button")] == ["Download (0.0 MB)"]
    bench.cases.add(case.id, ["r3"])
    at.run()
    assert not at.get("download_button")  # it is of an older state
    assert at.button(key="cases_prepare")


def test_name_and_notes_are_changed_with_undo_and_those_of_two_tabs_are_both_kept(
    page: Page, bench: ScriptedBench
) -> None:
    case = bench.cases.create("Walls", "Old notes.")
    at = page("cases", case=case.id)
    click(at, "cases_rename")
    at.text_input(key="cases_rename_name").input("Great walls")
    click(at, "cases_rename_keep")
    assert at.title[0].value == "Great walls"
    bench.cases.change(case.id, notes="Notes of another tab.")
    click(at, "cases_undo")
    kept = bench.cases.list()[0]
    assert (kept.name, kept.notes) == ("Walls", "Notes of another tab.") == (at.title[0].value, at.text_area[0].value)
    at.text_area[0].input("New notes.")
    click(at, "cases_add_r1")
    assert at.text_area[0].value == "New notes."
    click(at, "cases_notes_save")
    assert bench.cases.list()[0].notes == "New notes."
    click(at, "cases_undo")
    assert bench.cases.list()[0].notes == "Notes of another tab."
    bench.cases.change(case.id, notes="Theirs.")
    at.text_area[0].input("Mine.")
    click(at, "cases_notes_save")
    assert bench.cases.list()[0].notes == "Theirs.\n\nMine." == at.text_area[0].value
    assert "had changed in another tab. Both versions are kept" in shown(at)
    click(at, "cases_undo")
    assert bench.cases.list()[0].notes == "Theirs." == at.text_area[0].value
    at.text_area[0].input("Theirs. Mine.").run()
    bench.cases.change(case.id, notes="Later.")
    at.run()
    assert at.text_area[0].value == "Theirs. Mine."
    assert "Saving keeps both versions." in shown(at)
    bench.cases.delete(case.id)
    click(at, "cases_notes_save")
    click(at, "cases_restore")
    assert at.text_area[0].value == "Theirs. Mine."  # what cannot be saved stays in the field
    assert bench.cases.list()[0].notes == "Later."


def test_long_lists_are_paged_and_stay_where_they_were(page: Page, bench: ScriptedBench) -> None:
    for number in range(11):
        bench.cases.delete(bench.cases.create(f"Gone {number}").id)
    at = page("cases")
    assert "No cases yet" not in shown(at)
    assert at.expander[0].label == "Deleted (11)"
    turn_to(at, 2)
    (back,) = keys(at, "cases_back_")
    click(at, back)
    assert "**Gone 0** was restored." in shown(at)
    assert [case.name for case in bench.cases.list()] == ["Gone 0"]
    click(at, "cases_undo")
    assert bench.cases.list() == []
    cases = [bench.cases.create(f"Case {number}.") for number in range(21)]
    turn_to(at.run(), 2, "cases_page_")
    assert keys(at, "cases_open_") == [f"cases_open_{cases[0].id}"]
    click(at, f"cases_open_{cases[0].id}")
    click(at, "cases_back")
    assert keys(at, "cases_open_") == [f"cases_open_{cases[0].id}"]
    for number in range(51):
        keep(bench.database, f"n{number}", f"Claim {number}.")
    bench.cases.add(cases[0].id, [f"n{number}" for number in range(51)])
    at_address(at, case=cases[0].id)
    assert len(keys(at, "cases_out_")) == 50
    turn_to(at, 2)
    assert len(keys(elsewhere_and_back(at, "cases"), "cases_out_")) == 1


def test_hostile_names_notes_and_claims_are_text(page: Page, bench: ScriptedBench) -> None:
    keep(bench.database, "r9", HOSTILE)
    case = bench.cases.create(HOSTILE[:110], HOSTILE)
    bench.cases.add(case.id, ["r9"])
    at = page("cases")
    assert_plain(at)
    assert_plain(at_address(at, case=case.id))


def test_records_that_fail_are_told_and_can_be_tried_again(
    page: Page, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    case = bench.cases.create("Walls")

    def fail(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        for name in ("count", "get"):
            patch.setattr(bench.cases, name, fail)
        at = page("cases")
        assert "The disk is full." in shown(at)
        assert "The disk is full." in shown(at_address(at, case=case.id))
    assert click(at, "cases_retry").title[0].value == "Walls"
    monkeypatch.setattr(bench.cases, "delete", fail)
    click(at, "cases_delete")
    assert "The disk is full." in shown(at)
    assert [c.name for c in bench.cases.list()] == ["Walls"]
