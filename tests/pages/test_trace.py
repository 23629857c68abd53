"""The Trace page over runs in a real store: the list, one run from all sides, two runs, and what if."""

import csv
import io
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import StoreError
from ghost.pipelines import decide, read_kept_run
from ghost.records import RunStore
from ghost.steps import RerankRules
from ghost.types import JudgeInfo, Label, Run, RunStatus, Stance, TraceStep, Usage
from ghost.ui.trace import PARAMS
from tests.pages.visits import Use, assert_no_markup, click, shown, tables, turn_to
from tests.pipelines.runs import made, page, stance
from tests.records.kept import keep_run
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, broken_run, false_run, hostile_run, leaning_run, opinion_run, searched_run

STEPS, CANDIDATES, WHAT_IF, COMPARE = "Steps", "Candidates", "What if", "Compare"
Keep = Callable[[Run], Run]


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.runs = RunStore(bench.database)  # type: ignore[assignment]
    return bench


@pytest.fixture
def keep(bench: ScriptedBench) -> Keep:
    """Writes a run down as if it had just been made."""

    def write(run: Run) -> Run:
        keep_run(bench.database, run)
        return run

    return write


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], Any]]:
    """What each download button of the page would send, by its label."""
    made: dict[str, Callable[[], Any]] = {}
    draw = st.download_button

    def kept(label: str, data: Callable[[], Any], *rest: Any, **more: Any) -> bool:
        made[label] = data
        return draw(label, data, *rest, **more)

    monkeypatch.setattr(st, "download_button", kept)
    return made


def rows_of(download: Callable[[], bytes]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(download().decode("utf-8-sig"), newline="")))


def hardly(text: str, statement: str) -> Stance:
    """What supports it does so with a probability that a stricter bound would not let pass."""
    return Stance(0.75, 0.05, 0.15, 0.05) if text.startswith("yes") else stance(text, statement)


def decided() -> Run:
    """A run of the real steps with the verdict that the rule comes to."""
    first = made([page(1), page(2, "so"), page(3, "off")], reading=hardly)
    run = replace(first, steps=made([page(1), page(2, "so")], reading=hardly).steps)
    return replace(run, verdict=decide(read_kept_run(run)).verdict, finished_at=AT, settings={"max_seconds": 180.0})


def listed(at: AppTest) -> AppTest:
    at.run()
    at.switch_page("pages/trace.py").run()
    assert not at.exception
    return at


def opened(at: AppTest, run_id: str, tab: str = STEPS, **params: str) -> AppTest:
    at.run()
    at.switch_page("pages/trace.py")
    at.query_params["run"] = run_id
    for name, value in params.items():
        at.query_params[name.rstrip("_")] = value
    at.session_state["trace_tab"] = tab
    at.run()
    assert not at.exception
    return at


def test_without_runs_it_says_what_will_be_here(use: Use, bench: ScriptedBench) -> None:
    assert "No claim has been checked yet." in shown(listed(use(bench)))


