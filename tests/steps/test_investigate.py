"""One stage of the search: who is asked what, and what the trace says."""

import threading
import time
from datetime import UTC, date, datetime

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled, ProviderTimeoutError, RateLimitError
from ghost.events import SourceUpdate, StepFinished
from ghost.knowledge import CredibilityBook
from ghost.steps import Investigation, SearchContext, SearchHistory, SearchRules, investigate, nothing_searched, traced
from ghost.steps.investigate.search_plan import SearchQuery
from ghost.steps.trace import Outcome
from ghost.testing import ScriptedSearch
from ghost.types import Claim, ReasonCode
from ghost.web import Breaker, ClaimReview, Hit, Remembered, Stage

RULES = SearchRules(("reuters.com",), ("snopes.com",), seconds=5)
REUTERS = Hit("https://reuters.com/a", "Honey", "Honey found in Egyptian tombs was still edible.", "scripted")
OTHER = Hit("https://other.example/a", "Honey", "Honey was never found in any tomb at all.", "scripted")
CLAIM = Claim("Honey does not spoil.")
ONE = [SearchQuery(1, "Honey does not spoil.")]


def search(
    stage: Stage, *providers, wanted=ONE, budget: Budget | None = None, history=None, rules=RULES, breaker=None
) -> Outcome[Investigation]:
    budget = budget or Budget(Limits())
    book = CredibilityBook({}, rules.fact_check)
    context = SearchContext(providers, rules, book, breaker or Breaker())
    return drained(investigate(stage, CLAIM, (), wanted, context, budget, history or SearchHistory()))


def drained(step, news=None) -> Outcome[Investigation]:
    """What a step comes to; its events go to ``news``."""
    try:
        while True:
            event = next(step)
            if news is not None:
                news.append(event)
    except StopIteration as end:
        return end.value


def rows(outcome: Outcome[Investigation]):
    return outcome.outputs["searches"]


def test_a_stage_keeps_what_is_on_its_list_and_counts_the_rest() -> None:
    engine = ScriptedSearch([REUTERS, OTHER, REUTERS])
    outcome = search(Stage.TRUSTED, engine)
    assert engine.asked == [("Honey does not spoil.", ("reuters.com",))]
    assert [p.source_url for p in outcome.value.snippets] == ["https://reuters.com/a"]
    assert outcome.decision == "trusted sources: 1 of 3 hits kept"
    assert outcome.outputs["dropped"] == {"not on the list of trusted sources": 1}
    assert (outcome.outputs["kept"], outcome.outputs["duplicate"]) == (1, 1)
    assert [h["fate"] for h in rows(outcome)[0]["hits"]] == ["kept", "dropped", "duplicate"]
    assert [h["published_at"] for h in rows(outcome)[0]["hits"]] == [None] * 3
    assert "the pages were not read" in outcome.reason
    assert "The publication date of 1 is unknown." in outcome.reason
    assert outcome.value.sources == ()


def test_the_trace_names_the_words_that_were_sent_and_to_whom() -> None:
    row = rows(search(Stage.BROAD, ScriptedSearch([OTHER], "ddgs", "DuckDuckGo")))[0]
    assert (row["query"], row["provider"], row["sent_to"]) == ("Honey does not spoil.", "ddgs", "DuckDuckGo")
    assert row["state"] == "answered"


def test_the_second_provider_is_asked_only_when_the_first_brings_nothing() -> None:
    first, second = ScriptedSearch([REUTERS]), ScriptedSearch([OTHER], "second")
    search(Stage.BROAD, first, second)
    assert (len(first.asked), len(second.asked)) == (1, 0)
    for nothing in ([], [Hit("https://x.example/", "", "", "scripted")], RateLimitError("later")):
        second = ScriptedSearch([OTHER], "second")
        outcome = search(Stage.BROAD, ScriptedSearch(nothing), second)
        assert len(second.asked) == 1
        assert len(outcome.value.snippets) == 1


