"""What the analyst does with a finished report, over real records: each act is kept, shown and taken back."""

import json
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from config import PROJECT, Settings
from ghost.errors import StoreError
from ghost.records import RunStore
from ghost.types import ErrorKind, Label, Run, Status, TraceStep
from ghost.ui.shared import resources
from tests.knowledge.test_marks import ScriptedRatings
from tests.pages.test_verify import LIVE, open_page, shown
from tests.records.kept import keep_run
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, false_run, hostile_run, open_run

Use = Callable[[ScriptedBench], AppTest]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """The page over a workbench, not yet run."""
    st.cache_resource.clear()
    st.cache_data.clear()

    def made(bench: ScriptedBench) -> AppTest:
        monkeypatch.setattr(resources, "open_workbench", lambda: bench)
        return AppTest.from_file(PROJECT / "app.py", default_timeout=60)

    yield made
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.runs = RunStore(bench.database)  # type: ignore[assignment]
    return bench


def opened(use: Use, bench: ScriptedBench, run: Run) -> AppTest:
    keep_run(bench.database, run)
    return open_page(use(bench), run.id)


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


def test_an_override_is_shown_beside_the_machines_verdict_and_undone(use: Use, bench: ScriptedBench) -> None:
    at = opened(use, bench, false_run())
    click(at, "verify_override")
    at.radio(key="verify_override_label").set_value(Label.MISLEADING)
    click(at, "verify_override_keep")
    assert "say why your verdict differs" in shown(at)
    at.radio(key="verify_override_label").set_value(Label.MISLEADING)
    at.text_area(key="verify_override_reason").input("It **deceives**.")
    click(at, "verify_override_keep")
    words = shown(at)
    assert "Misleading" in at.warning[0].value
    assert "It **deceives**." in words
    assert "Ghost's own verdict, kept as it was:" in words
    assert "(yours; Ghost: False)" in words
    assert "Your verdict is **Misleading**." in words
    click(at, "verify_undo")
    assert "False" in at.error[0].value
    assert "Undone." in shown(at)
    assert "taken back" in shown(at)
    assert bench.reviews.of("f" * 32).override is None
    bring_back = next(b.key for b in at.button if b.label == "Bring back")
    click(at, bring_back)
    assert "Misleading" in at.warning[0].value


def test_a_verdict_can_be_confirmed_without_a_word(use: Use, bench: ScriptedBench) -> None:
    at = opened(use, bench, false_run())
    click(at, "verify_override")
    click(at, "verify_override_keep")
    assert "You confirmed this verdict" in at.error[0].value
    assert bench.reviews.overrides()[0].agrees


def test_an_error_is_reported_and_taken_back(use: Use, bench: ScriptedBench) -> None:
    at = opened(use, bench, false_run())
    click(at, "verify_report_error")
    at.radio(key="verify_error_kind").set_value(ErrorKind.MISREAD)
    at.text_area(key="verify_error_note").input("Passage 2 speaks of orbit.")
    click(at, "verify_error_keep")
    assert "A passage is misread" in shown(at)
    assert "Passage 2 speaks of orbit." in shown(at)
    click(at, next(b.key for b in at.button if b.label == "Take back"))
    assert bench.reviews.of("f" * 32).errors == ()


def test_a_passage_is_marked_as_bad_with_a_reason_and_comes_back(use: Use, bench: ScriptedBench) -> None:
    at = opened(use, bench, false_run())
    click(at, "verify_mark_2")
    click(at, "verify_mark_keep")
    assert "say why the source is bad" in shown(at)
    at.text_area(key="verify_mark_reason").input("Outdated.")
    click(at, "verify_mark_keep")
    assert bench.knowledge.get(["p2"])[0].status is Status.RETIRED
    assert "This passage is marked as bad**]: Outdated." in shown(at)
    click(at, "verify_unmark_2_passage")
    assert bench.knowledge.get(["p2"])[0].status is Status.ACTIVE
    assert "is marked as bad" not in shown(at)


def test_a_domain_is_offered_where_domains_can_be_rated(use: Use, bench: ScriptedBench) -> None:
    bench.ratings = rated = ScriptedRatings()
    at = opened(use, bench, false_run())
    click(at, "verify_mark_2")
    at.radio(key="verify_mark_target").set_value("domain")
    at.text_area(key="verify_mark_reason").input("Satire.")
    click(at, "verify_mark_keep")
    assert rated.kept == {"britannica.com": 0.1}
    assert "britannica.com is marked as bad" in shown(at)
    click(at, "verify_unmark_2_domain")
    assert rated.kept == {}


def test_a_report_goes_into_a_new_case_and_out_of_it(use: Use, bench: ScriptedBench) -> None:
    at = opened(use, bench, false_run())
    click(at, "verify_case_add")
    click(at, "verify_case_keep")
    assert "Choose a case, or type a name" in shown(at)
    case = bench.cases.create("Walls")
    click(at, "verify_case_add")
    at.selectbox(key="verify_case_name").set_value("Walls")
    click(at, "verify_case_keep")
    assert [c.name for c in bench.cases.holding("f" * 32)] == ["Walls"]
    click(at, f"verify_case_out_{case.id}")
    assert bench.cases.holding("f" * 32) == []
    click(at, "verify_undo")
    assert [c.name for c in bench.cases.holding("f" * 32)] == ["Walls"]


