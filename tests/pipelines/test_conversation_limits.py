"""Failures and limits of a conversation: each ends in an honest verdict within the limits."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from ghost.demo_web import DemoWeb
from ghost.errors import ClaimError
from ghost.events import RunEnded, StepStarted
from ghost.jobs import Runner, RunOptions, RunView
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import Claim, Label, RunStatus
from ghost.web import SearXNG
from ghost.workbench import Workbench
from tests.judges.answers import cited, concluded, extracted, fact, said
from tests.pipelines.conversations import (
    CLAIM,
    FINISH,
    GOOD,
    HOME,
    HOME_CLAIM,
    HOME_FACT,
    KEEP,
    RECORD,
    SEARCH,
    Script,
    at_home,
    calls,
    conclude_home,
    converse,
    converse_at_home,
    ended,
    fetch_first,
    judged,
    results,
    rows,
)

CONVERSE = "single-conversation"

# What a model gets wrong


def test_bad_calls_are_answered_with_what_is_wrong(bench: Workbench) -> None:
    bad = calls(
        ("look_up", {"query": "wall"}),
        ("search", '{"query": "wall of Ber'),
        ("search", {"words": "wall"}),
        ("fetch", "[]"),
        ("extract_facts", {"facts": [{"statement": "one", "excerpt": 5}]}),
        ("extract_facts", {"facts": []}),
        ("search", {"query": "Berlin Wall"}),
    )
    done = converse_at_home(bench, at_home(bad))
    told = results(done.server.asked[2])
    assert [bool(result.get("error")) for result in told] == [True] * 7
    assert "There is no function look_up" in told[0]["error"]
    assert "Only 6 calls" in told[6]["error"]
    sent = done.server.asked[2].body["messages"][2]["tool_calls"]
    assert [c["function"]["arguments"] for c in sent][1] == "{}", "what cannot be read is not sent back"
    assert done.label is Label.TRUE
    assert not done.fell_back


@pytest.mark.parametrize("bad", ["I would search for it.", '{"calls": []}', '{"calls": [{"tool": "dig"}]}', ""])
def test_one_answer_without_a_call_is_mended_two_are_not(bench: Workbench, bad: str) -> None:
    mended = converse_at_home(bench, at_home(bad))
    assert mended.label is Label.TRUE
    assert "could not be used" in mended.server.asked[2].words
    left = converse_at_home(bench, at_home(HOME[0], bad, bad))
    assert "could not be used, and neither could the one before it" in left.fell_back
    assert left.script.asked.count("conversation") == 3
    assert left.run.verdict


def test_an_endless_loop_ends_at_the_limit_of_turns(bench: Workbench) -> None:
    words = iter(range(99))
    done = converse_at_home(bench, at_home(*[lambda _: calls(("search", {"query": f"Berlin {next(words)}"}))] * 9))
    assert done.script.asked.count("conversation") == 5
    assert "The conversation ended after 5 answers of the model" in done.fell_back
    assert "It had kept no fact" in done.fell_back
    few = converse_at_home(bench, at_home(), max_iterations=2)
    assert few.script.asked.count("conversation") == 2
    assert not few.fell_back
    assert few.label is Label.TRUE, "what was kept until then is decided on"


def test_what_it_read_is_used_by_the_seven_steps_and_not_read_again(bench: Workbench) -> None:
    done = converse(bench, Script((*GOOD[:2], "no", "no")), max_searches=2, max_fetches=2)
    assert "1 page that was read" in done.fell_back
    names = [s.name for s in done.run.steps]
    assert names.count("classify") == names.count("retrieve") == 2
    assert any(RECORD in e.passage.text for e in done.run.evidence)
    read = [row["url"] for s in done.run.steps for row in s.outputs.get("sources", ()) if row["state"] == "read"]
    assert len(read) == len(set(read))
    assert "classify" not in done.script.asked, "its statements are kept"


def test_facts_that_bear_on_nothing_leave_no_verdict_to_the_model(bench: Workbench) -> None:
    screws = "The instruments were checked in March 1986, and 55 screws were replaced."
    keep = calls(("extract_facts", {"facts": [fact(screws)]}))
    claim = "The station of Hollin Point was painted by Nim Tarvo."
    script = Script((*GOOD[:2], keep, calls(FINISH)), extracted(claim))
    done = converse(bench, script, claim, max_searches=1, max_fetches=1)
    assert "conclusion" not in done.script.asked or done.run.evidence
    assert done.label is Label.NOT_ENOUGH_EVIDENCE


# A verdict that is broken


def test_a_broken_verdict_is_mended_once(bench: Workbench) -> None:
    done = converse_at_home(bench, at_home(conclusions=('{"sentences": [', conclude_home)))
    assert done.script.asked.count("conclusion") == 2
    assert not done.fell_back
    assert done.label is Label.TRUE


def off(**changes: Any) -> Callable[[Asked], Answer]:
    def answer(asked: Asked) -> Answer:
        made: Any = conclude_home(asked)
        made["statements"][0] |= changes
        return made

    return answer


@pytest.mark.parametrize(
    "bad",
    ['{"sentences": [', {"sentences": [], "label": "True", "confidence": 1}, "It is true.",
     off(truth=140), off(truth="all"), off(importance=9)],
)  # fmt: skip
def test_a_verdict_broken_twice_falls_back(bench: Workbench, bad: Any) -> None:
    done = converse_at_home(bench, at_home(conclusions=(bad,)))
    assert done.script.asked.count("conclusion") == 2
    assert "neither could the second one" in done.fell_back
    assert done.run.verdict
    assert done.run.verdict.truth_percentage is None


# Servers that fail


class Failing(Script):
    """A good model that gives ``answer`` from the n-th question of one kind on, and to all of the seven steps."""

    def failing(self, at: str, number: int, answer: Answer) -> "Failing":
        self.at, self.number, self.answer = at, number, answer
        return self

    def __call__(self, asked: Asked) -> Answer:
        mine = asked.purpose == self.at and self.asked.count(self.at) + 1 >= self.number
        if mine or asked.purpose in ("classify", "sufficiency", "verdict", "reading"):
            self.asked.append(asked.purpose)
            return self.answer
        return super().__call__(asked)


def failing(at: str, number: int, answer: Answer) -> Failing:
    return Failing(HOME, extracted(HOME_CLAIM), (conclude_home,)).failing(at, number, answer)


POINTS = [("extraction", 1), ("conversation", 1), ("conversation", 3), ("conclusion", 1)]
DEAD: tuple[Answer, ...] = (
    None, Scripted(status=500), Scripted("half", cut_after=2), Scripted(raw="no protocol"),
    Scripted(finish="content_filter"),
)  # fmt: skip


@pytest.mark.parametrize(("at", "number"), POINTS)
@pytest.mark.parametrize("answer", DEAD)
def test_a_dead_server_or_a_refusal_leaves_the_rest_to_the_seven_steps(
    bench: Workbench, at: str, number: int, answer: Answer
) -> None:
    done = converse_at_home(bench, failing(at, number, answer))
    assert done.run.judge.name == "embedded"
    assert done.fell_back
    assert any("left " in line for line in done.run.judge.route)
    assert done.label is Label.TRUE, "the embedded judge decides"


def test_a_server_that_is_not_there(bench: Workbench) -> None:
    with judged(bench, "http://127.0.0.1:9/v1"):
        run = ended(bench, list(bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, web=False)))
    assert run.judge.name == "embedded"
    assert run.label is Label.TRUE
    assert "No language model can be asked" in " ".join(s.reason for s in run.steps)


def test_what_reading_the_claim_has_cost_is_booked_once_where_the_server_has_gone(bench: Workbench) -> None:
    with ScriptedLLM.serving(at_home()) as server, judged(bench, server.url):
        extracted_before = bench.extract(Claim(HOME_CLAIM))
    assert extracted_before.spent.usage.tokens
    with judged(bench, "http://127.0.0.1:9/v1"):
        events = bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, web=False, extracted=extracted_before)
        run = ended(bench, list(events))
    assert run.judge.name == "embedded"
    assert run.usage.tokens == extracted_before.spent.usage.tokens
    asked = [call["purpose"] for step in run.steps for call in step.outputs.get("calls", ()) if call["sent"]]
    assert asked == ["classify"]


def test_the_cloud_converses_where_the_local_server_is_not_there(bench: Workbench) -> None:
    with ScriptedLLM.serving(at_home()) as server:
        cloud: dict[str, Any] = {
            "cloud_base_url": server.url, "openai_api_key": SecretStr("sk-x"), "allow_cloud_fallback": True,
        }  # fmt: skip
        with judged(bench, "http://127.0.0.1:9/v1", **cloud):
            run = ended(bench, list(bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, web=False)))
            assert run.label is Label.TRUE
            assert run.judge.name == "cloud"
            assert "not asked" in run.judge.route[0]
            asked = len(server.asked)
            kept = bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, web=False, cloud_fallback=False)
            assert ended(bench, list(kept)).judge.name == "embedded"
            assert len(server.asked) == asked, "this run may not fall back to it"


@contextmanager
def silent_server() -> Iterator[str]:
    """A server that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        kept: list[socket.socket] = []

        def take() -> None:
            while True:
                try:
                    kept.append(server.accept()[0])
                except OSError:  # closed
                    return

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        for connection in kept:
            connection.close()