@pytest.mark.parametrize(
    "failure", [RateLimitError("It refuses.", 7), ProviderTimeoutError("It is slow.")], ids=["limit", "time-out"]
)
def test_a_provider_that_failed_is_not_asked_again_in_the_run(failure: Exception) -> None:
    engine, budget = ScriptedSearch(failure), Budget(Limits())
    outcome = search(Stage.TRUSTED, engine, wanted=[*ONE, SearchQuery(2, "Honey is old.")], budget=budget)
    assert len(engine.asked) == 1
    assert [r["state"] for r in rows(outcome)] == ["failed", "not asked"]
    assert rows(outcome)[0]["kind"] == type(failure).__name__
    assert "it failed earlier in this run" in rows(outcome)[1]["why"]
    assert [r.code for r in outcome.value.reasons] == [ReasonCode.PROVIDER_DOWN]
    later = search(Stage.BROAD, engine, budget=budget, history=outcome.value.history)
    assert len(engine.asked) == 1
    assert later.value.reasons == ()
    assert later.decision == "the whole web: nothing searched"
    assert budget.usage().searches == 1


def test_a_provider_is_not_asked_about_sites_it_cannot_search() -> None:
    engine, budget = ScriptedSearch([OTHER], only=("wikipedia.org",)), Budget(Limits())
    outcome = search(Stage.TRUSTED, engine, budget=budget)
    assert engine.asked == []
    assert rows(outcome)[0]["why"] == "it cannot search these sites"
    assert budget.usage().searches == 0
    assert search(Stage.BROAD, engine).value.snippets


def test_an_empty_list_means_that_there_is_nothing_to_search_and_never_everything() -> None:
    engine = ScriptedSearch([OTHER])
    outcome = search(Stage.TRUSTED, engine, rules=SearchRules())
    assert engine.asked == []
    assert outcome.reason == "The settings name no trusted sources."


def test_what_an_earlier_stage_found_is_a_duplicate_and_answers_the_query() -> None:
    engine, second = ScriptedSearch([REUTERS]), ScriptedSearch([OTHER], "second")
    history = search(Stage.TRUSTED, engine).value.history
    outcome = search(Stage.BROAD, engine, second, history=history)
    assert outcome.value.snippets == ()
    assert outcome.outputs["duplicate"] == 1
    assert second.asked == []


def test_the_limit_of_searches_is_an_outcome() -> None:
    engine, budget = ScriptedSearch([]), Budget(Limits(searches=1))
    wanted = [SearchQuery(n, f"Honey {n}") for n in (1, 2, 3)]
    outcome = search(Stage.BROAD, engine, wanted=wanted, budget=budget)
    assert len(engine.asked) == 1
    assert [r["state"] for r in rows(outcome)] == ["answered", "not asked", "not asked"]
    assert [r.code for r in outcome.value.reasons] == [ReasonCode.BUDGET]


def test_the_last_search_is_kept_for_the_whole_web() -> None:
    engine, budget = ScriptedSearch([]), Budget(Limits(searches=2))
    wanted = [SearchQuery(n, f"Honey {n}") for n in (1, 2, 3)]
    early = search(Stage.TRUSTED, engine, wanted=wanted, budget=budget)
    assert [r["state"] for r in rows(early)] == ["answered", "not asked", "not asked"]
    assert "kept for the whole web" in rows(early)[1]["why"]
    assert early.value.reasons == ()
    search(Stage.BROAD, engine, wanted=wanted, budget=budget)
    assert [sites for _, sites in engine.asked] == [("reuters.com",), ()]


def test_a_search_that_hangs_is_given_up_and_the_next_provider_is_asked() -> None:
    free = threading.Event()

    def hang(query: str, sites: tuple[str, ...]) -> list[Hit]:
        free.wait(30)
        return []

    started = time.monotonic()
    outcome = search(
        Stage.BROAD, ScriptedSearch(hang), ScriptedSearch([OTHER], "second"), rules=SearchRules(seconds=0.2)
    )
    free.set()
    assert time.monotonic() - started < 3
    assert rows(outcome)[0]["kind"] == "ProviderTimeoutError"
    assert outcome.value.snippets


