"""The seven steps in order, and what a run reports when something goes wrong."""

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import pairwise

import pytest

from ghost.budget import Limits
from ghost.errors import NO_CONNECTION, JudgeError, ProviderError, ProviderUnreachableError, StoreError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SourceUpdate,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.inference.remembering import FIRST_PIECE, PIECE
from ghost.judges import EmbeddedJudge
from ghost.knowledge import AddReport, CredibilityBook, Use
from ghost.pipelines import Tools, verify
from ghost.reports import NO_NETWORK, offline
from ghost.steps import STEPS, SearchRules
from ghost.testing import (
    OFF_TOPIC,
    SUPPORTING,
    ScriptedJudge,
    ScriptedReader,
    ScriptedSearch,
    passage,
)
from ghost.types import (
    Candidate,
    Claim,
    ClaimType,
    Classification,
    Draft,
    DraftCitation,
    DraftSentence,
    Label,
    NewPassage,
    Passage,
    ReasonCode,
    RunStatus,
    StanceLabel,
    Statement,
    Sufficiency,
)
from ghost.web import Fetched, Hit

TEXT = "Honey found in Egyptian tombs was still edible."
CLAIM = Claim("Honey does not spoil.")


class Shelf:
    """The three calls a run makes on a knowledge base, over a list."""

    frozen = False

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self.uses: list[tuple[str, list[Use]]] = []

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        hits = [Candidate(p, rank, 1 / (60 + rank)) for rank, p in enumerate(self.passages[:k], 1)]
        return [hits for _ in texts]

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        self.uses.append((run_id, list(uses)))

    def add(self, passages: Iterable[NewPassage]) -> AddReport:
        raise AssertionError("nothing was read, so nothing may be admitted")


def tools(passages: Sequence[Passage] = (), judge=None, answer=lambda text, statement: SUPPORTING, **changes) -> Tools:
    reader = ScriptedReader(answer)
    made = Tools(Shelf(passages), judge or EmbeddedJudge("scripted"), reader, scorer=reader, settings={"seed": 1})
    return replace(made, **changes)


def run(claim: Claim, with_: Tools, **kwargs) -> list[Event]:
    return list(verify(claim, with_, "run-1", **kwargs))


def only(events: Sequence[Event], kind: type):
    found = [e for e in events if isinstance(e, kind)]
    assert len(found) == 1
    return found[0]


def steps(events: Sequence[Event], name: str):
    """The trace of one step, all rounds."""
    return [e.step for e in events if isinstance(e, StepFinished) and e.step.name == name]


def test_a_settled_claim_goes_through_the_steps_in_order_without_a_search() -> None:
    events = run(CLAIM, tools([passage(TEXT, "p1")]))
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    assert [e.step.name for e in events if isinstance(e, StepFinished)] == [
        "classify", "retrieve", "rerank", "sufficiency", "index", "verdict",
    ]  # fmt: skip
    started = [e.name for e in events if isinstance(e, StepStarted)]
    assert all(name in STEPS for name in started)
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.TRUE
    assert verdict.citations[0].accepted
    assert TEXT.rstrip(".") in verdict.explanation
    assert [e.text for e in events if isinstance(e, SentenceAccepted)] == [verdict.explanation]
    assert events[-1].status is RunStatus.FINISHED


def test_what_says_nothing_ends_at_step_one() -> None:
    shelf = tools([passage(TEXT)])
    events = run(Claim("They did it again"), shelf)
    assert [e.step.name for e in events if isinstance(e, StepFinished)] == ["classify"]
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_VERIFIABLE
    assert verdict.reasons[0].code is ReasonCode.AMBIGUOUS
    assert verdict.reasons[0].remedy
    assert shelf.knowledge.uses == []


def test_with_no_evidence_no_judge_is_asked_for_a_verdict() -> None:
    judge = ScriptedJudge(AssertionError("asked without evidence"))
    events = run(CLAIM, tools([passage(TEXT)], judge, answer=lambda t, s: OFF_TOPIC))
    verdict = only(events, VerdictReached).verdict
    assert judge.asked == ["classify"]
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert {r.code for r in verdict.reasons} == {ReasonCode.NO_SOURCES, ReasonCode.NO_PROVIDER}
    assert "knowledge base, the only place" in verdict.reasons[0].text
    investigate = next(e.step for e in events if isinstance(e, StepFinished) and e.step.name == "investigate")
    assert "No search provider is set up" in investigate.reason