@pytest.mark.parametrize("lists_its_models", [False, True])
def test_every_server_hanging_ends_within_the_limit(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, lists_its_models: bool
) -> None:
    seconds = 3.0
    with (
        silent_server() as silent,
        ScriptedLLM.serving(lambda _: Scripted(before=60)) as slow,
        judged(bench, slow.url if lists_its_models else f"{silent}/v1", max_seconds=seconds),
    ):
        monkeypatch.setattr(bench, "_providers", (SearXNG(silent),))
        assert bench.models, "read once for all runs of these settings, which takes a moment"
        started = time.monotonic()
        run = ended(bench, list(bench.verify(Claim(CLAIM), pipeline=CONVERSE)))
        assert time.monotonic() - started < seconds + 1
    assert run.status is RunStatus.FINISHED
    assert run.label is Label.NOT_ENOUGH_EVIDENCE


@pytest.mark.parametrize(("at", "number"), POINTS)
def test_a_server_that_hangs_later_leaves_time_for_a_verdict(bench: Workbench, at: str, number: int) -> None:
    done = converse_at_home(bench, failing(at, number, Scripted(before=30)), max_seconds=6.0)
    assert done.fell_back
    assert done.label is Label.TRUE or at == "conclusion", "by then half a second is left, which a busy machine needs"