@pytest.mark.parametrize(
    ("seconds", "stop", "expected"), [(60, True, Cancelled), (0.3, False, BudgetExceeded)], ids=["cancel", "seconds"]
)
def test_the_run_can_end_while_a_search_hangs(seconds: float, stop: bool, expected: type[Exception]) -> None:
    free, asked = threading.Event(), threading.Event()

    def hang(query: str, sites: tuple[str, ...]) -> list[Hit]:
        asked.set()
        free.wait(30)
        return []

    budget = Budget(Limits(seconds=seconds), cancelled=lambda: stop and asked.is_set())
    started = time.monotonic()
    with pytest.raises(expected):
        search(Stage.BROAD, ScriptedSearch(hang), budget=budget)
    assert time.monotonic() - started < 1
    free.set()


def test_with_nobody_to_ask_the_trace_says_so() -> None:
    off, nobody = nothing_searched(web=False), nothing_searched(web=True)
    assert "switched off" in off.reason
    assert "No search provider is set up" in nobody.reason
    assert all("No search left this machine" in o.reason for o in (off, nobody))
    assert off.value.reasons[0].code is ReasonCode.NO_PROVIDER


def test_watchers_hear_of_each_hit() -> None:
    news: list[SourceUpdate] = []
    context = SearchContext([ScriptedSearch([REUTERS, OTHER])], RULES, CredibilityBook({}, ()), Breaker())
    drained(investigate(Stage.TRUSTED, CLAIM, (), ONE, context, Budget(Limits()), SearchHistory()), news)
    assert [(n.url, n.state) for n in news] == [
        ("https://reuters.com/a", "kept"), ("https://other.example/a", "dropped"),
    ]  # fmt: skip
    assert news[1].note == "not on the list of trusted sources"


class Remembers(ScriptedSearch):
    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        return Remembered((REUTERS, OTHER), datetime(2026, 1, 2, tzinfo=UTC))


def test_a_kept_answer_goes_through_the_same_sieve_and_is_told() -> None:
    budget, engine = Budget(Limits()), Remembers([])
    outcome = search(Stage.TRUSTED, engine, ScriptedSearch([OTHER], "second"), budget=budget)
    assert [p.source_url for p in outcome.value.snippets] == ["https://reuters.com/a"]
    assert outcome.decision == "trusted sources: 1 of 2 hits kept"
    assert "No searches made." in outcome.reason
    assert "1 answer taken from the cache, so nothing was sent for it." in outcome.reason
    assert [(r["state"], r["sent_to"]) for r in rows(outcome)] == [("from the cache", "")]
    assert budget.usage().searches == 0


REVIEW = ClaimReview("Honey spoils.", "False", "Snopes", "https://snopes.com/a", reviewed_at=date(2024, 3, 5))


def reviewed(url: str = "https://snopes.com/a", snippet: str = "", day: date | None = None) -> Hit:
    return Hit(url, "Does honey spoil?", snippet, "facts", day, REVIEW)


def test_a_provider_of_fact_checks_is_asked_in_their_stage_only() -> None:
    facts = ScriptedSearch([reviewed()], "facts", stages=frozenset({Stage.FACT_CHECK}))
    assert "None of the search providers that are set up is of use" in search(Stage.TRUSTED, facts).reason
    assert rows(search(Stage.BROAD, facts, ScriptedSearch([OTHER])))[0]["provider"] == "scripted"
    assert facts.asked == []


