"""The whole house with a language model behind a real socket: page, command line, every verdict, every failure."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import streamlit as st
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from config import PROJECT, Settings
from ghost import workbench as workbench_module
from ghost.cli.main import main
from ghost.events import Event, RunEnded, SentenceAccepted, SentencesWithdrawn, StepFinished, VerdictReached
from ghost.reports import left_the_machine
from ghost.steps import is_verbatim
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import Claim, ClaimType, Label, Run, RunStatus
from ghost.ui.shared import resources
from ghost.workbench import Workbench, build
from tests.judged import judged
from tests.judges.answers import cited, classified, decided, said, sufficient

KEY = "sk-of-the-analyst"
WALL = "The Great Wall of China is visible from the Moon"
WATER = "Water boils at a lower temperature at high altitude"
BOTH = "The Berlin Wall was opened in 1989 and Mount Everest is in Peru."
GAME = "Minecraft is the best 2D game"
PIZZA = "Pineapple on pizza is delicious"
VAGUE = "It's true"
AIR = "Carbon dioxide makes up only about 0.04 percent of the air"
HONEY = "Goldfish have a memory of three seconds"

CASES: dict[str, tuple[ClaimType, Label]] = {
    WALL: (ClaimType.FACTUAL, Label.FALSE),
    WATER: (ClaimType.FACTUAL, Label.TRUE),
    BOTH: (ClaimType.FACTUAL, Label.PARTIALLY_TRUE),
    AIR: (ClaimType.FACTUAL, Label.MISLEADING),
    GAME: (ClaimType.MIXED, Label.NOT_ENOUGH_EVIDENCE),
    PIZZA: (ClaimType.OPINION, Label.NOT_VERIFIABLE),
    VAGUE: (ClaimType.AMBIGUOUS, Label.NOT_VERIFIABLE),
}


def claim_of(asked: Asked) -> str:
    found = re.search(r"<claim>(.*?)</claim>", asked.words)
    assert found
    return found.group(1)


def passages(asked: Asked, statement: int = 1) -> list[tuple[int, str]]:
    rows = re.findall(r"\[(\d+)\] [^\n]*found for statement ([\d, ]+)\n<passage>(.*?)</passage>", asked.words)
    return [(int(n), text) for n, on, text in rows if str(statement) in on.split(", ")]


def about(asked: Asked, word: str, stance: str, statement: int = 1) -> dict[str, object]:
    n, text = next((n, t) for n, t in passages(asked, statement) if word in t)
    return said(f"A source speaks about it [{n}].", cited(n, text, stance, statement))


def good(asked: Asked) -> Answer:
    """A model that does everything right."""
    claim = claim_of(asked)
    type_, label = CASES.get(claim, (ClaimType.FACTUAL, Label.FALSE))
    if asked.purpose == "classify":
        parts = {BOTH: ["The Berlin Wall was opened in 1989.", "Mount Everest is in Peru."],
                 GAME: ["Minecraft is a 2D game."], PIZZA: [], VAGUE: []}  # fmt: skip
        return classified(*parts.get(claim, [claim]), type=type_.value)
    if asked.purpose == "sufficiency":
        return sufficient(*(1, 2) if claim == BOTH else (1,), stance="SUPPORTS")
    if claim == BOTH:
        return decided(
            label.value,
            about(asked, "1989", "SUPPORTS"),
            about(asked, "Everest", "REFUTES", 2),
            statements={1: "True", 2: "False"},
        )
    if claim == AIR:
        both = about(asked, "0.04", "SUPPORTS"), about(asked, "0.04", "NEUTRAL")
        return decided(label.value, *both, statements={1: "True"})
    word, stance = {
        WATER: ("boil", "SUPPORTS"), GAME: ("", "NEUTRAL"), WALL: ("Moon", "REFUTES"),
        HONEY: ("", "REFUTES"),
    }[claim]  # fmt: skip
    return decided(label.value, about(asked, word, stance))


class House:
    """One workbench whose model server can be swapped, so that the knowledge base is opened once."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    @contextmanager
    def judged_by(self, server: ScriptedLLM | str, **changes: object) -> Iterator[Workbench]:
        url = server if isinstance(server, str) else server.url
        with judged(self.bench, url, **{"llm_timeout_seconds": 5.0} | changes):
            yield self.bench

    def run(self, text: str, cancelled: Callable[[], bool] = lambda: False) -> tuple[Run, list[Event]]:
        events = list(self.bench.verify(Claim(text), cancelled=cancelled))
        end = events[-1]
        assert isinstance(end, RunEnded)
        run = self.bench.runs.get(end.run_id)
        assert run is not None
        return run, events


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with build(Settings(data_dir=tmp_path_factory.mktemp("house")), judge="embedded", web=False) as bench:
        yield House(bench)


