"""Research for whoever uses it: plan, run, resume, and look at what was remembered."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ghost.budget import Budget
from ghost.errors import ClaimError
from ghost.events import ResearchEvent, StepFinished
from ghost.judges import JUDGE_KINDS
from ghost.records import ResearchStore
from ghost.research.agent import ResearchRun
from ghost.research.parts import Parts
from ghost.research.planning import planned
from ghost.research.questions import tidy_topic
from ghost.research.skills import Skills
from ghost.types import Episode, Fact, Research, ResearchPlan, RunStatus, TraceStep


class Researcher:
    """Plans and carries out research, and knows what it has remembered. Safe to share by threads."""

    def __init__(self, parts: Parts, skills: Skills) -> None:
        self.skills = skills
        self._parts = parts
        self._records = ResearchStore(parts.knowledge.database)
        self._store = parts.memory.store

    # Researching

    def plan(
        self,
        topic: str,
        *,
        skill: str = "",
        questions: Sequence[str] = (),
        web: bool = True,
        judge: str = "",
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ResearchPlan:
        """The questions of a topic, and what memory has for each; searches no web and stores nothing.

        ``skill`` is a name; empty: the one that fits best. ``questions`` take the place of the planner's. With a
        language model (``judge``: auto, cloud, local or embedded) and no ``questions`` the topic is sent to it.
        Raises ClaimError, StoreError, ModelError, BudgetExceeded and Cancelled.
        """
        topic, judge = tidy_topic(topic), _judge(judge)
        budget = Budget(self._parts.limits(), cancelled)
        planning = planned(self._parts, self.skills, topic, skill, questions, web, judge, budget)
        steps: list[TraceStep] = []
        while True:
            try:
                event = next(planning)
            except StopIteration as end:
                made: ResearchPlan = end.value
                return replace(made, steps=tuple(steps), usage=budget.usage())
            if isinstance(event, StepFinished):
                steps.append(event.step)

    def run(
        self,
        plan: ResearchPlan,
        *,
        research_id: str | None = None,
        web: bool = True,
        judge: str = "",
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[ResearchEvent]:
        """Answer the questions of a plan; every event is recorded before it is handed on.

        A failure is the status of the research, never an answer. Raises StoreError where it cannot be recorded. One
        whose events are not read to the end is interrupted.
        """
        research_id = research_id or new_research_id()
        work = ResearchRun(self._parts, plan, research_id, web, _judge(judge), cancelled)
        return self._records.record(work.events(), research_id)

    def resume(self, research_id: str, cancelled: Callable[[], bool] = lambda: False) -> Iterator[ResearchEvent]:
        """Go on with a research that was interrupted, cancelled or failed; finished questions are not done again.

        What it has spent counts; the time begins anew. Raises ClaimError for one that is unknown, finished or running.
        """
        known = self._records.get(research_id)
        if known is None or known.plan is None:
            raise ClaimError("There is no such research, or it has no plan yet. Start it anew.")
        if known.status in (RunStatus.FINISHED, RunStatus.RUNNING):
            raise ClaimError(f"This research is {known.status.value}, so it cannot be resumed.")
        work = ResearchRun(self._parts, known.plan, research_id, known.web, known.judge, cancelled, known)
        return self._records.record(work.events(), research_id)

    def interrupt(self) -> int:
        """Store what runs as interrupted, since the process is about to end; returns how many."""
        return self._records.interrupt()

    def release(self, research_id: str) -> None:
        """Take a research from the worker that had it and is gone, so that it can be resumed. Raises StoreError."""
        self._records.release(research_id)

    def mark_interrupted(self) -> int:
        """Close the researches whose process is gone; returns how many."""
        return self._records.mark_interrupted()

    # Looking

    def get(self, research_id: str) -> Research | None:
        """The research as far as it got; None when there is none with this id."""
        return self._records.get(research_id)

    def topic_of(self, research_id: str) -> str | None:
        """The topic of a research; None when there is none with this id."""
        return self._records.topic_of(research_id)

    def count(self) -> int:
        """How many researches there are."""
        return self._records.count()

    def delete(self, research_id: str) -> bool:
        """Delete the record of a research; what it has remembered stays. Raises StoreError for one that is running."""
        return self._records.delete(research_id)

    def episodes(self, text: str = "", limit: int = 50, offset: int = 0) -> list[Episode]:
        """A page of the pages that were read, newest first, with ``text`` in topic, title or address."""
        return self._store.episodes(text, limit, offset)

    def count_episodes(self, text: str = "") -> int:
        """How many there are."""
        return self._store.count_episodes(text)

    def facts(self, text: str = "", limit: int = 50, offset: int = 0, active: bool | None = None) -> list[Fact]:
        """A page of the facts, newest first, with ``text`` in topic, question or excerpt.

        ``active``: only those that count, or only those that do not.
        """
        return self._store.facts(text, limit, offset, active)

    def count_facts(self, text: str = "", active: bool | None = None) -> int:
        """How many there are."""
        return self._store.count_facts(text, active)

    def retire_fact(self, fact_id: str) -> bool:
        """Retire the passage of a fact, and with it all facts and coverage that rest on it; whether that changed it."""
        return self._parts.knowledge.retire(self._passage_of(fact_id), "retired as a fact of research") > 0

    def restore_fact(self, fact_id: str) -> bool:
        """Bring back the passage of a fact; whether that changed it. An edited passage stays edited."""
        return self._parts.knowledge.restore(self._passage_of(fact_id), "restored as a fact of research") > 0

    def _passage_of(self, fact_id: str) -> list[str]:
        return [fact.passage_id for fact in self._store.facts_with([fact_id])]

    # Last, because in this class the name is no longer the built-in type from here on.

    def list(self, limit: int = 50, offset: int = 0) -> Sequence[Research]:
        """A page of the researches, newest first, with their answers and without their steps."""
        return self._records.list(limit, offset)


def new_research_id() -> str:
    """A fresh id for a research."""
    return uuid.uuid4().hex


def _judge(name: str) -> str:
    if name and name not in JUDGE_KINDS:
        raise ClaimError(f"There is no judge of this name. There are {', '.join(JUDGE_KINDS)}.")
    return name
