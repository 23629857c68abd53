"""One stage of the search: who is asked what, in which order pages are read, and what the trace says."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import (
    BudgetExceeded,
    Cancelled,
    EnginesSilentError,
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    RateLimitError,
)
from ghost.events import SourceUpdate, StepFinished
from ghost.knowledge import CredibilityBook
from ghost.steps import (
    Investigation,
    ReadingRules,
    SearchContext,
    SearchCoverage,
    SearchHistory,
    SearchRules,
    investigate,
    nothing_searched,
    over_limit,
    remaining,
    select_statements,
    stage_queries,
    traced,
    with_findings,
    with_settled,
)
from ghost.steps.investigate import SearchQuery
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, HashingEncoder, ScriptedReader, ScriptedSearch, passage
from ghost.types import (
    Candidate,
    Claim,
    ClaimMatch,
    Origin,
    Reason,
    ReasonCode,
    Relation,
    Scopes,
    StanceLabel,
    Statement,
    Sufficiency,
)
from ghost.web import Breaker, ClaimReview, Fetched, Hit, Remembered, Stage

RULES = SearchRules(("reuters.com",), ("snopes.com",), seconds=5)
REUTERS = Hit("https://reuters.com/a", "Honey", "Honey found in Egyptian tombs was still edible.", "scripted")
OTHER = Hit("https://other.example/a", "Honey", "Honey was never found in any tomb at all.", "scripted")
CLAIM = Claim("Honey does not spoil.")
ONE = [SearchQuery(1, CLAIM.text)]


def search(
    stage: Stage,
    *providers: ScriptedSearch,
    wanted: Sequence[SearchQuery] = ONE,
    budget: Budget | None = None,
    history: SearchHistory | None = None,
    rules: SearchRules = RULES,
    claim: Claim = CLAIM,
    statements: Sequence[Statement] = (),
    book: CredibilityBook | None = None,
    news: list[Any] | None = None,
    **context: Any,
) -> Any:
    """The outcome of one stage; its events go to ``news``."""
    sources = book or CredibilityBook({}, rules.fact_check)
    search = SearchContext(providers, rules, sources, context.pop("breaker", Breaker()), **context)
    step = investigate(stage, claim, statements, wanted, search, budget or Budget(Limits()), history or SearchHistory())
    return drained(step, news)


def drained(step: Generator[Any, None, Any], news: list[Any] | None = None) -> Any:
    try:
        while True:
            event = next(step)
            if news is not None:
                news.append(event)
    except StopIteration as end:
        return end.value


def rows(outcome: Any) -> list[dict[str, Any]]:
    return outcome.outputs["searches"]


class Remembers(ScriptedSearch):
    """A provider whose cache knows every query but those that begin with "new"."""

    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        assert limit == 10
        known = Remembered((REUTERS, OTHER), datetime(2026, 1, 2, 3, 4, tzinfo=UTC))
        return None if query.startswith("new") else known


def test_a_stage_keeps_what_is_on_its_list_and_says_what_was_sent_to_whom() -> None:
    engine, news = ScriptedSearch([REUTERS, OTHER, REUTERS], "ddgs", "DuckDuckGo"), list[SourceUpdate]()
    outcome = search(Stage.TRUSTED, engine, news=news)
    assert engine.asked == [(CLAIM.text, ("reuters.com",))]
    assert [p.source_url for p in outcome.value.snippets] == [REUTERS.url]
    assert outcome.decision == "trusted sources: 1 of 3 hits kept"
    assert outcome.outputs["dropped"] == {"not on the list of trusted sources": 1}
    assert (outcome.outputs["kept"], outcome.outputs["duplicate"]) == (1, 1)
    (row,) = rows(outcome)
    assert (row["query"], row["provider"], row["sent_to"], row["state"]) == (
        CLAIM.text, "ddgs", "DuckDuckGo", "answered",
    )  # fmt: skip
    assert [(h["fate"], h["published_at"]) for h in row["hits"]] == [
        ("kept", None), ("dropped", None), ("duplicate", None),
    ]  # fmt: skip
    assert [(n.url, n.state) for n in news[:2]] == [(REUTERS.url, "kept"), (OTHER.url, "dropped")]
    assert news[1].note == "not on the list of trusted sources"
    assert "the pages were not read" in outcome.reason
    assert "The publication date of 1 is unknown." in outcome.reason
    assert outcome.value.sources == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [([REUTERS], 0), ([], 1), ([Hit("https://x.example/", "", "", "scripted")], 1), (RateLimitError("later"), 1)],
    ids=["a hit", "nothing", "nothing usable", "failure"],
)
def test_the_second_provider_is_asked_only_when_the_first_brings_nothing(first: Any, second: int) -> None:
    other = ScriptedSearch([OTHER], "second")
    outcome = search(Stage.BROAD, ScriptedSearch(first), other)
    assert len(other.asked) == second
    assert len(outcome.value.snippets) == 1


@pytest.mark.parametrize(
    "failure", [RateLimitError("It refuses.", 7), ProviderTimeoutError("It is slow.")], ids=["limit", "time-out"]
)
def test_a_provider_that_failed_is_not_asked_again_in_the_run(failure: Exception) -> None:
    engine, budget = ScriptedSearch(failure), Budget(Limits())
    outcome = search(Stage.TRUSTED, engine, wanted=[*ONE, SearchQuery(2, "Honey is old.")], budget=budget)
    assert [r["state"] for r in rows(outcome)] == ["failed", "not asked"]
    assert rows(outcome)[0]["kind"] == type(failure).__name__
    assert "it failed earlier in this run" in rows(outcome)[1]["why"]
    assert [r.code for r in outcome.value.reasons] == [ReasonCode.PROVIDER_DOWN]
    later = search(Stage.BROAD, engine, budget=budget, history=outcome.value.history)
    assert (later.value.reasons, later.decision) == ((), "the whole web: nothing searched")
    assert (len(engine.asked), budget.usage().searches) == (1, 1)


def test_no_list_or_no_way_to_search_it_means_that_nothing_is_asked() -> None:
    engine, budget = ScriptedSearch([OTHER], only=("wikipedia.org",)), Budget(Limits())
    outcome = search(Stage.TRUSTED, engine, budget=budget)
    assert rows(outcome)[0]["why"] == "it cannot search these sites"
    assert search(Stage.TRUSTED, engine, rules=SearchRules()).reason == "The settings name no trusted sources."
    assert (engine.asked, budget.usage().searches) == ([], 0)
    assert search(Stage.BROAD, engine).value.snippets
    for outcome, why in (
        (nothing_searched(web=False), "switched off"),
        (nothing_searched(web=True), "No search provider is set up"),
    ):
        assert why in outcome.reason
        assert "No search left this machine" in outcome.reason
        assert outcome.value.reasons[0].code is ReasonCode.NO_PROVIDER


def hanging(started: threading.Event, free: threading.Event) -> ScriptedSearch:
    def hang(query: str, sites: tuple[str, ...]) -> list[Hit]:
        started.set()
        free.wait(30)
        return []

    return ScriptedSearch(hang)


def test_a_search_that_hangs_is_given_up_and_the_next_provider_is_asked() -> None:
    free, started = threading.Event(), time.monotonic()
    second = ScriptedSearch([OTHER], "second")
    outcome = search(Stage.BROAD, hanging(threading.Event(), free), second, rules=SearchRules(seconds=0.2))
    free.set()
    assert time.monotonic() - started < 3
    assert rows(outcome)[0]["kind"] == "ProviderTimeoutError"
    assert outcome.value.snippets


@pytest.mark.parametrize(
    ("seconds", "stop", "expected"), [(60, True, Cancelled), (0.3, False, BudgetExceeded)], ids=["cancel", "seconds"]
)
def test_the_run_can_end_while_a_search_hangs(seconds: float, stop: bool, expected: type[Exception]) -> None:
    free, asked = threading.Event(), threading.Event()
    budget = Budget(Limits(seconds=seconds), cancelled=lambda: stop and asked.is_set())
    started = time.monotonic()
    with pytest.raises(expected):
        search(Stage.BROAD, hanging(asked, free), budget=budget)
    assert time.monotonic() - started < 1
    free.set()


def test_a_stage_that_is_stopped_leaves_its_searches_in_the_trace() -> None:
    stop = threading.Event()

    def answer(query: str, sites: tuple[str, ...]) -> list[Hit]:
        if query != CLAIM.text:
            stop.set()
        return [REUTERS]

    budget, news = Budget(Limits(), cancelled=stop.is_set), list[Any]()
    context = SearchContext((ScriptedSearch(answer),), RULES, CredibilityBook({}, ()), Breaker())
    two = [*ONE, SearchQuery(1, "Is honey found in tombs?")]
    with pytest.raises(Cancelled):
        drained(traced(5, budget, investigate(Stage.BROAD, CLAIM, (), two, context, budget, SearchHistory())), news)
    (ended,) = [e.step for e in news if isinstance(e, StepFinished)]
    assert ended.decision == "stopped"
    assert [row["query"] for row in ended.outputs["searches"]] == [CLAIM.text]


def test_a_cached_answer_goes_through_the_same_filter_and_costs_nothing() -> None:
    budget, engine = Budget(Limits(searches=0)), Remembers([], recipient="Engine")
    breaker = Breaker(failures=1)
    breaker.failed("scripted", ProviderError("x"))
    outcome = search(Stage.TRUSTED, engine, ScriptedSearch([OTHER], "second"), budget=budget, breaker=breaker)
    assert [p.source_url for p in outcome.value.snippets] == [REUTERS.url]
    assert "No searches made." in outcome.reason
    assert "1 answer taken from the cache, so nothing was sent for it." in outcome.reason
    (row,) = rows(outcome)
    assert (row["state"], row["sent_to"], "requests" in row) == ("from the cache", "", False)
    assert row["why"] == "Engine answered the same search on 2026-01-02 at 03:04 UTC"
    assert (engine.asked, budget.usage().searches) == ([], 0)
    outcome = search(Stage.TRUSTED, engine, wanted=[SearchQuery(1, "new")], budget=budget)
    assert rows(outcome)[0]["state"] == "not asked"


def script(*results: Any) -> ScriptedSearch:
    """A provider that gives one result after the other."""
    left = list(results)
    return ScriptedSearch(lambda query, sites: left.pop(0))


def queries(number: int) -> list[SearchQuery]:
    return [SearchQuery(1, f"honey {n}") for n in range(number)]


@pytest.mark.parametrize("failure", [ProviderBusyError("It is busy."), RateLimitError("Slow down.", 0.2)])
def test_a_temporary_failure_is_tried_once_more_and_counted_twice(failure: ProviderError) -> None:
    budget, breaker = Budget(Limits()), Breaker(failures=1)
    outcome = search(Stage.BROAD, script(failure, [REUTERS]), budget=budget, breaker=breaker)
    (row,) = rows(outcome)
    assert [p.source_url for p in outcome.value.snippets] == [REUTERS.url]
    assert (row["state"], row["requests"], budget.usage().searches) == ("answered", 2, 2)
    assert breaker.refusal("scripted") == ""


def test_a_second_failure_is_the_last_and_all_tries_share_the_time_of_one_search() -> None:
    engine = script(ProviderBusyError("one"), ProviderBusyError("two"), [REUTERS])
    outcome = search(Stage.BROAD, engine, wanted=queries(2))
    row, second = rows(outcome)
    assert (row["state"], row["why"], row["kind"], row["requests"]) == ("failed", "two", "ProviderBusyError", 2)
    assert outcome.value.reasons[0].code is ReasonCode.PROVIDER_DOWN
    assert second["why"] == "it failed earlier in this run: two"
    assert len(engine.asked) == 2
    started = time.monotonic()
    outcome = search(Stage.BROAD, script(ProviderBusyError("x"), [REUTERS]), rules=SearchRules(seconds=1.0))
    assert (rows(outcome)[0]["state"], rows(outcome)[0]["requests"]) == ("failed", 1)
    assert time.monotonic() - started < 1


def test_a_provider_that_keeps_failing_is_skipped_in_the_next_run_at_no_cost() -> None:
    breaker, budget = Breaker(failures=2), Budget(Limits())
    for _ in range(2):
        search(Stage.BROAD, ScriptedSearch(ProviderError("It is broken.")), breaker=breaker)
    engine = ScriptedSearch([REUTERS])
    outcome = search(Stage.BROAD, engine, wanted=queries(2), budget=budget, breaker=breaker)
    first, second = rows(outcome)
    assert (first["state"], first["why"]) == (second["state"], second["why"])
    assert first["why"].startswith("it is left alone for another")
    assert first["why"].endswith("It is broken.")
    (reason,) = outcome.value.reasons
    assert reason.text.startswith("Scripted Search was not asked: it is left alone")
    assert (engine.asked, budget.usage().searches) == ([], 0)


@pytest.mark.parametrize(
    ("result", "seconds", "state", "rests"),
    [
        (ProviderRefusedError("Check the key."), 60, "failed", True),
        (ProviderTimeoutError("slow"), 60, "failed", True),
        (ProviderTimeoutError("slow"), 2, "failed", False),
        (EnginesSilentError("It found nothing, but engines did not answer: google."), 60, "failed", False),
        ([], 60, "answered", False),
    ],
    ids=["a refused key", "too slow", "the run is out of time", "silent engines", "an empty answer"],
)
def test_which_results_count_against_a_provider(result: Any, seconds: float, state: str, rests: bool) -> None:
    breaker = Breaker(failures=1)
    engine = script(result, [REUTERS])
    outcome = search(Stage.BROAD, engine, wanted=queries(2), budget=Budget(Limits(seconds=seconds)), breaker=breaker)
    assert (rows(outcome)[0]["state"], rows(outcome)[0]["requests"]) == (state, 1)
    assert bool(breaker.refusal("scripted")) is rests
    if isinstance(result, EnginesSilentError) or not result:
        assert rows(outcome)[1]["state"] == "answered", "other words may be answered"


def test_cancel_is_heard_while_a_provider_hangs_and_between_two_tries() -> None:
    now, asked, free, stop = [0.0], threading.Event(), threading.Event(), threading.Event()
    breaker = Breaker(failures=1, clock=lambda: now[0])
    breaker.failed("scripted", ProviderError("x"))
    now[0] = 61.0
    with pytest.raises(Cancelled):
        search(Stage.BROAD, hanging(asked, free), budget=Budget(Limits(), cancelled=asked.is_set), breaker=breaker)
    free.set()
    assert breaker.refusal("scripted") == "", "its trial can be made again"

    def fail(query: str, sites: tuple[str, ...]) -> RateLimitError:
        threading.Timer(0.3, stop.set).start()
        return RateLimitError("later", 3)

    started = time.monotonic()
    with pytest.raises(Cancelled):
        search(Stage.BROAD, ScriptedSearch(fail), budget=Budget(Limits(), cancelled=stop.is_set))
    assert time.monotonic() - started < 1.3


@pytest.mark.parametrize(("limit", "first", "second"), [(8, 5, 2), (3, 1, 1), (2, 1, 0), (1, 0, 0)])
def test_each_stage_leaves_searches_for_the_later_ones(limit: int, first: int, second: int) -> None:
    budget, engine = Budget(Limits(searches=limit)), ScriptedSearch([])
    made, why = [], []
    for stage in Stage:
        before = budget.usage().searches
        why.append(rows(search(stage, engine, wanted=queries(9), budget=budget))[-1]["why"])
        made.append(budget.usage().searches - before)
    assert made == [first, second, limit - first - second]
    kept = "the last searches are kept for the fact-checkers and the whole web" if second else "the last search is kept"
    assert why[0].startswith(kept)
    without = Budget(Limits(searches=8))
    search(Stage.TRUSTED, engine, wanted=queries(9), budget=without, rules=SearchRules(("a.org",)))
    assert without.usage().searches == 7, "nothing is left for fact-checkers that are not named"


# Published fact-checks.
REVIEW = ClaimReview("Honey spoils.", "False", "Snopes", "https://snopes.com/a", reviewed_at=date(2024, 3, 5))
SAID = [Statement(1, "Honey spoils after ten years."), Statement(2, "Bees sleep in winter.")]


def reviewed(url: str = REVIEW.url, snippet: str = "", day: date | None = None, review: ClaimReview = REVIEW) -> Hit:
    return Hit(url, "Does honey spoil?", snippet, "facts", day, review)


def test_a_provider_of_fact_checks_is_asked_in_their_stage_only_and_beside_the_others() -> None:
    facts = ScriptedSearch([reviewed()], "facts", stages=frozenset({Stage.FACT_CHECK}))
    assert "None of the search providers that are set up is of use" in search(Stage.TRUSTED, facts).reason
    assert rows(search(Stage.BROAD, facts, ScriptedSearch([OTHER])))[0]["provider"] == "scripted"
    assert facts.asked == []
    snopes = Hit("https://snopes.com/b", "Honey", "Honey that is kept dry never spoils, we found.", "general")
    general, second = ScriptedSearch([snopes], "general"), ScriptedSearch([snopes], "second")
    for snippet in ("", "Honey does not spoil, say chemists."):
        facts = ScriptedSearch([reviewed(snippet=snippet)], "facts", stages=frozenset({Stage.FACT_CHECK}))
        outcome = search(Stage.FACT_CHECK, general, facts, second)
        assert [row["provider"] for row in rows(outcome)] == ["facts", "general"]
        assert outcome.inputs["providers"] == ["facts", "general", "second"]
        assert outcome.value.reviews == (REVIEW,)


def test_a_published_fact_check_is_reported_and_no_evidence_so_the_next_provider_is_asked_too() -> None:
    facts, second = ScriptedSearch([reviewed(), reviewed(), reviewed("https://evil.example/a")], "facts"), script([])
    outcome = search(Stage.FACT_CHECK, facts, second)
    assert len(second.asked) == 1
    assert [h["fate"] for h in rows(outcome)[0]["hits"]] == ["fact-check", "fact-check", "dropped"]
    assert outcome.decision == "fact-checkers: 0 of 3 hits kept, 1 published fact-check"
    assert "Snopes published a fact-check: False." in outcome.reason
    assert (outcome.value.reviews, outcome.value.snippets) == ((REVIEW,), ())
    assert outcome.outputs["reviews"] == [
        {"claim": "Honey spoils.", "rating": "False", "reviewer": "Snopes", "url": "https://snopes.com/a", "title": "",
         "claimant": "", "reviewed_at": "2024-03-05", "language": "", "value": None, "statement": 0, "known": True},
    ]  # fmt: skip
    with_text = search(Stage.FACT_CHECK, ScriptedSearch([reviewed(snippet="Honey does not spoil, say chemists.")]))
    assert (with_text.value.reviews, len(with_text.value.snippets)) == ((REVIEW,), 1)


def test_an_unknown_fact_checker_is_named_by_its_host_and_one_elsewhere_or_too_late_does_not_count() -> None:
    facts = ScriptedSearch([reviewed()], "facts")
    outcome = search(Stage.FACT_CHECK, facts, book=CredibilityBook({}, ()))
    assert [row["known"] for row in outcome.outputs["reviews"]] == [False]
    assert "snopes.com (calls itself Snopes; not a known fact-checker) published a fact-check" in outcome.reason
    elsewhere = ScriptedSearch([reviewed("https://evil.example/a"), reviewed("javascript:alert(1)")], "facts")
    assert search(Stage.FACT_CHECK, elsewhere).value.reviews == ()
    late = ScriptedSearch([reviewed(day=date(2024, 3, 5))])
    assert search(Stage.FACT_CHECK, late, claim=Claim("Honey.", as_of=date(2020, 1, 1))).value.reviews == ()


class SameWords:
    """Takes claims for the same where their words are."""

    def match(self, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
        return [
            ClaimMatch(Relation.SAME if one.strip(".") == other.strip(".") else Relation.RELATED, 0.9, 0.9)
            for one, other in pairs
        ]


@pytest.mark.parametrize(
    ("claim", "rating", "url", "reads", "stance", "same"),
    [
        ("Honey spoils after ten years", "False", "https://snopes.com/h", ON_TOPIC, StanceLabel.REFUTES, True),
        ("Honey spoils after ten years", "Half true", "https://snopes.com/h", ON_TOPIC, StanceLabel.NEUTRAL, True),
        ("Honey spoils after two years", "False", "https://snopes.com/h", SUPPORTING, StanceLabel.REFUTES, False),
        ("Honey spoils after two years", "False", "https://snopes.com/h", ON_TOPIC, StanceLabel.NEUTRAL, False),
        ("Comets are made of cheese and rope", "False", "https://snopes.com/h", ON_TOPIC, None, False),
        ("Honey spoils after ten years", "False", "https://snopes.com/h", REFUTING, None, False),
        ("Honey spoils after ten years", "False", "https://anybody.example/h", ON_TOPIC, None, True),
        ("Honey spoils after ten years", "See the article", "https://snopes.com/h", ON_TOPIC, None, True),
    ],
    ids=["this claim", "half true takes no side", "another year", "another year, doubtful", "something else",
         "the opposite", "no fact-checker", "a rating in other words"],
)  # fmt: skip
def test_which_fact_checks_are_evidence_and_which_are_shown_as_checks_of_the_claim(
    claim: str, rating: str, url: str, reads: Any, stance: StanceLabel | None, same: bool
) -> None:
    hit = reviewed(url, review=ClaimReview(claim, rating, "Snopes", url))
    book = CredibilityBook({"snopes.com": 0.95}, ("snopes.com",))
    rules = SearchRules(fact_check=("snopes.com", "anybody.example"))
    reader = ScriptedReader(lambda *_: reads)
    outcome = search(
        Stage.FACT_CHECK, ScriptedSearch([hit]), rules=rules, book=book, statements=SAID, reader=reader,
        encoder=HashingEncoder(), matcher=SameWords(),
    )  # fmt: skip
    found = [f for f, _ in outcome.value.rated]
    assert [f.stance.label for f in found] == ([stance] if stance else [])
    assert [row["statement"] for row in outcome.outputs["reviews"]] == [1 if same else 0]
    if stance:
        (_, new) = outcome.value.rated[0]
        assert new.text == f"Snopes rated the claim “{claim}” as {rating}."
        assert (new.origin, found[0].statement, found[0].passage.credibility) == (Origin.FACT_CHECK, 1, 0.95)


PLAIN, NEAR = "A page on bees and wax.", "Honey keeps for years in jars."


class Fetcher:
    """Every page says the same."""

    body = f"{PLAIN} The bees of the village were counted in May by nine children and their teacher."

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fetch(self, url: str, seconds: float, check: Callable[[], None]) -> Fetched:
        self.asked.append(url)
        kind = "text/html" if self.body.startswith("<") else "text/plain"
        return Fetched(url, url, 200, kind, "", self.body.encode(), len(self.body), 0.01, datetime.now(UTC))


@pytest.mark.parametrize(
    ("reads", "order"),
    [(ON_TOPIC, ["near", "good", "plain"]), (SUPPORTING, ["near", "plain", "good"])],
    ids=["near and credible ones first", "what settles the claim unread comes last"],
)
def test_in_which_order_pages_are_read(reads: Any, order: list[str]) -> None:
    fetcher, book = Fetcher(), CredibilityBook({"good.example": 0.9}, (), 0.5)
    hits = [
        Hit(f"https://{host}.example/", "x", text, "scripted")
        for host, text in (("plain", PLAIN), ("good", "Trains are often late in winter."), ("near", NEAR))
    ]
    search(
        Stage.BROAD, ScriptedSearch(hits), statements=[Statement(1, NEAR)], book=book, fetcher=fetcher,
        reader=ScriptedReader(lambda *_: reads), encoder=HashingEncoder(), reading=ReadingRules(parallel=1),
    )  # fmt: skip
    assert fetcher.asked == [f"https://{host}.example/" for host in order]


def test_the_day_of_a_search_engine_stands_in_for_a_guess() -> None:
    class Guessed(Fetcher):
        body = f"<article><p>Published 1 May 2019</p><p>{PLAIN} {NEAR} Nine children counted.</p></article>"

    hit = Hit("https://a.example/", "x", PLAIN, "scripted", date(2019, 5, 3))
    reader = ScriptedReader(lambda *_: ON_TOPIC)
    outcome = search(Stage.BROAD, ScriptedSearch([hit]), statements=SAID, reader=reader, fetcher=Guessed())
    (page,) = outcome.value.sources
    assert (page.row["published_at"], page.row["as_late_as"]) == ("2019-05-03", None)


# What is searched for, and what becomes of what was found.
def opened(*numbers: int, **more: Any) -> tuple[Sufficiency, ...]:
    return tuple(Sufficiency(n, False, "Nothing settles it.", **more) for n in numbers)


def numbers(rows: Sequence[Sufficiency]) -> list[int]:
    return [row.statement for row in rows]


def test_queries_are_the_judge_s_or_the_statement_itself_and_settled_statements_come_last() -> None:
    statements = [Statement(1, "Honey keeps."), Statement(2, "Honey is old."), Statement(3, "Settled.")]
    rows = [*opened(2, queries=("oldest honey", "oldest honey", "honey tomb", "third")), *opened(1)]
    first = [SearchQuery(1, "Honey keeps."), SearchQuery(2, "oldest honey")]
    assert stage_queries(Stage.TRUSTED, statements, rows) == first
    assert stage_queries(Stage.BROAD, statements, rows) == [
        *first, SearchQuery(1, "Honey keeps false denied corrected"), SearchQuery(2, "honey tomb"),
    ]  # fmt: skip
    rows = [*opened(2, queries=("honey",)), Sufficiency(1, True, "")]
    assert stage_queries(Stage.FACT_CHECK, statements, rows) == [
        SearchQuery(2, "honey"),
        SearchQuery(1, "Honey keeps."),
    ]


def test_a_query_gets_the_scopes_that_it_does_not_name() -> None:
    scopes = Scopes(jurisdiction=("British",), time=("2021",), population=("women over 50",), method=("per head",))
    statements = [Statement(1, "Pay fell.", scopes)]
    rows = opened(1, queries=("UK pay 2021 per capita women older than 50", "pay fell since 2010"))
    named, added = stage_queries(Stage.BROAD, statements, rows)
    assert named.text == "UK pay 2021 per capita women older than 50"
    assert added.text == "pay fell since 2010 British 2021 women over 50 per head"


def test_which_statements_a_run_searches_for() -> None:
    assert numbers(select_statements(opened(2), opened(1, 2, 3), 2)) == [2, 1]
    assert select_statements((), opened(1, 2), 0) == ()
    assert numbers(remaining(opened(1, 2), opened(2, 3))) == [2]
    four = [Statement(n, f"Number {n}.") for n in (1, 2, 3, 4)]
    rows = with_settled(opened(3), opened(3, 4), four, 9)
    assert [(o.statement, o.enough) for o in rows] == [(3, False), (1, True), (2, True)]
    assert numbers(with_settled(opened(3), opened(3, 4), four, 2)) == [3, 1]
    assert with_settled((), (), four, 0) == ()
    assert "limit of 1 round for one run" in next(over_limit(opened(1), opened(1, 2), 1)).text
    assert "limit of 0 rounds" in next(over_limit((), opened(1), 0)).text
    assert list(over_limit(opened(1), opened(1, 2), 5)) == [], "it was reopened after the last search"


def test_snippets_join_the_candidates_of_the_statements_that_were_searched_for() -> None:
    statements = (Statement(1, "Honey keeps well"), Statement(2, "Wax melts"))
    kept = Candidate(passage("Honey keeps.", "p1"), 1, 0.5)
    found = Investigation((passage("Honey keeps well in tombs.", "web:1"), passage("Trains are late.", "web:2")))
    new = with_findings({1: [kept], 2: [kept]}, found, statements, statements[:1], HashingEncoder())
    assert new[2] == [kept]
    assert [c.passage.id for c in new[1]] == ["p1", "web:1", "web:2"]
    near, far = (c.semantic or 0 for c in new[1][1:])
    assert near > 0.5 > far
    assert [c.rank for c in new[1][1:]] == [1, 2]
    assert [c.semantic for c in with_findings({}, found, statements, statements, None)[1]] == [None, None]


@pytest.mark.parametrize(
    ("coverage", "words", "absent"),
    [
        (SearchCoverage(), ["the knowledge base", "only"], ["web"]),
        (SearchCoverage((Stage.TRUSTED,)), ["knowledge base", "web", "trusted sources"], ["fact-checkers", "only"]),
        (SearchCoverage(tuple(Stage)), ["trusted sources, fact-checkers and the whole web"], ["only"]),
    ],
)
def test_who_reads_that_nothing_was_found_reads_where(
    coverage: SearchCoverage, words: list[str], absent: list[str]
) -> None:
    for text in (coverage.sentence, coverage.nothing):
        assert all(word in text.lower() for word in words)
        assert not any(word in text.lower() for word in absent)
    conflict = coverage.about(Reason(ReasonCode.CONFLICT, "They disagree.", "One more."))
    assert conflict == Reason(ReasonCode.CONFLICT, f"They disagree. {coverage.sentence}", "One more.")
    assert coverage.about(Reason(ReasonCode.NO_SOURCES, "Nothing.", "")).text == coverage.nothing
