"""The questions on the Trace page: filters, what each came from, the modes over time, and wrong ones as test cases."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from ghost.errors import StoreError
from ghost.types import RouteMode
from tests.pages.sections import Page, assert_plain, at_address, choose, elsewhere_and_back, keys, page
from tests.pages.visits import Patch, click, shown, turn_to
from tests.ui.asking import decision
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE

__all__ = ["page"]
MODES = (RouteMode.EXACT, RouteMode.NOVEL, RouteMode.CONTEXTUAL, RouteMode.NOVEL)


def kept(bench: ScriptedBench, number: int = 4, days: int = 1) -> None:
    """Questions 0 and later, of every mode; they are asked on so many days. Every fourth was not what was asked."""
    for n in range(number):
        made = decision(n, MODES[n % 4], wrong=n % 4 == 0, reasoning=f"Because of {n}.")
        bench.asking.decisions.add(replace(made, created_at=made.created_at + timedelta(days=n % days)))


def test_checks_and_questions_are_listed_side_by_side(page: Page, bench: ScriptedBench) -> None:
    at = page("trace")
    assert [title.value for title in at.title] == ["Trace"]
    choose(at, "trace_list", "Questions")
    assert at.query_params["list"] == "questions"
    assert "No question has been asked yet." in shown(at)
    kept(bench)
    words = shown(at.run())
    assert "1 to 4 of 4 questions, newest first" in words
    assert words.index("Question 3?") < words.index("Question 0?")
    assert "Because of 2." in words
    assert "Not what was asked" in words
    assert words.count("by the claim match in 0.20 s.") == 4
    choose(at, "trace_list", "Checks")
    assert "list" not in at.query_params
    assert "Question 3?" not in shown(at)


def test_questions_are_filtered_by_words_mode_and_what_was_wrong(page: Page, bench: ScriptedBench) -> None:
    kept(bench, 8)
    at = page("trace", list="questions")
    at.selectbox(key="trace_asked_mode").set_value(RouteMode.NOVEL).run()
    assert "1 to 4 of 4 questions" in shown(at)
    assert dict(at.query_params) == {"list": "questions", "mode": "novel_claim"}
    at.selectbox(key="trace_asked_wrong").set_value("1").run()
    assert "No question passes these filters." in shown(at)
    click(at, "trace_asked_clear")
    assert "1 to 8 of 8 questions" in shown(at)
    assert dict(at.query_params) == {"list": "questions"}
    at.selectbox(key="trace_asked_wrong").set_value("0").run()
    assert "1 to 6 of 6 questions" in shown(at)
    at.text_input(key="trace_asked_text").input("question 3").run()
    assert "1 to 1 of 1 question" in shown(at)
    assert at.query_params["q"] == "question 3"
    elsewhere_and_back(at, "trace")
    at_address(at, list="questions")
    assert at.query_params["q"] == "question 3"
    assert "1 to 1 of 1 question" in shown(at)


def test_an_address_brings_its_filters_and_nonsense_is_left_out(page: Page, bench: ScriptedBench) -> None:
    kept(bench, 8)
    at = page("trace", list="questions", mode="exact_match", wrong="1", q="5")
    assert "No question passes these filters." in shown(at)
    click(at, "trace_asked_clear")
    at = page("trace", list="questions", mode=HOSTILE, wrong="7", q=HOSTILE)
    assert "No question passes these filters." in shown(at)
    assert at.selectbox(key="trace_asked_mode").value is None
    assert_plain(at)


def test_long_lists_have_pages_and_lead_to_their_conversations(page: Page, bench: ScriptedBench) -> None:
    kept(bench, 17)
    at = page("trace", list="questions")
    assert "1 to 15 of 17 questions" in shown(at)
    assert {link.proto.query_string for link in at.get("page_link")} == {"conversation=talk"}
    words = shown(turn_to(at, 2))
    assert "16 to 17 of 17 questions" in words
    assert "Question 0?" in words


def test_modes_and_mistakes_are_drawn_by_day(page: Page, bench: ScriptedBench) -> None:
    kept(bench)
    at = page("trace", list="questions")
    words = shown(at)
    assert "**4 questions** on 1 day; **1 answer** marked as wrong." in words
    assert not at.get("plotly_chart"), "one day is not drawn"
    kept(bench, 12, days=3)
    words = shown(at.run())
    assert "**12 questions** on 3 days; **3 answers** marked as wrong." in words
    modes, errors = (json.loads(chart.proto.spec) for chart in at.get("plotly_chart"))
    assert [trace["name"] for trace in modes["data"]] == ["Answered before", "From earlier answers", "Newly checked"]
    assert len(modes["data"][0]["x"]) == 3
    assert "21 Nov 2025: 1 of 4" in " ".join(errors["data"][0]["hovertext"]).replace("<br>Marked as wrong", "")
    assert errors["layout"]["xaxis"]["tickformat"] == modes["layout"]["xaxis"]["tickformat"] == ".0%"
    at.selectbox(key="trace_asked_wrong").set_value("0").run()
    assert len(at.get("plotly_chart")) == 1


def test_wrong_answers_are_downloaded_as_test_cases(
    page: Page, bench: ScriptedBench, downloads: dict[str, Callable[[], Any]]
) -> None:
    kept(bench, 8)
    page("trace", list="questions")
    cases = [json.loads(line) for line in downloads["Wrong answers as test cases"]().splitlines()]
    assert [(case["question"], case["mode"], case["expected"]) for case in cases] == [
        ("Question 0?", "exact_match", "different"), ("Question 4?", "exact_match", "different"),
    ]  # fmt: skip
    assert cases[0]["candidates"][0]["match"]["slots"][0]["name"] == "negation"


def test_hostile_questions_are_text(page: Page, bench: ScriptedBench) -> None:
    match = decision().candidates[0].match
    slot = replace(match.slots[0], name=HOSTILE, one=HOSTILE, other=HOSTILE)
    candidate = replace(decision().candidates[0], claim=HOSTILE, match=replace(match, slots=(slot,), why=HOSTILE))
    hostile = dict.fromkeys(("question", "reformulated", "reasoning", "decided_by", "conversation_id"), HOSTILE)
    for number, mode in enumerate(RouteMode):
        made = replace(decision(number, mode, candidates=(candidate,)), **hostile)
        bench.asking.decisions.add(replace(made, reformulated=f"{HOSTILE} {HOSTILE}"))
    at = page("trace", list="questions", q="alert(1)")
    assert "1 to 3 of 3 questions" in shown(at)
    assert "alert(2)" in shown(at)
    assert_plain(at)


def test_a_store_that_cannot_be_read_is_told(page: Page, bench: ScriptedBench, monkeypatch: Patch) -> None:
    kept(bench)
    at = page("trace", list="questions")
    asking = bench.asking

    def broken(*_: object) -> None:
        raise StoreError("The disk cannot be read.")

    monkeypatch.setattr(asking.decisions, "browse", broken)
    monkeypatch.setattr(ScriptedBench, "asking", asking)
    assert "The disk cannot be read." in shown(at.run())
    assert keys(at, "trace_retry")
