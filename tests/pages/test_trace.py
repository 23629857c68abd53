"""The Trace page over runs in a real store: the list, one run from all sides, two runs, and what if."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ghost.errors import StoreError
from ghost.pipelines import decide, read_kept_run
from ghost.steps import RerankRules
from ghost.types import JudgeInfo, Label, Run, RunStatus, Stance, TraceStep, Usage
from ghost.ui.trace import PARAMS
from tests.pages.visits import Keep, Use, assert_no_markup, click, shown, tables, turn_to
from tests.pipelines.runs import made, page, stance
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, broken_run, false_run, hostile_run, leaning_run, opinion_run, searched_run

STEPS, CANDIDATES, WHAT_IF, COMPARE = "Steps", "Candidates", "What if", "Compare"


@pytest.fixture
def at(use: Use, stored: ScriptedBench) -> AppTest:
    return use(stored)


def hardly(text: str, statement: str) -> Stance:
    """What supports it does so with a probability that a stricter bound would not let pass."""
    return Stance(0.93, 0.01, 0.05, 0.01) if text.startswith("yes") else stance(text, statement)


def decided() -> Run:
    """A run of the real steps with the verdict that the rule comes to."""
    first = made([page(1, credibility=0.4), page(2, "so"), page(3, "off")], reading=hardly)
    run = replace(first, steps=made([page(1, credibility=0.4), page(2, "so")], reading=hardly).steps)
    return replace(run, verdict=decide(read_kept_run(run)).verdict, finished_at=AT, settings={"max_seconds": 180.0})


def listed(at: AppTest, **params: str) -> AppTest:
    at.run()
    at.switch_page("pages/trace.py")
    for name, value in params.items():
        at.query_params[name.rstrip("_")] = value
    at.run()
    assert not at.exception
    return at


def opened(at: AppTest, run_id: str, tab: str = STEPS, **params: str) -> AppTest:
    at.session_state["trace_tab"] = tab
    return listed(at, run=run_id, **params)


def bare(at: AppTest) -> str:
    return shown(at).replace("**", "")


def test_runs_are_listed_filtered_and_found_again_by_their_address(
    use: Use, at: AppTest, keep: Keep, stored: ScriptedBench
) -> None:
    assert "No claim has been checked yet." in shown(listed(at))
    for run in (false_run(), opinion_run(), broken_run(RunStatus.FAILED, "The disk is full.")):
        keep(run)
    assert "1 to 3 of 3 checks, newest first" in shown(at.run())
    at.selectbox(key="trace_status").select(RunStatus.FAILED).run()
    assert "of 1 check" in shown(at)
    at.date_input(key="trace_since").set_value(date(2030, 1, 1)).run()
    assert "No check passes these filters." in shown(at)
    click(at, "trace_clear")
    assert "of 3 checks" in shown(at)
    at.text_input(key="trace_text").input("pizza").run()
    assert at.query_params["q"] == "pizza"
    assert "Pineapple" in shown(at)
    at.text_input(key="trace_text").input("")
    at.selectbox(key="trace_label").select(Label.FALSE)
    at.date_input(key="trace_since").set_value(date(2020, 1, 1)).run()
    assert "1 to 1 of 1 check, newest first" in shown(at)
    assert "High confidence (93%) · embedded judge" in shown(at)
    assert {name: at.query_params.get(name) for name in PARAMS} == {
        "q": None, "verdict": "False", "judge": None, "status": None, "from": "2020-01-01", "to": None,
    }  # fmt: skip
    next(b for b in at.button if b.label == "Open").click().run()
    click(at, "trace_back")
    assert at.query_params["verdict"] == "False"
    again = listed(use(stored), verdict="False", from_="2020-01-01")
    assert again.selectbox(key="trace_label").value is Label.FALSE
    assert again.date_input(key="trace_since").value == date(2020, 1, 1)
    assert "of 1 check" in shown(again)
    again.switch_page("pages/verify.py").run()
    again.query_params.clear()
    assert listed(again).query_params["verdict"] == "False"
    again.selectbox(key="trace_label").select(None).run()
    assert "verdict" not in again.query_params
    bad = {"verdict": HOSTILE, "judge": "nobody", "status": "?", "from_": "1066-10-14", "to": "yesterday"}
    nothing = listed(use(stored), **bad)
    assert "of 3 checks" in shown(nothing)
    assert not set(PARAMS) & set(nothing.query_params)


def test_a_leaning_is_nowhere_in_the_lists_and_badges(
    at: AppTest, keep: Keep, downloads: dict[str, Callable[[], Any]]
) -> None:
    leaning, sure = keep(leaning_run()), keep(false_run())
    listed(at)
    assert ":gray-badge[:material/help: Not Enough Evidence]" in shown(at)
    assert "lean" not in shown(at)
    for label in (Label.FALSE, Label.NOT_ENOUGH_EVIDENCE):
        at.selectbox(key="trace_label").select(label).run()
        assert "of 1 check" in shown(at)
    at.selectbox(key="trace_label").select(None).run()
    rows = list(csv.DictReader(io.StringIO(downloads["Download CSV"]().decode("utf-8-sig"), newline="")))
    assert {r["run"]: (r["verdict"], r["confidence"]) for r in rows} == {
        leaning.id: ("Not Enough Evidence", ""), sure.id: ("False", "0.93"),
    }  # fmt: skip
    [row] = [r for r in rows if r["run"] == sure.id]
    finished = (AT + timedelta(seconds=0.46)).isoformat()
    assert (row["started"], row["finished"], row["status"]) == (AT.isoformat(), finished, "finished")
    for tab in (STEPS, WHAT_IF, COMPARE):
        words = shown(opened(at, leaning.id, tab, **({"with_": sure.id} if tab == COMPARE else {})))
        assert "Not Enough Evidence" in words
        assert "lean" not in words.replace("The evidence leans one way", "")
        assert "55%" not in words


def test_many_runs_are_paged_and_one_is_opened_and_left_again(
    at: AppTest, keep: Keep, downloads: dict[str, Callable[[], Any]]
) -> None:
    for n in range(52):
        run = replace(false_run(f"{n:032x}"), steps=(), evidence=(), verdict=None)
        keep(replace(run, started_at=AT + timedelta(hours=n)))
    assert "1 to 25 of 52 checks" in shown(listed(at))
    turn_to(at, 3)
    assert "51 to 52 of 52 checks" in shown(at)
    run_id = f"{0:032x}"
    click(at, f"trace_open_{run_id}")
    assert at.query_params["run"] == run_id
    assert json.loads(downloads["Trace as JSON"]())["run_id"] == run_id
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/trace.py").run()
    assert "Great Wall" in at.title[0].value
    click(at, "trace_back")
    assert "51 to 52 of 52 checks" in shown(at)


def test_steps_answer_what_a_reader_asks(at: AppTest, keep: Keep) -> None:
    run = searched_run()
    run = keep(replace(run, settings=run.settings | {"max_searches": 8, "max_seconds": 180.0}))
    words = shown(opened(at, run.id))
    assert "What was kept?]]  \n3 passages kept, 3 independent origins" in words
    assert [j.label for j in at.expander if "JSON" in j.label] == ["Inputs and outputs as JSON"]
    assert "embedded: runs on this machine" in words
    at.selectbox(key=f"trace_step_{run.id}").select(5).run()
    words = shown(at)
    assert "Where was it searched?]]  \nAt trusted sources" in words
    assert "2 searches made, 1 failed." in words
    assert "not on the list of trusted sources" in tables(at)
    click(at, "trace_step_by_1")
    assert "Statistics of the passages used were updated." in shown(at)
    at.selectbox(key=f"trace_step_{run.id}").select(1).run()
    assert "What can be checked?]]  \nFactual claim · 1 statement to check" in shown(at)
    assert "FACTUAL" not in shown(at)
    told: tuple[tuple[str, dict[str, Any], dict[str, Any], str], ...] = (
        ("classify", {"claim": "It is."}, {}, "What was claimed?]]  \n“It is.”"),
        ("retrieve", {"statements": ["It is.", "So."]}, {}, "What was searched for?]]  \n1 · It is.  \n2 · So."),
        ("rerank", {"candidates": 40}, {}, "What was read?]]  \n40 candidates"),
        ("sufficiency", {}, {"statements": [{"statement": 1, "enough": False, "reason": "None.", "missing": "One."}]},
         "Why?]]  \n1 · not enough: None. One."),
        ("verdict", {"evidence": [1, 2]}, {}, "What was decided on?]]  \n2 passages"),
        ("new step", {"claim": 7}, {"statements": "?"}, "What came out?]]  \nDone"),
    )  # fmt: skip
    steps = tuple(TraceStep(name, AT, 0.1, "Done", "Because.", inputs, outputs) for name, inputs, outputs, _ in told)
    run = keep(replace(false_run("1" * 32), steps=steps))
    opened(at, run.id)
    for position, (*_, answer) in enumerate(told, start=1):
        at.selectbox(key=f"trace_step_{run.id}").select(position).run()
        assert answer in bare(at)


def test_the_time_line_has_a_row_for_each_step(at: AppTest, keep: Keep) -> None:
    steps = (
        replace(false_run().steps[0], started_at=AT, seconds=0.001),
        TraceStep("rerank", AT, 2.0, "kept", f"{HOSTILE} %{{customdata}} $x$"),
        TraceStep("rerank", AT + timedelta(seconds=2), 1.0, "stopped", ""),
        TraceStep(HOSTILE[:20], AT, 0.0, "", ""),
    )
    [chart] = opened(at, keep(replace(false_run(), steps=steps)).id).get("plotly_chart")
    [bars] = json.loads(chart.proto.spec)["data"]
    assert bars["y"] == ["1 Understand", "3 Weigh (1)", "3 Weigh (2)", "4 Other"]
    assert bars["text"] == ["< 0.01 s", "2.0 s", "1.0 s · stopped", "< 0.01 s"]
    assert bars["marker"]["line"]["width"] == [0, 0, 2, 0], "the step that stopped is open"
    assert bars["marker"]["pattern"]["shape"] == ["", "", "x", ""]
    assert min(bars["x"]) == 0.004 * 3.0, "the shortest can be seen"
    over = bars["hovertext"][1].replace("<br>", "")
    assert not [mark for mark in ("<", "%{", "$") if mark in over]
    assert "the longest is 3 Weigh (1) with 2.0 s." in chart.proto.alt


def test_what_a_language_model_was_asked_is_shown(at: AppTest, keep: Keep) -> None:
    call = {
        "purpose": "verdict", "judge": "cloud", "model": "m<b>", "host": "api.example", "sent": True, "attempts": 1,
        "tokens_in": 900, "tokens_out": 100, "estimated": True, "cost_usd": 0.0012, "seconds": 2.5,
        "form": "json_schema", "problem": "", "prompt": f"SYSTEM\nDecide. {HOSTILE}", "answer": HOSTILE,
    }  # fmt: skip
    step = TraceStep("verdict", AT, 2.6, "False, 80% confident", HOSTILE, {}, {"calls": [call, "broken"]}, 1000, 0.0012)
    run = replace(
        false_run(), steps=(step,), judge=JudgeInfo("cloud", "m", ("cloud (m): asked",), "api.example"),
        settings={"prompts": {"verdict": "0123456789abcdef"}, "max_tokens": 60_000},
        usage=Usage(tokens=1000, cost_usd=0.0012),
    )  # fmt: skip
    opened(at, keep(run).id)
    assert "about 900 in, 100 out" in tables(at)
    assert "0123456789ab" in tables(at)
    assert {HOSTILE, f"SYSTEM\nDecide. {HOSTILE}"} <= {text.value for text in at.text}
    assert "kept the checksum" not in shown(at)
    found = [json.loads(j.value) for j in at.json]
    assert [set(o["calls"][0]) & {"prompt", "answer", "model"} for o in found if "calls" in o] == [{"model"}]
    assert_no_markup(at)
    old = replace(step, outputs={"calls": [{"purpose": "verdict", "model": "m"}]})
    keep(replace(run, id="1" * 32, steps=(old,)))
    assert "kept the checksum of each prompt, not its text" in shown(opened(at, "1" * 32))


def test_candidates_are_shown_with_their_numbers_and_reasons(at: AppTest, keep: Keep) -> None:
    pages = [page(1, title="=cmd|' /C calc'!A0"), page(2, "aside"), page(3), page(4), page(5)]

    def reading(text: str, statement: str) -> Stance:
        return Stance(0.1, 0.1, 0.3, 0.5) if text.startswith("aside") else stance(text, statement)

    run = keep(replace(decided(), steps=made(pages, rules=RerankRules(keep=2), reading=reading).steps))
    opened(at, run.id, CANDIDATES)
    assert "5 candidates of the last round, 2 kept as evidence" in bare(at)
    frame = at.dataframe[0].value
    assert frame["Final"].is_monotonic_decreasing
    assert [t for t in frame["Title"] if t.startswith("'=")], "the table's download would take it for a formula"
    columns = json.loads(at.dataframe[0].proto.columns)
    assert [name for name in frame.columns if not columns[name].get("help")] == [], "every column is explained"
    box = at.selectbox(key=f"trace_candidates_reason_{run.id}")
    assert box.options == ["It is about something else", "Stronger passages were used"]
    box.select("off_topic").run()
    frame = at.dataframe[0].value
    assert (list(frame["Source"]), list(frame["Why"])) == (["s2.org"], ["It is about something else"])
    at.segmented_control(key="trace_candidates_shown").set_value("Kept").run()
    assert len(at.dataframe[0].value) == 2
    for n, (other, words) in enumerate((
        (false_run(), "An older version of Ghost made this run"),
        (opinion_run(), "ended before step 3"),
        (made([]), "Nothing was found"),
    )):  # fmt: skip
        assert words in shown(opened(at, keep(replace(other, id=f"run-{n}")).id, CANDIDATES))


def test_what_is_changed_changes_the_decision_and_is_kept(at: AppTest, keep: Keep) -> None:
    run = keep(decided())
    opened(at, run.id, tab_="what-if")
    assert at.session_state["trace_tab"] == WHAT_IF, "the open tab is in the address"

    def key(name: str) -> str:
        return f"trace_whatif_{name}_{run.id}"

    assert "Without s1.org it would be Not Enough Evidence." in shown(at)
    assert "change something to see the effect" in shown(at)
    at.multiselect(key=key("sources")).select("s1.org").run()
    assert "It changes from True to Not Enough Evidence" in bare(at)
    assert "left out" in tables(at)
    click(at, "trace_whatif_reset")
    assert "change something" in shown(at)
    at.slider(key=key("decides")).set_value(95).run()
    assert "It changes from True to Not Enough Evidence" in bare(at)
    click(at, "trace_whatif_reset")
    at.slider(key=key("boost")).set_value(0.0).run()
    assert "stays True" in bare(at)
    passage = decide(read_kept_run(run)).evidence[-1].passage.id
    at.multiselect(key=key("sources")).select("s1.org")
    at.multiselect(key=key("passages")).set_value([passage])
    dials = {"boost": 0.5, "relevance": 0.3, "standing": 50, "decides": 80}
    for name, value in dials.items():
        at.slider(key=key(name)).set_value(value)
    at.run()
    at.query_params.pop("tab")
    at.session_state["trace_tab"] = STEPS
    at.run()
    opened(at, run.id, WHAT_IF)
    assert {name: at.slider(key=key(name)).value for name in dials} == dials
    assert at.multiselect(key=key("sources")).value == ["s1.org"]
    assert at.multiselect(key=key("passages")).value == [passage]
    click(at, "trace_back")
    assert "tab" not in at.query_params


def test_the_rule_is_told_apart_from_other_verdicts_and_from_none(at: AppTest, keep: Keep) -> None:
    for n, (run, *words) in enumerate((
        (replace(decided(), judge=JudgeInfo("cloud", "m", ())), "THE EMBEDDED RULE WOULD SAY",
         "decided by the cloud judge"),
        (opinion_run(), "ended at step 1"),
        (broken_run(RunStatus.FAILED, "The disk is full."), "It ended without a verdict."),
        (replace(false_run(), status=RunStatus.RUNNING, verdict=None), "This check is still running"),
    )):  # fmt: skip
        found = shown(opened(at, keep(replace(run, id=f"run-{n}")).id, WHAT_IF))
        assert [word for word in words if word not in found] == []


def test_two_runs_are_compared_from_the_list(use: Use, at: AppTest, keep: Keep, stored: ScriptedBench) -> None:
    one = keep(false_run())
    assert "There is no other run yet." in shown(opened(at, one.id, COMPARE))
    assert "not in these records" in shown(opened(at, one.id, COMPARE, with_="9" * 32))
    other, third = keep(replace(searched_run(), settings={"web": True})), keep(false_run("3" * 32))
    click(at, "trace_back")
    at.checkbox(key=f"trace_pick_{third.id}").check().run()
    assert "Select one more to compare" in shown(at)
    for run in (one, other):  # a third takes the place of the first
        at.checkbox(key=f"trace_pick_{run.id}").check().run()
    assert [at.checkbox(key=f"trace_pick_{run.id}").value for run in (one, other, third)] == [True, True, False]
    assert not listed(use(stored)).checkbox(key=f"trace_pick_{one.id}").value, "each visitor selects for themselves"
    click(at, "trace_compare")
    assert "3 in both · 0 only in this run · 1 only in the other" in bare(at)
    assert "Settings that differ" in shown(at)
    assert (at.query_params["run"], at.query_params["with"]) == (one.id, other.id)
    at.selectbox(key=f"trace_with_{one.id}").select(None).run()
    assert "Choose a run to see both side by side." in shown(at)


def test_unknown_and_unreadable_runs_are_explained(at: AppTest, stored: ScriptedBench) -> None:
    opened(at, "nonsense<script>")
    assert "This run is not here" in at.title[0].value
    assert_no_markup(at)

    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise StoreError("The disk cannot be read. Check it and try again.")

    stored.runs = Broken()  # type: ignore[assignment]
    at.run()
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")
    click(at, "trace_back")
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")


def test_hostile_runs_are_text(at: AppTest, keep: Keep) -> None:
    base = made([page(1, title=HOSTILE, domain="", publisher=HOSTILE[:60]), page(2, "off", title=HOSTILE)], HOSTILE)
    run = keep(replace(hostile_run(), evidence=base.evidence, steps=(*hostile_run().steps, *base.steps)))
    keep(replace(run, id="7" * 32, settings={HOSTILE: HOSTILE}))
    assert_no_markup(listed(at))
    for tab in (STEPS, CANDIDATES, WHAT_IF, COMPARE):
        opened(at, run.id, tab, **({"with_": "7" * 32} if tab == COMPARE else {}))
        assert "alert(1)" in shown(at)
        assert_no_markup(at)