def test_runs_are_listed_and_filtered(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    for run in (false_run(), opinion_run(), broken_run(RunStatus.FAILED, "The disk is full.")):
        keep(run)
    at = listed(use(bench))
    assert "1 to 3 of 3 checks, newest first" in shown(at)
    at.selectbox(key="trace_label").select(Label.FALSE).run()
    assert "1 to 1 of 1 check, newest first" in shown(at)
    assert "High confidence (93%) · embedded judge" in shown(at)
    at.selectbox(key="trace_label").select(None)
    at.selectbox(key="trace_status").select(RunStatus.FAILED).run()
    assert "of 1 check" in shown(at)
    at.date_input(key="trace_since").set_value(date(2030, 1, 1)).run()
    assert "No check passes these filters." in shown(at)
    click(at, "trace_clear")
    assert "of 3 checks" in shown(at)
    at.text_input(key="trace_text").input("pizza").run()
    assert at.query_params["q"] == "pizza"
    assert "Pineapple" in shown(at)


def test_the_filters_are_in_the_address_and_survive_a_reload(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    for run in (false_run(), opinion_run(), broken_run(RunStatus.FAILED, "The disk is full.")):
        keep(run)
    at = listed(use(bench))
    at.selectbox(key="trace_label").select(Label.FALSE).run()
    at.date_input(key="trace_since").set_value(date(2020, 1, 1)).run()
    assert {name: at.query_params.get(name) for name in PARAMS} == {
        "q": None, "verdict": "False", "judge": None, "status": None, "from": "2020-01-01", "to": None,
    }  # fmt: skip
    next(b for b in at.button if b.label == "Open").click().run()
    click(at, "trace_back")
    assert at.query_params["verdict"] == "False"
    again = use(bench).run()
    again.switch_page("pages/trace.py")
    for name in ("verdict", "from"):
        again.query_params[name] = at.query_params[name]
    again.run()
    assert again.selectbox(key="trace_label").value is Label.FALSE
    assert again.date_input(key="trace_since").value == date(2020, 1, 1)
    assert "of 1 check" in shown(again)
    again.switch_page("pages/verify.py").run()
    again.switch_page("pages/trace.py")
    again.query_params.clear()
    again.run()
    assert again.query_params["verdict"] == "False"
    again.selectbox(key="trace_label").select(None).run()
    assert "verdict" not in again.query_params
    assert "of 3 checks" in shown(again)


def test_an_address_that_asks_for_nothing_usable_narrows_nothing(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    keep(false_run())
    at = use(bench).run()
    at.switch_page("pages/trace.py")
    bad = {"verdict": HOSTILE, "judge": "nobody", "status": "?", "from": "1066-10-14", "to": "yesterday"}
    for name, value in bad.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert "of 1 check" in shown(at)
    assert not set(PARAMS) & set(at.query_params)


def test_the_open_tab_is_in_the_address(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    run = keep(decided())
    at = opened(use(bench), run.id, tab_="what-if")
    assert at.session_state["trace_tab"] == WHAT_IF
    click(at, "trace_back")
    assert "tab" not in at.query_params


def test_the_analysts_verdict_is_first_and_ghosts_beside_it(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    one, other = keep(false_run()), keep(searched_run())
    bench.reviews.override(one.id, Label.MISLEADING, "Half of it.")
    at = listed(use(bench))
    assert "High confidence (93%) · yours; Ghost: False" in shown(at)
    click(at, f"trace_open_{one.id}")
    assert "Your verdict: Misleading" in shown(at)
    assert "False · High confidence (93%)" in shown(at)
    at = opened(at, one.id, COMPARE, with_=other.id)
    assert next(h.value for h in at.header if "False" in h.value or "Mis" in h.value).endswith("Misleading]")
    assert "Your verdict. Ghost: " in shown(at).replace("**", "")


def test_a_leaning_is_nowhere_in_the_lists_and_badges(
    use: Use, bench: ScriptedBench, keep: Keep, downloads: dict[str, Callable[[], Any]]
) -> None:
    leaning, sure = keep(leaning_run()), keep(false_run())
    at = listed(use(bench))
    assert ":gray-badge[:material/help: Not Enough Evidence]" in shown(at)
    assert "lean" not in shown(at)
    for label in (Label.FALSE, Label.NOT_ENOUGH_EVIDENCE):
        at.selectbox(key="trace_label").select(label).run()
        assert "of 1 check" in shown(at)
    at.selectbox(key="trace_label").select(None).run()
    rows = rows_of(downloads["Download CSV"])
    assert {r["run"]: (r["verdict"], r["confidence"]) for r in rows} == {
        leaning.id: ("Not Enough Evidence", ""), sure.id: ("False", "0.93"),
    }  # fmt: skip
    [row] = [r for r in rows if r["run"] == sure.id]
    finished = (AT + timedelta(seconds=0.46)).isoformat()
    assert (row["started"], row["finished"], row["status"]) == (AT.isoformat(), finished, "finished")
    for tab in (STEPS, WHAT_IF, COMPARE):
        words = shown(opened(at, leaning.id, tab, with_=sure.id if tab == COMPARE else ""))
        assert "Not Enough Evidence" in words
        assert "lean" not in words.replace("The evidence leans one way", "")
        assert "55%" not in words


def test_many_runs_are_paged_and_the_page_stays(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    for n in range(60):
        run = false_run(f"{n:032x}")
        keep(replace(run, steps=(), evidence=(), started_at=AT + timedelta(hours=n)))
    at = listed(use(bench))
    assert "1 to 25 of 60 checks" in shown(at)
    turn_to(at, 3)
    assert "51 to 60 of 60 checks" in shown(at)
    next(b for b in at.button if b.label == "Open").click().run()
    click(at, "trace_back")
    assert "51 to 60 of 60 checks" in shown(at)


def test_a_run_is_opened_kept_in_the_address_and_left_again(
    use: Use, bench: ScriptedBench, keep: Keep, downloads: dict[str, Callable[[], Any]]
) -> None:
    run = keep(false_run())
    at = listed(use(bench))
    click(at, f"trace_open_{run.id}")
    assert at.query_params["run"] == run.id
    assert json.loads(downloads["Trace as JSON"]())["run_id"] == run.id
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/trace.py").run()
    assert run.claim.text in at.title[0].value
    click(at, "trace_back")
    assert at.title[0].value == "Trace"


def test_steps_answer_what_a_reader_asks(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    run = searched_run()
    run = keep(replace(run, settings=run.settings | {"max_searches": 8, "max_seconds": 180.0}))
    at = opened(use(bench), run.id)
    words = shown(at)
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


@pytest.mark.parametrize(
    ("name", "inputs", "outputs", "words"),
    [
        ("classify", {"claim": "It is."}, {}, "What was claimed?]]  \n“It is.”"),
        ("retrieve", {"statements": ["It is.", "So."]}, {}, "What was searched for?]]  \n1 · It is.  \n2 · So."),
        ("rerank", {"candidates": 40}, {}, "What was read?]]  \n40 candidates"),
        ("sufficiency", {}, {"statements": [{"statement": 1, "enough": False, "reason": "None.", "missing": "One."}]},
         "Why?]]  \n1 · not enough: None. One."),
        ("verdict", {"evidence": [1, 2]}, {}, "What was decided on?]]  \n2 passages"),
        ("new step", {"claim": 7}, {"statements": "?"}, "What came out?]]  \nDone"),
    ],
)  # fmt: skip
def test_what_each_step_was_given_and_why_is_told_in_words(
    use: Use, bench: ScriptedBench, keep: Keep, name: str, inputs: Any, outputs: Any, words: str
) -> None:
    run = keep(replace(false_run(), steps=(TraceStep(name, AT, 0.1, "Done", "Because.", inputs, outputs),)))
    assert words in shown(opened(use(bench), run.id)).replace("**", "")


def test_the_time_line_has_a_row_for_each_step(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    read = TraceStep("rerank", AT, 2.0, "kept", f"{HOSTILE} %{{customdata}} $x$")
    steps = (
        replace(false_run().steps[0], started_at=AT, seconds=0.001),
        read,
        TraceStep("rerank", AT + timedelta(seconds=2), 1.0, "stopped", ""),
        TraceStep(HOSTILE[:20], AT, 0.0, "", ""),
    )
    run = keep(replace(false_run(), steps=steps))
    [chart] = opened(use(bench), run.id).get("plotly_chart")
    [bars] = json.loads(chart.proto.spec)["data"]
    assert bars["y"] == ["1 Understand", "3 Weigh (1)", "3 Weigh (2)", "4 Other"]
    assert bars["text"] == ["< 0.01 s", "2.0 s", "1.0 s · stopped", "< 0.01 s"]
    assert bars["marker"]["line"]["width"] == [0, 0, 2, 0], "the step that stopped is open"
    assert bars["marker"]["pattern"]["shape"] == ["", "", "x", ""]
    assert min(bars["x"]) == 0.004 * 3.0, "the shortest can be seen"
    over = bars["hovertext"][1].replace("<br>", "")
    assert "<" not in over
    assert "%{" not in over
    assert "$" not in over
    assert "the longest is 3 Weigh (1) with 2.0 s." in chart.proto.alt


def test_what_a_language_model_was_asked_is_shown(use: Use, bench: ScriptedBench, keep: Keep) -> None:
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
    at = opened(use(bench), keep(run).id)
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


def test_candidates_are_shown_with_their_numbers_and_reasons(
    use: Use, bench: ScriptedBench, keep: Keep, downloads: dict[str, Callable[[], Any]]
) -> None:
    pages = [page(1, title="=cmd|' /C calc'!A0"), page(2, "aside"), page(3), page(4), page(5)]

    def reading(text: str, statement: str) -> Stance:
        return Stance(0.1, 0.1, 0.3, 0.5) if text.startswith("aside") else stance(text, statement)

    run = keep(replace(decided(), steps=made(pages, rules=RerankRules(keep=2), reading=reading).steps))
    at = opened(use(bench), run.id, CANDIDATES)
    assert "5 candidates of the last round, 2 kept as evidence" in shown(at).replace("**", "")
    frame = at.dataframe[0].value
    assert frame["Final"].is_monotonic_decreasing
    # The table's own download, and ours, would take it for a formula.
    assert [t for t in frame["Title"] if t.startswith("'=")]
    rows = rows_of(downloads["Download CSV"])
    assert [r["title"] for r in rows if "cmd" in r["title"]] == ["'=cmd|' /C calc'!A0"]
    assert {r["kept"] for r in rows} == {"yes", "no"}
    box = at.selectbox(key=f"trace_candidates_reason_{run.id}")
    assert box.options == ["It is about something else", "Stronger passages were used"]
    box.select("off_topic").run()
    frame = at.dataframe[0].value
    assert (list(frame["Source"]), list(frame["Why"])) == (["s2.org"], ["It is about something else"])
    at.segmented_control(key="trace_candidates_shown").set_value("Kept").run()
    frame = at.dataframe[0].value
    assert len(frame) == 2
    columns = json.loads(at.dataframe[0].proto.columns)
    assert [name for name in frame.columns if not columns[name].get("help")] == [], "every column is explained"


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (false_run(), "An older version of Ghost made this run"),
        (opinion_run(), "ended before step 3"),
        (replace(made([]), id="1" * 32), "Nothing was found"),
    ],
    ids=["old", "opinion", "nothing"],
)
def test_runs_without_candidates_say_so(use: Use, bench: ScriptedBench, keep: Keep, run: Run, words: str) -> None:
    assert words in shown(opened(use(bench), keep(run).id, CANDIDATES))


def test_a_source_is_left_out_and_the_decision_changes(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    run = keep(decided())
    at = opened(use(bench), run.id, WHAT_IF)
    words = shown(at)
    assert "Without s1.org it would be Not Enough Evidence." in words
    assert "change something to see the effect" in words
    at.multiselect(key=f"trace_whatif_sources_{run.id}").select("s1.org").run()
    assert not at.exception
    assert "It changes from True to Not Enough Evidence" in shown(at).replace("**", "")
    assert "left out" in tables(at)
    click(at, "trace_whatif_reset")
    assert "change something" in shown(at)
    at.slider(key=f"trace_whatif_decides_{run.id}").set_value(95).run()
    assert "It changes from True to Not Enough Evidence" in shown(at).replace("**", "")
    at.slider(key=f"trace_whatif_standing_{run.id}").set_value(50).run()
    click(at, "trace_whatif_reset")
    at.slider(key=f"trace_whatif_boost_{run.id}").set_value(0.0).run()
    assert "stays True" in shown(at).replace("**", "")


def test_what_was_changed_is_kept_when_something_else_is_looked_at(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    run = keep(decided())
    at = opened(use(bench), run.id, WHAT_IF)

    def key(name: str) -> str:
        return f"trace_whatif_{name}_{run.id}"

    passage = decide(read_kept_run(run)).evidence[-1].passage.id
    at.multiselect(key=key("sources")).select("s1.org")
    at.multiselect(key=key("passages")).set_value([passage])
    dials = {"boost": 0.5, "relevance": 0.3, "standing": 50, "decides": 80}
    for name, value in dials.items():
        at.slider(key=key(name)).set_value(value)
    at.run()
    at.session_state["trace_tab"] = STEPS
    at.run()
    at = opened(at, run.id, WHAT_IF)
    assert {name: at.slider(key=key(name)).value for name in dials} == dials
    assert at.multiselect(key=key("sources")).value == ["s1.org"]
    assert at.multiselect(key=key("passages")).value == [passage]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (replace(decided(), judge=JudgeInfo("cloud", "m", ())), "THE EMBEDDED RULE WOULD SAY"),
        (replace(decided(), judge=JudgeInfo("cloud", "m", ())), "decided by the cloud judge"),
        (opinion_run(), "ended at step 1"),
        (broken_run(RunStatus.FAILED, "The disk is full."), "It ended without a verdict."),
        (replace(false_run(), status=RunStatus.RUNNING, verdict=None), "This check is still running"),
    ],
    ids=["another judge", "its limits", "opinion", "failed", "running"],
)
def test_the_rule_is_told_apart_from_other_verdicts_and_from_none(
    use: Use, bench: ScriptedBench, keep: Keep, run: Run, words: str
) -> None:
    assert words in shown(opened(use(bench), keep(run).id, WHAT_IF))


def test_two_runs_are_compared_from_the_list(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    one, other = keep(false_run()), keep(replace(searched_run(), settings={"web": True}))
    at = listed(use(bench))
    at.checkbox(key=f"trace_pick_{one.id}").check().run()
    assert "Select one more to compare" in shown(at)
    at.checkbox(key=f"trace_pick_{other.id}").check().run()
    click(at, "trace_compare")
    words = shown(at)
    assert "3 in both · 0 only in this run · 1 only in the other" in words.replace("**", "")
    assert "Settings that differ" in words
    assert (at.query_params["run"], at.query_params["with"]) == (one.id, other.id)
    at.selectbox(key=f"trace_with_{one.id}").select(None).run()
    assert "Choose a run to see both side by side." in shown(at)


def test_a_third_selected_run_takes_the_place_of_the_first(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    ids = [keep(false_run(letter * 32)).id for letter in "123"]
    at, other = listed(use(bench)), use(bench)
    for run_id in ids:
        at.checkbox(key=f"trace_pick_{run_id}").check().run()
    assert [at.checkbox(key=f"trace_pick_{i}").value for i in ids] == [False, True, True]
    assert not listed(other).checkbox(key=f"trace_pick_{ids[2]}").value, "another visitor selects for themselves"
    assert threading.active_count() < 50


def test_comparing_says_what_it_lacks(use: Use, bench: ScriptedBench, keep: Keep) -> None:
    keep(false_run())
    at = use(bench)
    assert "There is no other run yet." in shown(opened(at, false_run().id, COMPARE))
    assert "not on this machine" in shown(opened(at, false_run().id, COMPARE, with_="9" * 32))


def test_unknown_and_unreadable_runs_are_explained(use: Use, bench: ScriptedBench) -> None:
    at = opened(use(bench), "nonsense<script>")
    assert at.title[0].value == "This run is not here"
    assert_no_markup(at)

    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise StoreError("The disk cannot be read. Check it and try again.")

    bench.runs = Broken()  # type: ignore[assignment]
    at.run()
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")
    click(at, "trace_back")
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")


@pytest.mark.parametrize("tab", [STEPS, CANDIDATES, WHAT_IF, COMPARE])
def test_hostile_runs_are_text(use: Use, bench: ScriptedBench, keep: Keep, tab: str) -> None:
    base = made([page(1, title=HOSTILE, domain="", publisher=HOSTILE[:60]), page(2, "off", title=HOSTILE)], HOSTILE)
    run = keep(replace(hostile_run(), evidence=base.evidence, steps=(*hostile_run().steps, *base.steps)))
    keep(replace(run, id="7" * 32, settings={HOSTILE: HOSTILE}))
    at = use(bench)
    assert_no_markup(listed(at))
    at = opened(at, run.id, tab, **({"with_": "7" * 32} if tab == COMPARE else {}))
    assert "alert(1)" in shown(at)
    assert_no_markup(at)
