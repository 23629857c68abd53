"""Hard limits, hanging servers, and a language model that plans and writes, over sockets."""

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.events import ResearchEnded, SentencesWithdrawn
from ghost.testing import Asked, Scripted, ScriptedLLM
from ghost.types import GateState, RunStatus
from ghost.workbench import Workbench, build
from tests.research.conftest import carried_out

TOPIC = "Saltgate Bridge"
ASKED = ["Is the Saltgate Bridge closed to traffic?", "Why was the Saltgate Bridge closed?"]
PLANNED = [
    "What is the Saltgate Bridge?",
    "Why was the Saltgate Bridge closed?",
    "When was the Saltgate Bridge opened again?",
    "What did inspectors find at the Saltgate Bridge?",
]


@pytest.fixture
def hanging() -> Iterator[int]:
    """The port of a server that takes connections and never says anything."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as server:
        yield server.getsockname()[1]


def settings(web: DemoWeb, folder: Path, **more: Any) -> Settings:
    return Settings(**values(web, folder), **more)


def answering(asked: Asked) -> Any:
    """What a model that keeps to the rules would say."""
    if asked.purpose == "research_plan":
        return {"questions": PLANNED}
    if asked.purpose == "research_answer":
        number, text = re.findall(r"\[(\d+)\] <source>.*?</source>.*?<passage>(.*?)</passage>", asked.words, re.S)[0]
        return {
            "sentences": [{"text": f"A source says “{text}” [{number}].", "citations": [{"n": number, "quote": text}]}]
        }
    return None


def test_when_every_server_hangs_it_ends_in_time(web: DemoWeb, tmp_path: Path, hanging: int) -> None:
    there = {"searxng_url": f"http://127.0.0.1:{hanging}", "search_seconds": 60.0, "research_max_seconds": 3.0}
    with build(settings(web, tmp_path).model_copy(update=there), judge="embedded") as bench:
        plan = bench.research.plan(TOPIC, questions=ASKED)
        carried_out(bench.research, plan, web=False)  # the models are read from the disk now
        begun = time.monotonic()
        _, found = carried_out(bench.research, plan)
        assert time.monotonic() - begun < 4.0
        assert found.status is RunStatus.FINISHED
        assert all(a.gap for a in found.answers)
        assert len(found.answers) == len(ASKED)


def test_cancel_works_within_a_second_while_a_server_hangs(web: DemoWeb, tmp_path: Path, hanging: int) -> None:
    there = {"searxng_url": f"http://127.0.0.1:{hanging}", "search_seconds": 60.0}
    with build(settings(web, tmp_path).model_copy(update=there), judge="embedded") as bench:
        plan = bench.research.plan(TOPIC, questions=ASKED)
        begun = time.monotonic()
        ended = list(bench.research.run(plan, cancelled=lambda: time.monotonic() - begun > 1.0))[-1]
        assert time.monotonic() - begun < 2.0
        assert isinstance(ended, ResearchEnded)
        assert ended.status is RunStatus.CANCELLED


@pytest.mark.parametrize("limits", [(0, 0), (1, 30), (24, 1), (2, 2)])
def test_searches_and_pages_never_pass_their_limits(web: DemoWeb, tmp_path: Path, limits: tuple[int, int]) -> None:
    searches, fetches = limits
    made = settings(web, tmp_path, research_max_searches=searches, research_max_fetches=fetches)
    with build(made, judge="embedded") as bench:
        web.asked.clear()
        _, found = carried_out(bench.research, bench.research.plan(TOPIC, questions=ASKED))
        assert found.status is RunStatus.FINISHED
        assert found.usage.searches <= searches
        assert found.usage.fetches <= fetches
        assert sum(a.path == "/search" for a in web.asked) <= searches
        if not searches:
            assert all("searches" in a.gap for a in found.answers)


def test_a_skill_can_forbid_the_web_and_limit_the_sources(web: DemoWeb, tmp_path: Path) -> None:
    with build(settings(web, tmp_path), judge="embedded") as bench:
        head = "{name: s, title: S, description: S., policy: "
        path = bench.research.skills.path
        path.write_text(f"skills: [{head}{{allow_web: false}}}}]", encoding="utf-8")
        web.asked.clear()
        _, found = carried_out(bench.research, bench.research.plan(TOPIC, questions=ASKED[1:], skill="s"))
        assert not web.asked
        assert "skill does not allow the web" in found.answers[0].gap
        path.write_text(f"skills: [{head}{{max_sources: 1, denied_sites: [velmark-press.test]}}}}]", encoding="utf-8")
        _, found = carried_out(bench.research, bench.research.plan(TOPIC, questions=ASKED[1:], skill="s"))
        assert found.usage.fetches <= 1
        assert not [c for a in found.answers for c in a.citations if "velmark-press" in c.url]


@pytest.fixture(scope="module")
def modelled(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workbench, ScriptedLLM]]:
    """A workbench with a language model; what it answers can be exchanged by each test."""
    with ScriptedLLM.serving(answering) as llm:
        made = settings(web, tmp_path_factory.mktemp("llm"), local_base_url=llm.url, local_model="scripted")
        with build(made, judge="local") as bench:
            yield bench, llm


def test_a_language_model_plans_in_one_call_and_writes_in_one_each(modelled: tuple[Workbench, Any]) -> None:
    bench, llm = modelled
    llm.script = answering
    llm.asked.clear()
    plan = bench.research.plan(TOPIC)
    assert [q.text for q in plan.questions] == PLANNED
    assert (plan.planned_by, plan.usage.tokens, plan.estimate.cost_usd) == ("local", 400, None)
    _, found = carried_out(bench.research, plan)
    purposes = [a.purpose for a in llm.asked]
    answered = [a for a in found.answers if a.text]
    assert purposes == ["research_plan", *["research_answer"] * len(answered)]
    assert answered
    assert {a.written_by for a in answered} == {"local"}
    assert all(a.text.startswith("A source says “") for a in answered)
    assert (found.judge, found.usage.tokens) == ("local", 400 * len(llm.asked))
    assert "If sources disagree, present both." in llm.asked[-1].words


def test_a_plan_that_cannot_be_used_is_asked_for_once_more_and_then_made_from_templates(
    modelled: tuple[Workbench, Any],
) -> None:
    bench, llm = modelled
    bad: list[Any] = [
        {"questions": PLANNED[:3]},
        {"questions": [*PLANNED[:3], "How long is it?"]},
        {"questions": [*PLANNED, "why was the saltgate bridge  closed"]},
        {
            "questions": [
                *PLANNED,
                "What have inspectors found at the Saltgate Bridge, and who told them to look there?",
            ]
            * 3
        },
        "no JSON at all",
    ]
    for first in bad:
        replies = [first, {"questions": PLANNED}]
        llm.script = lambda _, replies=replies: replies.pop(0)
        llm.asked.clear()
        assert [q.text for q in bench.research.plan(TOPIC).questions] == PLANNED
        assert len(llm.asked) == 2
    llm.script = lambda _: {"questions": PLANNED[:3]}
    plan = bench.research.plan(TOPIC)
    assert plan.planned_by == "embedded"
    assert len(plan.questions) == 5
    assert "language model was left" in next(s.reason for s in plan.steps if s.name == "plan")


@pytest.mark.parametrize(
    "said",
    [
        {"sentences": [{"text": "Divers cut it. [1]", "citations": [{"n": 1, "quote": "Divers cut the cables."}]}]},
        {"sentences": [{"text": "It cost 90 million. [7]", "citations": [{"n": 7, "quote": "x"}]}]},
        {"sentences": [{"text": "Nothing is cited."}]},
        {"sentences": []},
        "no JSON at all",
        Scripted(status=500),
    ],
)  # fmt: skip
def test_what_a_model_makes_up_is_never_shown(modelled: tuple[Workbench, Any], said: Any) -> None:
    bench, llm = modelled
    llm.script = lambda _: said
    plan = bench.research.plan(TOPIC, questions=ASKED[1:])
    assert plan.decisions[0].state is GateState.SATISFIED
    _, found = carried_out(bench.research, plan)
    (answer,) = found.answers
    assert answer.written_by == "embedded"
    assert answer.text
    assert not re.search("Divers|million|cited", answer.text)
    assert "language model was left" in next(s.reason for s in found.steps if s.name == "answers")


def test_sentences_of_a_model_that_breaks_off_are_taken_back(modelled: tuple[Workbench, Any]) -> None:
    bench, llm = modelled
    llm.script = lambda asked: Scripted(json.dumps(answering(asked))[:-1] + ', {"text": 7}]}')
    events, found = carried_out(bench.research, bench.research.plan(TOPIC, questions=ASKED[1:]))
    assert any(isinstance(e, SentencesWithdrawn) for e in events)
    assert found.answers[0].written_by == "embedded"


def test_sources_are_numbered_as_they_are_cited_whatever_the_model_was_shown(modelled: tuple[Workbench, Any]) -> None:
    bench, llm = modelled
    shown = re.compile(r"\[(\d+)\] <source>.*?</source>.*?<passage>(.*?)</passage>", re.S)

    def last(asked: Asked) -> Any:
        number, text = shown.findall(asked.words)[-1]
        quote = text.strip()
        said = {"text": f"A source says “{quote}” [{number}]", "citations": [{"n": int(number), "quote": quote}]}
        return {"sentences": [said]}

    llm.script = last
    _, found = carried_out(bench.research, bench.research.plan(TOPIC, questions=ASKED))
    cited = [c for a in found.answers for c in a.citations]
    assert sorted({c.n for c in cited}) == list(range(1, len({c.passage_id for c in cited}) + 1))
    assert {c.n for a in found.answers for c in a.citations if a.written_by == "local"}
    assert all(f"[{c.n}]" in a.text for a in found.answers for c in a.citations)


def test_a_model_that_hangs_is_left_and_the_excerpts_speak(modelled: tuple[Workbench, Any]) -> None:
    bench, llm = modelled
    llm.script = lambda _: Scripted("{}", before=6.0)
    plan = bench.research.plan(TOPIC, questions=[ASKED[1], "When was the Saltgate Bridge opened again?"], web=False)
    before = bench.settings
    bench.settings = before.model_copy(update={"research_max_seconds": 5.0})
    llm.asked.clear()
    begun = time.monotonic()
    try:
        _, found = carried_out(bench.research, plan, web=False)
    finally:
        bench.settings = before
    assert time.monotonic() - begun < 6.0
    assert len(llm.asked) == 1, "it is not asked again"
    assert found.answers[0].text
    assert found.answers[0].written_by == "embedded"
    (step, *_) = [s for s in found.steps if s.name == "answers"]
    assert "language model was left" in step.reason
    assert step.outputs["calls"]


def test_without_tokens_the_excerpts_speak_for_themselves(web: DemoWeb, modelled: tuple[Workbench, Any]) -> None:
    bench, llm = modelled
    llm.script = answering
    llm.asked.clear()
    limited = bench.settings.model_copy(update={"research_max_tokens": 50})
    before, bench.settings = bench.settings, limited
    try:
        _, found = carried_out(bench.research, bench.research.plan(TOPIC, questions=ASKED[1:]))
    finally:
        bench.settings = before
    assert (found.usage.tokens, llm.asked, found.answers[0].written_by) == (0, [], "embedded")
    assert found.answers[0].text


def test_judge_embedded_sends_nothing_to_the_model(modelled: tuple[Workbench, Any]) -> None:
    bench, llm = modelled
    llm.asked.clear()
    plan = bench.research.plan(TOPIC, judge="embedded")
    _, found = carried_out(bench.research, plan, judge="embedded", web=False)
    assert (plan.planned_by, found.judge, llm.asked) == ("embedded", "embedded", [])
