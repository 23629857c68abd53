"""The way of a claim through the house: seven steps in order, reported as events.

claim ─1 classify─► statements ─2 retrieve─► candidates ─3 rerank─► evidence ─4 sufficient?─┬─ yes ───────┐
                                                                     ▲                      no            │
                                                                     └─6 index ◄─5 investigate            ▼
                                                                                    citation gate ◄─7 verdict
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
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
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.inference.base import Encoder, RelevanceScorer, StanceReader
from ghost.inference.remembering import RememberingReader
from ghost.judges.base import Judge
from ghost.knowledge.credibility import CredibilityBook
from ghost.steps.classify import Extracted, classify
from ghost.steps.fetching import Reading
from ghost.steps.hits import LISTS, SearchRules, Sources
from ghost.steps.index import Writable, book_citations, index
from ghost.steps.investigate import investigate
from ghost.steps.investigation import Outside, Trail, nothing_searched
from ghost.steps.looked import HOME_ONLY, Looked
from ghost.steps.outcome import Outcome
from ghost.steps.queries import queries
from ghost.steps.rerank import Context, RerankRules, rerank
from ghost.steps.retrieve import Candidates, Searchable, retrieve
from ghost.steps.scope import Scope
from ghost.steps.snippets import keep_numbers, with_found, with_snippets
from ghost.steps.sufficiency import sufficiency
from ghost.steps.verdict import not_verifiable, out_of_budget, verdict
from ghost.types import (
    Claim,
    Evidence,
    NewPassage,
    Reason,
    ReasonCode,
    RunStatus,
    Statement,
    Sufficiency,
    TraceStep,
    Usage,
)
from ghost.web.breaker import Breaker
from ghost.web.fetch import PageFetcher
from ghost.web.search import SearchProvider, Stage

STEPS = ("classify", "retrieve", "rerank", "sufficiency", "investigate", "index", "verdict")
T = TypeVar("T")


class Knowledge(Searchable, Writable, Protocol):
    """What a run needs of the knowledge base."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything a run works with; handed in, never looked up."""

    knowledge: Knowledge
    judge: Judge
    reader: StanceReader
    scorer: RelevanceScorer | None = None
    """Where another model than the reader decides what is relevant."""
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
    max_rounds: int = 5
    """Open statements that are looked into on the web at most, in the order of the claim."""
    top_k: int = 20
    rules: RerankRules = field(default_factory=RerankRules)
    limits: Limits = field(default_factory=Limits)
    settings: dict[str, Any] = field(default_factory=dict)
    """What the run keeps of its settings, model checksums and versions."""

    @property
    def scope(self) -> Scope:
        """The sites that this run keeps to or leaves out."""
        return Scope(self.search.allowed_here, self.search.denied_here)

    @property
    def outside(self) -> Outside:
        """What the stages of the search work with."""
        return Outside(
            self.providers, self.search, self.sources, self.breaker,
            self.reader, self.encoder, self.fetcher, self.reading, self.judge,
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
    tools = replace(tools, reader=RememberingReader(tools.reader))
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
    yield RunEnded(run_id, status, _now(), budget.usage(), error)


def _seven_steps(
    claim: Claim, tools: Tools, run_id: str, budget: Budget, extracted: Extracted | None = None
) -> Iterator[Event]:
    try:
        classification = yield from _step(1, budget, lambda: classify(claim, tools.judge, budget, extracted))
    except BudgetExceeded as limit:
        only = (_reached(limit),)
        report = yield from _step(7, None, lambda: out_of_budget((), (), only))
        yield VerdictReached(report.verdict, tools.judge.info)
        return
    yield ClaimClassified(classification)
    statements = classification.statements
    if not statements:
        yield VerdictReached(not_verifiable(classification), tools.judge.info)
        return

    look = Look()
    outside: tuple[Reason, ...] = ()
    try:
        candidates = yield from _step(
            2, budget, lambda: retrieve(statements, tools.knowledge, tools.top_k, claim.as_of, tools.scope)
        )
        look = yield from _look(claim, statements, candidates, look, tools, budget)
        outside_world = tools.outside
        asked_about, trail = look.open[: tools.max_rounds], Trail()
        new: list[NewPassage] = []
        for stage in _stages(tools):
            if not look.open and not (trail.searched and stage is Stage.FACT_CHECK):
                continue  # "already fact-checked?" is answered whenever something was searched at all
            wanted = queries(stage, statements, _still(asked_about, look))
            looked_into = [s for s in statements if s.number in {q.statement for q in wanted}]
            found = yield from _told(
                5, budget,
                investigate(stage, claim, looked_into, wanted, outside_world, budget, trail),
                detail=LISTS[stage],
            )  # fmt: skip
            trail, outside = found.trail, outside + found.reasons
            look = replace(look, looked=Looked(trail.answered))
            new += found.new
            if found.brought:
                numbers = {s.number for s in looked_into}
                candidates = with_snippets(candidates, found.snippets, statements, numbers, tools.encoder)
                candidates = with_found(candidates, found.found, found.replaced)
                look = yield from _look(claim, statements, candidates, look, tools, budget, trail)
        if look.open and not _stages(tools):
            outside = (yield from _step(5, budget, lambda: nothing_searched(tools.web))).reasons
        yield from _step(6, budget, lambda: index(run_id, look.evidence, new, tools.knowledge))
        report = yield from _told(
            7, budget, verdict(claim, statements, look.evidence, look.open, outside, tools.judge, budget, look.looked)
        )
    except BudgetExceeded as limit:
        # No further spend, the verdict call included: the run ends with what it has and says so.
        reasons = (*outside, _reached(limit))
        report = yield from _step(7, None, lambda: out_of_budget(statements, look.evidence, reasons))
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


def _still(asked_about: Sequence[Sufficiency], look: Look) -> Sequence[Sufficiency]:
    """What to search for: the statements still open, with their newest queries; all of them when none is open."""
    numbers = {o.statement for o in asked_about}
    return [o for o in look.open if o.statement in numbers] or asked_about


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
    context = Context(claim.found_at, trail.found_text, claim.as_of, _now().date(), trail.pages)
    read = partial(rerank, statements, candidates, tools.reader, tools.scorer, tools.rules, context)
    weighed = yield from _step(3, budget, lambda: keep_numbers(read(), numbers), number)
    yield EvidenceWeighed(weighed.evidence)
    judged = yield from _step(
        4, budget, lambda: sufficiency(claim, statements, weighed.evidence, tools.judge, budget, before.looked), number
    )
    return Look(number, weighed.evidence, tuple(s for s in judged if not s.enough), numbers, before.looked)


def _step(
    number: int, budget: Budget | None, work: Callable[[], Outcome[T]], round_: int = 1, detail: str = ""
) -> Generator[Event, None, T]:
    """A step that has nothing to report before it ends."""
    return (yield from _told(number, budget, _silently(work), round_, detail))


def _silently(work: Callable[[], Outcome[T]]) -> Generator[Event, None, Outcome[T]]:
    yield from ()
    return work()


def _told(
    number: int,
    budget: Budget | None,
    work: Generator[Event, None, Outcome[T]],
    round_: int = 1,
    detail: str = "",
) -> Generator[Event, None, T]:
    """Run one step between its two events and hand its value on; a budget is asked first."""
    name = STEPS[number - 1]
    yield StepStarted(name, number, round_, detail)
    started, clock = _now(), time.monotonic()
    before, mark = (budget.usage(), budget.mark()) if budget else (Usage(), (0, 0))

    def step(decision: str, reason: str, inputs: dict[str, Any], outputs: dict[str, Any]) -> StepFinished:
        after = budget.usage() if budget else Usage()
        calls, stories = budget.since(mark) if budget else ([], [])
        if calls:
            outputs = {**outputs, "calls": [asdict(c) for c in calls]}
        if stories:
            outputs = {**outputs, "troubles": dict(Counter(kind for kind, _ in stories))}
        return StepFinished(
            number,
            TraceStep(
                name,
                started,
                round(time.monotonic() - clock, 4),
                decision,
                " ".join((*dict.fromkeys(text for _, text in stories if text), reason)),
                _plain(inputs),
                _plain(outputs),
                after.tokens - before.tokens,
                round(after.cost_usd - before.cost_usd, 6),
                after.unpriced_tokens - before.unpriced_tokens,
            ),
        )

    try:
        if budget:
            budget.check()
        outcome = yield from work
    except Exception as failure:
        yield step("stopped", str(failure) or type(failure).__name__, {}, {})
        raise
    yield step(outcome.decision, outcome.reason, outcome.inputs, outcome.outputs)
    return outcome.value


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Enums and tuples as JSON knows them, so that a live trace equals the stored one."""
    return json.loads(json.dumps(values, ensure_ascii=False))


def _now() -> datetime:
    return datetime.now(UTC)
