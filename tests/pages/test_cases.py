"""The Cases page: empty, filled, and over records that fail."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from config import PROJECT, Settings
from ghost.errors import StoreError
from ghost.records import RunStore
from ghost.types import Label
from ghost.ui.cases import detail as case_page
from ghost.ui.cases import page as cases_list
from ghost.ui.shared import resources
from tests.pages.visits import LIVE, Patch, shown, turn_to
from tests.records.kept import keep
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE

Open = Callable[..., AppTest]


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.runs = RunStore(bench.database)  # type: ignore[assignment]
    keep(bench.database, "r1", "The wall is visible.")
    keep(bench.database, "r2", "Honey keeps.", Label.TRUE, minutes=1)
    keep(bench.database, "r3", "It broke off.", None, minutes=2)
    return bench


@pytest.fixture
def page(monkeypatch: Patch, bench: ScriptedBench) -> Iterator[Open]:
    st.cache_resource.clear()

    def opened(case_id: str = "") -> AppTest:
        monkeypatch.setattr(resources, "open_workbench", lambda: bench)
        at = AppTest.from_file(PROJECT / "app.py", default_timeout=60).run()
        at.switch_page("pages/cases.py")
        if case_id:
            at.query_params["case"] = case_id
        at.run()
        assert not at.exception
        return at

    yield opened
    st.cache_resource.clear()


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


def test_without_cases_the_page_says_what_they_are_for_and_begins_one(page: Open, bench: ScriptedBench) -> None:
    at = page()
    assert at.title[0].value == "Cases"
    assert "No cases yet" in shown(at)
    click(at, "cases_new")
    click(at, "cases_new_keep")
    assert "a case needs a name" in shown(at)
    at.text_input(key="cases_new_name").input("Walls")
    at.text_area(key="cases_new_notes").input("All about walls.")
    click(at, "cases_new_keep")
    case = bench.cases.list()[0]
    assert (case.name, case.notes) == ("Walls", "All about walls.")
    assert at.query_params["case"] == case.id
    assert at.title[0].value == "Walls"


def test_checks_are_added_by_search_and_removed_with_undo(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls")
    bench.reviews.override("r1", Label.MISLEADING, "It deceives.")
    at = page(case.id)
    assert "No checks yet." in shown(at)
    at.text_input(key=f"cases_find_{case.id}").input("WALL").run()
    assert [b.key for b in at.button if b.label == "Add"] == ["cases_add_r1"]
    click(at, "cases_add_r1")
    assert "Misleading**] :gray[(yours; Ghost: False)]" in shown(at)
    assert "No other check has these words." in shown(at)
    click(at, "cases_out_r1")
    assert bench.cases.runs(case.id) == []
    click(at, "cases_undo")
    assert [r.id for r in bench.cases.runs(case.id)] == ["r1"]


def test_name_and_notes_are_changed_with_undo(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls", "Old notes.")
    at = page(case.id)
    click(at, "cases_rename")
    at.text_input(key="cases_rename_name").input("Great walls")
    click(at, "cases_rename_keep")
    assert at.title[0].value == "Great walls"
    bench.cases.change(case.id, notes="Notes of another tab.")
    click(at, "cases_undo")
    kept = bench.cases.list()[0]
    assert (kept.name, kept.notes) == ("Walls", "Notes of another tab.") == (at.title[0].value, at.text_area[0].value)
    bench.cases.change(case.id, "Great walls", "Old notes.")
    at.run()
    at.text_area[0].input("New notes.")
    click(at, "cases_add_r1")
    assert at.text_area[0].value == "New notes."
    click(at, "cases_notes_save")
    assert bench.cases.list()[0].notes == "New notes."
    click(at, "cases_undo")
    assert bench.cases.list()[0].notes == "Old notes."
    assert bench.cases.list()[0].name == "Great walls"


def test_notes_of_two_tabs_are_both_kept(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls", "Old notes.")
    at = page(case.id)
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


def test_notes_that_cannot_be_saved_stay_in_the_field(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls")
    at = page(case.id)
    bench.cases.delete(case.id)
    at.text_area[0].input("Mine.")
    click(at, "cases_notes_save")
    click(at, "cases_restore")
    assert at.text_area[0].value == "Mine."
    assert bench.cases.list()[0].notes == ""


def test_a_deleted_case_comes_back_by_undo_or_by_its_link(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls")
    at = page(case.id)
    click(at, "cases_delete")
    assert "case" not in at.query_params
    assert "was deleted" in shown(at)
    click(at, "cases_undo")
    assert at.title[0].value == "Walls"
    click(at, "cases_delete")
    at = page(case.id)
    assert "This case was deleted." in shown(at)
    click(at, "cases_restore")
    assert [c.name for c in bench.cases.list()] == ["Walls"]


def test_deleted_cases_are_folded_below_and_come_back(page: Open, bench: ScriptedBench, monkeypatch: Patch) -> None:
    monkeypatch.setattr(cases_list, "DELETED_AT_ONCE", 1)
    for name in ("Walls", "Food"):
        bench.cases.delete(bench.cases.create(name).id)
    at = page()
    assert "No cases yet" not in shown(at)
    assert at.expander[0].label == "Deleted (2)"
    assert "**Food**" in shown(at)
    turn_to(at, 2)
    click(at, next(b.key for b in at.button if b.key.startswith("cases_back_")))
    assert "**Walls** was restored." in shown(at)
    assert [case.name for case in bench.cases.list()] == ["Walls"]
    click(at, "cases_undo")
    assert bench.cases.list() == []
    assert [case.name for case in bench.cases.deleted()] == ["Walls", "Food"]


def test_cases_are_found_and_opened_from_the_list(page: Open, bench: ScriptedBench) -> None:
    walls, food = bench.cases.create("Walls"), bench.cases.create("Food")
    bench.cases.add(food.id, ["r2"])
    at = page()
    assert "2 cases" in shown(at)
    at.text_input(key="cases_query").input("honey").run()
    assert [b.key for b in at.button if b.key.startswith("cases_open_")] == [f"cases_open_{food.id}"]
    at.text_input(key="cases_query").input("nothing of the kind").run()
    assert "No case has these words" in shown(at)
    at.text_input(key="cases_query").input("").run()
    click(at, f"cases_open_{walls.id}")
    assert at.title[0].value == "Walls"
    click(at, "cases_back")
    assert at.title[0].value == "Cases"


def test_the_open_case_is_still_open_after_another_page(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls")
    at = page(case.id)
    at.switch_page("pages/verify.py").run()
    at.query_params.clear()
    at.switch_page("pages/cases.py").run()
    assert at.title[0].value == "Walls"
    assert at.query_params["case"] == case.id


def test_an_export_is_prepared_and_goes_stale_with_the_case(page: Open, bench: ScriptedBench) -> None:
    case = bench.cases.create("Walls")
    bench.cases.add(case.id, ["r1", "r3"])
    at = page(case.id)
    click(at, "cases_prepare")
    assert [d.label for d in at.get("download_button")] == ["Download (0.0 MB)"]
    click(at, "cases_out_r3")
    assert not at.get("download_button")
    assert at.button(key="cases_prepare")


def test_an_unknown_case_is_explained_and_leads_back(page: Open) -> None:
    at = page("<b>nonsense</b>")
    assert "This case is not here" in at.title[0].value
    assert "<b>nonsense</b>" in shown(at)
    assert "Cases" in click(at, "cases_back").title[0].value


def test_hostile_names_notes_and_claims_are_text(page: Open, bench: ScriptedBench) -> None:
    keep(bench.database, "r9", HOSTILE)
    case = bench.cases.create(HOSTILE[:110], HOSTILE)
    bench.cases.add(case.id, ["r9"])
    for at in (page(), page(case.id)):
        labels = [b.label for b in at.button if not b.label.startswith("**")]
        for text in (*labels, *(e.value for kind in (at.markdown, at.caption, at.title, at.header) for e in kind)):
            assert not LIVE.search(text), text


def test_records_that_fail_are_told_and_can_be_tried_again(
    page: Open, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    case = bench.cases.create("Walls")

    def fail(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        for name in ("count", "get"):
            patch.setattr(bench.cases, name, fail)
        assert "The disk is full." in shown(page())
        at = page(case.id)
        assert "The disk is full." in shown(at)
    assert click(at, "cases_retry").title[0].value == "Walls"
    monkeypatch.setattr(bench.cases, "delete", fail)
    click(at, "cases_delete")
    assert "The disk is full." in shown(at)
    assert [c.name for c in bench.cases.list()] == ["Walls"]


def test_the_list_is_where_it_was_when_a_case_is_closed_again(
    page: Open, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(cases_list, "AT_ONCE", 1)
    for name in ("Honey", "Walls"):
        bench.cases.create(name)
    at = page()
    turn_to(at, 2)
    assert "**Honey**" in shown(at)
    click(at, next(b.key for b in at.button if b.label == "**Honey**"))
    assert at.title[0].value == "Honey"
    click(at, "cases_back")
    assert "**Honey**" in shown(at)
    assert "**Walls**" not in shown(at)


def test_a_long_case_is_where_it_was_after_another_page(page: Open, bench: ScriptedBench, monkeypatch: Patch) -> None:
    monkeypatch.setattr(case_page, "AT_ONCE", 2)
    case = bench.cases.create("Walls")
    bench.cases.add(case.id, ["r1", "r2", "r3"])
    at = page(case.id)
    assert len([b for b in at.button if b.key.startswith("cases_out_")]) == 2
    turn_to(at, 2)
    at.switch_page("pages/verify.py").run()
    at.query_params.clear()
    at.switch_page("pages/cases.py").run()
    assert len([b for b in at.button if b.key.startswith("cases_out_")]) == 1
