"""The way of a claim through the house: seven steps in order, reported as events.

claim ─1 classify─► statements ─2 retrieve─► candidates ─3 rerank─► evidence ─4 sufficient?─┬─ yes ───────┐
                                                                     ▲                      no            │
                                                                     └─6 index ◄─5 investigate            ▼
                                                                                    citation gate ◄─7 verdict
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Protocol, TypeVar

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled, GhostError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    VerdictReached,
)
from ghost.inference import Encoder, RelevanceScorer, RememberingReader, StanceReader
from ghost.judges import Judge
from ghost.knowledge import CredibilityBook
from ghost.steps import (
    KNOWLEDGE_BASE_ONLY,
    STAGE_NAMES,
    Archive,
    Candidates,
    Extracted,
    Investigation,
    OwnTextFinder,
    ReadingRules,
    RerankContext,
    RerankRules,
    Scope,
    Searchable,
    SearchContext,
    SearchCoverage,
    SearchHistory,
    SearchRules,
    SourceRatings,
    Writable,
    classify,
    index,
    investigate,
    keep_numbers,
    no_own_text,
    not_verifiable,
    nothing_searched,
    out_of_budget,
    over_limit,
    read_found_page,
    read_links,
    record_citations,
    remaining,
    rerank,
    retrieve,
    select_statements,
    stage_queries,
    start_look_ups,
    sufficiency,
    traced,
    traced_call,
    verdict,
    with_archived_copies,
    with_found,
    with_settled,
    with_snippets,
)
from ghost.steps import STEPS as STEPS
from ghost.types import (
    BOUND,
    Claim,
    Evidence,
    NewPassage,
    Reason,
    ReasonCode,
    RunStatus,
    Statement,
    Sufficiency,
)
from ghost.web import Breaker, Links, PageFetcher, SearchProvider, Stage, canonical

T = TypeVar("T")


class Knowledge(Searchable, Writable, Protocol):
    """What a run needs of the knowledge base."""


def utc_today() -> date:
    """The day, in UTC."""
    return _now().date()


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything a run works with; handed in, never looked up."""

    knowledge: Knowledge
    judge: Judge
    reader: StanceReader
    screener: StanceReader | None = None
    """A smaller model that reads all candidates, so that ``reader`` reads only the best of them."""
    plain: StanceReader | None = None
    """The stance model as it is, for what a judge writes: the rules around ``reader`` are for what pages write."""
    scorer: RelevanceScorer | None = None
    """Where another model than the screener decides what is relevant."""
    encoder: Encoder | None = None
    """Tells how near a search snippet is to a statement, as the knowledge base tells it of its passages."""
    providers: Sequence[SearchProvider] = ()
    """In the order in which they are asked."""
    web: bool = True
    search: SearchRules = field(default_factory=SearchRules)
    sources: SourceRatings = field(default_factory=lambda: CredibilityBook({}, ()))
    """What is known about the site of a search hit."""
    breaker: Breaker = field(default_factory=Breaker)
    """Shared by runs: who keeps failing in one is left alone in the next."""
    fetcher: PageFetcher | None = None
    """Without it pages are not read, and their snippets have to do."""
    reading: ReadingRules = field(default_factory=ReadingRules)
    archive: Archive | None = None
    """Who is asked for archived copies of the pages that may be cited; without it they are only suggested."""
    find_own_text: OwnTextFinder = no_own_text
    """Knows the explanations of earlier runs again: our verdicts are no evidence for the next one."""
    today: Callable[[], date] = utc_today
    """The day on which old evidence is told from new; on the demo web the day that its claims speak of."""
    links: Links = field(default_factory=Links)
    """Pages that the analyst names, also while the run goes on; they are read first."""
    max_rounds: int = 5
    """Open statements that are looked into on the web at most, in the order of step 1."""
    top_k: int = 20
    rules: RerankRules = field(default_factory=RerankRules)
    limits: Limits = field(default_factory=Limits)
    settings: dict[str, Any] = field(default_factory=dict)
    """What the run keeps of its settings, model checksums and versions."""
    bound: float = BOUND
    """The probability that a label needs."""

    @property
    def scope(self) -> Scope:
        """The sites that this run keeps to or leaves out."""
        return Scope(self.search.allowed_here, self.search.denied_here)

    @property
    def context(self) -> SearchContext:
        """What the stages of the search work with."""
        return SearchContext(
            self.providers, self.search, self.sources, self.breaker,
            self.screener or self.reader, self.encoder, self.fetcher, self.reading, self.judge, self.today(),
            self.find_own_text, self.reader,
        )  # fmt: skip


