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
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import StoreError
from ghost.pipelines import decide, read_kept_run
from ghost.records import Database, ReviewStore, RunFilter, RunStore
from ghost.steps import RerankRules
from ghost.types import JudgeInfo, Label, Run, RunStatus, Stance, TraceStep, Usage
from ghost.ui.trace import candidates, run_list
from ghost.ui.trace import run as trace_run
from ghost.ui.trace.filters import PARAMS
from ghost.ui.verify.step_list import decision_of
from tests.pages.records import keep, store
from tests.pages.test_verify import LIVE, shown, turn_to, use
from tests.pipelines.runs import made, page, stance
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, broken_run, false_run, hostile_run, leaning_run, opinion_run, searched_run

__all__ = ["use"]
Use = Callable[[ScriptedBench], AppTest]


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.runs = store(tmp_path)  # type: ignore[assignment]
    return bench


def runs_of(bench: ScriptedBench) -> RunStore:
    assert isinstance(bench.runs, RunStore)
    return bench.runs


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


def opened(at: AppTest, run_id: str, tab: str = trace_run.STEPS, **params: str) -> AppTest:
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
    words = shown(listed(use(bench)))
    assert "No claim has been checked yet." in words


def test_runs_are_listed_and_filtered(use: Use, bench: ScriptedBench) -> None:
    keep(runs_of(bench), false_run())
    keep(runs_of(bench), opinion_run())
    keep(runs_of(bench), broken_run(RunStatus.FAILED, "The disk is full."))
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
    at.button(key="trace_clear").click().run()
    assert "of 3 checks" in shown(at)
    at.text_input(key="trace_text").input("pizza").run()
    assert "Pineapple" in shown(at)
    assert "of 1 check" in shown(at)


def test_the_filters_stand_in_the_address_and_survive_a_reload(use: Use, bench: ScriptedBench) -> None:
    for run in (false_run(), opinion_run(), broken_run(RunStatus.FAILED, "The disk is full.")):
        keep(runs_of(bench), run)
    at = listed(use(bench))
    at.text_input(key="trace_text").input("pizza").run()
    assert at.query_params["q"] == "pizza"
    at.text_input(key="trace_text").input("").run()
    at.selectbox(key="trace_label").select(Label.FALSE).run()
    at.date_input(key="trace_since").set_value(date(2020, 1, 1)).run()
    assert {name: at.query_params.get(name) for name in PARAMS} == {
        "q": None, "verdict": "False", "judge": None, "status": None, "from": "2020-01-01", "to": None,
    }  # fmt: skip
    next(b for b in at.button if b.label == "Open").click().run()
    at.button(key="trace_back").click().run()
    assert at.query_params["verdict"] == "False"
    again = use(bench).run()
    again.switch_page("pages/trace.py")
    for name in ("verdict", "from"):
        again.query_params[name] = at.query_params[name]
    again.run()
    assert not again.exception
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


def test_the_open_tab_stands_in_the_address(use: Use, bench: ScriptedBench) -> None:
    run = decided()
    keep(runs_of(bench), run)
    at = use(bench).run()
    at.switch_page("pages/trace.py")
    at.query_params["run"] = run.id
    at.query_params["tab"] = "what-if"
    at.run()
    assert not at.exception
    assert at.session_state["trace_tab"] == trace_run.WHAT_IF
    at.button(key="trace_back").click().run()
    assert "tab" not in at.query_params


def test_an_address_that_asks_for_nothing_usable_narrows_nothing(use: Use, bench: ScriptedBench) -> None:
    keep(runs_of(bench), false_run())
    at = use(bench).run()
    at.switch_page("pages/trace.py")
    bad = {"verdict": HOSTILE, "judge": "nobody", "status": "?", "from": "1066-10-14", "to": "yesterday"}
    for name, value in bad.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert "of 1 check" in shown(at)
    assert not set(PARAMS) & set(at.query_params)


def test_the_analysts_verdict_stands_first_and_ghosts_beside_it(use: Use, bench: ScriptedBench, tmp_path: Path) -> None:
    keep(runs_of(bench), false_run())
    ReviewStore(Database.open(tmp_path / "runs" / "ghost.db")).override(false_run().id, Label.MISLEADING, "Half of it.")
    at = listed(use(bench))
    assert "High confidence (93%) · yours; Ghost: False" in shown(at)
    at.button(key=f"trace_open_{false_run().id}").click().run()
    assert "Your verdict: Misleading" in shown(at)
    assert "False · High confidence (93%)" in shown(at)


