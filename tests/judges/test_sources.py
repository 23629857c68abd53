"""What a language model makes of sources, and what happens when it makes nothing of them."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled
from ghost.judges import ChatClient, Endpoint, Price, SourceReading
from ghost.judges.base import SourceQuote
from ghost.judges.llm.judge import LLMJudge
from ghost.judges.route import RouteJudge, Stop
from ghost.testing import Answer, Asked, Scripted, ScriptedJudge, ScriptedLLM, passage
from ghost.types import Draft, Label, StanceLabel, Statement

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


def test_all_snippets_of_a_stage_are_one_question() -> None:
    hits = [passage("Honey keeps for 3,000 years.", title="A"), passage("Bees.", title="B"), passage("Honey.")]
    says = [{"n": 1, "statement": 1, "says": "REFUTES"}, {"n": 3, "statement": 2, "says": "INSUFFICIENT"},
            {"n": 9, "statement": 1, "says": "SUPPORTS"}]  # fmt: skip
    with route(lambda asked: {"results": says}) as at:
        found = at.judge.check_snippets((S, OTHER), hits, Budget(Limits()))
        assert [a.purpose for a in at.server.asked] == ["snippets"]
        assert all(p.text in at.server.asked[0].words for p in hits)
    assert found == (frozenset({1}), frozenset(), frozenset())