@pytest.mark.parametrize(("at", "number"), POINTS)
def test_a_cancel_is_heard_within_a_second(bench: Workbench, at: str, number: int) -> None:
    stop, heard = threading.Event(), []
    slow = failing(at, number, Scripted(before=20))

    def script(asked: Asked) -> Answer:
        answer = slow(asked)
        if isinstance(answer, Scripted) and answer.before:
            heard.append(time.monotonic())
            stop.set()
        return answer

    with ScriptedLLM.serving(script) as server, judged(bench, server.url):
        events = list(bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, cancelled=stop.is_set, web=False))
    assert time.monotonic() - heard[0] < 1
    run = ended(bench, events)
    assert run.status is RunStatus.CANCELLED
    assert run.verdict is None


@pytest.mark.parametrize("number", [2, 3, 6, 7])
def test_a_cancel_between_the_steps(bench: Workbench, number: int) -> None:
    stop, events = threading.Event(), []
    with ScriptedLLM.serving(at_home()) as server, judged(bench, server.url):
        for event in bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, cancelled=stop.is_set, web=False):
            events.append(event)
            if isinstance(event, StepStarted) and event.number == number:
                stop.set()
    run = ended(bench, events)
    assert run.status is RunStatus.CANCELLED
    assert run.usage.tokens < 10_000, "what was set aside for the verdict is given back"


def test_a_page_that_hangs_does_not_hold_up_a_cancel(bench: Workbench, web: DemoWeb) -> None:
    stop = threading.Event()
    page = web.at("http://brittle-host.test/silent/brack-fever")
    script = Script((calls(("fetch", {"address": page})),))
    begun = 0.0
    with ScriptedLLM.serving(script) as server, judged(bench, server.url):
        events = []
        for event in bench.verify(Claim(CLAIM, context=page), pipeline=CONVERSE, cancelled=stop.is_set):
            events.append(event)
            if getattr(event, "state", "") == "reading":
                begun = time.monotonic()
                stop.set()
    assert begun
    assert time.monotonic() - begun < 1
    run = ended(bench, events)
    assert run.status is RunStatus.CANCELLED
    assert run.steps[-1].decision == "stopped"


