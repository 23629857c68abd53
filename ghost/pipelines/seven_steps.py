"""The seven steps in order, reported as events. A run that fails or is stopped still ends with RunEnded.

claim ─1 classify─► statements ─2 retrieve─► candidates ─3 rerank─► evidence ─4 sufficient?─┬─ yes ───────┐
                                                                     ▲                      no            │
                                                                     └─6 index ◄─5 investigate            ▼
                                                                                    citation gate ◄─7 verdict
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded
from ghost.events import ClaimClassified, Event, EvidenceWeighed, VerdictReached
from ghost.judges import shares_of
from ghost.pipelines.base import Tools, framed
from ghost.steps import (
    STAGE_NAMES,
    Candidates,
    Extracted,
    GateReport,
    Investigation,
    Outcome,
    Scope,
    SearchCoverage,
    SearchHistory,
    check_notes,
    classify,
    index,
    investigate,
    not_verifiable,
    nothing_searched,
    out_of_budget,
    over_limit,
    pages_to_read,
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
    verdict,
    with_archived_copies,
    with_findings,
    with_settled,
)
from ghost.types import Claim, Classification, Evidence, Reason, ReasonCode, Statement, Sufficiency, canonical
from ghost.web import Stage


@dataclass(frozen=True, slots=True)
class RunState:
    """Everything a run has found so far."""

    statements: tuple[Statement, ...] = ()
    candidates: Candidates = field(default_factory=dict)
    rounds: int = 0
    """How often the candidates were weighed."""
    evidence: tuple[Evidence, ...] = ()
    """The evidence of the last round."""
    open: tuple[Sufficiency, ...] = ()
    """The statements that it does not settle."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Passage id -> its ``[n]``, which stays the same in all rounds."""
    found: tuple[Investigation, ...] = ()
    """What each turn of step 5 has found."""
    history: SearchHistory = field(default_factory=SearchHistory)

    @property
    def coverage(self) -> SearchCoverage:
        """Where the run has searched."""
        return SearchCoverage(self.history.answered, self.history.links)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why the search found less than it could have."""
        return self.history.reasons(reason for found in self.found for reason in found.reasons)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for the statements of a claim before the seven steps take over."""

    found: tuple[Investigation, ...] = ()
    """In the order in which it was found."""
    history: SearchHistory = field(default_factory=SearchHistory)
    story: str = ""
    """Why the seven steps take over, for the trace."""


NOTHING_GATHERED = Gathered()


def verify(
    claim: Claim,
    tools: Tools,
    run_id: str,
    cancelled: Callable[[], bool] = lambda: False,
    extracted: Extracted | None = None,
) -> Iterator[Event]:
    """Check one claim. The last event is always RunEnded; a failure is the status of the run, never a verdict.

    ``extracted`` is the result of step 1 where it was run beforehand, so that the analyst could correct it.
    """

    def body(tools: Tools, budget: Budget) -> Iterator[Event]:
        yield from SevenSteps(claim, tools, run_id, budget).run(extracted)

    return framed(claim, tools, run_id, cancelled, body)


