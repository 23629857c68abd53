"""Failures and limits of a conversation: each ends in an honest verdict within the limits, or in a status that says so."""

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
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import Claim, Label, ReasonCode, Run, RunStatus
from ghost.web import SearXNG
from ghost.workbench import Workbench
from tests.judges.answers import cited, concluded, extracted, fact, said
from tests.pipelines.conversations import (
    CLAIM,
    FINISH,
    GOOD,
    KEEP,
    RECORD,
    SEARCH,
    Script,
    calls,
    conclude,
    converse,
    ended,
    fetch_first,
    judged,
    results,
    rows,
)

WALL = "The Great Wall of China is visible from the Moon."
DEAD: tuple[Answer, ...] = (None, Scripted(status=500), Scripted("half", cut_after=2), Scripted(raw="no protocol"))


def is_open_or_decided_by_embedded(run: Run) -> bool:
    """A verdict there is, and where no model was left it is the embedded judge's."""
    assert run.status is RunStatus.FINISHED, run.error
    assert run.verdict
    return run.judge.name == "embedded"


def reasons(run: Run) -> list[ReasonCode]:
    return [r.code for r in run.verdict.reasons] if run.verdict else []


# What a model gets wrong


def test_bad_calls_are_answered_with_what_is_wrong(bench: Workbench) -> None:
    bad = calls(
        ("look_up", {"query": "gust"}),
        ("search", '{"query": "gust at Holl'),
        ("search", {"words": "gust"}),
        ("fetch", "[]"),
        ("extract_facts", {"facts": [{"statement": "one", "excerpt": 5}]}),
        ("extract_facts", {"facts": []}),
        ("search", {"query": "gust"}),
    )
    done = converse(bench, Script((bad, *GOOD)))
    told = results(done.server.asked[2])
    assert [bool(result.get("error")) for result in told] == [True] * 7
    assert "There is no function look_up" in told[0]["error"]
    assert "Only 6 calls" in told[6]["error"]
    sent = done.server.asked[2].body["messages"][2]["tool_calls"]
    assert [c["function"]["arguments"] for c in sent][1] == "{}", "what cannot be read is not sent back"
    assert done.run.verdict
    assert done.run.verdict.label is Label.TRUE
    assert not done.fell_back


@pytest.mark.parametrize("bad", ["I would search for it.", '{"calls": []}', '{"calls": [{"tool": "dig"}]}', ""])
def test_one_answer_without_a_call_is_mended_two_are_not(bench: Workbench, bad: str) -> None:
    mended = converse(bench, Script((bad, *GOOD)))
    assert mended.run.verdict
    assert mended.run.verdict.label is Label.TRUE
    assert "could not be used" in mended.server.asked[2].words
    left = converse(bench, Script((*GOOD[:2], bad, bad)))
    assert "could not be used, and neither could the one before it" in left.fell_back
    assert "1 page that was read" in left.fell_back
    assert left.script.asked.count("conversation") == 4
    assert left.run.verdict


def test_an_endless_loop_ends_at_the_limit_of_turns(bench: Workbench) -> None:
    words = iter(range(99))
    done = converse(bench, Script((lambda _: calls(("search", {"query": f"gust at Hollin Point {next(words)}"})),)))
    assert done.script.asked.count("conversation") == 5
    assert "The conversation ended after 5 answers of the model" in done.fell_back
    assert "It had kept no fact" in done.fell_back
    assert done.run.verdict
    few = converse(bench, Script((calls(SEARCH), fetch_first, calls(KEEP))), max_iterations=3)
    assert not few.fell_back
    assert few.run.verdict
    assert few.run.verdict.label is Label.TRUE
    assert few.script.asked.count("conversation") == 3


def test_what_it_read_is_used_by_the_seven_steps_and_not_read_again(bench: Workbench, web: DemoWeb) -> None:
    done = converse(bench, Script((*GOOD[:2], "no", "no")))
    assert done.fell_back
    names = [s.name for s in done.run.steps]
    assert names[:4] == ["classify", "retrieve", "investigate", "investigate"]
    assert names[5:9] == ["classify", "retrieve", "rerank", "sufficiency"]
    assert any(RECORD in e.passage.text for e in done.run.evidence)
    asked = [row["url"] for s in done.run.steps for row in s.outputs.get("sources", ()) if row["state"] == "read"]
    assert len(asked) == len(set(asked))
    assert "extraction" in done.script.asked
    assert "classify" not in done.script.asked, "its statements are kept"