# Limits


def test_pages_that_hang_leave_time_for_a_verdict(bench: Workbench, web: DemoWeb) -> None:
    pages = [web.at(f"http://brittle-host.test/{name}/brack-fever") for name in ("silent", "error")]
    fetch = calls(*(("fetch", {"address": url}) for url in pages), FINISH)
    script = Script((HOME[0], HOME[1], fetch), extracted(HOME_CLAIM), (conclude_home,))
    done = converse(bench, script, Claim(HOME_CLAIM, context=" ".join(pages)), max_seconds=5.0, max_searches=0)
    assert done.run.verdict
    assert "not read" in str([row["state"] for turn in done.turns for row in turn["sources"]])


@pytest.mark.parametrize(
    "limits",
    [
        {"max_iterations": 1}, {"max_tokens": 0}, {"max_tokens": 900}, {"max_tokens": 6_000}, {"max_tokens": 9_000},
        {"max_tokens": 10_500}, {"max_tokens": 12_000}, {"max_seconds": 0.1}, {"max_seconds": 0.5},
        {"max_seconds": 1.5},
    ],
)  # fmt: skip
def test_every_limit_holds_and_ends_in_an_honest_verdict(bench: Workbench, limits: dict[str, Any]) -> None:
    done = converse_at_home(bench, at_home(), **limits)
    assert done.run.status is RunStatus.FINISHED, done.run.error
    assert done.label is Label.TRUE or "max_iterations" in limits or limits.get("max_seconds", 9) < 1


@pytest.mark.parametrize("limits", [{"max_searches": 0}, {"max_fetches": 0}])
def test_a_full_budget_of_the_web_is_told_to_the_model(bench: Workbench, web: DemoWeb, limits: dict[str, Any]) -> None:
    page = web.at("http://weather-yearbook.test/stations/hollin-point")
    turn = calls(("search", {"query": f"gust of Hollin Point, {limits}"}), ("fetch", {"address": page}))
    done = converse(bench, Script((turn, calls(KEEP), calls(FINISH))), Claim(CLAIM, context=page), **limits)
    told = results(done.server.asked[2])
    assert "limit of" in (told[0].get("problem", "") if "max_searches" in limits else told[1]["error"])
    assert done.run.verdict


@pytest.mark.parametrize("dollars", [0.0, 0.002, 0.01, 0.02])
def test_money_is_a_limit_too(bench: Workbench, dollars: float) -> None:
    with ScriptedLLM.serving(at_home()) as server:
        cloud: dict[str, Any] = {
            "judge": "cloud", "cloud_base_url": server.url, "local_base_url": "", "llm_price_in": 1.0,
            "llm_price_out": 2.0, "openai_api_key": SecretStr("sk-x"), "max_cost_usd": dollars,
        }  # fmt: skip
        with judged(bench, server.url, **cloud):
            run = ended(bench, list(bench.verify(Claim(HOME_CLAIM), pipeline=CONVERSE, web=False)))
    assert run.status is RunStatus.FINISHED
    assert run.usage.cost_usd <= dollars
    assert run.label is Label.TRUE


def test_the_tokens_of_the_verdict_are_kept_back(bench: Workbench) -> None:
    """Turns that take all they can get still leave enough for the verdict."""
    greedy = [Scripted(tools=answer.tools, usage=(4_000, 200)) for answer in HOME if isinstance(answer, Scripted)]
    script = Script(
        (*greedy[:2], Scripted(tools=(SEARCH,), usage=(4_000, 200))), extracted(HOME_CLAIM), (conclude_home,)
    )
    done = converse_at_home(bench, script, max_tokens=24_000, max_iterations=50)
    assert "conclusion" in done.script.asked
    assert done.script.asked.count("conversation") < 6
    assert not done.fell_back
    assert done.label is Label.TRUE


# Who may converse