def test_every_file_is_offered_and_the_link_leads_back(use: Use, bench: ScriptedBench) -> None:
    at = opened(use, bench, false_run())
    labels = [d.label for d in at.get("download_button")]
    assert labels[:4] == ["HTML to print", "Markdown", "JSON", "Bundle"]
    assert at.code[0].value.endswith(f"run={'f' * 32}")
    assert "A ClaimReview names who publishes it." in shown(at)
    at.text_input(key="verify_publisher_name").input("Example Checks").run()
    assert [d.label for d in at.get("download_button")] == [*labels, "Download"]


def test_a_download_made_outside_the_page_names_the_publisher_entered_on_it(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Callable[[], bytes]] = {}
    draw = st.download_button

    def kept(label: str, data: Callable[[], bytes], *rest: Any, **more: Any) -> bool:
        made[label] = data
        return draw(label, data, *rest, **more)

    monkeypatch.setattr(st, "download_button", kept)
    at = opened(use, bench, false_run())
    at.text_input(key="verify_publisher_name").input("Example Checks").run()
    at.text_input(key="verify_publisher_url").input("https://checks.example").run()
    with ThreadPoolExecutor(1) as pool:  # as a browser has it made: by a thread that knows no visitor
        review = json.loads(pool.submit(made["Download"]).result())
        bundle = pool.submit(made["Bundle"]).result()
    assert review["author"]["name"] == "Example Checks"
    assert review["author"]["url"] == "https://checks.example"
    with zipfile.ZipFile(BytesIO(bundle)) as files:
        assert any(b"Example Checks" in files.read(name) for name in files.namelist())


def test_what_cannot_be_published_says_why(use: Use, bench: ScriptedBench) -> None:
    words = shown(opened(use, bench, open_run()))
    assert "says nothing about whether the claim is true" in words
    assert "Why there is no verdict" in words
    assert "What would change this verdict" in words


def test_hostile_notes_and_names_are_text(use: Use, bench: ScriptedBench) -> None:
    keep_run(bench.database, hostile_run())
    run_id = hostile_run().id
    bench.reviews.override(run_id, Label.TRUE, HOSTILE)
    bench.reviews.report_error(run_id, ErrorKind.OTHER, HOSTILE)
    bench.reviews.mark(run_id, "domain", "evil.example", HOSTILE)
    bench.cases.add(bench.cases.create(HOSTILE[:100]).id, [run_id])
    at = open_page(use(bench), run_id)
    kinds = (at.markdown, at.caption, at.header, at.subheader, at.title, at.success, at.error, at.warning, at.info)
    for elements in kinds:
        for element in elements:
            assert not LIVE.search(element.value), element.value


def test_records_that_fail_leave_a_report_that_can_be_read(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    for store, names in ((bench.reviews, ("of", "acts", "marks_of", "override")), (bench.cases, ("holding", "list"))):
        for name in names:
            monkeypatch.setattr(store, name, fail)
    at = opened(use, bench, false_run())
    assert "False" in at.error[0].value
    assert "What you said of this check cannot be read now." in shown(at)
    click(at, "verify_override")
    click(at, "verify_override_keep")
    assert "The disk is full." in shown(at)


def test_fact_checkers_that_nobody_asked_have_not_found_nothing(use: Use, bench: ScriptedBench) -> None:
    row = {"statement": 1, "sent_to": "DuckDuckGo", "why": "the limit of searches for one run is reached"}
    said = {
        "not asked": "The fact-checkers could not be asked: DuckDuckGo: the limit of searches for one run is reached.",
        "answered": "No published fact-check of this was found.",
    }
    for state, words in said.items():
        steps = [
            TraceStep("investigate", AT, 0.1, "", "", {"stage": stage}, {"searches": [row | {"state": of}]})
            for stage, of in (("trusted", "answered"), ("fact_check", state))
        ]
        run = replace(false_run(), id=f"run-{len(state)}", steps=tuple(steps))
        shown_here = shown(opened(use, bench, run))
        assert [w in shown_here for w in said.values()] == [w == words for w in said.values()]


def test_a_fact_check_of_who_only_calls_itself_a_fact_checker_is_named_by_its_host(
    use: Use, bench: ScriptedBench
) -> None:
    review = {"claim": "Honey spoils.", "rating": "False", "reviewer": "Reuters Fact Check", "statement": 1}
    outputs = {
        "searches": [{"statement": 1, "sent_to": "DuckDuckGo", "state": "answered"}],
        "reviews": [review | {"url": "https://evil.test/x", "known": False}],
    }
    steps = (TraceStep("investigate", AT, 0.1, "", "", {"stage": "fact_check"}, outputs),)
    words = shown(opened(use, bench, replace(false_run(), id="posing", steps=steps))).replace("\\", "")
    assert "evil.test (calls itself Reuters Fact Check; not a known fact-checker)" in words
