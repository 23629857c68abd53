"""One conversation of a language model with functions, within hard limits, reported as the same events.

claim ─1 classify─► statements ─2 retrieve─► ┌─► 5 the model searches, reads pages, keeps facts ─┐
                                             └──────────── at most so many turns ◄───────────────┤
        citation gate ◄─7 the model decides◄─6 index ◄─3 rerank (facts, and what speaks to the contrary)

Where the facts are notes alone, their pages are read before step 6, and step 3 is done again.

The tokens, the money and the seconds of the verdict are set aside before the first turn. Where the model fails, or
keeps no fact, or a limit is reached, the seven steps go on with what was gathered, in the same run.
"""

from collections.abc import Callable, Generator, Iterator, Sequence

from ghost.budget import Budget, Hold, Spent
from ghost.errors import BudgetExceeded, GhostError, JudgeError, UnusableAnswerError
from ghost.events import ClaimClassified, Event, EvidenceWeighed, VerdictReached
from ghost.judges import Conversation, RouteJudge, shares_of
from ghost.pipelines.base import Tools, framed
from ghost.pipelines.conversation_tools import ConversationTools
from ghost.pipelines.fact_evidence import weigh_facts
from ghost.pipelines.in_time import InTime
from ghost.pipelines.seven_steps import Gathered, SevenSteps
from ghost.pipelines.truth import assessed
from ghost.pipelines.turn_log import TurnLog
from ghost.steps import (
    Candidates,
    Extracted,
    GateReport,
    Investigation,
    Outcome,
    Scope,
    check_notes,
    classify,
    count,
    index,
    not_verifiable,
    pages_to_read,
    read_found_page,
    read_links,
    record_citations,
    rerank,
    retrieve,
    start_look_ups,
    traced,
    verdict,
    with_archived_copies,
)
from ghost.types import (
    Claim,
    Evidence,
    JudgeInfo,
    Reason,
    ReasonCode,
    Statement,
    Sufficiency,
    Usage,
    canonical,
)

KEPT_SHARE = 0.25
KEPT_SECONDS = 45.0
"""So much of the time (a quarter, at most so many seconds) is kept for weighing the facts and for the verdict."""
WITHOUT_MODEL = 1 / 3
"""Part of that which the verdict call leaves, so that the embedded judge can still decide where it fails."""
GO_ON_SHARE = 0.5
"""With less than this left of the tokens, the money or the time the embedded judge decides after a failure."""
SHOWN_FIRST = 3
"""Passages of the knowledge base that are shown for each statement before the first turn."""


class _LeftError(GhostError):
    """The conversation ended without a fact."""