def test_facts_that_bear_on_nothing_leave_no_verdict_to_the_model(bench: Workbench) -> None:
    def elsewhere(asked: Asked) -> Answer:
        return calls(
            (
                "extract_facts",
                {"facts": [fact("The instruments were checked in March 1986, and 55 screws were replaced.")]},
            )
        )

    done = converse(bench, Script((*GOOD[:2], elsewhere, calls(FINISH))))
    assert "conclusion" not in done.script.asked or done.run.evidence
    assert done.run.verdict


# A verdict that is broken


def test_a_broken_verdict_is_mended_once(bench: Workbench) -> None:
    done = converse(bench, Script(GOOD, conclusions=('{"sentences": [', conclude)))
    assert done.script.asked.count("conclusion") == 2
    assert not done.fell_back
    assert done.run.verdict
    assert done.run.verdict.label is Label.TRUE


@pytest.mark.parametrize("bad", ['{"sentences": [', {"sentences": [], "label": "True", "confidence": 1}, "It is true."])
def test_a_verdict_broken_twice_falls_back(bench: Workbench, bad: Answer) -> None:
    done = converse(bench, Script(GOOD, conclusions=(bad,)))
    assert done.script.asked.count("conclusion") == 2
    assert "neither could the second one" in done.fell_back
    assert done.run.verdict
    assert done.run.verdict.truth_percentage is None


@pytest.mark.parametrize("field", [{"truth": 140}, {"importance": 9}, {"truth": "all"}])
def test_figures_out_of_range_are_no_verdict(bench: Workbench, field: dict[str, Any]) -> None:
    def off(asked: Asked) -> Answer:
        made: Any = conclude(asked)
        made["statements"][0] |= field
        return made

    done = converse(bench, Script(GOOD, conclusions=(off,)))
    assert done.fell_back


# Servers that fail


def failing(at: str, number: int, answer: Answer) -> Script:
    """A good model that gives ``answer`` to the n-th question of its kind."""
    script = Script(GOOD)
    plain = script.__class__.__call__

    class Failing(Script):
        def __call__(self, asked: Asked) -> Answer:
            if asked.purpose == at and self.asked.count(at) + 1 >= number:
                self.asked.append(asked.purpose)
                return answer
            if asked.purpose in ("classify", "sufficiency", "verdict", "reading"):
                return answer
            return plain(self, asked)

    return Failing(GOOD)


POINTS = [("extraction", 1), ("conversation", 1), ("conversation", 3), ("conclusion", 1)]


@pytest.mark.parametrize(("at", "number"), POINTS)
@pytest.mark.parametrize("answer", [*DEAD[:2], Scripted(finish="content_filter")])
def test_a_dead_server_or_a_refusal_leaves_the_rest_to_the_seven_steps(
    bench: Workbench, at: str, number: int, answer: Answer
) -> None:
    done = converse(bench, failing(at, number, answer))
    assert is_open_or_decided_by_embedded(done.run)
    assert done.fell_back
    assert any("left in the conversation" in line for line in done.run.judge.route)
    if at != "extraction":
        assert done.run.classification
        assert done.run.classification.statements[0].text == CLAIM
    if number == 3 or at == "conclusion":
        assert any(RECORD in e.passage.text for e in done.run.evidence)
        assert done.run.verdict
        assert done.run.verdict.label is Label.TRUE, "the embedded judge decides on what was gathered"


def test_a_server_that_is_not_there(bench: Workbench) -> None:
    with judged(bench, "http://127.0.0.1:9/v1"):
        events = list(bench.verify(Claim(CLAIM), pipeline="single-conversation", web=False))
    run = ended(bench, events)
    assert is_open_or_decided_by_embedded(run)
    assert "No language model can be asked" in " ".join(s.reason for s in run.steps)


