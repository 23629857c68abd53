"""The Batch page over a workbench that plays its runs from a script."""

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import ClaimError, StoreError
from ghost.jobs import Sheet
from ghost.records import NewBatch, NewItem, OverriddenRun
from ghost.types import Label, RunStatus
from ghost.ui.batch import UPLOAD, UploadedFile, draft, results
from ghost.ui.batch import page as batch_list
from tests.pages.visits import LIVE, SECONDS, Open, Patch, Use, shown, turn_to
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, broken_run


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    return ScriptedBench(Settings(data_dir=tmp_path))


def opened(at: AppTest, batch_id: str = "") -> AppTest:
    at.run()
    at.switch_page("pages/batch.py")
    if batch_id:
        at.query_params["batch"] = batch_id
    at.run()
    assert not at.exception
    return at


def finish(at: AppTest, until: str = "Done") -> AppTest:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        at.run()
        assert not at.exception
        if f" {until}]" in shown(at):
            return at
        time.sleep(0.02)
    raise AssertionError(shown(at))


def paste(at: AppTest, text: str) -> AppTest:
    at.text_area(key="batch_pasted").input(text).run()
    assert not at.exception
    return at


def tables(at: AppTest) -> str:
    return "\n".join(t.value.to_string() for t in at.table).replace(":small[]", "").replace("\\", "")


def metrics(at: AppTest) -> dict[str, str]:
    return {m.label: m.value for m in at.metric}


@pytest.fixture
def page(use: Use, bench: ScriptedBench) -> Open:
    """Opens the page over the bench of the test."""
    return lambda *args, **params: opened(use(bench), *args, **params)


def test_the_empty_page_invites_and_says_what_stays(page: Open) -> None:
    at = page()
    assert at.title[0].value == "Check many claims"
    words = shown(at)
    assert "No batches yet." in words
    assert not [b for b in at.button if b.key == "batch_start"]


def test_pasted_lines_are_understood_checked_and_listed(page: Open, bench: ScriptedBench) -> None:
    at = paste(page(), "The Moon is a planet\n\nBees dance\nThe Moon is a planet\n" + "x" * 6000)
    assert metrics(at) == {"To check": "2", "Repeated": "1", "Blank": "1", "Not checkable": "1"}
    words = shown(at)
    assert "1 blank line was left out: 2." in words
    assert "Line 5" in words
    assert "at most 5,000 can be checked" in words
    at.text_input(key="batch_name").input("March").run()
    at.button(key="batch_start").click().run()
    finish(at)
    assert at.title[0].value == "March"
    words, listed = shown(at), tables(at)
    assert "4 of 4" in words
    assert "1 not checkable" in words
    assert "Same as line 1." in listed
    run_id = next(iter(bench.runs.kept))
    assert f"[The Moon is a planet](./?run={run_id})" in listed
    assert len(bench.runs.kept) == 2
    assert at.query_params["batch"] == bench.batches.list()[0].id


def upload(at: AppTest, body: bytes) -> AppTest:
    at.segmented_control(key="batch_way").set_value(UPLOAD).run()
    at.session_state["batch_file"] = UploadedFile("list.csv", body, body.hex())
    return at.run()


def test_another_encoding_can_be_chosen(page: Open, monkeypatch: Patch) -> None:
    read = draft.read_sheet

    def only_in_cyrillic(body: bytes, name: str, head: bool | None, encoding: str) -> Sheet:
        if encoding != "cp1251":
            raise ClaimError("This is not a text file.")
        return read(body, name, head, encoding)

    monkeypatch.setattr(draft, "read_sheet", only_in_cyrillic)
    monkeypatch.setattr("ghost.jobs.sheet.MAX_ROWS", 1)
    at = upload(page(), "claim\nЖуки летают\n".encode("cp1251"))
    assert "not a text file" in shown(at)
    at.selectbox(key="batch_encoding").set_value("cp1251").run()
    assert "Жуки летают" in tables(at)
    at.selectbox(key="batch_encoding").set_value("cp932").run()
    at.run()
    assert "not a text file" in shown(at)
    assert at.selectbox(key="batch_encoding").value == "cp932"
    at.selectbox(key="batch_encoding").set_value("cp1251").run()
    at.toggle(key="batch_head").set_value(False).run()
    assert "at most 1 " in shown(at)
    at.toggle(key="batch_head").set_value(True).run()
    assert "Жуки летают" in tables(at)


def test_a_list_that_is_one_line_too_long_can_be_given_a_head(page: Open, monkeypatch: Patch) -> None:
    monkeypatch.setattr("ghost.jobs.sheet.MAX_ROWS", 1)
    at = upload(page(), b"what people say about beetles\nBeetles fly\n")
    assert "at most 1 " in shown(at)
    at.toggle(key="batch_head").set_value(True).run()
    assert "Beetles fly" in tables(at)