def test_without_a_network_one_reason_says_so_for_all_search_engines() -> None:
    def reasons(other: Sequence[Hit] | Exception) -> set[str]:
        gone = ProviderUnreachableError(f"One {NO_CONNECTION}")
        events = run(CLAIM, tools([], providers=(ScriptedSearch(gone, "one", "One"), ScriptedSearch(other, "two"))))
        assert bool(offline(steps(events, "investigate"))) is isinstance(other, ProviderUnreachableError)
        found = only(events, VerdictReached).verdict.reasons
        return {r.text for r in found if r.code is ReasonCode.PROVIDER_DOWN}

    assert reasons(ProviderUnreachableError(f"Two {NO_CONNECTION}")) == {NO_NETWORK}
    assert reasons([]) == {f"A search failed. One {NO_CONNECTION}"}


def test_a_search_that_fails_is_in_the_trace_and_never_a_verdict() -> None:
    events = run(CLAIM, tools([], providers=(ScriptedSearch(ProviderError("the server answered 500")),)))
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert ReasonCode.PROVIDER_DOWN in {r.code for r in verdict.reasons}
    first, *others = [s for s in steps(events, "investigate") if s.outputs["searches"]]
    assert first.decision.endswith("the search failed")
    assert first.outputs["searches"][0]["why"] == "the server answered 500"
    assert all(row["state"] == "not asked" for step in others for row in step.outputs["searches"])
    assert events[-1].usage.searches == 1


def test_a_search_that_finds_nothing_says_where_it_looked() -> None:
    rules = SearchRules(trusted=("nasa.gov",))  # no fact-checkers, so that stage asks nobody
    events = run(CLAIM, tools([], providers=(ScriptedSearch(),), search=rules))
    (first,) = steps(events, "sufficiency")
    assert "knowledge base, the only place" in first.reason
    (reason,) = only(events, VerdictReached).verdict.reasons
    assert reason.code is ReasonCode.NO_SOURCES
    assert "on the web (searched: trusted sources and the whole web)" in reason.text
    assert "words, names and numbers" in reason.remedy


def test_a_judge_that_invents_a_citation_cannot_make_a_verdict() -> None:
    sentence = DraftSentence("NASA proved it [4].", (DraftCitation(4, "invented words", StanceLabel.SUPPORTS),))
    judge = ScriptedJudge(Draft(Label.TRUE, 0.99, (sentence,)))
    events = run(CLAIM, tools([passage(TEXT)], judge))
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert verdict.explanation == ""
    assert [c.accepted for c in verdict.citations] == [False]


def test_a_failing_judge_fails_the_run_and_is_not_false() -> None:
    events = run(CLAIM, tools([passage(TEXT)], ScriptedJudge(JudgeError("no usable answer"))))
    assert not [e for e in events if isinstance(e, VerdictReached)]
    assert (events[-1].status, events[-1].error) == (RunStatus.FAILED, "no usable answer")
    stopped = [e.step for e in events if isinstance(e, StepFinished)][-1]
    assert (stopped.name, stopped.decision) == ("verdict", "stopped")


def test_a_store_that_fails_ends_the_run_unless_it_is_made_again() -> None:
    judge = ScriptedJudge(StoreError("The index does not answer."))
    events = run(CLAIM, tools([passage(TEXT)], judge))
    assert (events[-1].status, events[-1].error) == (RunStatus.FAILED, "The index does not answer.")
    with pytest.raises(StoreError):
        run(CLAIM, replace(tools([passage(TEXT)], judge), retried=True))


def test_an_unexpected_error_ends_the_run_visibly_with_what_it_had() -> None:
    def broken(text: str, statement: str):
        raise RuntimeError("boom")

    events = run(CLAIM, tools([passage(TEXT)], answer=broken))
    assert events[-1].status is RunStatus.FAILED
    assert "boom" in events[-1].error
    assert only(events, ClaimClassified).classification.statements


@pytest.mark.parametrize("after", range(1, 7))
def test_cancel_stops_before_the_next_step(after: int) -> None:
    seen: list[Event] = []

    def cancelled() -> bool:
        return sum(isinstance(e, StepFinished) for e in seen) >= after

    for event in verify(CLAIM, tools([passage(TEXT)]), "run-1", cancelled):
        seen += [event]
    done = [e.step for e in seen if isinstance(e, StepFinished)]
    assert isinstance(seen[-1], RunEnded)
    if after < 6:
        assert seen[-1].status is RunStatus.CANCELLED
        assert [s.decision for s in done].count("stopped") == 1
        assert len(done) == after + 1
    else:
        assert seen[-1].status is RunStatus.FINISHED