def troubles(run: Run) -> dict[str, int]:
    found: dict[str, int] = {}
    for step in run.steps:
        for kind, number in (step.outputs.get("troubles", {}) | step.outputs.get("refused", {})).items():
            found[kind] = found.get(kind, 0) + number
    return found


def ensure_honest(run: Run) -> None:
    """The promises: every accepted quote is verbatim, every decisive label has one, every mark points at one."""
    texts = {e.number: e.passage.text for e in run.evidence}
    assert run.verdict is not None
    accepted = {c.n for c in run.verdict.citations if c.accepted}
    assert all(is_verbatim(c.quote, texts[c.n]) for c in run.verdict.citations if c.accepted)
    if run.verdict.label not in (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE):
        assert accepted
        assert run.verdict.explanation
    else:
        assert run.verdict.reasons
    outside = re.sub(r"“[^”]*”", "", run.verdict.explanation)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", outside)} <= accepted


@pytest.mark.parametrize("text", CASES)
def test_every_verdict_and_claim_type_on_the_command_line(
    house: House, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedLLM.serving(good) as server, house.judged_by(server) as bench:

        @contextmanager
        def opened(*_args: object, **_options: object) -> Iterator[Workbench]:
            yield bench

        monkeypatch.setattr(workbench_module, "build", opened)
        assert main(["verify", text, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["claim"]["type"], found["verdict"]["label"]) == tuple(v.value for v in CASES[text])
    assert found["judge"]["name"] == "local"
    assert found["judge"]["model"] == "scripted-model"
    assert all(c["accepted"] for c in found["citations"])
    assert len(server.asked) <= 4
    assert found["usage"]["tokens"] == 400 * len(server.asked)
    assert all(len(asked.body["messages"]) == 2 for asked in server.asked), "nothing of another run"
    ensure_honest(bench.runs.get(found["run_id"]))  # type: ignore[arg-type]


@pytest.fixture
def page(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], AppTest]]:
    st.cache_resource.clear()
    monkeypatch.setattr(resources, "open_workbench", lambda: house.bench)
    monkeypatch.setattr(house.bench, "close", lambda: None)
    yield lambda: AppTest.from_file(PROJECT / "app.py", default_timeout=60)
    st.cache_resource.clear()


def shown(at: AppTest) -> str:
    kinds = (at.title, at.header, at.markdown, at.caption, at.success, at.error, at.warning, at.info)
    return "\n".join(e.value for elements in kinds for e in elements).replace("\\", "")