def test_a_leaning_is_nowhere_in_the_lists_and_badges(use: Use, bench: ScriptedBench) -> None:
    keep(runs_of(bench), leaning_run())
    keep(runs_of(bench), false_run())
    at = listed(use(bench))
    words = shown(at)
    assert ":gray-badge[:material/help: Not Enough Evidence]" in words
    assert "lean" not in words
    at.selectbox(key="trace_label").select(Label.FALSE).run()
    assert "of 1 check" in shown(at)
    at.selectbox(key="trace_label").select(Label.NOT_ENOUGH_EVIDENCE).run()
    assert "of 1 check" in shown(at)
    rows = list(csv.DictReader(io.StringIO(run_list._csv(bench, RunFilter()).decode("utf-8-sig"))))  # type: ignore[arg-type]
    assert {r["run"]: (r["verdict"], r["confidence"]) for r in rows} == {
        leaning_run().id: ("Not Enough Evidence", ""), false_run().id: ("False", "0.93"),
    }  # fmt: skip
    for tab in (trace_run.STEPS, trace_run.WHAT_IF, trace_run.COMPARE):
        words = shown(opened(at, leaning_run().id, tab, with_=false_run().id if tab == trace_run.COMPARE else ""))
        assert "Not Enough Evidence" in words
        assert "lean" not in words.replace("The evidence leans one way", "")
        assert "55%" not in words


def test_candidates_are_filtered_by_the_reason_they_were_dropped_for(use: Use, bench: ScriptedBench) -> None:
    run = decided()
    pages = [page(1), page(2, "aside"), page(3), page(4), page(5)]

    def reading(text: str, statement: str) -> Stance:
        return Stance(0.1, 0.1, 0.3, 0.5) if text.startswith("aside") else stance(text, statement)

    keep(runs_of(bench), replace(run, steps=made(pages, rules=RerankRules(keep=2), reading=reading).steps))
    at = opened(use(bench), run.id, trace_run.CANDIDATES)
    box = at.selectbox(key=f"trace_candidates_reason_{run.id}")
    assert box.options == ["It is about something else", "Stronger passages were used"]
    box.select("off_topic").run()
    frame = at.dataframe[0].value
    assert (list(frame["Source"]), list(frame["Why"])) == (["s2.org"], ["It is about something else"])
    at.segmented_control(key="trace_candidates_shown").set_value("Kept").run()
    assert len(at.dataframe[0].value) == 2


def test_many_runs_are_paged(use: Use, bench: ScriptedBench) -> None:
    for n in range(60):
        run = false_run(f"{n:032x}")
        keep(runs_of(bench), replace(run, steps=(), evidence=(), started_at=AT + timedelta(hours=n)))
    at = listed(use(bench))
    assert "1 to 25 of 60 checks" in shown(at)
    at.session_state[f"trace_page_{hash(RunFilter())}"] = 3
    at.run()
    assert "51 to 60 of 60 checks" in shown(at)


def test_a_run_is_opened_kept_in_the_address_and_left_again(use: Use, bench: ScriptedBench) -> None:
    run = false_run()
    keep(runs_of(bench), run)
    at = listed(use(bench))
    at.button(key=f"trace_open_{run.id}").click().run()
    assert at.query_params["run"] == run.id
    assert run.claim.text in shown(at)
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/trace.py").run()
    assert run.claim.text in at.title[0].value
    at.button(key="trace_back").click().run()
    assert at.title[0].value == "Trace"


def test_steps_are_looked_into_one_by_one(use: Use, bench: ScriptedBench) -> None:
    run = searched_run()
    run = replace(run, settings=run.settings | {"max_searches": 8, "max_seconds": 180.0})
    keep(runs_of(bench), run)
    at = opened(use(bench), run.id)
    words = shown(at)
    assert "Time line" in words
    assert "Decision. 3 passages kept, 3 independent origins" in words.replace("**", "")
    at.selectbox(key=f"trace_step_{run.id}").select(5).run()
    words = shown(at)
    assert "2 searches made, 1 failed." in words
    assert "not on the list of trusted sources" in tables(at)
    at.button(key="trace_step_by_1").click().run()
    assert "Statistics of the passages used were updated." in shown(at)
    assert "embedded: runs on this machine" in words