def test_it_needs_a_language_model(bench: Workbench) -> None:
    steps, conversation = bench.pipelines
    assert steps.usable
    assert not conversation.usable
    assert "GHOST_LOCAL_BASE_URL" in conversation.why
    with pytest.raises(ClaimError, match="GHOST_LOCAL_BASE_URL"):
        bench.verify(Claim(CLAIM), pipeline=CONVERSE)
    with pytest.raises(ClaimError, match="no pipeline of this name"):
        bench.verify(Claim(CLAIM), pipeline="crystal-ball")
    with judged(bench, "http://127.0.0.1:9/v1", judge="embedded"):
        assert "allows only the embedded judge" in bench.pipelines[1].why
    with judged(bench, "http://127.0.0.1:9/v1"):
        assert bench.pipelines[1].usable
        with pytest.raises(ClaimError, match="embedded judge"):
            bench.verify(Claim(CLAIM), pipeline=CONVERSE, judge="embedded")


def test_a_preference_of_the_settings_yields_where_it_is_not_possible(bench: Workbench) -> None:
    script = at_home()
    with ScriptedLLM.serving(script) as server, judged(bench, server.url, pipeline=CONVERSE):
        *_, end = bench.verify(Claim(HOME_CLAIM), judge="embedded", web=False)
        assert isinstance(end, RunEnded)
        run = bench.runs.get(end.run_id)
        assert run
        assert run.pipeline == "seven-steps"
        assert script.asked == []
        assert ended(bench, list(bench.verify(Claim(HOME_CLAIM), web=False))).label is Label.TRUE
        assert "extraction" in script.asked


def test_a_claim_of_several_statements_is_averaged_by_their_importance(bench: Workbench) -> None:
    built = "The Berlin Wall was built in 1961."
    both = f"{HOME_CLAIM} {built}"

    def verdict(asked: Asked) -> Answer:
        n = next(n for n, text in rows(asked) if HOME_FACT in text)
        made = concluded(
            "True",
            said(f"An encyclopaedia has it [{n}].", cited(n, HOME_FACT, "SUPPORTS", 1)),
            said(f"It was built then [{n}].", cited(n, HOME_FACT, "SUPPORTS", 2)),
            statements={1: "True", 2: "True"},
        )
        for row, truth, importance, sure in zip(made["statements"], (100, 70), (3, 1), (0.99, 0.9), strict=True):
            row |= {"truth": truth, "importance": importance, "confidence": sure}
        return made

    keep = calls(("extract_facts", {"facts": [fact(HOME_FACT), fact(HOME_FACT, statement=2)]}))
    script = Script((HOME[0], keep, calls(FINISH)), extracted(HOME_CLAIM, built), (verdict,))
    done = converse(bench, script, both, options={"web": False})
    assert done.label is Label.TRUE
    assert done.run.verdict
    assert done.run.verdict.truth_percentage == 92.5
    rows_kept = done.run.steps[-1].outputs["truth"]["statements"]
    assert [row.items() - {("statement", n)} for n, row in enumerate(rows_kept, 1)] == [
        {("truth", 100), ("importance", 3)}, {("truth", 70), ("importance", 1)},
    ]  # fmt: skip


def test_the_first_page_can_be_read_and_judged_in_three_turns(bench: Workbench) -> None:
    done = converse(bench, Script((calls(SEARCH), fetch_first, calls(KEEP, FINISH))), max_fetches=1, max_iterations=3)
    assert not done.fell_back
    assert done.label is Label.TRUE


def test_a_run_that_is_made_anew_takes_the_same_way(bench: Workbench, web: DemoWeb) -> None:
    page = web.at("http://weather-yearbook.test/stations/hollin-point")
    script = Script((calls(KEEP, FINISH),))
    runner = Runner(bench, workers=1)
    with ScriptedLLM.serving(script) as server, judged(bench, server.url):
        first = runner.start(Claim(CLAIM), RunOptions(web=False, links=(page,), pipeline=CONVERSE))
        assert wait_for(runner, first).settings["pipeline"] == CONVERSE
        again = wait_for(runner, runner.read_again(first, f"{page}?fresh=6"))
    runner.close()
    assert again.settings["pipeline"] == CONVERSE
    assert again.settings["follows"] == first
    assert again.verdict
    assert again.verdict.label is Label.TRUE
    assert again.verdict.truth_percentage == 97


def wait_for(runner: Runner, run_id: str, seconds: float = 60.0) -> RunView:
    """The view of a run once it has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        view = runner.snapshot(run_id)
        if view and view.ended:
            return view
        time.sleep(0.02)
    raise AssertionError("the run did not end")
