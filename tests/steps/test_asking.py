"""One query to one provider: the cache first, the budget always, another try where it may help, then a rest."""

import threading
import time
from datetime import UTC, datetime

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import (
    Cancelled,
    EnginesSilentError,
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    RateLimitError,
)
from ghost.steps import SearchRules
from ghost.steps.investigate.search import CACHED, ProviderClient
from ghost.testing import ScriptedSearch
from ghost.types import ReasonCode
from ghost.web import Breaker, Hit, Remembered, Stage

HIT = Hit("https://a.org/", "Honey", "Honey keeps for thousands of years.", "scripted")


def client(
    budget: Budget | None = None, breaker: Breaker | None = None, stage=Stage.BROAD, seconds=5.0
) -> ProviderClient:
    rules = SearchRules(("a.org",), ("b.org",), seconds=seconds)
    return ProviderClient(stage, rules, budget or Budget(Limits()), breaker or Breaker(), {})


def script(*results: object) -> ScriptedSearch:
    """A provider that gives one result after the other."""
    left = list(results)
    return ScriptedSearch(lambda query, sites: left.pop(0))  # type: ignore[arg-type,return-value]


class Remembers(ScriptedSearch):
    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        assert limit == 10
        return Remembered((HIT,), datetime(2026, 1, 2, 3, 4, tzinfo=UTC)) if query == "known" else None


def test_what_is_remembered_costs_nothing_and_is_sent_to_nobody() -> None:
    engine, budget = Remembers([], recipient="Engine"), Budget(Limits(searches=0))
    asked = client(budget).ask(engine, "known")
    assert asked.hits == (HIT,)
    assert asked.row["state"] == CACHED
    assert asked.row["sent_to"] == ""
    assert asked.row["why"] == "Engine answered the same search on 2026-01-02 at 03:04 UTC"
    assert "requests" not in asked.row
    assert engine.asked == []
    assert budget.usage().searches == 0
    assert client(budget).ask(engine, "other").row["state"] == "not asked"


def test_what_is_remembered_of_a_provider_that_is_down_still_counts() -> None:
    breaker = Breaker(failures=1)
    breaker.failed("scripted", ProviderError("x"))
    assert client(breaker=breaker).ask(Remembers(), "known").hits == (HIT,)


@pytest.mark.parametrize("failure", [ProviderBusyError("It is busy."), RateLimitError("Slow down.", 0.2)])
def test_what_may_pass_at_once_is_tried_once_more_and_booked_twice(failure: ProviderError) -> None:
    engine, budget, breaker = script(failure, [HIT]), Budget(Limits()), Breaker(failures=1)
    asked = client(budget, breaker).ask(engine, "honey")
    assert asked.hits == (HIT,)
    assert (asked.row["state"], asked.row["requests"]) == ("answered", 2)
    assert budget.usage().searches == 2
    assert breaker.refusal("scripted") == ""


def test_a_second_failure_is_the_last_one() -> None:
    engine, work = script(ProviderBusyError("one"), ProviderBusyError("two"), [HIT]), client()
    row = work.ask(engine, "honey").row
    assert (row["state"], row["why"], row["kind"], row["requests"]) == ("failed", "two", "ProviderBusyError", 2)
    assert work.reasons[0].code is ReasonCode.PROVIDER_DOWN
    assert work.ask(engine, "wax").row["why"] == "it failed earlier in this run: two"
    assert len(engine.asked) == 2


@pytest.mark.parametrize(
    ("searches", "stage", "made"), [(1, Stage.BROAD, 1), (2, Stage.BROAD, 2), (2, Stage.TRUSTED, 1)]
)
def test_another_try_leaves_the_last_search_to_the_broad_stage(searches: int, stage: Stage, made: int) -> None:
    budget = Budget(Limits(searches=searches))
    client(budget, stage=stage).ask(script(ProviderBusyError("x"), [HIT]), "honey")
    assert budget.usage().searches == made


def test_all_tries_share_the_time_of_one_search() -> None:
    started = time.monotonic()
    row = client(seconds=1.0).ask(script(ProviderBusyError("x"), [HIT]), "honey").row
    assert (row["state"], row["requests"]) == ("failed", 1)
    assert time.monotonic() - started < 1


def test_who_keeps_failing_is_left_alone_in_the_next_run_and_costs_nothing() -> None:
    breaker, budget = Breaker(failures=2), Budget(Limits())
    for _ in range(2):
        client(breaker=breaker).ask(ScriptedSearch(ProviderError("It is broken.")), "honey")
    work, engine = client(budget, breaker), ScriptedSearch([HIT])
    first, second = work.ask(engine, "honey").row, work.ask(engine, "wax").row
    assert first["state"] == second["state"] == "not asked"
    assert first["why"].startswith("it is left alone for another")
    assert first["why"].endswith("It is broken.")
    assert second["why"] == first["why"]
    assert len(work.reasons) == 1
    assert work.reasons[0].text.startswith("Scripted Search was not asked: it is left alone")
    assert engine.asked == []
    assert budget.usage().searches == 0