def test_decisions_name_the_kind_of_a_claim_in_words(use: Use, bench: ScriptedBench) -> None:
    run = searched_run()
    keep(runs_of(bench), run)
    at = opened(use(bench), run.id)
    at.selectbox(key=f"trace_step_{run.id}").select(1).run()
    words = shown(at)
    assert "Decision. Factual claim · 1 statement to check" in words.replace("**", "")
    assert "FACTUAL" not in words
    step = run.steps[0]
    assert decision_of(replace(step, decision="MIXED · 2 statements")) == "Fact and opinion · 2 statements"
    assert decision_of(replace(step, decision="stopped")) == "stopped"
    assert decision_of(replace(step, name="verdict", decision="MIXED · x")) == "MIXED · x"


def test_what_a_language_model_was_asked_is_told(use: Use, bench: ScriptedBench) -> None:
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
    keep(runs_of(bench), run)
    at = opened(use(bench), run.id)
    assert "about 900 in, 100 out" in tables(at)
    assert "0123456789ab" in tables(at)
    assert HOSTILE in [text.value for text in at.text]
    assert f"SYSTEM\nDecide. {HOSTILE}" in [text.value for text in at.text]
    assert "kept the checksum" not in shown(at)
    told = [json.loads(j.value) for j in at.json]
    assert [set(o["calls"][0]) & {"prompt", "answer", "model"} for o in told if "calls" in o] == [{"model"}]
    hostile_free(at)


def test_a_run_that_kept_no_prompt_says_so(use: Use, bench: ScriptedBench) -> None:
    step = TraceStep("verdict", AT, 2.6, "False", "", {}, {"calls": [{"purpose": "verdict", "model": "m"}]}, 1000, 0.0)
    run = replace(false_run(), steps=(step,))
    keep(runs_of(bench), run)
    assert "kept the checksum of each prompt and not its words" in shown(opened(use(bench), run.id))


def test_candidates_are_told_with_their_numbers(use: Use, bench: ScriptedBench) -> None:
    run = decided()
    steps = made([page(1, title="=1+1"), page(2, "so")]).steps
    keep(runs_of(bench), replace(run, steps=steps))
    at = opened(use(bench), run.id, trace_run.CANDIDATES)
    assert "2 candidates of the last round, 2 kept as evidence" in shown(at).replace("**", "")
    frame = at.dataframe[0].value
    assert list(frame["Source"]) == ["s1.org", "s2.org"]
    assert frame["Final"].is_monotonic_decreasing
    assert frame["Title"][0] == "'=1+1"  # the table's own download would take it for a formula
    at.segmented_control(key="trace_candidates_shown").set_value("Dropped").run()
    assert "No candidate to show." in shown(at)


def test_runs_without_candidates_say_so(use: Use, bench: ScriptedBench) -> None:
    for run in (false_run(), opinion_run()):
        keep(runs_of(bench), run)
    assert "made by an older Ghost" in shown(opened(use(bench), false_run().id, trace_run.CANDIDATES))
    assert "ended before step 3" in shown(opened(use(bench), opinion_run().id, trace_run.CANDIDATES))
    keep(runs_of(bench), replace(made([]), id="1" * 32))
    assert "Nothing was found" in shown(opened(use(bench), "1" * 32, trace_run.CANDIDATES))


def test_a_source_is_left_out_and_the_decision_turns(use: Use, bench: ScriptedBench) -> None:
    run = decided()
    keep(runs_of(bench), run)
    at = opened(use(bench), run.id, trace_run.WHAT_IF)
    words = shown(at)
    assert "Without s1.org it would be Not Enough Evidence." in words
    assert "change something to see what becomes of it" in words
    at.multiselect(key=f"trace_whatif_sources_{run.id}").select("s1.org").run()
    assert not at.exception
    assert "It turns from True to Not Enough Evidence" in shown(at).replace("**", "")
    assert "left out" in tables(at)
    at.button(key="trace_whatif_reset").click().run()
    assert "change something" in shown(at)
    at.slider(key=f"trace_whatif_decides_{run.id}").set_value(95).run()
    assert "It turns from True to Not Enough Evidence" in shown(at).replace("**", "")
    at.slider(key=f"trace_whatif_standing_{run.id}").set_value(50).run()
    at.button(key="trace_whatif_reset").click().run()
    at.slider(key=f"trace_whatif_boost_{run.id}").set_value(0.0).run()
    assert "stays True" in shown(at).replace("**", "")