class SevenSteps:
    """One run: its tools, its budget, and the state that its steps build up."""

    def __init__(self, claim: Claim, tools: Tools, run_id: str, budget: Budget) -> None:
        self._claim, self._tools, self._run_id, self._budget = claim, tools, run_id, budget
        self._state = RunState()

    def run(self, extracted: Extracted | None = None, gathered: Gathered = NOTHING_GATHERED) -> Iterator[Event]:
        """The steps and the verdict. A run that reaches a limit ends with what it has and says so.

        What was ``gathered`` before, for the statements of ``extracted``, is weighed with the passages of step 2. Its
        pages are not read again.
        """
        if extracted:
            self._update(statements=extracted.classification.statements)
        try:
            report = yield from self._steps(extracted, gathered)
        except BudgetExceeded as limit:
            report = yield from self._out_of_budget(limit, gathered.story)
        if report:
            record_citations(self._run_id, self._state.evidence, report.verdict.citations, self._tools.knowledge)
            yield VerdictReached(report.verdict, self._tools.judge.info)

    def _steps(self, extracted: Extracted | None, gathered: Gathered) -> Generator[Event, None, GateReport | None]:
        """The picture above. None where the claim has nothing to check and ends at step 1."""
        claim, tools, budget = self._claim, self._tools, self._budget

        def first() -> Outcome[Classification]:
            if gathered.story:
                budget.tell(gathered.story, "took_over")
            return classify(claim, tools.judge, budget, extracted)

        classification = yield from traced(1, budget, first)
        yield ClaimClassified(classification)
        statements = classification.statements
        if not statements:
            yield VerdictReached(not_verifiable(classification), tools.judge.info)
            return None
        self._update(statements=statements)

        scope = Scope(tools.search.allowed_here, tools.search.denied_here)
        candidates = yield from traced(
            2, budget, lambda: retrieve(statements, tools.knowledge, tools.top_k, claim.as_of, scope)
        )
        for found in gathered.found:
            candidates = with_findings(candidates, found, statements, statements, tools.encoder)
        self._update(candidates=candidates, found=gathered.found, history=gathered.history)
        yield from self._read_found_page()
        self._state = yield from self._weigh(self._state)  # steps 3 and 4

        yield from self._read_named_pages()
        yield from self._check_notes()
        selected: tuple[Sufficiency, ...] = ()
        for stage in self._stages:
            selected = select_statements(selected, self._state.open, tools.max_rounds)
            yield from self._investigate(stage, remaining(selected, self._state.open))
            yield from self._read_named_pages()
        yield from self._explain_gaps(selected)

        state = self._state
        yield from traced(6, budget, lambda: index(self._run_id, state.evidence, state.found, tools.knowledge))
        look_ups = start_look_ups(tools.archive, state.evidence, budget)
        deciding = verdict(
            claim, statements, state.evidence, state.open, state.reasons, tools.judge, budget, state.coverage,
            tools.bound, tools.reader, tools.plain, lambda: shares_of(tools.judge.info, tools.shares),
        )  # fmt: skip
        return (yield from traced(7, budget, with_archived_copies(deciding, look_ups)))

    def _weigh(self, state: RunState) -> Generator[Event, None, RunState]:
        """Steps 3 and 4: rerank the candidates, then ask whether the evidence settles the statements."""
        claim, tools, budget = self._claim, self._tools, self._budget
        read = partial(
            rerank, state.statements, state.candidates, tools.reader, tools.scorer, tools.rules,
            tools.rerank_context(claim, state.history), tools.screener, state.numbers,
        )  # fmt: skip
        rounds = state.rounds + 1
        evidence = (yield from traced(3, budget, read, rounds)).evidence
        yield EvidenceWeighed(evidence)
        ask = partial(sufficiency, claim, state.statements, evidence, tools.judge, budget, state.coverage)
        answers = yield from traced(4, budget, ask, rounds)
        numbers = state.numbers | {e.passage.id: e.number for e in evidence}
        left = tuple(answer for answer in answers if not answer.enough)
        return replace(state, rounds=rounds, evidence=evidence, open=left, numbers=numbers)

    def _investigate(self, stage: Stage, wanted: Sequence[Sufficiency]) -> Iterator[Event]:
        """Step 5 for one stage of the search. When no statement is open, only the fact-checkers are asked."""
        state, nothing_open = self._state, not wanted
        if stage is Stage.FACT_CHECK and (wanted or state.history.answered):
            # "Already fact-checked?" is answered for each statement in every run that searches.
            wanted = with_settled(wanted, state.open, state.statements, self._tools.max_rounds)
        if not wanted:
            return
        queries = stage_queries(stage, state.statements, wanted)
        searched_for = [s for s in state.statements if s.number in {q.statement for q in queries}]
        searching = investigate(
            stage, self._claim, searched_for, queries, self._tools.search_context, self._budget, state.history,
            nothing_open,
        )  # fmt: skip
        found = yield from traced(5, self._budget, searching, detail=STAGE_NAMES[stage])
        yield from self._take_in(found, searched_for)

    def _read_found_page(self) -> Iterator[Event]:
        """Step 5 for the page the claim was found at, where a copy of it may be among the candidates."""
        tools, claim, state = self._tools, self._claim, self._state
        if tools.web and tools.fetcher and canonical(claim.found_at or "") and any(state.candidates.values()):
            reading = read_found_page(claim, tools.search_context, self._budget, state.history)
            found = yield from traced(5, self._budget, reading, detail="the page the claim was found at")
            self._update(history=found.history)

    def _check_notes(self) -> Iterator[Event]:
        """Stage 0 of step 5: where a verdict would rest on notes alone, their pages are read first."""
        state = self._state
        pages = pages_to_read(state.statements, state.evidence, state.open) if self._stages else {}
        if pages:
            reading = check_notes(
                pages, self._claim, state.statements, self._tools.search_context, self._budget, state.history
            )
            found = yield from traced(5, self._budget, reading, detail="the pages of the notes")
            yield from self._take_in(found, state.statements)

    def _read_named_pages(self, last: bool = False) -> Iterator[Event]:
        """Step 5 for the pages that the analyst has added; after the ``last`` time no more can be added."""
        while urls := self._tools.links.take(last):
            statements = self._state.statements
            reading = read_links(
                urls, self._claim, statements, self._tools.search_context, self._budget, self._state.history
            )
            found = yield from traced(5, self._budget, reading, detail="the pages that you named")
            yield from self._take_in(found, statements)

    def _take_in(self, found: Investigation, searched_for: Sequence[Statement]) -> Iterator[Event]:
        """Keep what step 5 found, and weigh it with the rest when there is anything new.

        Where a limit stops the weighing, the run ends with what it had before.
        """
        state = replace(self._state, found=(*self._state.found, found), history=found.history)
        if found.found_anything:
            more = with_findings(state.candidates, found, state.statements, searched_for, self._tools.encoder)
            state = yield from self._weigh(replace(state, candidates=more))
        self._state = state

    def _explain_gaps(self, selected: Sequence[Sufficiency]) -> Iterator[Event]:
        """Say why open statements were not searched for, after a last look at the pages that the analyst has added."""
        tools, stages = self._tools, self._stages
        if self._state.open and not (stages and tools.max_rounds):
            most = tools.max_rounds if stages else None
            none = yield from traced(5, self._budget, lambda: nothing_searched(tools.web, most))
            self._update(found=(*self._state.found, none))
        yield from self._read_named_pages(last=True)
        if stages:
            left = tuple(over_limit(selected, self._state.open, tools.max_rounds))
            self._update(found=(*self._state.found, Investigation(reasons=left)))

    def _out_of_budget(self, limit: BudgetExceeded, story: str = "") -> Generator[Event, None, GateReport]:
        """Step 7 without a judge: nothing more is spent, the verdict call included."""
        state = self._state
        remedy = "Raise the limit in the settings and verify the claim again."
        reasons = [*state.reasons, Reason(ReasonCode.BUDGET, str(limit), remedy)]
        if story and not state.rounds:  # the limit came so early that no other step could say so
            reasons.append(Reason(ReasonCode.JUDGE_FAILED, story))
        if unread := len(self._tools.links.close()):
            text = f"{unread} of the pages that you named {'was' if unread == 1 else 'were'} not read any more."
            reasons.append(Reason(ReasonCode.BUDGET, text, "Check the claim again with the page: it is read first."))
        return (yield from traced(7, None, lambda: out_of_budget(state.statements, state.evidence, reasons)))

    @property
    def _stages(self) -> tuple[Stage, ...]:
        """The stages of the search; none when there is no provider to ask."""
        return tuple(Stage) if self._tools.web and self._tools.providers else ()

    def _update(self, **changes: Any) -> None:
        self._state = replace(self._state, **changes)