def test_how_a_file_is_read_stays_while_another_page_is_looked_at(page: Open) -> None:
    at = upload(page(), "said,claim\nЫ,Жуки летают\n".encode("cp1251"))
    at.selectbox(key="batch_encoding").set_value("cp1251").run()
    at.selectbox(key="batch_column").set_value(0).run()
    at.selectbox(key="batch_context").set_value(1).run()
    at.toggle(key="batch_head").set_value(False).run()
    at.switch_page("pages/cases.py").run()
    at.switch_page("pages/batch.py").run()
    chosen = {key: at.selectbox(key=f"batch_{key}").value for key in ("encoding", "column", "context", "found_at")}
    assert chosen == {"encoding": "cp1251", "column": 0, "context": 1, "found_at": None}
    assert not at.toggle(key="batch_head").value
    at.button(key="batch_forget").click().run()
    upload(at, b"claim\nBees dance\n")
    assert at.selectbox(key="batch_encoding").value == ""
    assert at.toggle(key="batch_head").value


def test_after_a_batch_has_begun_the_form_is_empty_again_and_lists_it(page: Open) -> None:
    at = paste(page(), "Bees dance")
    at.button(key="batch_start").click().run()
    finish(at)
    at.button(key="batch_back").click().run()
    assert at.text_area(key="batch_pasted").value == ""
    assert "Pasted lines" in shown(at)
    assert "batch" not in at.query_params


def test_pause_resume_cancel_and_resume_again(page: Open, bench: ScriptedBench) -> None:
    bench = ScriptedBench(bench.settings, stops_before="sufficiency")
    at = paste(page(), "One\nTwo\nThree")
    at.button(key="batch_start").click().run()
    at.run()
    assert "Now: One" in shown(at)
    at.button(key="batch_pause").click().run()
    assert "Stopping" in shown(at)
    bench.gate.set()
    finish(at, "Paused")
    assert "1 of 3" in shown(at)
    bench.gate.clear()
    at.button(key="batch_resume").click().run()
    at.button(key="batch_cancel").click().run()
    finish(at, "Cancelled")
    bench.gate.set()
    at.button(key="batch_resume").click().run()
    finish(at)
    assert "3 of 3" in shown(at)


def test_failed_claims_are_told_and_retried(page: Open, bench: ScriptedBench) -> None:
    bench = ScriptedBench(bench.settings, broken_run(RunStatus.FAILED, "The disk is full."))
    at = paste(page(), "One\nTwo")
    at.button(key="batch_start").click().run()
    finish(at)
    assert "2 failed" in shown(at)
    assert at.button(key="batch_retry").label == "Retry 2 failed"
    at.button(key="batch_retry").click().run()
    finish(at)
    assert len(bench.runs.kept) == 4


def test_results_are_filtered_by_kind_text_and_order(page: Open) -> None:
    at = paste(page(), "Bees dance\nWasps sting\n" + "y" * 6000)
    at.button(key="batch_start").click().run()
    finish(at)
    assert "1 to 3 of 3." in shown(at)
    at.button(key="batch_kind_REFUSED").click().run()
    assert "1 to 1 of 1." in shown(at)
    at.button(key="batch_kind_FALSE").click().run()
    assert "1 to 3 of 3." in shown(at)
    at.text_input(key="batch_text").input("wasps").run()
    assert "Wasps sting" in tables(at)
    assert "Bees" not in tables(at)
    at.text_input(key="batch_text").input("nothing like it").run()
    assert "Nothing matches these filters." in shown(at)
    assert not at.exception


def test_the_results_keep_their_page_until_they_are_narrowed(page: Open, monkeypatch: Patch) -> None:
    monkeypatch.setattr(results, "PAGE", 1)
    at = paste(page(), "Bees dance\nWasps sting\n" + "y" * 6000)
    at.button(key="batch_start").click().run()
    turn_to(finish(at), 2)
    assert "2 to 2 of 3." in shown(at)
    batch_id = at.query_params["batch"]
    at.switch_page("pages/verify.py").run()
    at = opened(at, batch_id if isinstance(batch_id, str) else batch_id[0])
    assert "2 to 2 of 3." in shown(at)
    at.button(key="batch_kind_FALSE").click().run()
    assert "1 to 1 of 2." in shown(at)


def test_the_analysts_verdict_is_shown_beside_ghosts(page: Open, bench: ScriptedBench, monkeypatch: Patch) -> None:
    at = paste(page(), "Bees dance")
    at.button(key="batch_start").click().run()
    finish(at)
    (run_id,) = bench.runs.kept
    said = OverriddenRun(run_id, Label.FALSE, Label.MISLEADING, AT)
    monkeypatch.setattr(bench.reviews, "overrides", lambda: [said])
    at.run()
    assert "Misleading]" in tables(at)
    assert "yours; Ghost: False" in tables(at)