def test_what_was_turned_is_kept_when_something_else_is_looked_at(use: Use, bench: ScriptedBench) -> None:
    run = decided()
    keep(runs_of(bench), run)
    at = opened(use(bench), run.id, trace_run.WHAT_IF)

    def key(name: str) -> str:
        return f"trace_whatif_{name}_{run.id}"

    passage = decide(read_kept_run(run)).evidence[-1].passage.id
    at.multiselect(key=key("sources")).select("s1.org")
    at.multiselect(key=key("passages")).set_value([passage])
    dials = {"boost": 0.5, "relevance": 0.3, "standing": 50, "decides": 80}
    for name, value in dials.items():
        at.slider(key=key(name)).set_value(value)
    at.run()
    at.session_state["trace_tab"] = trace_run.STEPS
    at.run()
    at = opened(at, run.id, trace_run.WHAT_IF)
    assert {name: at.slider(key=key(name)).value for name in dials} == dials
    assert at.multiselect(key=key("sources")).value == ["s1.org"]
    assert at.multiselect(key=key("passages")).value == [passage]


def test_for_another_judge_the_rule_is_told_apart(use: Use, bench: ScriptedBench) -> None:
    run = replace(decided(), judge=JudgeInfo("cloud", "m", ("cloud (m): asked",)))
    keep(runs_of(bench), run)
    words = shown(opened(use(bench), run.id, trace_run.WHAT_IF))
    assert "THE EMBEDDED RULE WOULD SAY" in words
    assert "decided by the cloud judge" in words


def test_where_nothing_can_be_decided_again_it_says_why(use: Use, bench: ScriptedBench) -> None:
    keep(runs_of(bench), opinion_run())
    keep(runs_of(bench), broken_run(RunStatus.FAILED, "The disk is full."))
    keep(runs_of(bench), replace(false_run("2" * 32), status=RunStatus.RUNNING, verdict=None))
    at = use(bench)
    assert "ended at step 1" in shown(opened(at, opinion_run().id, trace_run.WHAT_IF))
    assert "It ended without a verdict." in shown(opened(at, "a" * 32, trace_run.WHAT_IF))
    words = shown(opened(at, "2" * 32, trace_run.WHAT_IF))
    assert "This check still goes on" in words


def test_of_two_runs_the_analysts_verdict_is_the_headline(use: Use, bench: ScriptedBench, tmp_path: Path) -> None:
    one, other = false_run(), searched_run()
    for run in (one, other):
        keep(runs_of(bench), run)
    ReviewStore(Database.open(tmp_path / "runs" / "ghost.db")).override(one.id, Label.MISLEADING, "Half of it.")
    at = opened(use(bench), one.id, trace_run.COMPARE, with_=other.id)
    assert "Misleading" in next(
        header.value for header in at.header if "False" in header.value or "Mis" in header.value
    )
    assert "Your verdict. Ghost: " in shown(at).replace("**", "")


def test_two_runs_are_compared_from_the_list(use: Use, bench: ScriptedBench) -> None:
    one = false_run()
    other = replace(searched_run(), settings={"web": True})
    for run in (one, other):
        keep(runs_of(bench), run)
    at = listed(use(bench))
    at.checkbox(key=f"trace_pick_{one.id}").check().run()
    assert "Pick one more to compare" in shown(at)
    at.checkbox(key=f"trace_pick_{other.id}").check().run()
    at.button(key="trace_compare").click().run()
    assert not at.exception
    words = shown(at)
    assert "3 in both · 0 only in this run · 1 only in the other" in words.replace("**", "")
    assert "Settings that differ" in words
    assert (at.query_params["run"], at.query_params["with"]) == (one.id, other.id)
    at.selectbox(key=f"trace_with_{one.id}").select(None).run()
    assert "Choose a run to see both beside each other." in shown(at)


def test_a_third_pick_takes_the_place_of_the_first(use: Use, bench: ScriptedBench) -> None:
    ids = [letter * 32 for letter in "123"]
    for run_id in ids:
        keep(runs_of(bench), false_run(run_id))
    at = listed(use(bench))
    for run_id in ids:
        at.checkbox(key=f"trace_pick_{run_id}").check().run()
    assert [at.checkbox(key=f"trace_pick_{i}").value for i in ids] == [False, True, True]


