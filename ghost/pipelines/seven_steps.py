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
    HOME_ONLY,
    LISTS,
    Archive,
    Candidates,
    Context,
    Extracted,
    Investigation,
    Looked,
    Outside,
    Own,
    Reading,
    RerankRules,
    Scope,
    Searchable,
    SearchRules,
    Sources,
    Trail,
    Writable,
    begun,
    beyond,
    book_citations,
    classify,
    index,
    investigate,
    keep_numbers,
    look_up,
    not_verifiable,
    nothing_ours,
    nothing_searched,
    out_of_budget,
    queries,
    read_found_page,
    read_links,
    rerank,
    retrieve,
    step,
    still,
    sufficiency,
    told,
    verdict,
    with_copies,
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
    sources: Sources = field(default_factory=lambda: CredibilityBook({}, ()))
    """What is known about the site of a search hit."""
    breaker: Breaker = field(default_factory=Breaker)
    """Shared by runs: who keeps failing in one is left alone in the next."""
    fetcher: PageFetcher | None = None
    """Without it pages are not read, and their snippets have to do."""
    reading: Reading = field(default_factory=Reading)
    archive: Archive | None = None
    """Who is asked for archived copies of the pages that may be cited; without it they are only suggested."""
    own: Own = nothing_ours
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
    def outside(self) -> Outside:
        """What the stages of the search work with."""
        return Outside(
            self.providers, self.search, self.sources, self.breaker,
            self.screener or self.reader, self.encoder, self.fetcher, self.reading, self.judge, self.today(), self.own,
            self.reader,
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
        classification = yield from step(1, budget, lambda: classify(claim, tools.judge, budget, extracted))
    except BudgetExceeded as limit:
        only = (_reached(limit), *_never_read(tools.links.close()))
        report = yield from step(7, None, lambda: out_of_budget((), (), only))
        yield VerdictReached(report.verdict, tools.judge.info)
        return
    yield ClaimClassified(classification)
    statements = classification.statements
    if not statements:
        yield VerdictReached(not_verifiable(classification), tools.judge.info)
        return

    desk = Desk()
    try:
        found = yield from step(
            2, budget, lambda: retrieve(statements, tools.knowledge, tools.top_k, claim.as_of, tools.scope)
        )
        trail = yield from _found_page(claim, found, tools, budget)
        desk = Desk(found, (yield from _look(claim, statements, found, Look(), tools, budget, trail)), trail)
        desk = yield from _named_pages(claim, statements, desk, tools, budget)
        asked_about: tuple[Sufficiency, ...] = ()
        for stage in _stages(tools):
            asked_about = begun(asked_about, desk.look.open, tools.max_rounds)
            wanted = still(asked_about, desk.look.open)
            last = not wanted  # nothing is open any more, so nobody else is asked
            if stage is Stage.FACT_CHECK and (wanted or desk.trail.searched):
                # "Already fact-checked?" is answered for each statement whenever something is searched.
                wanted = with_settled(wanted, desk.look.open, statements, tools.max_rounds)
            if wanted:
                desk = yield from _stage(stage, claim, statements, wanted, desk, tools, budget, last)
            desk = yield from _named_pages(claim, statements, desk, tools, budget)
        if desk.look.open and not (_stages(tools) and tools.max_rounds):
            most = tools.max_rounds if _stages(tools) else None
            nobody = yield from step(5, budget, lambda: nothing_searched(tools.web, most))
            desk = replace(desk, reasons=(*desk.reasons, *nobody.reasons))
        desk = yield from _named_pages(claim, statements, desk, tools, budget, last=True)
        if _stages(tools):
            desk = replace(desk, reasons=(*desk.reasons, *beyond(asked_about, desk.look.open, tools.max_rounds)))
        look = desk.look
        kept = (desk.new, tools.knowledge, desk.doubted, desk.around)
        yield from step(6, budget, lambda: index(run_id, look.evidence, *kept))
        copies = look_up(tools.archive, look.evidence, budget)
        deciding = verdict(
            claim, statements, look.evidence, look.open, desk.reasons, tools.judge, budget, look.looked, tools.bound,
            tools.reader, tools.plain,
        )  # fmt: skip
        report = yield from told(7, budget, with_copies(deciding, copies))
    except BudgetExceeded as limit:
        # No further spend, the verdict call included: the run ends with what it has and says so.
        reasons = (*desk.reasons, _reached(limit), *_never_read(tools.links.close()))
        look = desk.look
        report = yield from step(7, None, lambda: out_of_budget(statements, look.evidence, reasons))
    book_citations(run_id, look.evidence, report.verdict.citations, tools.knowledge)
    yield VerdictReached(report.verdict, tools.judge.info)


def _reached(limit: BudgetExceeded) -> Reason:
    return Reason(ReasonCode.BUDGET, str(limit), "Raise the limit in the settings and verify the claim again.")


@dataclass(frozen=True, slots=True)
class Look:
    """What a round of steps 3 and 4 has come to."""

    round: int = 0
    evidence: tuple[Evidence, ...] = ()
    open: tuple[Sufficiency, ...] = ()
    """Statements that the evidence does not settle."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Passage id -> its ``[n]``, which it keeps through all rounds."""
    looked: Looked = HOME_ONLY


@dataclass(frozen=True, slots=True)
class Desk:
    """All that a run has before it between its turns."""

    candidates: Candidates = field(default_factory=dict)
    look: Look = field(default_factory=Look)
    trail: Trail = field(default_factory=Trail)
    new: tuple[NewPassage, ...] = ()
    """What was read and may enter the knowledge base."""
    around: tuple[NewPassage, ...] = ()
    """What stands beside it on the same pages."""
    doubted: tuple[NewPassage, ...] = ()
    """What was read and goes to quarantine."""
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""


def _stage(
    stage: Stage,
    claim: Claim,
    statements: tuple[Statement, ...],
    asked_about: Sequence[Sufficiency],
    desk: Desk,
    tools: Tools,
    budget: Budget,
    last: bool,
) -> Generator[Event, None, Desk]:
    """Step 5 for one stage of the search, then steps 3 and 4 when it brought something."""
    wanted = queries(stage, statements, asked_about)
    looked_into = [s for s in statements if s.number in {q.statement for q in wanted}]
    found = yield from told(
        5, budget,
        investigate(stage, claim, looked_into, wanted, tools.outside, budget, desk.trail, last),
        detail=LISTS[stage],
    )  # fmt: skip
    return (yield from _taken_in(claim, statements, looked_into, desk, found, tools, budget))


def _found_page(claim: Claim, candidates: Candidates, tools: Tools, budget: Budget) -> Generator[Event, None, Trail]:
    """Step 5 for the page the claim was found at, before the first look, where a copy of it may be among these."""
    if not (tools.web and tools.fetcher and canonical(claim.found_at or "") and any(candidates.values())):
        return Trail()
    found = yield from told(
        5, budget, read_found_page(claim, tools.outside, budget, Trail()), detail="the page the claim was found at"
    )
    return found.trail


def _named_pages(
    claim: Claim,
    statements: tuple[Statement, ...],
    desk: Desk,
    tools: Tools,
    budget: Budget,
    last: bool = False,
) -> Generator[Event, None, Desk]:
    """Step 5 for the pages that the analyst has named since the last turn; ``last`` when no turn comes after it."""
    while urls := tools.links.take(last):
        found = yield from told(
            5, budget,
            read_links(urls, claim, statements, tools.outside, budget, desk.trail),
            detail="the pages that you named",
        )  # fmt: skip
        desk = yield from _taken_in(claim, statements, statements, desk, found, tools, budget)
    return desk


def _taken_in(
    claim: Claim,
    statements: tuple[Statement, ...],
    looked_into: Sequence[Statement],
    desk: Desk,
    found: Investigation,
    tools: Tools,
    budget: Budget,
) -> Generator[Event, None, Desk]:
    """What an investigation brought is on the desk, and weighed with the rest."""
    looked = Looked(found.trail.answered, found.trail.links)
    desk = replace(
        desk,
        look=replace(desk.look, looked=looked),
        trail=found.trail,
        new=(*desk.new, *found.new),
        around=(*desk.around, *found.around),
        doubted=(*desk.doubted, *found.doubted),
        reasons=(*desk.reasons, *found.reasons),
    )
    if not found.brought:
        return desk
    numbers = {s.number for s in looked_into}
    candidates = with_snippets(desk.candidates, found.snippets, statements, numbers, tools.encoder)
    candidates = with_found(candidates, found.found, found.replaced)
    look = yield from _look(claim, statements, candidates, desk.look, tools, budget, found.trail)
    return replace(desk, candidates=candidates, look=look)


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
    before: Look,
    tools: Tools,
    budget: Budget,
    trail: Trail | None = None,
) -> Generator[Event, None, Look]:
    """Steps 3 and 4: the candidates read and weighed, then whether they settle the statements."""
    number, numbers = before.round + 1, dict(before.numbers)
    trail = trail or Trail()
    context = Context(
        claim.found_at, trail.found_text, claim.as_of, tools.today(), trail.pages, trail.disowned, claim.text
    )
    read = partial(rerank, statements, candidates, tools.reader, tools.scorer, tools.rules, context, tools.screener)
    weighed = yield from step(3, budget, lambda: keep_numbers(read(), numbers), number)
    yield EvidenceWeighed(weighed.evidence)
    judged = yield from step(
        4, budget, lambda: sufficiency(claim, statements, weighed.evidence, tools.judge, budget, before.looked), number
    )
    return Look(number, weighed.evidence, tuple(s for s in judged if not s.enough), numbers, before.looked)


def _now() -> datetime:
    return datetime.now(UTC)