def test_cancel_is_heard_while_the_stance_model_reads() -> None:
    read: list[str] = []

    def answer(text: str, statement: str):
        read.append(text)
        return SUPPORTING

    many = [passage(f"{TEXT} Jar {n} was opened.", f"p{n}") for n in range(3 * PIECE)]
    with_ = tools(many, answer=answer, scorer=None, top_k=len(many))
    events = run(CLAIM, with_, cancelled=lambda: bool(read))
    assert len(read) == FIRST_PIECE
    assert events[-1].status is RunStatus.CANCELLED
    assert steps(events, "rerank")[-1].decision == "stopped"


def test_the_time_limit_is_heard_while_the_stance_model_reads() -> None:
    read: list[str] = []

    def slow(text: str, statement: str):
        read.append(text)
        time.sleep(0.02)
        return SUPPORTING

    many = [passage(f"{TEXT} Jar {n} was opened.", f"p{n}") for n in range(3 * PIECE)]
    with_ = tools(many, answer=slow, scorer=None, top_k=len(many), limits=Limits(seconds=0.5))
    events = run(CLAIM, with_)
    assert FIRST_PIECE <= len(read) <= PIECE
    assert ReasonCode.BUDGET in {r.code for r in only(events, VerdictReached).verdict.reasons}
    assert events[-1].status is RunStatus.FINISHED


def test_a_limit_ends_the_run_with_what_it_has_and_asks_no_judge_more() -> None:
    class Spender(ScriptedJudge):
        def sufficiency(self, claim, statements, evidence, budget):
            budget.spend(tokens=1)
            raise AssertionError("went on after the limit")

    judge = Spender(AssertionError("asked after the limit"))
    events = run(CLAIM, tools([passage(TEXT)], judge, limits=Limits(tokens=0)))
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert ReasonCode.BUDGET in {r.code for r in verdict.reasons}
    assert events[-1].status is RunStatus.FINISHED
    assert only(events, EvidenceWeighed).evidence


def test_without_searches_left_the_run_decides_with_what_it_has() -> None:
    judge = ScriptedJudge(Draft(Label.NOT_ENOUGH_EVIDENCE, 0.5, ()), enough=False)
    engine = ScriptedSearch()
    events = run(CLAIM, tools([passage(TEXT)], judge, providers=(engine,), limits=Limits(searches=0)))
    verdict = only(events, VerdictReached).verdict
    assert engine.asked == []
    assert judge.asked == ["classify", "sufficiency", "decide"]
    assert [r.code for r in verdict.reasons] == [ReasonCode.BUDGET]
    assert "limit of 0 searches" in verdict.reasons[0].text
    assert "limit of searches" in steps(events, "investigate")[-1].reason


def test_what_the_verdict_quotes_is_booked_as_cited() -> None:
    with_ = tools([passage(TEXT, "p1")])
    run(CLAIM, with_)
    assert [[(u.passage_id, u.cited) for u in uses] for _, uses in with_.knowledge.uses] == [
        [("p1", False)],
        [("p1", True)],
    ]


def test_two_runs_share_nothing_but_the_knowledge_base() -> None:
    with_ = tools([passage(TEXT, "p1")])
    first = run(CLAIM, with_)
    run(Claim("Honey is made of plastic."), with_)
    again = run(CLAIM, with_)
    assert only(first, VerdictReached) == only(again, VerdictReached)
    assert only(first, EvidenceWeighed) == only(again, EvidenceWeighed)


REUTERS = Hit("https://www.reuters.com/honey", "Honey", "Honey found in Egyptian tombs was still edible.", "scripted")
SNOPES = Hit(
    "https://snopes.com/honey", "Does honey spoil?", "Honey that is kept dry never spoils, we found.", "scripted"
)
BLOG = Hit("https://blog.example/honey", "My honey", "My honey has been in the cellar for forty years.", "scripted")
SEARCH = SearchRules(("reuters.com",), ("snopes.com",))


def by_stage(query: str, sites: tuple[str, ...]) -> list[Hit]:
    return {("reuters.com",): [REUTERS, BLOG], ("snopes.com",): [SNOPES]}.get(sites, [BLOG])


