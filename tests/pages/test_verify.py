"""The Verify page over hand-made runs: every state it can be in."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from bench.visitor import CHECK_KEY, CLAIM_KEY
from config import PROJECT, ConfigError, Settings
from ghost.errors import StoreBusyError, StoreError, WeightsDamagedError
from ghost.types import RunStatus
from ghost.ui.shared import resources
from ghost.ui.verify.compose import EXAMPLES
from tests.ui.bench import ScriptedBench
from tests.ui.samples import (
    HOSTILE,
    broken_run,
    contested_run,
    false_run,
    hostile_run,
    misleading_run,
    open_run,
    opinion_run,
    searched_run,
)

SECONDS = 60
LIVE = re.compile(
    r"(?<!\\)(<(img|script)|!\[|\]\((?!#|<https?:)|`|\$)|:smile:|:material/home:|:red\[red|https?://(?!www\.nasa)"
)
"""Markup of the hostile text that is not escaped."""


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[ScriptedBench], AppTest]]:
    """The page over a workbench, not yet run."""
    st.cache_resource.clear()
    st.cache_data.clear()

    def made(bench: ScriptedBench) -> AppTest:
        monkeypatch.setattr(resources, "open_workbench", lambda: bench)
        return AppTest.from_file(PROJECT / "app.py", default_timeout=SECONDS)

    yield made
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    return ScriptedBench(Settings(data_dir=tmp_path))


def shown(at: AppTest) -> str:
    """All texts on the page, escapes removed."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.text)
    kinds += (at.success, at.error, at.warning, at.info)
    texts = [element.value for elements in kinds for element in elements] + [b.label for b in at.button]
    return "\n".join(texts).replace(":small[]", "").replace("\\", "")


def turn_to(at: AppTest, page: int, key: str = "") -> AppTest:
    """Turn the pages of the one list that is shown, or of that with this key, as somebody who clicks on a number."""
    states = at._tree.get_widget_states()
    (widget,) = (found for found in at.get("pagination") if key in found.proto.id)
    states.widgets.append(WidgetState(id=widget.proto.id, int_value=page))
    at._run(states)
    assert not at.exception
    return at