def verify(
    claim: Claim,
    tools: Tools,
    run_id: str,
    cancelled: Callable[[], bool] = lambda: False,
    extracted: Extracted | None = None,
) -> Iterator[Event]:
    """Check one claim. The last event is always RunEnded; a failure is an outcome there, never a verdict.

    ``extracted`` is what step 1 found before the run, where the analyst wanted to see it first.
    """
    budget = Budget(tools.limits, cancelled)
    screener = RememberingReader(tools.screener, budget.check) if tools.screener else None
    plain = RememberingReader(tools.plain, budget.check) if tools.plain else None
    tools = replace(tools, reader=RememberingReader(tools.reader, budget.check), screener=screener, plain=plain)
    yield RunStarted(run_id, claim, _now(), tools.judge.info, tools.settings)
    status, error = RunStatus.FINISHED, ""
    try:
        yield from _seven_steps(claim, tools, run_id, budget, extracted)
    except Cancelled as stop:
        status, error = RunStatus.CANCELLED, str(stop)
    except GhostError as failure:
        status, error = RunStatus.FAILED, str(failure)
    except Exception as failure:  # a defect of ours must end the run visibly too, with what it had
        status, error = RunStatus.FAILED, f"Unexpected {type(failure).__name__}: {failure}"
    tools.links.close()
    yield RunEnded(run_id, status, _now(), budget.usage(), error)


def _seven_steps(
    claim: Claim, tools: Tools, run_id: str, budget: Budget, extracted: Extracted | None = None
) -> Iterator[Event]:
    try:
        classification = yield from traced_call(1, budget, lambda: classify(claim, tools.judge, budget, extracted))
    except BudgetExceeded as limit:
        only = (_reached(limit), *_never_read(tools.links.close()))
        report = yield from traced_call(7, None, lambda: out_of_budget((), (), only))
        yield VerdictReached(report.verdict, tools.judge.info)
        return
    yield ClaimClassified(classification)
    statements = classification.statements
    if not statements:
        yield VerdictReached(not_verifiable(classification), tools.judge.info)
        return

    state = RunState()
    try:
        found = yield from traced_call(
            2, budget, lambda: retrieve(statements, tools.knowledge, tools.top_k, claim.as_of, tools.scope)
        )
        history = yield from _found_page(claim, found, tools, budget)
        state = RunState(found, (yield from _look(claim, statements, found, Round(), tools, budget, history)), history)
        state = yield from _named_pages(claim, statements, state, tools, budget)
        selected: tuple[Sufficiency, ...] = ()
        for stage in _stages(tools):
            selected = select_statements(selected, state.look.open, tools.max_rounds)
            wanted = remaining(selected, state.look.open)
            last = not wanted  # nothing is open any more, so nobody else is asked
            if stage is Stage.FACT_CHECK and (wanted or state.history.searched):
                # "Already fact-checked?" is answered for each statement whenever something is searched.
                wanted = with_settled(wanted, state.look.open, statements, tools.max_rounds)
            if wanted:
                state = yield from _stage(stage, claim, statements, wanted, state, tools, budget, last)
            state = yield from _named_pages(claim, statements, state, tools, budget)
        if state.look.open and not (_stages(tools) and tools.max_rounds):
            most = tools.max_rounds if _stages(tools) else None
            nobody = yield from traced_call(5, budget, lambda: nothing_searched(tools.web, most))
            state = replace(state, reasons=(*state.reasons, *nobody.reasons))
        state = yield from _named_pages(claim, statements, state, tools, budget, last=True)
        if _stages(tools):
            state = replace(state, reasons=(*state.reasons, *over_limit(selected, state.look.open, tools.max_rounds)))
        look = state.look
        kept = (state.new, tools.knowledge, state.doubtful, state.nearby)
        yield from traced_call(6, budget, lambda: index(run_id, look.evidence, *kept))
        copies = start_look_ups(tools.archive, look.evidence, budget)
        deciding = verdict(
            claim, statements, look.evidence, look.open, state.reasons, tools.judge, budget, look.coverage, tools.bound,
            tools.reader, tools.plain,
        )  # fmt: skip
        report = yield from traced(7, budget, with_archived_copies(deciding, copies))
    except BudgetExceeded as limit:
        # No further spend, the verdict call included: the run ends with what it has and says so.
        reasons = (*state.reasons, _reached(limit), *_never_read(tools.links.close()))
        look = state.look
        report = yield from traced_call(7, None, lambda: out_of_budget(statements, look.evidence, reasons))
    record_citations(run_id, look.evidence, report.verdict.citations, tools.knowledge)
    yield VerdictReached(report.verdict, tools.judge.info)


def _reached(limit: BudgetExceeded) -> Reason:
    return Reason(ReasonCode.BUDGET, str(limit), "Raise the limit in the settings and verify the claim again.")


@dataclass(frozen=True, slots=True)
class Round:
    """What a round of steps 3 and 4 has come to."""

    round: int = 0
    evidence: tuple[Evidence, ...] = ()
    open: tuple[Sufficiency, ...] = ()
    """Statements that the evidence does not settle."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Passage id -> its ``[n]``, which it keeps through all rounds."""
    coverage: SearchCoverage = KNOWLEDGE_BASE_ONLY