def test_a_refused_key_is_not_tried_again_and_rests_at_once() -> None:
    breaker = Breaker()
    row = client(breaker=breaker).ask(ScriptedSearch(ProviderRefusedError("Check the key.")), "honey").row
    assert row["requests"] == 1
    assert "Check the key." in breaker.refusal("scripted")


def test_a_run_that_is_out_of_time_says_nothing_of_the_provider() -> None:
    breaker = Breaker(failures=1)
    hurried = client(Budget(Limits(seconds=2)), breaker)
    hurried.ask(ScriptedSearch(ProviderTimeoutError("slow")), "honey")
    assert breaker.refusal("scripted") == ""
    client(breaker=breaker).ask(ScriptedSearch(ProviderTimeoutError("slow")), "honey")
    assert breaker.refusal("scripted")


def test_a_cancelled_trial_can_be_made_again() -> None:
    now, stop, free = [0.0], threading.Event(), threading.Event()
    breaker = Breaker(failures=1, clock=lambda: now[0])
    breaker.failed("scripted", ProviderError("x"))
    now[0] = 61.0

    def hang(query: str, sites: tuple[str, ...]) -> list[Hit]:
        stop.set()
        free.wait(30)
        return []

    with pytest.raises(Cancelled):
        client(Budget(Limits(), cancelled=stop.is_set), breaker).ask(ScriptedSearch(hang), "honey")
    free.set()
    assert breaker.refusal("scripted") == ""


def test_a_cancel_is_heard_between_two_tries() -> None:
    stop = threading.Event()

    def fail(query: str, sites: tuple[str, ...]) -> RateLimitError:
        threading.Timer(0.3, stop.set).start()
        return RateLimitError("later", 3)

    started = time.monotonic()
    with pytest.raises(Cancelled):
        client(Budget(Limits(), cancelled=stop.is_set)).ask(ScriptedSearch(fail), "honey")
    assert time.monotonic() - started < 1.3


def test_an_empty_answer_is_no_failure_and_says_so() -> None:
    breaker = Breaker(failures=1)
    row = client(breaker=breaker).ask(ScriptedSearch([]), "honey").row
    assert (row["state"], row["why"]) == ("answered", "it found nothing")
    assert breaker.refusal("scripted") == ""


def test_the_first_stage_leaves_some_searches_for_the_fact_checkers() -> None:
    kept = "the last searches are kept for the fact-checkers and the whole web"
    for limit, first, second in ((8, 5, 2), (3, 1, 1), (2, 1, 0), (1, 0, 0)):
        budget, engine = Budget(Limits(searches=limit)), ScriptedSearch([])
        states = [client(budget, stage=Stage.TRUSTED).ask(engine, f"a {n}").row for n in range(9)]
        assert budget.usage().searches == first
        assert (states[-1]["why"] == kept) == (second > 0)
        for n in range(9):
            client(budget, stage=Stage.FACT_CHECK).ask(engine, f"b {n}")
        assert budget.usage().searches == first + second
        client(budget, stage=Stage.BROAD).ask(engine, "c")
        assert budget.usage().searches == limit


def test_without_fact_checkers_nothing_is_left_for_them() -> None:
    budget, engine = Budget(Limits(searches=8)), ScriptedSearch([])
    trusted = ProviderClient(Stage.TRUSTED, SearchRules(("a.org",)), budget, Breaker(), {})
    for n in range(9):
        trusted.ask(engine, f"a {n}")
    assert budget.usage().searches == 7


def test_when_nothing_is_open_the_fact_checkers_get_the_last_search_but_of_two_they_leave_one() -> None:
    budget, engine = Budget(Limits(searches=1)), ScriptedSearch([])
    checkers = client(budget, stage=Stage.FACT_CHECK)
    assert checkers.ask(engine, "a").row["state"] == "not asked"
    checkers.last = True
    assert checkers.ask(engine, "a").row["state"] == "answered"
    for limit, made in ((1, 1), (2, 1), (3, 2)):
        budget = Budget(Limits(searches=limit))
        checkers = client(budget, stage=Stage.FACT_CHECK)
        checkers.last = True
        for n in range(4):
            checkers.ask(engine, f"a {n}")
        assert budget.usage().searches == made


def test_silent_engines_are_a_failure_of_that_search_only() -> None:
    silent = EnginesSilentError("It found nothing, but engines did not answer: google.")
    breaker, budget = Breaker(failures=1), Budget(Limits())
    one = client(budget, breaker)
    engine = script(silent, [HIT])
    row = one.ask(engine, "a").row
    assert (row["state"], row["requests"], row["why"]) == ("failed", 1, str(silent))
    assert [r.code for r in one.reasons] == [ReasonCode.PROVIDER_DOWN]
    assert one.ask(engine, "b").hits == (HIT,)