def finish(at: AppTest) -> AppTest:
    """Rerun, as a browser does on a timer, until the run has ended."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        at.run()
        if not any(button.key == "verify_cancel" for button in at.button):
            return at
        time.sleep(0.02)
    raise AssertionError("the run did not end")


def open_page(at: AppTest, run_id: str) -> AppTest:
    at.query_params["run"] = run_id
    at.run()
    assert not at.exception
    return at


def test_the_empty_page_says_what_ghost_does_and_offers_examples(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    at = use(bench).run()
    assert not at.exception
    assert at.title[0].value == "Check a claim"
    words = shown(at)
    assert "Embedded judge: nothing you type leaves this machine." in words
    # The benchmark fills this form without a browser, by the keys of its widgets.
    assert at.text_area(key=CLAIM_KEY).label == "Claim"
    assert at.button(key=CHECK_KEY).label == "Check this claim"
    assert "Nothing has been checked yet." in words
    assert all(example in words for example in EXAMPLES)


def test_an_example_fills_the_form_and_checking_it_ends_in_a_verdict(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    at = use(bench).run()
    at.button(key="verify_example_1").click().run()
    assert at.text_area(key="verify_claim").value == "Vaccines cause autism"
    at.button(key="verify_check").click()
    finish(at)
    assert not at.exception
    assert "“Vaccines cause autism”" in shown(at)
    assert "False" in at.error[0].value
    assert at.query_params["run"] == next(iter(bench.runs.kept))


def test_context_date_and_source_reach_the_run(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.text_area(key="verify_context").input("Said on television")
    at.text_input(key="verify_found_at").input("https://example.org/post")
    at.button(key="verify_check").click()
    finish(at)
    claim = next(iter(bench.runs.kept.values())).claim
    assert (claim.text, claim.context, claim.found_at) == (
        "The wall is visible", "Said on television", "https://example.org/post",
    )  # fmt: skip
    assert "Said on television" in shown(at)


@pytest.mark.parametrize(
    ("text", "found_at", "words"),
    [("", "", "There is no claim to check"), ("A claim", "javascript:alert(1)", "must be a web address")],
)
def test_an_unusable_claim_stays_in_the_form_with_what_to_change(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench, text: str, found_at: str, words: str
) -> None:
    at = use(bench).run()
    at.text_area(key="verify_claim").input(text)
    at.text_input(key="verify_found_at").input(found_at)
    at.button(key="verify_check").click().run()
    assert words in shown(at)
    assert at.text_area(key="verify_claim").value == text
    assert not bench.runs.kept


def test_a_run_is_watched_and_can_be_cancelled(use: Callable[[ScriptedBench], AppTest], tmp_path: Path) -> None:
    at = use(ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.button(key="verify_check").click().run()
    assert "In progress".upper() in shown(at)
    at.button(key="verify_cancel").click().run()
    finish(at)
    words = shown(at)
    assert "You cancelled this check" in words
    assert "Kept: 3 steps and 3 weighed passages." in words


def test_a_run_is_still_there_after_a_visit_to_another_page(
    use: Callable[[ScriptedBench], AppTest], tmp_path: Path
) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    at = use(bench).run()
    at.text_area(key="verify_claim").input("The wall is visible")
    at.button(key="verify_check").click().run()
    run_id = at.query_params["run"]
    at.switch_page("pages/knowledge.py").run()
    assert at.title[0].value == "Knowledge base"
    bench.gate.set()
    at.query_params.clear()
    at.switch_page("pages/verify.py")
    finish(at)
    assert at.query_params["run"] == run_id
    assert "“The wall is visible”" in shown(at)


def test_a_finished_run_shows_verdict_citations_and_evidence(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    run = false_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    words = shown(at)
    assert "False" in at.error[0].value
    assert "High confidence (93%)" in words
    assert "[[1]](#evidence-1) NASA says" in words
    assert [h.anchor for h in at.subheader] == ["evidence-1", "evidence-2", "evidence-3"]
    assert "Published unknown" in words
    assert "Published 2 Mar 2024" in words
    assert ":yellow-background[no astronaut has seen it from the Moon]" in words
    assert "1 citation rejected by the gate" in [e.label for e in at.expander]
    assert "Nothing: no search was made" in words


def test_the_weightiest_evidence_comes_first_within_its_stance(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    run = contested_run()
    bench.runs.kept[run.id] = run
    words = shown(open_page(use(bench), run.id))
    assert "Contested: good sources on both sides" in words
    assert "2 statements" in words
    assert "Statement 1: contradicts 97%" in words
    assert "Statement 2: supports 90%" in words
    assert words.index("1 · NASA") < words.index("2 · Britannica") < words.index("3 · UNESCO")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (opinion_run(), ("Not Verifiable", "This is an opinion.", "Ask for something that can be counted.")),
        (open_run(), ("Not Enough Evidence", "No source speaks about it.", "Add a source that does.")),
        (misleading_run(), ("Misleading",)),
        (broken_run(RunStatus.FAILED, "The disk is full."), ("This check failed", "The disk is full.")),
        (broken_run(RunStatus.INTERRUPTED, "It ended."), ("This check was interrupted", "Kept: 3 steps")),
        (broken_run(RunStatus.CANCELLED, ""), ("You cancelled this check", "Kept: 3 steps")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_each_ending_says_what_it_is_and_what_to_do(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench, run: object, words: tuple[str, ...]
) -> None:
    bench.runs.kept[run.id] = run  # type: ignore[attr-defined,assignment]
    page = shown(open_page(use(bench), run.id))  # type: ignore[attr-defined]
    assert all(word in page for word in words)


def test_an_unknown_run_is_explained_and_leads_back(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    at = open_page(use(bench), "<b>nonsense</b>")
    assert "This check is not here" in at.title[0].value
    assert "<b>nonsense</b>" in shown(at)
    assert "GHOST_DATA_DIR" in shown(at)
    at.button(key="verify_new").click().run()
    assert at.title[0].value == "Check a claim"


def test_a_run_that_cannot_be_read_now_says_so_and_can_be_tried_again(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is busy.")

    bench.runs.kept[false_run().id] = false_run()
    with monkeypatch.context() as patch:
        patch.setattr(bench.runs, "get", fail)
        at = open_page(use(bench), false_run().id)
        assert "This check cannot be read now" in at.title[0].value
        assert "The disk is busy." in shown(at)
        at.button(key="verify_new").click().run()  # the page must not be lost for this visitor
        assert not at.exception
        assert at.title[0].value == "Check a claim"
        open_page(at, false_run().id)
    at.button(key="verify_retry").click().run()
    assert not at.exception
    assert "False" in at.error[0].value


def test_editing_brings_the_claim_back_into_the_form(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    run = open_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    at.button(key="verify_edit").click().run()
    assert at.text_area(key="verify_claim").value == run.claim.text
    assert at.date_input(key="verify_as_of").value == run.claim.as_of
    assert at.text_input(key="verify_found_at").value == run.claim.found_at
    assert "run" not in at.query_params


def test_hostile_text_is_text_and_never_markup(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    run = hostile_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    assert HOSTILE in shown(at)
    for element in (*at.markdown, *at.caption, *at.header, *at.subheader, *at.title):
        assert not LIVE.search(element.value), element.value


@pytest.mark.parametrize(
    ("error", "title", "words"),
    [
        (ConfigError("GHOST_TOP_K_RERANK: not a number"), "A setting cannot be used", "GHOST_TOP_K_RERANK"),
        (StoreBusyError(Path("/data"), "process 7"), "The knowledge base is in use", "chroma run --path /data"),
        (StoreError("No."), "The knowledge base could not be opened", "What was stored before is kept."),
        (WeightsDamagedError("model.onnx is damaged."), "A model could not be loaded", "model.onnx is damaged."),
        (RuntimeError("<b>boom</b>"), "Ghost could not start", "Unexpected RuntimeError: <b>boom</b>"),
    ],
)
def test_a_start_that_fails_is_a_page_that_helps_and_can_be_tried_again(
    use: Callable[[ScriptedBench], AppTest],
    bench: ScriptedBench,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    title: str,
    words: str,
) -> None:
    at = use(bench)

    def fail() -> None:
        raise error

    monkeypatch.setattr(resources, "open_workbench", fail)
    at.run()
    assert not at.exception
    assert at.header[0].value == title
    assert words in shown(at)
    monkeypatch.setattr(resources, "open_workbench", lambda: bench)
    at.button(key="resources_retry").click().run()
    assert at.title[0].value == "Check a claim"


def test_the_searches_of_a_run_are_shown_with_the_fate_of_every_hit(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    run = searched_run()
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    words = shown(at)
    assert "the page itself was not read" in words
    assert "Not in the knowledge base" in words
    assert "Search snippet" in words
    assert "trusted sources: 1 of 2 hits kept" in words
    assert "DuckDuckGo, failed: Honey in tombs" in words.replace("**", "")
    assert "No answer." in words
    assert "2 searches with the words of its statements went to DuckDuckGo." in words
    table = at.table[0].value
    fates = [cell.partition("] ")[2] or cell for cell in table["Fate"]]
    assert fates == ["kept", "dropped: not on the list of trusted sources"]
    assert list(table["Published"]) == ["unknown", "2024\\-01\\-31"]


def test_hostile_search_results_are_text_and_never_markup(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    run = searched_run(title=HOSTILE)
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    cells = [cell for column in at.table[0].value.values for cell in column]
    links = re.compile(r"\]\(<https://[\w./%-]+>\)")
    for text in [*(e.value for e in (*at.markdown, *at.caption)), *cells]:
        assert not LIVE.search(links.sub("", text)), text


def test_searching_can_be_switched_off_for_one_check(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    bench.search_recipients = ("DuckDuckGo", "Wikipedia")
    at = use(bench).run()
    assert "are sent as search words to DuckDuckGo, then Wikipedia" in shown(at)
    assert at.toggle(key="verify_web").value is True
    at.text_area(key="verify_claim").input("The wall is visible")
    at.toggle(key="verify_web").set_value(False)
    at.button(key="verify_check").click()
    finish(at)
    assert bench.asked_for_web == [False]


def test_a_workbench_without_the_web_offers_no_search(
    use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench
) -> None:
    at = use(bench).run()
    assert at.toggle(key="verify_web").disabled
    assert at.toggle(key="verify_web").value is False
    assert "nothing you type leaves this machine" in shown(at)
