"""A check by one conversation: chosen in the form, watched turn by turn, reported, traced, and compared."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config import Settings
from ghost.types import JudgeInfo, Pipeline, PipelineChoice, Scopes
from tests.pages.sections import Page, assert_plain, at_address, page
from tests.pages.visits import Keep, Use, check, click, finish, open_page, shown, tables
from tests.ui.bench import ScriptedBench
from tests.ui.conversing import conversation_run, left_run
from tests.ui.samples import HOSTILE, false_run

__all__ = ["page"]
OURS = r"\]\(<https://[\w./%-]+>\)|\]\(#[\w-]+\)"
BOTH = (
    PipelineChoice(Pipeline.SEVEN_STEPS, True, "Seven steps, each with its own question."),
    PipelineChoice(Pipeline.SINGLE_CONVERSATION, True, "A language model searches, reads and decides."),
)


def test_the_choice_says_what_a_conversation_needs(page: Page, bench: ScriptedBench) -> None:
    at = page("verify")
    words = shown(at)
    assert "It needs a language model, but none is set up." in words
    assert "Pipeline: seven steps" in [e.label for e in at.expander]
    assert not at.radio, "there is nothing to choose"
    assert [link.proto.query_string for link in at.get("page_link")] == ["section=judge"]
    check(at)
    assert bench.options[-1]["pipeline"] == "seven-steps"


def test_a_conversation_is_chosen_and_comes_back_with_edit(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), script=conversation_run())
    bench.pipelines = BOTH
    at = use(bench).run()
    at.radio(key="verify_pipeline").set_value(Pipeline.SINGLE_CONVERSATION).run()
    assert "Pipeline: single conversation" in [e.label for e in at.expander]
    finish(check(at))
    assert bench.options[-1]["pipeline"] == "single-conversation"
    click(at, "verify_edit")
    assert at.radio(key="verify_pipeline").value is Pipeline.SINGLE_CONVERSATION
    bench.pipelines = (BOTH[0], replace(BOTH[1], usable=False))
    at.run()
    assert not at.radio
    check(at)
    assert bench.options[-1]["pipeline"] == "seven-steps", "what is not possible any more is not asked for"


def test_what_leaves_the_machine_is_what_the_pipeline_sends(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), script=conversation_run())
    bench.pipelines = BOTH
    bench.judge_info = JudgeInfo("cloud", "gpt", host="api.openai.com")
    at = use(bench).run()
    assert "The claim and its evidence are sent to gpt" in shown(at)
    at.radio(key="verify_pipeline").set_value(Pipeline.SINGLE_CONVERSATION).run()
    assert "passages of your knowledge base, and text of pages are sent to gpt" in shown(at)
    settings = shown(at.switch_page("pages/settings.py").run())
    assert "In a single conversation the language model is also shown passages" in settings


def test_the_settings_say_what_is_chosen_first(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path, pipeline="single-conversation"))
    bench.pipelines = BOTH
    assert use(bench).run().radio(key="verify_pipeline").value is Pipeline.SINGLE_CONVERSATION


def test_turns_are_watched(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), script=conversation_run(), stops_before="verdict")
    at = check(use(bench))
    words = ""
    for _ in range(200):
        words = shown(at.run())
        if "**Turn 3 of 5**" in words:
            break
    for text in ("The model searches and reads", "**Turn 1 of 5**", "1 excerpt dropped.", "China", "since 1969"):
        assert text in words, text
    assert "Enough evidence?" not in words, "a conversation has no such step"
    bench.gate.set()
    finish(at)


def test_a_report_has_truth_harm_scopes_and_turns(page: Page, bench: ScriptedBench) -> None:
    run = conversation_run()
    bench.runs.kept[run.id] = run
    at = open_page(page("verify"), run.id)
    words = shown(at)
    for text in (
        "High potential harm",
        "Single conversation",
        "with the unaided eye",
        "**Turn 2 of 5**",
        "local judge",
    ):
        assert text in words, text
    assert "**7% true** as a whole" in [p.proto.text for p in at.get("progress")]
    assert "Conversation · 3 turns" in [e.label for e in at.expander]
    plain = false_run()
    bench.runs.kept[plain.id] = plain
    words = shown(open_page(at, plain.id))
    for text in ("potential harm", "Single conversation", "true as a whole", "Turn 1"):
        assert text not in words, text


def test_a_conversation_that_was_left_says_why(page: Page, bench: ScriptedBench) -> None:
    run = left_run()
    bench.runs.kept[run.id] = run
    words = shown(open_page(page("verify"), run.id))
    assert "Seven steps took over" in words
    assert "The conversation was left. The local model failed (500)." in words
    assert "Enough evidence?" in words
    assert "The seven steps took over." in words


def test_each_turn_can_be_read_in_the_trace(page: Page, stored: ScriptedBench, keep: Keep) -> None:
    run = keep(conversation_run())
    at = page("trace", run=run.id)
    names = [option.partition(" · ")[0] for option in at.selectbox(key=f"trace_step_{run.id}").options]
    assert names[2:5] == ["5 Turn (1)", "5 Turn (2)", "5 Turn (3)"]
    at.selectbox(key=f"trace_step_{run.id}").set_value(5).run()
    words = shown(at)
    for text in (
        "Turn 3 of 5", "What the model said", "The first page is from an encyclopaedia.", "(2 excerpts proposed)",
        "1 fact kept, 1 dropped", "Kept, word for word · 1", "Dropped · 1", "No text that was returned contains",
        "Unknown function",
    ):  # fmt: skip
        assert text in words, text
    at.selectbox(key=f"trace_step_{run.id}").set_value(3).run()
    assert "**Search** The first page is from" in shown(at)
    at.selectbox(key=f"trace_step_{run.id}").set_value(8).run()
    assert "Truth percentage" in shown(at)
    assert "7%" in tables(at)


def test_runs_of_both_pipelines_are_compared(page: Page, stored: ScriptedBench, keep: Keep) -> None:
    talked, plain, left = keep(conversation_run()), keep(false_run()), keep(left_run())
    at = page("trace", **{"run": talked.id, "with": plain.id})
    words, figures = shown(at), tables(at)
    assert "Two pipelines" in words
    for text in (
        "Single conversation",
        "Seven steps",
        "7%",
        "High potential harm",
        "2,940",
        "Language model calls",
    ):
        assert text in figures, text
    assert "since 1969" in words, "statements stand side by side with their limits"
    at_address(at, **{"run": talked.id, "with": left.id})
    assert "At a glance" in shown(at)
    assert "then the seven steps" in tables(at)


@pytest.mark.parametrize("make", [conversation_run, left_run])
def test_hostile_words_are_text(page: Page, stored: ScriptedBench, keep: Keep, make: Any) -> None:
    run = make("4" * 32, HOSTILE)
    assert run.classification
    limits = Scopes((HOSTILE,), (HOSTILE,), (HOSTILE,), (HOSTILE,))
    statements = tuple(replace(s, scopes=limits) for s in run.classification.statements)
    run = keep(replace(run, classification=replace(run.classification, statements=statements)))
    at = open_page(page("verify"), run.id)
    assert "alert(1)" in shown(at)
    assert_plain(at, OURS)
    at = page("trace", run=run.id)
    for number in range(1, len(run.steps) + 1):
        at.selectbox(key=f"trace_step_{run.id}").set_value(number).run()
        assert not at.exception
        assert_plain(at, OURS)


@pytest.mark.parametrize("bad", [None, 5, "x", [], {"a": 1}, [5, None], [{"excerpt": None}]])
def test_a_trace_of_another_version_is_drawn(page: Page, stored: ScriptedBench, keep: Keep, bad: object) -> None:
    run = conversation_run()
    names = ("tools", "facts", "dropped_facts", "calls", "turn", "turns", "problem", "truth", "troubles")
    odd = json.loads(json.dumps(dict.fromkeys(names, bad)))
    run = keep(replace(run, steps=tuple(replace(step, outputs=step.outputs | odd) for step in run.steps)))
    at = page("trace", run=run.id)
    for number in range(1, len(run.steps) + 1):
        at.selectbox(key=f"trace_step_{run.id}").set_value(number).run()
        assert not at.exception
    open_page(page("verify"), run.id)