def until(at: AppTest, seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not seen():
        assert time.monotonic() < deadline, shown(at)
        time.sleep(0.05)
        at.run()
        assert not at.exception


def test_verdicts_of_a_model_are_on_the_page(house: House, page: Callable[[], AppTest]) -> None:
    with ScriptedLLM.serving(good) as server, house.judged_by(server):
        at = page().run()
        assert "scripted-model at 127.0.0.1" in shown(at)
        words = checked(at, WALL)
        assert "false" in words.lower()
        assert "The language model reads it as: supports" in words
        assert "local judge: scripted-model" in words
        assert "tokens, price not known" in words
        assert "GHOST_JUDGE asks for it." in words
        assert "The first judge failed" not in words
        at.button(key="verify_new").click().run()
        assert Label.NOT_VERIFIABLE.value.lower() in checked(at, PIZZA).lower()


def checked(at: AppTest, text: str) -> str:
    """The words of the report once the claim was checked on the page."""
    at.text_area(key="verify_claim").set_value(text)
    next(b for b in at.button if b.key == "verify_check").click().run()
    # A claim that a card answers is offered as checked before.
    for anew in [b for b in at.button if b.key == "verify_earlier_anew"]:
        anew.click().run()
    until(at, lambda: "supporting strength" in shown(at) or "Why there is no verdict" in shown(at))
    return shown(at)


def cloud_at(server: ScriptedLLM, **changes: object) -> dict[str, object]:
    """Settings of a workbench with a cloud judge and no local one."""
    url = {"local_base_url": "", "cloud_base_url": server.url, "openai_api_key": SecretStr(KEY)}
    return {"judge": "auto", **url, **changes}


def test_a_wrong_key_explains_itself_on_the_page(house: House, page: Callable[[], AppTest]) -> None:
    refused = Scripted(status=401, error={"message": f"Incorrect API key provided: {KEY}"})
    with ScriptedLLM.serving(lambda asked: refused) as server, house.judged_by(server, **cloud_at(server)):
        words = checked(page().run(), WALL)
    card = next(line for line in words.splitlines() if "The first judge failed, so Ghost used the next." in line)
    assert "refused the key (401). Check OPENAI_API_KEY." in card
    assert "Embedded judge, on this machine" in words
    assert "no usable answer" in words
    assert KEY not in words
    run = house.bench.runs.get(house.bench.runs.browse(limit=1)[0].id)
    assert run is not None
    assert "The claim did not leave it, but went to the language model gpt-4o-mini" in " ".join(left_the_machine(run))
    assert KEY not in repr(run)


def test_a_run_without_the_web_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("GHOST_JUDGE", "embedded")
    monkeypatch.setenv("GHOST_WEB", "true")
    assert main(["verify", "Bananas grow on the shores of Lake Baikal.", "--json", "--no-web"]) == 0
    found = json.loads(capsys.readouterr().out)
    step = next(s for s in found["steps"] if s["name"] == "investigate")
    assert step["decision"] == "nothing searched"
    assert "switched off for this run" in step["reason"]
    assert found["usage"]["searches"] == 0
    texts = {r["code"]: r["text"] for r in found["verdict"]["reasons"]}
    assert "switched off" in texts["no_provider"]
    assert "knowledge base" in texts.get("no_sources", texts.get("not_decisive", ""))


EIGHT = (
    "The Berlin Wall was opened in 1989, the Great Wall of China is visible from the Moon, vaccines cause autism, "
    "water boils at a lower temperature at high altitude, bats are blind, Mount Everest is in Peru, Yuri Gagarin was "
    "the first human in space, and light travels faster than sound."
)


def test_a_claim_of_eight_statements_takes_four_calls_and_two_of_them_side_by_side(house: House) -> None:
    parts = [part.removeprefix("and ") for part in EIGHT.rstrip(".").split(", ")]
    together: list[int] = []
    busy = 0
    lock = threading.Lock()

    def script(asked: Asked) -> Answer:
        nonlocal busy
        if asked.purpose == "classify":
            return classified(*parts)
        if asked.purpose == "verdict":
            numbers = re.findall(r"^(\d)\. ", asked.words, re.MULTILINE)
            return decided("Not Enough Evidence", statements=dict.fromkeys(map(int, numbers), "Not Enough Evidence"))
        with lock:
            busy += 1
            together.append(busy)
        time.sleep(0.5)
        with lock:
            busy -= 1
        return sufficient(*range(1, 9))

    with ScriptedLLM.serving(script) as server, house.judged_by(server):
        run, _ = house.run(EIGHT)
    assert [asked.purpose for asked in server.asked] == ["classify", "sufficiency", "sufficiency", "verdict"]
    assert max(together) == 2
    assert run.classification is not None
    assert len(run.classification.statements) == 8
    assert run.judge.name == "local"


BAD: dict[str, tuple[Callable[[Asked], Answer], str]] = {
    "fabricated number": (
        lambda a: decided("False", said("Proved by 99 studies [1].", cited(1, passages(a)[0][1]))), "stray_number"
    ),
    "altered quote": (
        lambda a: decided("False", said("So it is [1].", cited(1, passages(a)[0][1].replace(" ", "  not ", 1)))),
        "altered_quote",
    ),
    "wrong stance": (
        lambda a: decided("True", about(a, "Great Wall", "SUPPORTS")), "opposite_stance"
    ),
    "label against its explanation": (lambda a: decided("True", about(a, "Moon", "REFUTES")), "against_label"),
    "no sentences": (lambda a: decided("False"), "label_unsupported"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_a_model_makes_up_is_caught_and_counted(house: House, name: str) -> None:
    answer, kind = BAD[name]

    def script(asked: Asked) -> Answer:
        return answer(asked) if asked.purpose == "verdict" else good(asked)

    with ScriptedLLM.serving(script) as server, house.judged_by(server):
        run, _ = house.run(WALL)
    assert troubles(run).get(kind), troubles(run)
    assert run.verdict is not None
    assert run.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert run.judge.name == "local"
    ensure_honest(run)


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("I am sure that it is false.", "prose"),
        ('{"sentences": [{"text": "cut', "malformed"),
    ],
)
def test_an_answer_that_cannot_be_used_leads_to_the_embedded_judge(house: House, bad: Answer, kind: str) -> None:
    def script(asked: Asked) -> Answer:
        return bad if asked.purpose == "verdict" else good(asked)

    with ScriptedLLM.serving(script) as server, house.judged_by(server):
        run, _ = house.run(WALL)
    assert troubles(run) == {kind: 2, "judge_left": 1}
    assert run.judge.name == "embedded"
    assert "left at step 7 (verdict)" in " ".join(run.judge.route)
    assert run.verdict is not None
    assert run.verdict.label is Label.FALSE
    ensure_honest(run)


@pytest.mark.parametrize("dies_at", ["classify", "sufficiency", "verdict"])
def test_a_server_that_goes_away_ends_in_an_embedded_verdict_with_the_story(house: House, dies_at: str) -> None:
    dying = ScriptedLLM.serving(lambda asked: None if asked.purpose == dies_at else good(asked))
    with dying as server, house.judged_by(server, llm_retries=0):
        run, _ = house.run(WALL)
    assert run.status is RunStatus.FINISHED
    assert run.judge.name == "embedded"
    assert len(run.judge.route) >= 2
    step = next(s for s in run.steps if s.name == dies_at)
    assert "The embedded judge goes on." in step.reason
    assert step.outputs["troubles"] == {"judge_left": 1}
    assert step.outputs["calls"][0]["problem"]
    assert run.verdict is not None
    assert run.verdict.label is Label.FALSE
    ensure_honest(run)


def test_a_stream_cut_in_the_middle_takes_back_what_was_shown(house: House) -> None:
    def script(asked: Asked) -> Answer:
        if asked.purpose != "verdict":
            return good(asked)
        answer = json.dumps(good(asked))
        return Scripted(answer, cut_after=answer.index('"statements"'))

    with ScriptedLLM.serving(script) as server, house.judged_by(server):
        run, events = house.run(WALL)
    kinds = [type(e) for e in events if isinstance(e, SentenceAccepted | SentencesWithdrawn)]
    assert kinds[:3] == [SentenceAccepted, SentencesWithdrawn, SentenceAccepted]
    assert run.judge.name == "embedded"
    after = events[next(i for i, e in enumerate(events) if isinstance(e, SentencesWithdrawn)) :]
    assert " ".join(e.text for e in after if isinstance(e, SentenceAccepted)) == run.verdict.explanation  # type: ignore[union-attr]
    step = next(s for s in run.steps if s.name == "verdict")
    assert "broke off" in step.outputs["withdrawn"][0]
    ensure_honest(run)


def test_a_run_keeps_prompts_model_and_host_but_no_secret(house: House) -> None:
    with ScriptedLLM.serving(good) as server:
        address = server.url.replace("http://", "http://user:pass@")
        with house.judged_by(server, cloud_base_url=address, openai_api_key=SecretStr(KEY)):
            run, _ = house.run(WALL)
    steps, asking = {"classify", "sufficiency", "reading", "verdict", "repair"}, {"route", "same", "answer"}
    conversing = {"extraction", "conversation", "conclusion"}
    assert set(run.settings["prompts"]) == steps | asking | conversing
    assert {m["judge"]: m["host"] for m in run.settings["language_models"]}["local"] == run.judge.host
    assert KEY not in repr(run)
    assert "pass@" not in repr(run)


def test_a_local_choice_goes_to_the_cloud_only_when_that_is_allowed(house: House) -> None:
    with ScriptedLLM.serving(good) as cloud:
        base = {"cloud_base_url": cloud.url, "openai_api_key": SecretStr(KEY)}
        with house.judged_by("http://127.0.0.1:9/v1", **base):
            run, _ = house.run(WALL)
        assert (run.judge.name, cloud.asked) == ("embedded", [])
        assert "GHOST_ALLOW_CLOUD_FALLBACK" in " ".join(run.judge.route)
        with house.judged_by("http://127.0.0.1:9/v1", allow_cloud_fallback=True, **base):
            run, _ = house.run(WALL)
    assert run.judge.name == "cloud"
    assert run.judge.route[0].startswith("local (127.0.0.1:9): not asked. No server answers at 127.0.0.1:9")


def test_cancel_while_the_model_thinks(house: House) -> None:
    stop = threading.Event()

    def script(asked: Asked) -> Answer:
        if asked.purpose == "verdict":
            threading.Timer(0.2, stop.set).start()
            return Scripted(json.dumps(good(asked)), before=1.8)
        return good(asked)

    with ScriptedLLM.serving(script) as server, house.judged_by(server):
        started = 0.0
        for event in house.bench.verify(Claim(WALL), cancelled=stop.is_set):
            if stop.is_set() and not started:
                started = time.monotonic()
            last = event
        assert isinstance(last, RunEnded)
        assert last.status is RunStatus.CANCELLED
        assert last.usage.tokens > 800  # what was asked has to be paid, also when nobody waits for the answer


@pytest.mark.parametrize("tokens", [0, 1500])
def test_a_limit_ends_the_run_with_what_it_has(house: House, tokens: int) -> None:
    with ScriptedLLM.serving(good) as server, house.judged_by(server, max_tokens=tokens):
        run, events = house.run(WALL)
    assert run.status is RunStatus.FINISHED
    assert run.verdict is not None
    assert run.verdict.label is Label.NOT_ENOUGH_EVIDENCE or len(server.asked) == 3
    assert run.usage.tokens <= tokens
    assert [e for e in events if isinstance(e, VerdictReached)]


def test_costs_are_counted_per_step_and_summed(house: House) -> None:
    with ScriptedLLM.serving(good) as server:
        cloud = {"judge": "cloud", "cloud_base_url": server.url, "openai_api_key": SecretStr(KEY),
                 "llm_price_in": 1.0, "llm_price_out": 10.0}  # fmt: skip
        before = house.bench.runs.spent()
        with house.judged_by(server, **cloud):
            run, events = house.run(WALL)
    assert run.usage.cost_usd == pytest.approx(3 * 0.0013)
    assert [s.cost_usd for s in run.steps if s.tokens] == [0.0013] * 3
    assert house.bench.runs.spent().cost_usd == pytest.approx(before.cost_usd + run.usage.cost_usd)
    assert [e.step.name for e in events if isinstance(e, StepFinished) and e.step.tokens] == [
        "classify", "sufficiency", "verdict",
    ]  # fmt: skip
