"""The Batch page over a workbench that plays its runs from a script."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import StoreError
from ghost.jobs import MAX_ROWS, Columns, sheet_of_text
from ghost.records import NewBatch, NewItem, OverriddenRun
from ghost.types import Label, RunStatus
from ghost.ui.batch import UPLOAD, claim_list, forget
from tests.pages.sections import Page, assert_plain, at_address, elsewhere_and_back, keys, page, until
from tests.pages.visits import Patch, click, shown, tables, turn_to
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, broken_run

__all__ = ["page"]


@pytest.fixture
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> ScriptedBench:
    """Plays hand-made runs, as the parameter of the test says."""
    return ScriptedBench(Settings(data_dir=tmp_path), **getattr(request, "param", {}))


def finish(at: AppTest, state: str = "Done") -> AppTest:
    until(at, lambda: f" {state}]" in shown(at))
    return at


def paste(at: AppTest, text: str) -> AppTest:
    at.text_area(key="batch_pasted").input(text).run()
    assert not at.exception
    return at


def listed(at: AppTest) -> str:
    """All tables, escapes removed."""
    return tables(at).replace(":small[]", "").replace("\\", "")


def test_pasted_lines_are_understood_checked_listed_filtered_and_shown_with_the_analysts_verdict(
    page: Page, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    at = page("batch")
    assert at.title[0].value == "Check many claims"
    assert "No batches yet." in shown(at)
    assert not keys(at, "batch_start")
    paste(at, "The Moon is a planet\n\nBees dance\nThe Moon is a planet\n" + "x" * 6000)
    assert {m.label: m.value for m in at.metric} == {
        "To check": "2",
        "Repeated": "1",
        "Blank": "1",
        "Not checkable": "1",
    }
    words = shown(at)
    assert "1 blank line was left out: 2." in words
    assert "Line 5" in words
    assert "at most 5,000 can be checked" in words
    at.text_input(key="batch_name").input("March").run()
    finish(click(at, "batch_start"))
    assert at.title[0].value == "March"
    words = shown(at)
    assert "4 of 4" in words
    assert "1 not checkable" in words
    assert "1 to 4 of 4." in words
    assert "The same claim as in line 1, checked once." in listed(at)
    moon, bees = bench.runs.kept
    assert f"[The Moon is a planet](./?run={moon})" in listed(at)
    assert at.query_params["batch"] == bench.batches.list()[0].id
    click(at, "batch_kind_REFUSED")
    assert "1 to 1 of 1." in shown(at)
    click(at, "batch_kind_FALSE")
    assert "1 to 4 of 4." in shown(at)
    at.text_input(key="batch_text").input("bees").run()
    assert "Bees dance" in listed(at)
    assert "Moon" not in listed(at)
    monkeypatch.setattr(bench.reviews, "overrides", lambda: [OverriddenRun(bees, Label.FALSE, Label.MISLEADING, AT)])
    at.run()
    assert "Misleading]" in listed(at)
    assert "yours; Ghost: False" in listed(at)
    at.text_input(key="batch_text").input("nothing like it").run()
    assert "Nothing matches these filters." in shown(at)
    click(at, "batch_back")
    assert at.text_area(key="batch_pasted").value == ""  # the form is empty again
    assert "March" in shown(at)
    assert "batch" not in at.query_params


def upload(at: AppTest, body: bytes, name: str = "list.csv") -> AppTest:
    at.segmented_control(key="batch_way").set_value(UPLOAD).run()
    (uploader,) = at.get("file_uploader")
    uploader.set_value((name, body, "text/csv"))
    at.run()
    assert not at.exception
    return at


def test_how_a_file_is_read_can_be_changed_and_stays_while_another_page_is_looked_at(page: Page) -> None:
    at = upload(page("batch"), "claim\nМост открыт\n".encode("koi8-r"))
    assert "encoding cannot be detected" in shown(at)
    at.selectbox(key="batch_encoding").set_value("cp1251").run()
    assert "Read as" in shown(at)
    at.selectbox(key="batch_encoding").set_value("").run()
    assert "encoding cannot be detected" in shown(at)
    click(at, "batch_forget")
    upload(at, "said,claim\nЫ,Жуки летают\n".encode("cp1251"))
    at.selectbox(key="batch_encoding").set_value("cp1251").run()
    at.selectbox(key="batch_column").set_value(0).run()
    at.selectbox(key="batch_context").set_value(1).run()
    at.toggle(key="batch_head").set_value(False).run()
    elsewhere_and_back(at, "batch")
    chosen = {key: at.selectbox(key=f"batch_{key}").value for key in ("encoding", "column", "context", "found_at")}
    assert chosen == {"encoding": "cp1251", "column": 0, "context": 1, "found_at": None}
    assert not at.toggle(key="batch_head").value
    click(at, "batch_forget")
    upload(at, b"what people say about beetles\n" + b"Beetles fly\n" * MAX_ROWS)
    assert "at most 10,000 " in shown(at)  # one line too many, unless the first is a head
    at.toggle(key="batch_head").set_value(True).run()
    assert "Beetles fly" in listed(at)
    assert at.selectbox(key="batch_encoding").value == ""


def test_lines_are_worked_out_once_for_each_sheet() -> None:
    forget()
    bees, wasps = sheet_of_text("Bees dance"), sheet_of_text("Wasps sting")
    first = claim_list(bees, Columns(0), 100)
    assert claim_list(bees, Columns(0), 100) is first
    assert [line.claim for line in claim_list(wasps, Columns(0), 100).items] == ["Wasps sting"]
    forget()


@pytest.mark.parametrize("bench", [{"stops_before": "sufficiency"}], indirect=True)
def test_pause_resume_cancel_and_resume_again(page: Page, bench: ScriptedBench) -> None:
    at = click(paste(page("batch"), "One\nTwo\nThree"), "batch_start")
    until(at, lambda: "Now: One" in shown(at))
    click(at, "batch_pause")
    assert "Stopping" in shown(at)
    bench.gate.set()
    finish(at, "Paused")
    assert "1 of 3" in shown(at)
    bench.gate.clear()
    click(at, "batch_resume")
    click(at, "batch_cancel")
    finish(at, "Cancelled")
    bench.gate.set()
    finish(click(at, "batch_resume"))
    assert "3 of 3" in shown(at)


@pytest.mark.parametrize("bench", [{"script": broken_run(RunStatus.FAILED, "The disk is full.")}], indirect=True)
def test_failed_claims_are_counted_and_retried(page: Page, bench: ScriptedBench) -> None:
    at = finish(click(paste(page("batch"), "One\nTwo"), "batch_start"))
    assert "2 failed" in shown(at)
    assert at.button(key="batch_retry").label == "Retry 2 failed"
    finish(click(at, "batch_retry"))
    until(at, lambda: len(bench.runs.kept) == 4)


def test_a_batch_left_by_a_restart_offers_to_resume_and_an_unknown_one_is_explained(
    page: Page, bench: ScriptedBench
) -> None:
    batch_id = bench.batches.create(NewBatch("Old", tuple(NewItem(n, f"Claim {n}") for n in (1, 2))))
    bench.batch_queue.begin(batch_id)
    bench.batch_queue.next(batch_id)
    at = page("batch", batch=batch_id)
    words = shown(at)
    assert "Paused" in words
    assert "Nothing was lost: resume it" in words
    finish(click(at, "batch_resume"))
    assert "2 of 2" in shown(at)
    at_address(at, batch="nonsense")
    assert at.title[0].value == "This batch is not here"
    click(at, "batch_back")
    assert at.title[0].value == "Check many claims"


def test_long_lists_are_paged_and_removed_batches_come_back(page: Page, bench: ScriptedBench) -> None:
    made = [bench.batches.create(NewBatch(f"List {n}", (NewItem(1, "Claim"),))) for n in range(21)]
    at = page("batch")
    assert keys(at, "batch_open_") == [f"batch_open_{batch_id}" for batch_id in made[:0:-1]]
    assert keys(turn_to(at, 2), "batch_open_") == [f"batch_open_{made[0]}"]
    assert keys(elsewhere_and_back(at, "batch"), "batch_open_") == [f"batch_open_{made[0]}"]
    click(at, f"batch_remove_{made[0]}")
    assert "was removed from the list" in shown(at)
    click(at, f"batch_remove_{made[1]}")
    click(at, "batch_undo")
    assert {batch.id for batch in bench.batches.list(50)} == set(made[1:])
    click(at, "batch_dismiss")
    assert "was removed from the list" not in shown(at)
    assert at.expander[-1].label == "Removed (1)"
    click(at, f"batch_gone_open_{made[0]}")
    assert "This batch was removed from the list." in shown(at)
    click(at, "batch_restore")
    assert "This batch was removed from the list." not in shown(at)
    bench.batches.remove(made[0])
    click(click(at, "batch_back"), f"batch_back_{made[0]}")
    assert {batch.id for batch in bench.batches.list(50)} == set(made)
    many = bench.batches.create(NewBatch("Many", tuple(NewItem(n, f"Claim {n}", refused="No.") for n in range(1, 52))))
    turn_to(at_address(at, batch=many), 2)
    assert "51 to 51 of 51." in shown(at)
    at_address(elsewhere_and_back(at, "batch"), batch=many)
    assert "51 to 51 of 51." in shown(at)
    click(at, "batch_kind_REFUSED")
    assert "1 to 50 of 51." in shown(at)


def test_hostile_lists_are_text(page: Page, bench: ScriptedBench) -> None:
    items = (NewItem(1, HOSTILE, cells=(HOSTILE,)), NewItem(2, HOSTILE, refused=HOSTILE))
    batch_id = bench.batches.create(NewBatch(HOSTILE, items, HOSTILE, (HOSTILE,), (HOSTILE,)))
    at = page("batch", batch=batch_id)
    finish(click(at, "batch_resume"))
    assert_plain(at, r"\(\./\?run=\w+\)")
    paste(click(at, "batch_back"), HOSTILE)
    assert_plain(at)


def test_a_failing_store_is_explained_and_the_list_kept(page: Page, bench: ScriptedBench, monkeypatch: Patch) -> None:
    batch_id = bench.batches.create(NewBatch("Old", (NewItem(1, "Claim"),)))
    at = paste(page("batch"), "Bees dance")

    def broken(*_: object) -> None:
        raise StoreError("The disk cannot be read. Check it and try again.")

    for name in ("list", "get", "create"):
        monkeypatch.setattr(bench.batches, name, broken)
    click(at, "batch_start")
    assert "The disk cannot be read." in shown(at)
    assert "Your list is still here." in shown(at)
    assert at.text_area(key="batch_pasted").value == "Bees dance"
    assert "The disk cannot be read." in shown(at_address(at, batch=batch_id))