def test_comparing_says_what_it_lacks(use: Use, bench: ScriptedBench) -> None:
    keep(runs_of(bench), false_run())
    at = use(bench)
    assert "There is no other run yet." in shown(opened(at, false_run().id, trace_run.COMPARE))
    words = shown(opened(at, false_run().id, trace_run.COMPARE, with_="9" * 32))
    assert "not on this machine" in words


def test_unknown_and_unreadable_runs_are_explained(use: Use, bench: ScriptedBench) -> None:
    at = opened(use(bench), "nonsense<script>")
    assert at.title[0].value == "This run is not here"
    hostile_free(at)

    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise StoreError("The disk cannot be read. Check it and try again.")

    bench.runs = Broken()  # type: ignore[assignment]
    at.run()
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")
    at.button(key="trace_back").click().run()
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")
    assert not at.exception


@pytest.mark.parametrize("tab", [trace_run.STEPS, trace_run.CANDIDATES, trace_run.WHAT_IF, trace_run.COMPARE])
def test_hostile_runs_are_text(use: Use, bench: ScriptedBench, tab: str) -> None:
    base = made([page(1, title=HOSTILE, domain="", publisher=HOSTILE[:60]), page(2, "off", title=HOSTILE)], HOSTILE)
    run = replace(hostile_run(), evidence=base.evidence, steps=(*hostile_run().steps, *base.steps))
    for each in (run, replace(run, id="7" * 32, settings={HOSTILE: HOSTILE})):
        keep(runs_of(bench), each)
    at = use(bench)
    hostile_free(listed(at))
    at = opened(at, run.id, tab, **({"with_": "7" * 32} if tab == trace_run.COMPARE else {}))
    assert "alert(1)" in shown(at)
    hostile_free(at)


def tables(at: AppTest) -> str:
    return "\n".join(table.value.to_string() for table in at.table)


def hostile_free(at: AppTest) -> None:
    for element in (*at.markdown, *at.caption, *at.header, *at.subheader, *at.info, *at.warning, *at.title):
        assert not LIVE.search(element.value.replace("`rerank`", "").replace("`classify`", "").replace("`verdict`", ""))
    for table in at.table:
        for cell in table.value.astype(str).to_numpy().ravel():
            assert not LIVE.search(cell), cell


def test_exports_are_safe_and_complete() -> None:
    run = decided()
    assert json.loads(trace_run._json(run))["run_id"] == run.id
    rows = made([page(1, title="=cmd|' /C calc'!A0"), page(2, "off")])
    found = candidates.candidates(rows.steps)
    assert found is not None
    text = candidates._csv(found).decode("utf-8-sig")
    head, first, second = csv.reader(io.StringIO(text, newline=""))
    assert dict(zip(head, first, strict=True))["title"].startswith("'=")
    assert (first[1], second[1]) == ("yes", "no")


def test_the_list_as_a_table(bench: ScriptedBench) -> None:
    keep(runs_of(bench), false_run())
    text = run_list._csv(bench, RunFilter()).decode("utf-8-sig")  # type: ignore[arg-type]
    _, row = csv.reader(io.StringIO(text, newline=""))
    assert row[:5] == ["f" * 32, AT.isoformat(), (AT + timedelta(seconds=0.46)).isoformat(), "finished", "False"]


def test_two_visitors_do_not_disturb_each_other(use: Use, bench: ScriptedBench) -> None:
    for run_id in ("1" * 32, "2" * 32):
        keep(runs_of(bench), false_run(run_id))
    one, other = use(bench), use(bench)
    listed(one).checkbox(key=f"trace_pick_{'1' * 32}").check().run()
    assert not listed(other).checkbox(key=f"trace_pick_{'1' * 32}").value
    assert threading.active_count() < 50


def test_the_list_is_where_it_was_when_a_run_is_closed_again(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_list, "PAGE", 1)
    for run in (false_run(), opinion_run()):
        keep(runs_of(bench), run)
    at = turn_to(listed(use(bench)), 2)
    assert "2 to 2 of 2 checks" in shown(at)
    next(b for b in at.button if b.label == "Open").click().run()
    at.button(key="trace_back").click().run()
    assert not at.exception
    assert "2 to 2 of 2 checks" in shown(at)