def converse(
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
        yield from SingleConversation(claim, tools, run_id, budget).run(extracted)

    return framed(claim, tools, run_id, cancelled, body)


class SingleConversation:
    """One run: its tools, its budget, and what the conversation has gathered."""

    def __init__(self, claim: Claim, tools: Tools, run_id: str, budget: Budget) -> None:
        self._claim, self._tools, self._run_id, self._budget = claim, tools, run_id, budget
        self._extracted: Extracted | None = None
        self._made = ConversationTools(claim, (), tools, budget)
        self._hold: Hold | None = None
        self._limits: list[Reason] = []
        """Limits that ended the conversation."""
        self._spent = False
        """Whether what is not kept for the verdict was used up."""

    def run(self, extracted: Extracted | None = None) -> Iterator[Event]:
        """The conversation and its verdict, or the seven steps where it fails."""
        self._extracted = extracted
        try:
            yield from self._converse()
        except (JudgeError, BudgetExceeded, _LeftError) as why:
            self._release()
            yield from self._fall_back(why)
        finally:
            self._release()

    def _converse(self) -> Iterator[Event]:
        """The picture above."""
        claim, tools, budget = self._claim, self._tools, self._budget
        conversation = tools.conversation
        if conversation is None:
            raise JudgeError("No language model is set up for this run.")
        in_time = InTime(conversation, self._kept_seconds)
        classification = yield from traced(1, budget, lambda: classify(claim, in_time, budget, self._extracted))
        # What was spent on it is booked by now, whatever happens from here on.
        self._extracted = Extracted(classification, tools.judge.info, Spent(Usage()))
        yield ClaimClassified(classification)
        statements = classification.statements
        if not statements:
            yield VerdictReached(not_verifiable(classification), self._info(conversation))
            return
        self._hold = budget.hold(*conversation.verdict_needs(claim, statements))
        self._made.statements = statements
        scope = Scope(tools.search.allowed_here, tools.search.denied_here)
        retrieved = yield from traced(
            2, budget, lambda: retrieve(statements, tools.knowledge, tools.top_k, claim.as_of, scope)
        )
        yield from self._gather(conversation, retrieved)
        yield from self._conclude(conversation, retrieved)

    def _gather(self, conversation: Conversation, retrieved: Candidates) -> Iterator[Event]:
        """The turns of the model, until it has finished or a limit is reached. Raises _LeftError without a fact."""
        made, turns = self._made, self._tools.max_iterations
        conversation.open(self._claim, made.statements, turns, self._notes)
        if hits := made.show_candidates(retrieved, SHOWN_FIRST):
            conversation.show_hits(hits)
        for number in range(1, turns + 1):
            yield from self._read_named_pages(conversation)
            if limit := self._limit(conversation):
                self._limits.append(limit)
                break
            yield from traced(
                5, self._budget, self._turn(conversation, number, turns), detail=f"turn {number} of {turns}"
            )
            if made.finished:
                break
        else:
            self._limits.append(
                Reason(
                    ReasonCode.BUDGET,
                    f"The conversation ended after {count(turns, 'answer')} of the model, before it had finished.",
                    "Raise GHOST_MAX_ITERATIONS and verify the claim again.",
                )
            )
        if not made.facts:
            whys = [r.text for r in self._limits] or ["The model ended the conversation."]
            raise _LeftError(f"{' '.join(whys)} It had kept no fact.")
        yield from self._read_named_pages(conversation, last=True)

    def _turn(self, conversation: Conversation, number: int, turns: int) -> Generator[Event, None, Outcome[None]]:
        """One answer of the model, and the functions that it calls."""
        made = self._made
        made.log = log = TurnLog()
        try:
            answer = InTime(conversation, self._kept_seconds).turn(self._budget)
            results = yield from made.call(answer.requests, lambda: self._budget.seconds_left <= self._kept_seconds)
            if results and not made.finished:
                conversation.tell(results, turns - number)
        except GhostError as stopped:
            stopped.partial = {**log.outputs(), "turn": number, "turns": turns}
            raise
        tools = self._tools
        return log.outcome(number, turns, answer.problem, tools.web, [p.name for p in tools.providers])

    def _conclude(self, conversation: Conversation, retrieved: Candidates) -> Iterator[Event]:
        """Steps 3, 6 and 7 on the facts. Raises _LeftError where none of them bears on a statement."""
        claim, tools, budget, made = self._claim, self._tools, self._budget, self._made
        yield from self._read_found_page(retrieved)
        evidence, found = yield from traced(3, budget, lambda: self._weighed(retrieved))
        yield EvidenceWeighed(evidence)
        if (yield from self._check_notes(evidence)):
            evidence, found = yield from traced(3, budget, lambda: self._weighed(retrieved), 2)
            yield EvidenceWeighed(evidence)
        if not evidence:
            raise _LeftError("None of the facts that the model kept bears on a statement.")
        yield from traced(6, budget, lambda: index(self._run_id, evidence, found, tools.knowledge))
        self._release()
        look_ups = start_look_ups(tools.archive, evidence, budget)
        having = {e.statement for e in evidence}
        deciding = verdict(
            claim, made.statements, evidence, [_without(s) for s in made.statements if s.number not in having],
            [*(r for i in found for r in i.reasons), *self._limits],
            InTime(conversation, self._kept_seconds * WITHOUT_MODEL), budget,
            made.coverage, tools.bound, tools.reader, tools.plain,
            lambda: shares_of(self._info(conversation), tools.shares),
        )  # fmt: skip
        opinions = {fact.passage.id for fact in made.facts if fact.opinion}
        finishing = assessed(with_archived_copies(deciding, look_ups), conversation, evidence, opinions)
        report: GateReport = yield from traced(7, budget, finishing)
        record_citations(self._run_id, evidence, report.verdict.citations, tools.knowledge)
        yield VerdictReached(report.verdict, self._info(conversation))

    def _weighed(self, retrieved: Candidates) -> Outcome[tuple[tuple[Evidence, ...], tuple[Investigation, ...]]]:
        """Step 3 for the facts and what speaks to the contrary."""
        tools = self._tools
        candidates, found = weigh_facts(self._made, retrieved, tools)
        context = tools.rerank_context(self._claim, self._made.history)
        done = rerank(
            self._made.statements, candidates, tools.reader, tools.scorer, tools.rules, context, tools.screener
        )
        return Outcome(
            (done.value.evidence, found), done.decision, f"{self._made.kept} {done.reason}", done.inputs,
            done.outputs | {"facts": len(self._made.facts), "dropped_facts": dict(self._made.dropped)},
        )  # fmt: skip

    def _check_notes(self, evidence: Sequence[Evidence]) -> Generator[Event, None, bool]:
        """Stage 0 of step 5: where a verdict would rest on notes alone, their pages are read; whether any is."""
        tools, made = self._tools, self._made
        may = tools.web and tools.fetcher and self._budget.seconds_left > self._kept_seconds
        pages = pages_to_read(made.statements, evidence, ()) if may else {}
        if not pages:
            return False
        reading = check_notes(pages, self._claim, made.statements, made.context, self._budget, made.history)
        found = yield from traced(5, self._budget, reading, detail="the pages of the notes")
        made.take(found)
        made.whole |= {source.url for source in found.sources}
        return True

    def _read_named_pages(self, conversation: Conversation, last: bool = False) -> Iterator[Event]:
        """Step 5 for the pages that the analyst has added; after the ``last`` time no more can be added."""
        made = self._made
        while urls := self._tools.links.take(last):
            reading = read_links(urls, self._claim, made.statements, made.context, self._budget, made.history)
            found = yield from traced(5, self._budget, reading, detail="the pages that you named")
            if pages := made.show_named(found):
                conversation.show_pages(pages)

    def _read_found_page(self, retrieved: Candidates) -> Iterator[Event]:
        """Step 5 for the page the claim was found at, where a copy of it may be among the candidates."""
        tools, claim, made = self._tools, self._claim, self._made
        address = canonical(claim.found_at or "")
        if tools.web and tools.fetcher and address and not made.history.knows(address) and any(retrieved.values()):
            reading = read_found_page(claim, made.context, self._budget, made.history)
            found = yield from traced(5, self._budget, reading, detail="the page the claim was found at")
            made.history = found.history

    def _limit(self, conversation: Conversation) -> Reason | None:
        """The limit that allows no further turn; None where there is none."""
        if self._budget.seconds_left <= self._kept_seconds:
            text, name = "The time for the conversation was over", "GHOST_MAX_SECONDS"
        elif not conversation.fits(self._budget):
            text = "The tokens or the money for the conversation were used up"
            name = "GHOST_MAX_TOKENS or GHOST_MAX_COST_USD"
        else:
            return None
        self._spent = True
        text += "; the rest is kept for the verdict."
        return Reason(ReasonCode.BUDGET, text, f"Raise {name} and verify the claim again.")

    def _fall_back(self, why: GhostError) -> Iterator[Event]:
        """The seven steps with what was gathered, and with a judge that still can decide."""
        made, judge, conversation = self._made, self._tools.judge, self._tools.conversation
        if isinstance(judge, RouteJudge):
            if isinstance(why, JudgeError) and not isinstance(why, UnusableAnswerError) and conversation:
                judge.leave(conversation.name, why, self._budget)
            if self._spent or isinstance(why, BudgetExceeded) or self._is_short():
                judge.leave_models("What is left of the limits of this run is too little for a language model.")
        read = count(len(made.pages), "page that was read", "pages that were read")
        hits = count(len(made.passages), "passage", "passages")
        story = f"The conversation was left. {why} The seven steps go on with {read} and {hits} that were found."
        gathered = Gathered(tuple(made.found), made.history, story)
        yield from SevenSteps(self._claim, self._tools, self._run_id, self._budget).run(self._extracted, gathered)

    def _is_short(self) -> bool:
        """Whether too little is left for a language model to take the seven steps."""
        limits, (tokens, money) = self._budget.limits, self._budget.room()
        left = (tokens, limits.tokens), (money, limits.cost_usd), (self._budget.seconds_left, limits.seconds)
        return any(now < GO_ON_SHARE * most for now, most in left)

    def _release(self) -> None:
        """Give back what was set aside for the verdict call."""
        if self._hold:
            self._budget.settle(self._hold, 0, 0.0)
            self._hold = None

    def _info(self, conversation: Conversation) -> JudgeInfo:
        """Who converses, with the route that led to it."""
        route = self._tools.judge.info
        return route if route.name == conversation.info.name else conversation.info

    @property
    def _kept_seconds(self) -> float:
        return min(KEPT_SECONDS, KEPT_SHARE * self._budget.limits.seconds)

    @property
    def _notes(self) -> str:
        tools = self._tools
        if tools.web and tools.providers and tools.fetcher:
            return ""
        if tools.web and tools.providers:
            return "Pages cannot be fetched in this run; hits are all there is."
        return "The web is off for this run: only the knowledge base is searched, and no page can be fetched."


def _without(statement: Statement) -> Sufficiency:
    return Sufficiency(
        statement.number, False, f"The conversation found nothing on “{statement.text}”.",
        f"A source that speaks about: {statement.text}", ReasonCode.NO_SOURCES,
    )  # fmt: skip