def searching(engine: ScriptedSearch, **changes) -> Tools:
    book = CredibilityBook({"reuters.com": 0.9, "snopes.com": 0.95}, ("snopes.com",))
    return replace(tools(), providers=(engine,), search=SEARCH, sources=book, **changes)


def test_when_a_stage_settles_the_claim_only_the_fact_checkers_are_asked_too() -> None:
    engine = ScriptedSearch(by_stage)
    with_ = searching(engine)
    events = run(CLAIM, with_)
    assert [sites for _, sites in engine.asked] == [("reuters.com",), ("snopes.com",)]
    assert [e.step.name for e in events if isinstance(e, StepFinished)] == [
        "classify", "retrieve", "rerank", "sufficiency", "investigate", "rerank", "sufficiency",
        "investigate", "rerank", "sufficiency", "index", "verdict",
    ]  # fmt: skip
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.TRUE
    cited = next(c for c in verdict.citations if c.domain == "reuters.com")
    assert cited.accepted
    assert (cited.url, cited.domain, cited.published_at) == ("https://www.reuters.com/honey", "reuters.com", None)
    assert cited.quote in REUTERS.snippet
    searched = [e.detail for e in events if isinstance(e, StepStarted) and e.name == "investigate"]
    assert searched == ["trusted sources", "fact-checkers"]
    assert [(e.url, e.state) for e in events if isinstance(e, SourceUpdate)] == [
        ("https://www.reuters.com/honey", "kept"), ("https://blog.example/honey", "dropped"),
        ("https://snopes.com/honey", "kept"),
    ]  # fmt: skip
    assert events[-1].usage.searches == 2


def test_the_stages_go_on_until_the_claim_is_settled_and_step_four_is_asked_after_each() -> None:
    engine = ScriptedSearch(by_stage)
    reader = ScriptedReader(lambda text, statement: SUPPORTING if "we found" in text else OFF_TOPIC)
    events = run(CLAIM, searching(engine, reader=reader, scorer=reader))
    assert [sites for _, sites in engine.asked] == [("reuters.com",), ("snopes.com",)]
    assert [s.inputs["stage"] for s in steps(events, "investigate")] == ["trusted", "fact_check"]
    assert [s.decision for s in steps(events, "sufficiency")] == ["not enough", "not enough", "enough"]
    assert [e.round for e in events if isinstance(e, StepStarted) and e.name == "rerank"] == [1, 2, 3]


TWO = Classification(ClaimType.FACTUAL, 0.9, (Statement(1, "Honey keeps."), Statement(2, "Wax melts.")), "two")


class OpenFor(ScriptedJudge):
    """Finds each statement open in the rounds of step 4 that are named for it."""

    def __init__(self, rounds: dict[int, set[int]]) -> None:
        super().__init__(Draft(Label.NOT_ENOUGH_EVIDENCE, 0.5, ()), TWO)
        self.rounds, self.round = rounds, 0

    def sufficiency(self, claim, statements, evidence, budget):
        self.round += 1
        return tuple(
            Sufficiency(
                s.number, self.round not in self.rounds[s.number], "scripted", queries=(s.text, f"not {s.text}")
            )
            for s in statements
        )


ALWAYS = set(range(1, 20))


def test_a_settled_statement_is_not_searched_for_another_one_beyond_the_rounds() -> None:
    engine = ScriptedSearch(by_stage)
    with_ = searching(engine, judge=OpenFor({1: {1}, 2: ALWAYS}), max_rounds=1, knowledge=Shelf([passage(TEXT, "p1")]))
    run(CLAIM, with_)
    # the fact-checkers are asked in every run that searched; nobody else is, once the statement of the round is settled
    assert engine.asked == [("Honey keeps.", ("reuters.com",)), ("Honey keeps.", ("snopes.com",))]


def test_statements_beyond_the_rounds_are_named_as_a_limit() -> None:
    for rounds, left in ((1, "1 statement was not looked into on the web: limit of 1 round for one run."), (2, "")):
        with_ = searching(ScriptedSearch(by_stage), judge=OpenFor({1: ALWAYS, 2: ALWAYS}), max_rounds=rounds)
        events = run(CLAIM, replace(with_, knowledge=Shelf([passage(TEXT, "p1")])))
        limits = [r for r in only(events, VerdictReached).verdict.reasons if r.code is ReasonCode.BUDGET]
        assert [r.text for r in limits] == ([left] if left else [])
        assert all("GHOST_MAX_ROUNDS" in r.remedy for r in limits)


