"""Who takes over from whom, and what a language model makes of sources."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled, JudgeError
from ghost.judges import (
    ChatClient,
    Endpoint,
    Judges,
    LLMJudge,
    LocalServer,
    Price,
    RouteJudge,
    SourceQuote,
    SourceReading,
    Stop,
    Withdrawn,
)
from ghost.testing import Answer, Asked, Scripted, ScriptedJudge, ScriptedLLM
from ghost.types import Claim, Draft, DraftSentence, Label, StanceLabel, Statement

CLAIM = Claim("Honey keeps.")
DRAFT = Draft(Label.TRUE, 0.9, (DraftSentence("It keeps."),))


def routed(*judges: ScriptedJudge) -> RouteJudge:
    first, *others = judges
    return RouteJudge([Stop(first, "a test", before=("cloud: not asked.",)), *(Stop(j, "a test") for j in others)])


def test_a_judge_that_fails_is_left_for_the_rest_of_the_run() -> None:
    broken = ScriptedJudge(DRAFT, JudgeError("it is broken"))
    whole = ScriptedJudge(DRAFT)
    budget = Budget(Limits())
    both = routed(broken, whole)
    assert both.classify(CLAIM, budget).statements
    assert list(both.decide(CLAIM, (), (), budget)) == [DRAFT.sentences[0]]
    assert (broken.asked, whole.asked) == (["classify"], ["classify", "decide"])
    assert both.info.route[1].endswith("left at step 1 (classify). it is broken")
    ((kind, story),) = budget.since((0, 0))[1]
    assert kind == "judge_left"
    assert "goes on" in story


def test_sentences_of_a_judge_that_fails_are_withdrawn() -> None:
    items = list(
        routed(ScriptedJudge(JudgeError("gone")), ScriptedJudge(DRAFT)).decide(CLAIM, (), (), Budget(Limits()))
    )
    assert isinstance(items[0], Withdrawn)
    assert items[1:] == [DRAFT.sentences[0]]


def test_the_last_judge_s_failure_is_the_run_s() -> None:
    with pytest.raises(JudgeError, match="no"):
        routed(ScriptedJudge(DRAFT, JudgeError("no"))).classify(CLAIM, Budget(Limits()))


@pytest.mark.parametrize("stop", [BudgetExceeded("tokens", 5), Cancelled("stop"), ValueError("a defect")])
def test_limits_cancelling_and_defects_pass_through(stop: Exception) -> None:
    second = ScriptedJudge(DRAFT)
    with pytest.raises(type(stop)):
        routed(ScriptedJudge(DRAFT, stop), second).classify(CLAIM, Budget(Limits()))
    assert second.asked == []


def test_a_judge_that_cannot_be_asked_is_passed_over() -> None:
    first = Stop(ScriptedJudge(DRAFT), "a test", lambda: "It is asleep.")
    info = RouteJudge([first, Stop(ScriptedJudge(DRAFT), "always there")]).info
    assert info.route[0].endswith("not asked. It is asleep.")


ASKED: tuple[tuple[str, bool, str, bool, list[str]], ...] = (
    # settings: judge and fallback; the run: judge and fallback; who is asked, in order
    ("auto", False, "", True, ["cloud", "local", "embedded"]),
    ("auto", False, "local", True, ["local", "embedded"]),
    ("auto", True, "local", True, ["local", "cloud", "embedded"]),
    ("auto", True, "local", False, ["local", "embedded"]),
    ("auto", True, "cloud", False, ["cloud", "local", "embedded"]),
    ("auto", True, "embedded", True, ["embedded"]),
    ("local", False, "cloud", True, ["local", "embedded"]),
    ("local", False, "auto", True, ["local", "embedded"]),
    ("local", True, "cloud", True, ["cloud", "local", "embedded"]),
    ("embedded", True, "cloud", True, ["embedded"]),
    ("embedded", True, "auto", True, ["embedded"]),
    ("cloud", False, "local", True, ["local", "embedded"]),
)


@pytest.mark.parametrize(("kind", "allow", "wanted", "fallback", "names"), ASKED)
def test_a_run_chooses_among_the_judges_that_the_settings_allow(
    kind: str, allow: bool, wanted: str, fallback: bool, names: list[str]
) -> None:
    with ScriptedLLM.serving(lambda asked: "no answer", models=("small",)) as server:
        cloud = Endpoint("cloud", server.url, "big", "key", retries=0)
        local = Endpoint("local", server.url, "small", "", retries=0)
        judges = Judges(kind, ScriptedJudge(DRAFT), cloud, local, allow)
        route = judges.route(wanted, fallback)
        route.classify(CLAIM, Budget(Limits()))
        judges.close()
    lines = [line for line in route.info.route if "not asked" not in line]
    assert [line.split()[0].replace("scripted", "embedded") for line in lines] == names
    assert all("left at step 1" in line for line in lines[:-1])
    assert judges.kinds[-1] == "embedded"
    assert judges.cloud_fallback is (allow and kind != "embedded")


def test_a_local_server_is_looked_at_seldom() -> None:
    now = [0.0]
    with ScriptedLLM.serving(lambda asked: "", models=("a", "b")) as server:
        local = LocalServer(server.url, lambda: now[0])
        assert (local.problem(), local.first_model(), local.problem()) == ("", "a", "")
        assert server.looked == 1
        now[0] = 100.0
        assert local.problem() == ""
        assert server.looked == 2


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        kept: list[socket.socket] = []
        thread = threading.Thread(target=lambda: kept.append(listening.accept()[0]), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread.join(1)
        for connection in kept:
            connection.close()


def test_a_silent_server_is_waited_for_less_than_a_second(silent: str) -> None:
    started = time.monotonic()
    assert "did not answer" in LocalServer(silent).problem()
    assert time.monotonic() - started < 1.5


def test_no_server_is_a_problem_that_names_the_setting() -> None:
    with ScriptedLLM.serving(lambda asked: "") as server:
        gone = server.url
    assert "GHOST_LOCAL_BASE_URL" in LocalServer(gone).problem()


def test_another_service_is_not_a_model_server() -> None:
    with ScriptedLLM.serving(lambda asked: "") as server:
        server.models = ()
        assert LocalServer(server.url).problem() == ""
        assert LocalServer(server.url).first_model() == ""


S = Statement(1, "Honey spoils within 3 weeks.")
OTHER = Statement(2, "Honey is old.")
CHUNKS = ["Honey found in Egyptian tombs was still edible.", "Bees make honey from nectar."]


def quote(text: str, stance: str = "REFUTES", statement: int = 1) -> dict[str, object]:
    return {"statement": statement, "quote": text, "stance": stance}


class Route:
    """A language model before an embedded judge, as a run has them."""

    def __init__(self, server: ScriptedLLM, price: Price | None = None) -> None:
        endpoint = Endpoint("local", server.url, "scripted", timeout=5, retries=0, price=price)
        self.client = ChatClient(endpoint)
        self.judge = RouteJudge(
            [Stop(LLMJudge(self.client), "a test"), Stop(ScriptedJudge(Draft(Label.TRUE, 0.9, ())), "always there")]
        )
        self.server = server

    def read(self, budget: Budget, chunks: list[str] = CHUNKS) -> SourceReading | None:
        return self.judge.read_source((S, OTHER), "Honey <b>", chunks, budget)


@contextmanager
def route(script: Callable[[Asked], Answer], price: Price | None = None) -> Iterator[Route]:
    with ScriptedLLM.serving(script) as server:
        found = Route(server, price)
        try:
            yield found
        finally:
            found.client.close()


def kinds(budget: Budget) -> list[str]:
    return [kind for kind, _ in budget.since((0, 0))[1]]


def test_each_part_is_one_call_for_all_statements_and_quotes_come_in_the_order_of_the_page() -> None:
    def script(asked: Asked) -> Answer:
        if "tombs" in asked.words:
            return {"quotes": [quote(CHUNKS[0]), quote("x", "OFF-TOPIC"), quote("y", statement=9)]}
        return {"quotes": [quote(CHUNKS[1], "NEUTRAL", 2)]}

    budget = Budget(Limits())
    with route(script) as at:
        found = at.read(budget)
        asked = at.server.asked
    assert found == SourceReading(
        "local",
        (SourceQuote(1, CHUNKS[0], StanceLabel.REFUTES), SourceQuote(2, CHUNKS[1], StanceLabel.NEUTRAL)),
        2,
    )
    assert [a.purpose for a in asked] == ["reading", "reading"]
    assert all("1. Honey spoils" in a.words and "2. Honey is old" in a.words and "Honey ‹b›" in a.words for a in asked)
    assert [r.purpose for r in budget.since((0, 0))[0]] == ["reading", "reading"]


def test_nothing_that_bears_on_a_statement_is_an_answer() -> None:
    with route(lambda asked: {"quotes": []}) as at:
        assert at.read(Budget(Limits())) == SourceReading("local", (), 2)


@pytest.mark.parametrize(
    "answer",
    ["I cannot help with that.", Scripted(finish="content_filter"), Scripted(status=429), Scripted('{"quotes": [{'),
     {"quotes": [{"statement": 1, "quote": "x", "stance": "MAYBE"}]}, None],
    ids=["prose", "refusal", "429", "broken", "wrong stance", "hangs up"],
)  # fmt: skip
def test_a_failure_leaves_the_page_to_the_stance_model_and_is_told(answer: Answer) -> None:
    budget = Budget(Limits())
    with route(lambda asked: answer) as at:
        assert at.read(budget, CHUNKS[:1]) is None
        assert at.judge.info.name == "local", "it still decides"
        assert at.read(budget, CHUNKS[:1]) is None
        calls = len(at.server.asked)
        assert at.read(budget, CHUNKS[:1]) is None
        assert len(at.server.asked) == calls, "after two failures it is not asked to read any more"
    assert kinds(budget).count("reading_failed") == 2
    assert any("reads in place of the local judge" in text for _, text in budget.since((0, 0))[1])


def test_reading_stops_where_the_tokens_are_kept_for_the_verdict() -> None:
    budget = Budget(Limits(tokens=8000))
    with route(lambda asked: {"quotes": []}) as at:
        assert at.read(budget, CHUNKS[:1]) is not None
        budget.spend(tokens=3000)
        assert at.read(budget, CHUNKS[:1]) is None
        assert len(at.server.asked) == 1
    assert kinds(budget) == ["reading_stopped"]
    assert budget.room()[0] > 4000


def test_reading_stops_where_the_money_is_kept_for_the_verdict() -> None:
    budget = Budget(Limits(cost_usd=0.01))
    with route(lambda asked: {"quotes": []}, Price(1.0, 1.0)) as at:
        budget.spend(cost_usd=0.0045)
        assert at.read(budget) is None
        assert at.server.asked == []


@pytest.mark.parametrize("by", ["analyst", "stage"])
def test_cancel_is_heard_while_the_model_hangs(by: str) -> None:
    stop = threading.Event()
    budget = Budget(Limits(), cancelled=lambda: by == "analyst" and stop.is_set())
    if by == "stage":
        budget = budget.until(stop.is_set)

    def script(asked: Asked) -> Answer:
        threading.Timer(0.1, stop.set).start()
        return Scripted("{}", before=4)

    with route(script) as at:
        with pytest.raises(Cancelled):
            at.read(budget)
        started = time.monotonic()
    assert time.monotonic() - started < 3