@contextmanager
def silent_server() -> Iterator[int]:
    """A port that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        kept: list[socket.socket] = []
        gone = threading.Event()

        def take() -> None:
            while not gone.is_set():
                try:
                    kept.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=take, daemon=True).start()
        yield server.getsockname()[1]
        gone.set()
        server.shutdown(socket.SHUT_RDWR)
        for connection in kept:
            connection.close()


@pytest.mark.parametrize("seconds", [2.0, 5.0])
def test_every_server_hanging_ends_within_the_limit(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    with silent_server() as port:
        silent = f"http://127.0.0.1:{port}"
        monkeypatch.setattr(bench, "_providers", (SearXNG(silent),))
        script = Script((calls(("search", {"query": f"gust at Hollin Point in {seconds}"})),))
        started = time.monotonic()
        with judged(bench, f"{silent}/v1", max_seconds=seconds):
            run = ended(bench, list(bench.verify(Claim(CLAIM), pipeline="single-conversation")))
        assert time.monotonic() - started < seconds + 1
        assert run.status is RunStatus.FINISHED
        assert run.verdict
        assert script.asked == []


@pytest.mark.parametrize(("at", "number"), POINTS)
def test_a_server_that_hangs_later_leaves_time_for_a_verdict(bench: Workbench, at: str, number: int) -> None:
    started = time.monotonic()
    done = converse(bench, failing(at, number, Scripted(before=30)), max_seconds=8.0)
    assert time.monotonic() - started < 9
    assert done.run.status is RunStatus.FINISHED
    assert done.run.verdict


@pytest.mark.parametrize(("at", "number"), POINTS)
def test_a_cancel_is_heard_within_a_second(bench: Workbench, at: str, number: int) -> None:
    stop, heard = threading.Event(), []

    def script(asked: Asked) -> Answer:
        answer = slow(asked)
        if isinstance(answer, Scripted) and answer.before:
            heard.append(time.monotonic())
            stop.set()
        return answer

    slow = failing(at, number, Scripted(before=20))
    with ScriptedLLM.serving(script) as server, judged(bench, server.url):
        events = list(bench.verify(Claim(CLAIM), pipeline="single-conversation", cancelled=stop.is_set))
    assert time.monotonic() - heard[0] < 1
    run = ended(bench, events)
    assert run.status is RunStatus.CANCELLED
    assert run.verdict is None


def test_a_cancel_between_the_steps(bench: Workbench) -> None:
    for number in (2, 3, 6, 7):
        stop = threading.Event()
        with ScriptedLLM.serving(Script(GOOD)) as server, judged(bench, server.url):
            events = []
            for event in bench.verify(Claim(CLAIM), pipeline="single-conversation", cancelled=stop.is_set):
                events.append(event)
                if isinstance(event, StepStarted) and event.number == number:
                    stop.set()
        assert ended(bench, events).status is RunStatus.CANCELLED


# Limits


@pytest.mark.parametrize(
    "limits",
    [
        {"max_searches": 0}, {"max_searches": 1}, {"max_fetches": 0}, {"max_fetches": 1}, {"max_iterations": 1},
        {"max_tokens": 0}, {"max_tokens": 900}, {"max_tokens": 6_000}, {"max_tokens": 12_000}, {"max_tokens": 14_000},
        {"max_seconds": 0.2}, {"max_seconds": 1.0}, {"max_seconds": 3.0},
    ],
)  # fmt: skip
def test_every_limit_holds_and_ends_in_an_honest_verdict(bench: Workbench, limits: dict[str, Any]) -> None:
    done = converse(bench, Script(GOOD), **limits)
    assert done.run.status is RunStatus.FINISHED, done.run.error
    assert done.run.verdict


@pytest.mark.parametrize("dollars", [0.0, 0.001, 0.004, 0.02])
def test_money_is_a_limit_too(bench: Workbench, dollars: float) -> None:
    with ScriptedLLM.serving(Script(GOOD)) as server:
        cloud = {
            "judge": "cloud", "cloud_base_url": server.url, "local_base_url": "", "openai_api_key": SecretStr("sk-x"),
            "llm_price_in": 1.0, "llm_price_out": 2.0, "max_cost_usd": dollars,
        }  # fmt: skip
        with judged(bench, server.url, **cloud):
            events = list(bench.verify(Claim(CLAIM), pipeline="single-conversation"))
    run = ended(bench, events)
    assert run.status is RunStatus.FINISHED
    assert run.verdict
    assert run.usage.cost_usd <= dollars


def test_the_tokens_of_the_verdict_are_kept_back(bench: Workbench) -> None:
    """Turns that take all they can get still leave enough for the verdict."""

    def greedy(answer: Any) -> Callable[[Asked], Answer]:
        def turn(asked: Asked) -> Answer:
            made = answer(asked) if callable(answer) else answer
            return Scripted(tools=made.tools, usage=(4_000, 200))

        return turn

    script = Script((*map(greedy, GOOD[:3]), greedy(calls(SEARCH))))
    done = converse(bench, script, max_tokens=24_000, max_iterations=50)
    assert "conclusion" in done.script.asked
    assert done.run.verdict
    assert done.run.verdict.label is Label.TRUE
    assert ReasonCode.BUDGET not in reasons(done.run), "a decided claim with nothing open needs no excuse"
    assert done.run.usage.tokens <= 24_000


# Who may converse


def test_it_needs_a_language_model(bench: Workbench) -> None:
    steps, conversation = bench.pipelines
    assert steps.usable
    assert not conversation.usable
    assert "GHOST_LOCAL_BASE_URL" in conversation.why
    with pytest.raises(ClaimError, match="GHOST_LOCAL_BASE_URL"):
        bench.verify(Claim(CLAIM), pipeline="single-conversation")
    with pytest.raises(ClaimError, match="no pipeline of this name"):
        bench.verify(Claim(CLAIM), pipeline="crystal-ball")
    with judged(bench, "http://127.0.0.1:9/v1"):
        assert bench.pipelines[1].usable
        with pytest.raises(ClaimError, match="embedded judge"):
            bench.verify(Claim(CLAIM), pipeline="single-conversation", judge="embedded")


def test_a_preference_of_the_settings_yields_where_it_is_not_possible(bench: Workbench) -> None:
    script = Script(GOOD)
    with ScriptedLLM.serving(script) as server, judged(bench, server.url, pipeline="single-conversation"):
        (*_, end) = bench.verify(Claim(CLAIM), judge="embedded", web=False)
        assert isinstance(end, RunEnded)
        run = bench.runs.get(end.run_id)
        assert run
        assert run.pipeline == "seven-steps"
        assert script.asked == []
        (*_, end) = bench.verify(Claim(CLAIM), web=False)
        assert "extraction" in script.asked


def test_a_claim_of_several_statements_is_averaged(bench: Workbench) -> None:
    both = f"{CLAIM} The station at Hollin Point stands on a cliff of the island of Skerrin."
    stands = "The weather station at Hollin Point stands on a cliff of the island of Skerrin."
    parts = (CLAIM, "The station at Hollin Point stands on a cliff of the island of Skerrin.")

    def verdict(asked: Asked) -> Answer:
        one = next(n for n, text in rows(asked) if RECORD in text)
        other = next(n for n, text in rows(asked) if stands in text)
        made = concluded(
            "True",
            said(f"The yearbook has it [{one}].", cited(one, RECORD, "SUPPORTS", 1)),
            said(f"It stands there [{other}].", cited(other, stands, "SUPPORTS", 2)),
            statements={1: "True", 2: "True"},
        )
        for row, truth, importance in zip(made["statements"], (100, 70), (3, 1), strict=True):
            row |= {"truth": truth, "importance": importance}
        return made

    keep = calls(("extract_facts", {"facts": [fact(RECORD), fact(stands, statement=2)]}))
    done = converse(bench, Script((*GOOD[:2], keep, calls(FINISH)), extracted(*parts), (verdict,)), both)
    assert done.run.verdict
    assert done.run.verdict.label is Label.TRUE
    assert done.run.verdict.truth_percentage == 92.5