def test_a_published_fact_check_is_a_value_and_no_evidence_so_the_next_provider_is_asked_too() -> None:
    facts = ScriptedSearch([reviewed(), reviewed(), reviewed("https://evil.example/a")], "facts")
    second = ScriptedSearch([], "second")
    outcome = search(Stage.FACT_CHECK, facts, second)
    assert len(second.asked) == 1
    assert [h["fate"] for h in rows(outcome)[0]["hits"]] == ["fact-check", "fact-check", "dropped"]
    assert outcome.decision == "fact-checkers: 0 of 3 hits kept, 1 published fact-check"
    assert "Snopes published a fact-check: False." in outcome.reason
    assert outcome.value.reviews == (REVIEW,)
    assert outcome.outputs["reviews"] == [
        {"claim": "Honey spoils.", "rating": "False", "reviewer": "Snopes", "url": "https://snopes.com/a", "title": "",
         "claimant": "", "reviewed_at": "2024-03-05", "language": "", "value": None, "statement": 0, "known": True},
    ]  # fmt: skip
    assert outcome.value.snippets == ()


def test_who_published_a_fact_check_is_named_by_the_host_where_it_is_no_known_fact_checker() -> None:
    facts = ScriptedSearch([reviewed()], "facts")
    context = SearchContext([facts], RULES, CredibilityBook({}, ()), Breaker())
    outcome = drained(investigate(Stage.FACT_CHECK, CLAIM, (), ONE, context, Budget(Limits()), SearchHistory()))
    assert [row["known"] for row in outcome.outputs["reviews"]] == [False]
    named = "snopes.com (calls itself Snopes; not a known fact-checker) published a fact-check: False."
    assert named in outcome.reason


def test_a_provider_of_fact_checks_is_asked_beside_the_others_wherever_it_stands() -> None:
    snopes = Hit("https://snopes.com/b", "Honey", "Honey that is kept dry never spoils, we found.", "general")
    for snippet in ("", "Honey does not spoil, say chemists."):
        general, second = ScriptedSearch([snopes], "general"), ScriptedSearch([snopes], "second")
        facts = ScriptedSearch([reviewed(snippet=snippet)], "facts", stages=frozenset({Stage.FACT_CHECK}))
        outcome = search(Stage.FACT_CHECK, general, facts, second)
        assert [row["provider"] for row in rows(outcome)] == ["facts", "general"]
        assert outcome.inputs["providers"] == ["facts", "general", "second"]
        assert outcome.value.reviews == (REVIEW,)


def test_a_review_with_a_text_of_its_own_is_both() -> None:
    outcome = search(
        Stage.FACT_CHECK, ScriptedSearch([reviewed(snippet="Honey does not spoil, say chemists.")], "facts")
    )
    assert outcome.value.reviews == (REVIEW,)
    assert len(outcome.value.snippets) == 1


def test_a_fact_check_of_another_site_or_after_the_day_does_not_count() -> None:
    elsewhere = ScriptedSearch([reviewed("https://evil.example/a"), reviewed("javascript:alert(1)")], "facts")
    assert search(Stage.FACT_CHECK, elsewhere).value.reviews == ()
    book = CredibilityBook({}, ())
    context = SearchContext([ScriptedSearch([reviewed(day=date(2024, 3, 5))])], RULES, book, Breaker())
    claim = Claim("Honey.", as_of=date(2020, 1, 1))
    later = drained(investigate(Stage.FACT_CHECK, claim, (), ONE, context, Budget(Limits()), SearchHistory()))
    assert later.value.reviews == ()


def test_a_stage_that_is_stopped_leaves_its_searches_to_the_trace() -> None:
    stop = threading.Event()

    def answer(query: str, sites: tuple[str, ...]) -> list[Hit]:
        if query != CLAIM.text:
            stop.set()
        return [REUTERS]

    budget = Budget(Limits(), cancelled=stop.is_set)
    two = [*ONE, SearchQuery(1, "Is honey found in tombs?")]
    context = SearchContext((ScriptedSearch(answer),), RULES, CredibilityBook({}, ()), Breaker())
    news: list[object] = []
    with pytest.raises(Cancelled):
        drained(traced(5, budget, investigate(Stage.BROAD, CLAIM, (), two, context, budget, SearchHistory())), news)
    (ended,) = [e.step for e in news if isinstance(e, StepFinished)]
    assert ended.decision == "stopped"
    assert [row["query"] for row in ended.outputs["searches"]] == ["Honey does not spoil."]