@dataclass(frozen=True, slots=True)
class RunState:
    """All that a run has before it between its turns."""

    candidates: Candidates = field(default_factory=dict)
    look: Round = field(default_factory=Round)
    history: SearchHistory = field(default_factory=SearchHistory)
    new: tuple[NewPassage, ...] = ()
    """What was read and may enter the knowledge base."""
    nearby: tuple[NewPassage, ...] = ()
    """What stands beside it on the same pages."""
    doubtful: tuple[NewPassage, ...] = ()
    """What was read and goes to quarantine."""
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""


def _stage(
    stage: Stage,
    claim: Claim,
    statements: tuple[Statement, ...],
    selected: Sequence[Sufficiency],
    state: RunState,
    tools: Tools,
    budget: Budget,
    last: bool,
) -> Generator[Event, None, RunState]:
    """Step 5 for one stage of the search, then steps 3 and 4 when it brought something."""
    wanted = stage_queries(stage, statements, selected)
    looked_into = [s for s in statements if s.number in {q.statement for q in wanted}]
    found = yield from traced(
        5, budget,
        investigate(stage, claim, looked_into, wanted, tools.context, budget, state.history, last),
        detail=STAGE_NAMES[stage],
    )  # fmt: skip
    return (yield from _taken_in(claim, statements, looked_into, state, found, tools, budget))


def _found_page(
    claim: Claim, candidates: Candidates, tools: Tools, budget: Budget
) -> Generator[Event, None, SearchHistory]:
    """Step 5 for the page the claim was found at, before the first look, where a copy of it may be among these."""
    if not (tools.web and tools.fetcher and canonical(claim.found_at or "") and any(candidates.values())):
        return SearchHistory()
    found = yield from traced(
        5,
        budget,
        read_found_page(claim, tools.context, budget, SearchHistory()),
        detail="the page the claim was found at",
    )
    return found.history


def _named_pages(
    claim: Claim,
    statements: tuple[Statement, ...],
    state: RunState,
    tools: Tools,
    budget: Budget,
    last: bool = False,
) -> Generator[Event, None, RunState]:
    """Step 5 for the pages that the analyst has named since the last turn; ``last`` when no turn comes after it."""
    while urls := tools.links.take(last):
        found = yield from traced(
            5, budget,
            read_links(urls, claim, statements, tools.context, budget, state.history),
            detail="the pages that you named",
        )  # fmt: skip
        state = yield from _taken_in(claim, statements, statements, state, found, tools, budget)
    return state


def _taken_in(
    claim: Claim,
    statements: tuple[Statement, ...],
    looked_into: Sequence[Statement],
    state: RunState,
    found: Investigation,
    tools: Tools,
    budget: Budget,
) -> Generator[Event, None, RunState]:
    """What an investigation brought is on the desk, and weighed with the rest."""
    coverage = SearchCoverage(found.history.answered, found.history.links)
    state = replace(
        state,
        look=replace(state.look, coverage=coverage),
        history=found.history,
        new=(*state.new, *found.new),
        nearby=(*state.nearby, *found.nearby),
        doubtful=(*state.doubtful, *found.doubtful),
        reasons=(*state.reasons, *found.reasons),
    )
    if not found.brought:
        return state
    numbers = {s.number for s in looked_into}
    candidates = with_snippets(state.candidates, found.snippets, statements, numbers, tools.encoder)
    candidates = with_found(candidates, found.found, found.replaced)
    look = yield from _look(claim, statements, candidates, state.look, tools, budget, found.history)
    return replace(state, candidates=candidates, look=look)


def _never_read(urls: Sequence[str]) -> tuple[Reason, ...]:
    if not urls:
        return ()
    told = f"{len(urls)} of the pages that you named {'was' if len(urls) == 1 else 'were'} not read any more."
    return (Reason(ReasonCode.BUDGET, told, "Check the claim again with the page: it is read first."),)


def _stages(tools: Tools) -> tuple[Stage, ...]:
    """The stages of the search; none when the run has nobody to ask."""
    return tuple(Stage) if tools.web and tools.providers else ()


def _look(
    claim: Claim,
    statements: tuple[Statement, ...],
    candidates: Candidates,
    before: Round,
    tools: Tools,
    budget: Budget,
    history: SearchHistory | None = None,
) -> Generator[Event, None, Round]:
    """Steps 3 and 4: the candidates read and weighed, then whether they settle the statements."""
    number, numbers = before.round + 1, dict(before.numbers)
    history = history or SearchHistory()
    context = RerankContext(
        claim.found_at, history.found_text, claim.as_of, tools.today(), history.pages, history.disowned, claim.text
    )
    read = partial(rerank, statements, candidates, tools.reader, tools.scorer, tools.rules, context, tools.screener)
    weighed = yield from traced_call(3, budget, lambda: keep_numbers(read(), numbers), number)
    yield EvidenceWeighed(weighed.evidence)
    judged = yield from traced_call(
        4,
        budget,
        lambda: sufficiency(claim, statements, weighed.evidence, tools.judge, budget, before.coverage),
        number,
    )
    return Round(number, weighed.evidence, tuple(s for s in judged if not s.enough), numbers, before.coverage)


def _now() -> datetime:
    return datetime.now(UTC)