def test_without_rounds_no_stage_is_run_and_the_trace_says_why() -> None:
    engine = ScriptedSearch(by_stage)
    events = run(CLAIM, searching(engine, max_rounds=0))
    assert engine.asked == []
    (only_step,) = steps(events, "investigate")
    assert only_step.decision == "nothing searched"
    assert "GHOST_MAX_ROUNDS" in only_step.reason
    assert "settings name no" not in only_step.reason
    reasons = only(events, VerdictReached).verdict.reasons
    assert [r.code for r in reasons] == [ReasonCode.NO_SOURCES, ReasonCode.BUDGET]
    assert "1 statement was not looked into" in reasons[1].text


def test_when_the_claim_is_settled_the_last_search_goes_to_the_fact_checkers() -> None:
    engine = ScriptedSearch(by_stage)
    run(CLAIM, searching(engine, limits=Limits(searches=2)))
    assert [sites for _, sites in engine.asked] == [("reuters.com",), ("snopes.com",)]


def test_numbers_stay_and_are_unique_through_all_rounds() -> None:
    engine = ScriptedSearch(by_stage)
    judge = ScriptedJudge(Draft(Label.NOT_ENOUGH_EVIDENCE, 0.5, ()), enough=False)
    events = run(CLAIM, replace(searching(engine), knowledge=Shelf([passage("Honey.", "p1")]), judge=judge))
    rounds = [{e.passage.id: e.number for e in w.evidence} for w in events if isinstance(w, EvidenceWeighed)]
    assert [len(r) for r in rounds] == [1, 2, 3, 4]
    for before, after in pairwise(rounds):
        assert before.items() <= after.items()
    assert sorted(rounds[-1].values()) == [1, 2, 3, 4]


def test_snippets_are_evidence_of_their_run_only() -> None:
    with_ = searching(ScriptedSearch(by_stage))
    events = run(CLAIM, with_)
    assert [e for e in events if isinstance(e, EvidenceWeighed)][-1].evidence[0].passage.snippet
    assert all(not uses for _, uses in with_.knowledge.uses)  # and Shelf.add fails when it is called
    assert "2 search snippets stayed in this run only" in steps(events, "index")[0].reason


def test_without_the_web_nothing_is_searched() -> None:
    engine = ScriptedSearch(by_stage)
    events = run(CLAIM, searching(engine, web=False))
    assert engine.asked == []
    assert [s.decision for s in steps(events, "investigate")] == ["nothing searched"]
    assert ReasonCode.NO_PROVIDER in {r.code for r in only(events, VerdictReached).verdict.reasons}


def test_cancel_is_heard_within_a_second_while_a_search_hangs() -> None:
    free, asked = threading.Event(), threading.Event()

    def hang(query: str, sites: tuple[str, ...]) -> list[Hit]:
        asked.set()
        free.wait(30)
        return []

    started = time.monotonic()
    events = run(CLAIM, searching(ScriptedSearch(hang)), cancelled=asked.is_set)
    free.set()
    assert time.monotonic() - started < 1
    assert events[-1].status is RunStatus.CANCELLED
    assert steps(events, "investigate")[-1].decision == "stopped"


def test_a_search_that_outlasts_the_run_ends_it_with_what_it_had() -> None:
    free = threading.Event()
    judge = ScriptedJudge(AssertionError("asked after the limit"), enough=False)

    def hang(query: str, sites: tuple[str, ...]) -> list[Hit]:
        free.wait(30)
        return []

    engine = ScriptedSearch(hang)
    with_ = replace(searching(engine), knowledge=Shelf([passage(TEXT, "p1")]), judge=judge, limits=Limits(seconds=0.4))
    events = run(CLAIM, with_)
    free.set()
    assert ReasonCode.BUDGET in {r.code for r in only(events, VerdictReached).verdict.reasons}
    assert events[-1].status is RunStatus.FINISHED
    assert only(events, EvidenceWeighed).evidence


