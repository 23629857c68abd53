"""One research: its questions are answered from memory where that can, and from the web where it has to.

context ─► policy ─► plan ─► gate ─┬─ satisfied ─► memory ──────────┬─► answers ─► report
                                   └─ needs web ─► web ─► record ──┘
                                                                    one question after the other

Each answer is kept as soon as it is final, and before it what the web said, so a kill loses one question at most.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, Cancelled, GhostError, StoreError
from ghost.events import (
    Event,
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    StepFinished,
    StepStarted,
)
from ghost.inference import RememberingReader, StanceReader
from ghost.judges import ResearchWriter
from ghost.pipelines import Tools
from ghost.research.answers import AnswerWriter
from ghost.research.estimate import limits_left, question_limits, savings_of, spent_by, together
from ghost.research.pages_read import PagesRead
from ghost.research.parts import Parts
from ghost.research.planning import GATE, gated
from ghost.research.questions import as_search
from ghost.research.reading import AnswerReader
from ghost.research.record import record, record_match
from ghost.research.web import Gathered, from_knowledge, from_web, why_nothing
from ghost.steps import Outcome, Work, by_page, check_notes, count, traced
from ghost.types import (
    NOTHING_SAVED,
    RESEARCH_STEPS,
    Claim,
    Coverage,
    GateDecision,
    GateState,
    JudgeInfo,
    MemoryMatch,
    Research,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    Savings,
    Status,
    SubQuestion,
    TraceStep,
    Usage,
)

MEMORY, WEB, RECORD, ANSWERS, REPORT = 5, 6, 7, 8, 9
AnyEvent = Event | ResearchEvent
T = TypeVar("T")
_EMBEDDED = JudgeInfo("embedded", "")
_WEB_OFF = "The web is switched off for this research, or no search provider is set up."
_WEB_SKILL = "The skill does not allow the web."


@dataclass(slots=True)
class ResearchRun:
    """One research while it goes on."""

    parts: Parts
    plan: ResearchPlan
    research_id: str
    web: bool
    judge: str
    cancelled: Callable[[], bool]
    before: Research | None = None
    """What an earlier attempt has kept."""
    answers: dict[int, ResearchAnswer] = field(default_factory=dict)
    savings: Savings = NOTHING_SAVED
    read: PagesRead = field(default_factory=PagesRead)
    budget: Budget = field(init=False)
    tools: Tools = field(init=False)
    reader: StanceReader = field(init=False)
    writer: ResearchWriter | None = field(init=False)
    answer_reader: AnswerReader = field(init=False)
    answering: AnswerWriter = field(init=False)

    def events(self) -> Iterator[ResearchEvent]:
        """What happens. The last event is always ResearchEnded; a failure is the status, never an answer."""
        parts, policy, spent = self.parts, self.plan.skill.policy, self._spent_before()
        self.budget = Budget(limits_left(parts.limits(), spent), self.cancelled)
        self.writer = parts.writer(self.judge)
        tools = parts.tools(self.web and policy.allow_web, policy.allowed_sites, policy.denied_sites)
        check = self.budget.check
        self.reader = RememberingReader(tools.reader, check)
        screener = RememberingReader(tools.screener, check) if tools.screener else None
        plain = RememberingReader(tools.plain, check) if tools.plain else None
        self.tools = replace(tools, reader=self.reader, screener=screener, plain=plain)
        self.answer_reader = AnswerReader(parts.encoder, self.reader)
        self.answering = AnswerWriter(
            policy, self.writer, parts.encoder, self.reader, self.tools.plain, self.answer_reader, self.budget
        )
        self._take_over()
        who = self.writer.info if self.writer else _EMBEDDED
        yield ResearchStarted(self.research_id, self.plan.topic, datetime.now(UTC), who, self.web)
        status, error = RunStatus.FINISHED, ""
        try:
            for event in self._phases():
                if isinstance(event, ResearchEvent):
                    yield event
        except Cancelled as stop:
            status, error = RunStatus.CANCELLED, str(stop)
        except GhostError as failure:
            if self.tools.retried and isinstance(failure, StoreError):
                raise
            status, error = RunStatus.FAILED, str(failure)
        except Exception as failure:  # a bug of ours must end it visibly too, with what it had
            status, error = RunStatus.FAILED, f"Unexpected {type(failure).__name__}: {failure}"
        usage = together(spent, self.budget.usage())
        yield ResearchEnded(self.research_id, status, datetime.now(UTC), usage, self.savings, error)

    def _phases(self) -> Generator[AnyEvent, None, None]:
        """The picture above; the phases before the gate were made with the plan."""
        if self.before is None:
            yield from _replayed(self.plan.steps[: GATE - 1])
        plan = yield from gated(self.parts, self.plan, self.web, self.writer, self.budget)
        self.plan = replace(plan, steps=(), usage=Usage())
        yield ResearchPlanned(self.plan)
        covered = yield from self._traced(MEMORY, self._memory)
        for question, decision in zip(self.plan.questions, self.plan.decisions, strict=True):
            if question.number not in self.answers:
                made = yield from self._researched(question, decision)
                self.answers[question.number] = made
                yield QuestionResearched(made)
            if self.answers[question.number].from_memory and question.number in covered:
                self._save(savings_of([covered[question.number]], self.research_id))
        yield from traced(REPORT, None, self._report, names=RESEARCH_STEPS)

    def _researched(self, question: SubQuestion, decision: GateDecision) -> Generator[AnyEvent, None, ResearchAnswer]:
        """The answer to one question. A limit of the whole research leaves a gap that says so."""
        satisfied = decision.state is GateState.SATISFIED
        try:
            self.budget.check()
            gathered = (yield from self._remembered(question, decision)) if satisfied else Gathered()
            satisfied = bool(gathered.excerpts)  # a passage may have been retired since the gate
            gathered = gathered if satisfied else (yield from self._searched(question))
            return (yield from self._answered(question, gathered, satisfied))
        except BudgetExceeded as limit:
            gap = f"A limit of this research was reached before it was answered: {limit}"
            return ResearchAnswer(question.number, "", from_memory=satisfied, gap=gap)

    def _memory(self) -> Outcome[dict[int, Coverage]]:
        """Memory wins: what answers each question, kept as its coverage where the words differ."""
        found: dict[int, Coverage] = {}
        for question, decision in zip(self.plan.questions, self.plan.decisions, strict=True):
            if decision.state is not GateState.SATISFIED:
                continue
            (covered,) = self.parts.memory.store.coverages([decision.coverage_id])
            found[question.number] = covered
            if decision.found is MemoryMatch.MATCH:
                record_match(self.parts, self.research_id, self.plan.topic, question, decision, covered)
        saved = savings_of(list(found.values()), self.research_id)
        return Outcome(
            found,
            f"{count(len(found), 'question')} answered by memory",
            f"{count(saved.searches, 'search', 'searches')} and {count(saved.fetches, 'fetch', 'fetches')} less.",
            outputs={"coverage": {str(n): {"id": c.id, "facts": list(c.facts)} for n, c in found.items()}},
        )

    def _remembered(self, question: SubQuestion, decision: GateDecision) -> Generator[AnyEvent, None, Gathered]:
        """The facts that answer a question, weighed for it; what its page does not say any more is none.

        Where a page cannot be read again the question stays answered, with the day on which it was read.
        """
        facts = self.parts.memory.store.facts_with(decision.evidence)
        ids, knowledge = [f.passage_id for f in facts if not f.retired], self.parts.knowledge
        full = as_search(question.text, self.plan.topic)
        found = self.answer_reader.weigh(full, knowledge.get(ids), everything=True)
        alone = len({e.group for e in found}) == 1
        again = by_page(e.passage for e in found if e.passage.must_be_read_again(alone))
        if pages := {url: kept for url, kept in again.items() if self._may_search and not self.read.history.knows(url)}:
            context = replace(self.tools.search_context, judge=None)
            reading = check_notes(pages, Claim(full), (), context, self.budget, self.read.history)
            read = yield from self._traced(WEB, reading, question)
            self.read.keep((read,), read.history, self.answer_reader)
            knowledge.record_checks(read.checks)
            active = [p for p in knowledge.get(ids) if p.status is Status.ACTIVE]
            found = self.answer_reader.weigh(full, active, everything=True)
        return Gathered(tuple(found))

    def _searched(self, question: SubQuestion) -> Generator[AnyEvent, None, Gathered]:
        """What knowledge base and web have for a question; what the web has is recorded before it is used."""
        parts, plan, reader = self.parts, self.plan, self.answer_reader
        gathered = from_knowledge(question, plan.topic, parts.knowledge, reader, plan.skill.policy)
        if not self._may_search:
            return gathered
        seconds, usage = self.budget.seconds_to_look, self.budget.usage()
        limits = question_limits(self.budget.limits, usage, seconds, plan.skill.policy, self._open)
        mine = self.budget.part(limits)
        searching = from_web(question, plan.topic, gathered, self.tools, reader, plan.skill.policy, mine, self.read)
        try:
            gathered = yield from self._traced(WEB, searching, question, mine)
        except BudgetExceeded as limit:
            self.budget.check()
            return replace(gathered, searched=True, problems=(str(limit),))
        kept = partial(record, parts, self.research_id, plan.topic, question, gathered)
        admitted = yield from self._traced(RECORD, kept, question)
        known = {e.passage.id for e in admitted.excerpts}
        self.read.leave({e.passage.source_url for e in gathered.excerpts if e.passage.id not in known})
        return admitted

    def _answered(
        self, question: SubQuestion, gathered: Gathered, from_memory: bool
    ) -> Generator[AnyEvent, None, ResearchAnswer]:
        off = _WEB_OFF if self.plan.skill.policy.allow_web else _WEB_SKILL
        gap = "" if gathered.excerpts else why_nothing(gathered, off, len(self.read))
        left = len(self.plan.questions) - len(self.answers)
        writing = self.answering.answer(question, gathered.excerpts, gap, from_memory, left)
        return (yield from self._traced(ANSWERS, writing, question))

    def _report(self) -> Outcome[None]:
        answers = self.answers.values()
        gaps, disagreements = sum(bool(a.gap) for a in answers), sum(len(a.disagreements) for a in answers)
        saved = self.savings
        return Outcome(
            None,
            f"{len(self.answers) - gaps} of {len(self.answers)} answered",
            f"{count(gaps, 'gap')}, {count(disagreements, 'disagreement')}. Memory saved "
            f"{count(saved.searches, 'search', 'searches')} and {count(saved.fetches, 'fetch', 'fetches')}.",
        )

    def _traced(
        self, number: int, work: Work[T], question: SubQuestion | None = None, budget: Budget | None = None
    ) -> Generator[AnyEvent, None, T]:
        """A step, of one question where one is given."""
        detail = f"question {question.number} of {len(self.plan.questions)}" if question else ""
        round_ = question.number if question else 1
        return (yield from traced(number, budget or self.budget, work, round_, detail, RESEARCH_STEPS))

    def _take_over(self) -> None:
        """Begin with what an earlier attempt has kept."""
        for made in self.before.answers if self.before else ():
            self.answers[made.question] = made
            self.answering.numbers |= {c.passage_id: c.n for c in made.citations}
            self.answering.quoted |= self.answering.numbers.keys()

    def _spent_before(self) -> Usage:
        return spent_by(self.before.steps) if self.before else replace(self.plan.usage, seconds=0.0)

    def _save(self, more: Savings) -> None:
        now = self.savings
        self.savings = Savings(now.questions + more.questions, now.searches + more.searches, now.fetches + more.fetches)

    @property
    def _may_search(self) -> bool:
        return self.web and self.plan.skill.policy.allow_web and bool(self.tools.providers)

    @property
    def _open(self) -> int:
        """Questions that still need the web."""
        return sum(d.state is GateState.NEEDS_WEB and d.question not in self.answers for d in self.plan.decisions)


def _replayed(steps: Sequence[TraceStep]) -> Iterator[AnyEvent]:
    """The steps of a plan that was made before, as events."""
    for step in steps:
        number = RESEARCH_STEPS.index(step.name) + 1
        yield StepStarted(step.name, number)
        yield StepFinished(number, step)