def test_a_batch_left_by_a_restart_offers_to_resume(page: Open, bench: ScriptedBench) -> None:
    batch_id = bench.batches.create(NewBatch("Old", tuple(NewItem(n, f"Claim {n}") for n in (1, 2))))
    bench.batch_queue.begin(batch_id)
    bench.batch_queue.next(batch_id)
    at = page(batch_id)
    words = shown(at)
    assert "Paused" in words
    assert "Nothing was lost: resume it" in words
    at.button(key="batch_resume").click().run()
    finish(at)
    assert "2 of 2" in shown(at)


def test_an_unknown_batch_is_explained(page: Open) -> None:
    at = page("nonsense")
    assert at.title[0].value == "This batch is not here"
    at.button(key="batch_back").click().run()
    assert at.title[0].value == "Check many claims"


def test_every_batch_is_in_the_paged_list(page: Open, bench: ScriptedBench, monkeypatch: Patch) -> None:
    monkeypatch.setattr(batch_list, "AT_ONCE", 2)
    made = [bench.batches.create(NewBatch(f"List {n}", (NewItem(1, "Claim"),))) for n in range(3)]

    def listed(at: AppTest) -> list[str]:
        keys = [b.key for b in at.button if b.key]
        return [key.removeprefix("batch_open_") for key in keys if key.startswith("batch_open_")]

    at = page()
    assert listed(at) == [made[2], made[1]]
    assert listed(turn_to(at, 2)) == [made[0]]
    at.switch_page("pages/cases.py").run()
    at.switch_page("pages/batch.py").run()
    assert listed(at) == [made[0]]


def test_removed_batches_are_folded_below_and_come_back(page: Open, bench: ScriptedBench) -> None:
    made = [bench.batches.create(NewBatch(f"List {n}", (NewItem(1, "Claim"),))) for n in range(2)]
    at = page()
    for batch_id in made:
        at.button(key=f"batch_remove_{batch_id}").click().run()
    at.button(key="batch_undo").click().run()
    assert [batch.id for batch in bench.batches.list()] == [made[1]]
    at.button(key=f"batch_remove_{made[1]}").click().run()
    assert "was removed from the list" in shown(at)
    at.button(key="batch_dismiss").click().run()
    assert "was removed from the list" not in shown(at)
    assert at.expander[-1].label == "Removed (2)"
    at.button(key=f"batch_back_{made[0]}").click().run()
    assert [batch.id for batch in bench.batches.list()] == [made[0]]
    at.button(key=f"batch_gone_open_{made[1]}").click().run()
    assert "This batch was removed from the list." in shown(at)
    at.button(key="batch_restore").click().run()
    assert not at.exception
    assert "This batch was removed from the list." not in shown(at)
    assert {batch.id for batch in bench.batches.list()} == set(made)


def test_hostile_lists_are_text(page: Open, bench: ScriptedBench) -> None:
    items = (NewItem(1, HOSTILE, cells=(HOSTILE,)), NewItem(2, HOSTILE, refused=HOSTILE))
    batch_id = bench.batches.create(NewBatch(HOSTILE, items, HOSTILE, (HOSTILE,), (HOSTILE,)))
    at = page(batch_id)
    at.button(key="batch_resume").click().run()
    finish(at)
    values = [e.value for kind in (at.markdown, at.caption, at.title, at.header) for e in kind]
    values += [str(cell) for t in at.table for row in t.value.to_numpy() for cell in row]
    values += [b.label for b in at.button]
    for value in values:
        assert not LIVE.search(value.replace("./?run=", "#")), value
    at.button(key="batch_back").click().run()
    at.text_area(key="batch_pasted").input(HOSTILE).run()
    for value in [e.value for e in at.markdown] + [b.label for b in at.button]:
        assert not LIVE.search(value), value


def test_a_failing_store_is_explained_and_the_list_kept(page: Open, bench: ScriptedBench, monkeypatch: Patch) -> None:
    batch_id = bench.batches.create(NewBatch("Old", (NewItem(1, "Claim"),)))
    at = paste(page(), "Bees dance")

    def broken(*_: object) -> None:
        raise StoreError("The disk cannot be read. Check it and try again.")

    for name in ("list", "get", "create"):
        monkeypatch.setattr(bench.batches, name, broken)
    at.button(key="batch_start").click().run()
    assert "The disk cannot be read." in shown(at)
    assert "Your list is still here." in shown(at)
    assert at.text_area(key="batch_pasted").value == "Bees dance"
    at.query_params["batch"] = batch_id
    at.run()
    assert "The disk cannot be read." in shown(at)
    assert not at.exception