class Site:
    """A fetcher over pages that it was made with."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages, self.asked = pages, []

    def fetch(self, url: str, seconds: float, check) -> Fetched:
        self.asked.append(url)
        body = f"<html><title>Honey</title><body><article>{self.pages[url]}</article></body></html>".encode()
        return Fetched(url, url, 200, "text/html", "utf-8", body, len(body), 0.01, datetime.now(UTC))


class Taking(Shelf):
    def add(self, passages: Iterable[NewPassage]) -> AddReport:
        list(passages)
        return AddReport()


LONG = "".join(f"<p>Paragraph {n} tells of bees, hives and flowers in the hills above the town.</p>" for n in range(8))


def test_what_the_knowledge_base_has_of_a_retracted_page_counts_no_more() -> None:
    notice = "<p>RETRACTED: This article has been retracted by the editors because its data were invented.</p>"
    site = Site({REUTERS.url: notice + LONG})
    old = passage("A jar of honey was opened after three thousand years.", "old", url=REUTERS.url, domain="reuters.com")
    judge = ScriptedJudge(Draft(Label.NOT_ENOUGH_EVIDENCE, 0.5, ()), enough=False)
    with_ = searching(ScriptedSearch([REUTERS]), fetcher=site, judge=judge, knowledge=Taking([old]))
    events = run(CLAIM, with_)
    first, *_, last = [e.evidence for e in events if isinstance(e, EvidenceWeighed)]
    assert "old" in {e.passage.id for e in first}
    assert "old" not in {e.passage.id for e in last}
    assert "the page says that it was retracted" in steps(events, "rerank")[-1].reason


WIRE = "Honey that was found sealed in Egyptian tombs was still edible after three thousand years, the museum said."
HOAX = "https://hoax.example/honey"


def test_a_copy_of_the_page_the_claim_was_found_at_does_not_settle_it_from_the_knowledge_base() -> None:
    copy = passage(WIRE, "copy", url="https://mirror.example/honey", domain="mirror.example")
    claim = Claim(CLAIM.text, found_at=HOAX)
    site = Site({HOAX: f"<p>{WIRE}</p>{LONG}"})
    with_ = tools([copy], fetcher=site)
    events = run(claim, with_)
    assert only(events, VerdictReached).verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert site.asked == [HOAX]
    assert events[-1].usage.fetches == 1
    read, *_ = steps(events, "investigate")
    assert read.decision == "the page the claim was found at: read"
    assert [(row["url"], row["state"]) for row in read.outputs["sources"]] == [(HOAX, "dropped")]
    assert only(run(CLAIM, with_), VerdictReached).verdict.label is Label.TRUE


def test_the_page_the_claim_was_found_at_is_asked_for_only_where_the_run_may() -> None:
    copy = passage(WIRE, "copy", url="https://mirror.example/honey", domain="mirror.example")
    claim = Claim(CLAIM.text, found_at=HOAX)
    for with_ in (tools([copy], web=False), tools([]), tools([copy], limits=Limits(fetches=0))):
        site = Site({HOAX: WIRE})
        events = run(claim, replace(with_, fetcher=site))
        assert site.asked == []
        assert events[-1].status is RunStatus.FINISHED
    assert "limit of 0 fetches" in steps(events, "investigate")[0].reason


def test_a_page_without_a_snippet_is_read_and_one_page_is_read_once_whatever_is_added_to_its_address() -> None:
    site = Site({REUTERS.url: f"<p>{WIRE}</p>{LONG}"})
    twins = [replace(REUTERS, url=f"{REUTERS.url}{more}") for more in ("", "?utm_source=x", "?fbclid=1")]
    for hits in ([replace(REUTERS, snippet="")], twins):
        site.asked.clear()
        events = run(CLAIM, searching(ScriptedSearch(hits), fetcher=site, knowledge=Taking([])))
        assert site.asked == [REUTERS.url]
        weighed = [e.evidence for e in events if isinstance(e, EvidenceWeighed)][-1]
        assert weighed
        assert not any(e.passage.snippet for e in weighed), "a page that was read has no snippets under other addresses"


def test_a_decision_says_which_limit_cut_the_search_short_while_something_was_open() -> None:
    quoted = DraftSentence(f"{TEXT} [1]", (DraftCitation(1, TEXT, StanceLabel.SUPPORTS),))
    for enough, told in ((False, True), (True, False)):
        judge = ScriptedJudge(Draft(Label.TRUE, 0.9, (quoted,)), enough=enough)
        with_ = searching(ScriptedSearch(by_stage), judge=judge, limits=Limits(searches=2))
        events = run(CLAIM, replace(with_, knowledge=Shelf([passage(TEXT, "p1")])))
        reached = only(events, VerdictReached).verdict
        assert reached.label is Label.TRUE
        assert (ReasonCode.BUDGET in {r.code for r in reached.reasons}) is told
