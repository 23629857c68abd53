"""Hand-made research, and a researcher that plays it, for drawing without models or a knowledge base."""

import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ghost.errors import Cancelled, ClaimError
from ghost.events import (
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    SourceUpdate,
    StepFinished,
    StepStarted,
)
from ghost.jobs import stored_research_events
from ghost.records import Database, MemoryStore, NewCoverage, NewEpisode, NewFact, ResearchStore
from ghost.research import question_key, topic_key
from ghost.types import (
    RESEARCH_STEPS,
    Category,
    Citation,
    Collection,
    Disagreement,
    Episode,
    Estimate,
    Fact,
    GateDecision,
    GateState,
    MemoryMatch,
    Policy,
    Recalled,
    Research,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    Savings,
    Skill,
    StanceLabel,
    SubQuestion,
    TraceStep,
    Usage,
)
from tests.ui.samples import AT, HOSTILE, JUDGE

if TYPE_CHECKING:
    from ghost.workbench import Workbench

TOPIC = "Is the Great Wall of China visible from space?"
QUESTIONS = (
    "Can the Great Wall of China be seen from the Moon?",
    "Can the Great Wall of China be seen from low Earth orbit?",
    "How wide is the Great Wall of China?",
    "Who first claimed that the Great Wall of China can be seen from space?",
    "Which structures built by people can be seen from space?",
)
GENERAL = Skill(
    "general", "General research", "For any topic: who says what, since when, and who disagrees.",
    Policy(guardrails=("If sources disagree, present both.", "Say what is not known.")),
)  # fmt: skip
MEDICINE = Skill(
    "medicine", "Health and medicine", "Reviews and public bodies first; single studies are named as such.",
    Policy(freshness_days=90, max_sources=6, allowed_sites=("who.int", "nih.gov"), min_credibility=0.7),
    categories=(Category.MEDICAL,),
)  # fmt: skip


def cited(n: int, quote: str, stance: StanceLabel, domain: str, title: str, day: date | None = None) -> Citation:
    """A citation of a page that the gate has accepted."""
    return Citation(
        n, f"p{n}", quote, stance, True, "The quote stands.", url=f"https://www.{domain}/wall/{n}", domain=domain,
        title=title, published_at=day,
    )  # fmt: skip


MOON = cited(1, "The Great Wall of China cannot be seen from the Moon with the unaided eye.", StanceLabel.SUPPORTS,
             "nasa.gov", "China's Wall Less Great in View from Space", date(2005, 5, 9))  # fmt: skip
UNSEEN = cited(2, "From low Earth orbit the wall is generally not visible to the unaided eye.", StanceLabel.SUPPORTS,
               "britannica.com", "Can you see the Great Wall of China from space?", date(2024, 3, 2))  # fmt: skip
SEEN = cited(3, "An astronaut photographed a stretch of the wall from the space station in 2004.", StanceLabel.REFUTES,
             "esa.int", "A wall in a photograph")  # fmt: skip
WIDE = cited(4, "Most of the wall is between four and five metres wide at its base.", StanceLabel.SUPPORTS,
             "unesco.org", "The Great Wall", date(2025, 10, 30))  # fmt: skip
ANSWERS = (
    ResearchAnswer(1, "The wall cannot be seen from the Moon with the unaided eye [1].", (MOON,), True),
    ResearchAnswer(
        2,
        "It is generally not visible from low Earth orbit [2]. A stretch of it was photographed from there in 2004 "
        "[3].",
        (UNSEEN, SEEN),
        True,
        (Disagreement(2, 2, 3, "One source says that it is not visible, the other one shows it."),),
    ),
    ResearchAnswer(3, "Most of it is between four and five metres wide at its base [4].", (WIDE,)),
    ResearchAnswer(4, "", gap="The pages that were read do not say who claimed it first."),
    ResearchAnswer(5, "", gap="No source was found: 2 searches were made, and none of 5 pages answers it."),
)
DECISIONS = (
    GateDecision(1, GateState.SATISFIED, "This very question was answered, and its newest evidence is 40 days old.",
                 MemoryMatch.EXACT, "c1", evidence=("f1",), newest=date(2025, 10, 12)),
    GateDecision(2, GateState.SATISFIED, "An earlier question surely asks the same.", MemoryMatch.MATCH, "c2",
                 "Is the Great Wall of China visible to astronauts in low Earth orbit?", ("f2", "f3"),
                 date(2025, 11, 1)),
    GateDecision(3, GateState.NEEDS_WEB, "The evidence is 412 days old, and this skill allows 180.",
                 MemoryMatch.EXACT, "c3"),
    GateDecision(4, GateState.NEEDS_WEB, "Nothing in memory asks this."),
    GateDecision(5, GateState.NEEDS_WEB, "A question about another structure is similar and asks something else."),
)  # fmt: skip
RECALLED = (
    Recalled(Collection.SEMANTIC, "f1", QUESTIONS[0], 0.91, True, "It answers question 1."),
    Recalled(Collection.SEMANTIC, "f9", "How long is the Berlin Wall?", 0.58, False, "It is about another topic."),
    Recalled(Collection.EPISODIC, "e1", "China's Wall Less Great in View from Space", 0.84, True, "Read 40 days ago."),
    Recalled(Collection.PROCEDURAL, "general", "General research", 1.0, True, "No other skill is for this topic."),
)


def plan(
    topic: str = TOPIC,
    questions: Sequence[str] = QUESTIONS,
    skill: Skill = GENERAL,
    planned_by: str = "embedded",
) -> ResearchPlan:
    """A plan in which memory answers the first two of QUESTIONS and no others."""
    numbered = tuple(SubQuestion(n, text) for n, text in enumerate(questions, start=1))
    known = dict(zip(QUESTIONS, DECISIONS, strict=True))
    fresh = GateDecision(0, GateState.NEEDS_WEB, "Nothing in memory asks this.")
    decisions = tuple(replace(known.get(q.text, fresh), question=q.number) for q in numbered)
    memory = sum(d.state is GateState.SATISFIED for d in decisions)
    web = len(decisions) - memory
    estimate = Estimate(memory, web, 2 * web, 5 * web, 0, 0.0, 12.0 * web + 3)
    return ResearchPlan(topic, Category.SCIENTIFIC, skill, numbered, RECALLED, decisions, estimate, planned_by)


def research_steps() -> tuple[TraceStep, ...]:
    """The trace of a finished research."""
    rows = (
        (0.02, "1 of 2 facts used, 1 page, 1 skill", "What is about another topic was left out."),
        (0.001, "General research", "No other skill is for this topic."),
        (0.03, "5 questions", "From the templates for scientific topics."),
        (0.12, "2 from memory, 3 need the web", "Nothing in memory asks two of them, and one is too old."),
        (0.004, "2 questions covered by 3 facts", "Their evidence is fresh and active."),
        (11.4, "6 searches, 9 pages read", "3 questions were searched for."),
        (0.2, "1 fact kept", "Verbatim excerpts only."),
        (0.6, "3 answers, 2 gaps", "Every sentence passed the gate."),
        (0.01, "4 citations", "1 disagreement is shown side by side."),
    )
    return tuple(
        TraceStep(name, AT + timedelta(seconds=n), took, decision, reason, {"topic": TOPIC}, {"kept": n})
        for n, (name, (took, decision, reason)) in enumerate(zip(RESEARCH_STEPS, rows, strict=True))
    )


def finished_research(research_id: str = "1" * 32, **changes: object) -> Research:
    """A finished research: two answers from memory, one from the web, a disagreement and two gaps."""
    made = Research(
        research_id, TOPIC, RunStatus.FINISHED, AT, plan(), ANSWERS, research_steps(), Savings(2, 5, 8),
        Usage(searches=6, fetches=9, seconds=12.4), finished_at=AT + timedelta(seconds=12.4),
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def hostile_research(research_id: str = "2" * 32) -> Research:
    """Markup in every text that comes from outside."""
    bad = replace(MOON, quote=HOSTILE, url="javascript:alert(6)", domain=HOSTILE, title=HOSTILE, why=HOSTILE)
    skill = replace(MEDICINE, title=HOSTILE, description=HOSTILE, shipped=False,
                    policy=replace(MEDICINE.policy, guardrails=(HOSTILE,), denied_sites=(HOSTILE,)))  # fmt: skip
    made = plan(HOSTILE, (HOSTILE, *QUESTIONS[:1]), skill, HOSTILE)
    decisions = tuple(replace(d, reason=HOSTILE, earlier_question=HOSTILE) for d in made.decisions)
    recalled = tuple(replace(r, text=HOSTILE, why=HOSTILE) for r in made.recalled)
    answers = (
        ResearchAnswer(1, f"{HOSTILE} [1] [2].", (bad, replace(bad, n=2, stance=StanceLabel.REFUTES)), True,
                       (Disagreement(1, 1, 2, HOSTILE),), written_by=HOSTILE),
        ResearchAnswer(2, "", gap=HOSTILE),
    )  # fmt: skip
    steps = tuple(replace(step, decision=HOSTILE, reason=HOSTILE, outputs={HOSTILE: HOSTILE})
                  for step in research_steps())  # fmt: skip
    return finished_research(
        research_id, topic=HOSTILE, plan=replace(made, decisions=decisions, recalled=recalled), answers=answers,
        steps=steps, status=RunStatus.FAILED, error=HOSTILE,
    )  # fmt: skip


def fact(number: int, **changes: object) -> Fact:
    """A fact of TOPIC."""
    c = (MOON, UNSEEN, SEEN, WIDE)[number % 4]
    made = Fact(
        f"f{number}", 1, TOPIC, QUESTIONS[number % 4], c.quote, f"p{number}", c.url, c.title, c.published_at,
        AT - timedelta(days=number), "1" * 32,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def episode(number: int, **changes: object) -> Episode:
    """A page that was read for TOPIC."""
    c = (MOON, UNSEEN, SEEN, WIDE)[number % 4]
    made = Episode(
        f"e{number}", 1 + number % 3, TOPIC, c.url, c.title, AT - timedelta(days=number), "0" * 64, number % 3,
        "1" * 32,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def keep_research(database: Database, research: Research) -> Research:
    """Write a research down as if it had just been made."""
    store, events = ResearchStore(database), stored_research_events(research)
    for _ in store.record(iter(events), research.id):
        pass
    return research


def remember(bench: "Workbench", passages: Sequence[str], **changes: str) -> None:
    """Facts in these passages, and the pages that they are from; ``changes`` to what is remembered."""
    for number, known in enumerate(bench.knowledge.get(passages)):
        text = {"topic": TOPIC, "question": QUESTIONS[number % 5], "title": known.title} | changes
        MemoryStore(bench.knowledge.database).remember(
            NewCoverage(
                text["topic"], text["question"], topic_key(text["topic"]), question_key(text["question"]), "1" * 32,
                (NewFact(known.text, known.id, known.source_url, text["title"]),),
                (NewEpisode(known.source_url, text["title"], "0" * 64, number % 2, b""),), 2, 5,
            )
        )  # fmt: skip


@dataclass
class ScriptedSkills:
    """Two skills, and perhaps a fault in the analyst's file."""

    path: Path
    found: tuple[Skill, ...] = (GENERAL, MEDICINE)
    problem: object = None

    def all(self) -> tuple[Skill, ...]:
        return self.found


@dataclass(frozen=True)
class Fault:
    """What is wrong with a file of skills."""

    line: int
    field: str
    message: str


@dataclass
class ScriptedResearcher:
    """Plans with the questions of this file and plays the answers; waits at ``gate`` before ``stops_before``."""

    skills: ScriptedSkills
    kept: dict[str, Research] = field(default_factory=dict)
    known: list[Fact] = field(default_factory=list)
    read: list[Episode] = field(default_factory=list)
    stops_before: str = ""
    fails: Exception | None = None
    """Raised by the step where it waits."""
    unread: Exception | None = None
    """Raised by every look at what is kept."""
    gate: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, str, tuple[str, ...], bool]] = field(default_factory=list)
    """Topic, skill, questions and web of each plan."""

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
        if not topic.strip():
            raise ClaimError("Write a topic first.")
        self.asked.append((topic, skill, tuple(questions), web))
        if self.stops_before == "plan":
            self._wait(cancelled)
        chosen = next((s for s in self.skills.found if s.name == skill), GENERAL)
        return plan(topic, questions or QUESTIONS, chosen, "analyst" if questions else "embedded")

    def run(
        self,
        plan: ResearchPlan,
        *,
        research_id: str | None = None,
        web: bool = True,
        judge: str = "",
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[ResearchEvent]:
        made = Research(
            research_id or uuid.uuid4().hex, plan.topic, RunStatus.RUNNING, datetime.now(UTC), plan, web=web
        )
        yield from self._play(made, cancelled)

    def resume(self, research_id: str, cancelled: Callable[[], bool] = lambda: False) -> Iterator[ResearchEvent]:
        known = self.kept[research_id]
        yield from self._play(replace(known, status=RunStatus.RUNNING, answers=(), steps=()), cancelled)

    def get(self, research_id: str) -> Research | None:
        self._look()
        return self.kept.get(research_id)

    def list(self, limit: int = 20, offset: int = 0) -> list[Research]:
        self._look()
        return list(self.kept.values())[::-1][offset : offset + limit]

    def topic_of(self, research_id: str) -> str | None:
        kept = self.kept.get(research_id)
        return kept.topic if kept else None

    def count(self) -> int:
        self._look()
        return len(self.kept)

    def delete(self, research_id: str) -> bool:
        return self.kept.pop(research_id, None) is not None

    def facts(self, text: str = "", limit: int = 50, offset: int = 0) -> Sequence[Fact]:
        self._look()
        return [f for f in self.known if text.lower() in f"{f.question} {f.excerpt}".lower()][offset : offset + limit]

    def count_facts(self, text: str = "") -> int:
        return len(self.facts(text, 10_000))

    def episodes(self, text: str = "", limit: int = 50, offset: int = 0) -> Sequence[Episode]:
        self._look()
        return [e for e in self.read if text.lower() in f"{e.title} {e.url}".lower()][offset : offset + limit]

    def count_episodes(self, text: str = "") -> int:
        return len(self.episodes(text, 10_000))

    def retire_fact(self, fact_id: str) -> bool:
        return self._turn(fact_id, "Its passage was retired.")

    def restore_fact(self, fact_id: str) -> bool:
        return self._turn(fact_id, "")

    def _turn(self, fact_id: str, why: str) -> bool:
        self.known = [replace(f, retired=why) if f.id == fact_id else f for f in self.known]
        return True

    def _look(self) -> None:
        if self.unread:
            raise self.unread

    def _wait(self, cancelled: Callable[[], bool]) -> None:
        while not self.gate.wait(0.01):
            if cancelled():
                raise Cancelled("The research was cancelled.")
        if self.fails:
            raise self.fails

    def _play(self, made: Research, cancelled: Callable[[], bool]) -> Iterator[ResearchEvent]:
        plan = made.plan
        assert plan
        yield ResearchStarted(made.id, made.topic, made.started_at, JUDGE, made.web)
        self.kept[made.id] = made
        status, error = RunStatus.FINISHED, ""
        try:
            for number, step in enumerate(research_steps(), start=1):
                yield StepStarted(step.name, number, detail="question 3 of 5" if step.name == "web" else "")
                if step.name == "web":
                    yield SourceUpdate(WIDE.url, WIDE.title, "read", stage="trusted", bytes=9_000, quotes=(WIDE.quote,))
                if step.name == self.stops_before:
                    self._wait(cancelled)
                yield StepFinished(number, step)
                made = replace(made, steps=(*made.steps, step))
                if step.name == "gate":
                    yield ResearchPlanned(plan)
                for answer in ANSWERS[:2] if step.name == "memory" else ANSWERS[2:] if step.name == "answers" else ():
                    made = replace(made, answers=(*made.answers, answer))
                    yield QuestionResearched(answer)
                self.kept[made.id] = made
        except Cancelled:
            status = RunStatus.CANCELLED
        except Exception as failure:
            status, error = RunStatus.FAILED, str(failure)
        ended, usage, saved = datetime.now(UTC), Usage(searches=6, fetches=9, seconds=12.4), Savings(2, 5, 8)
        self.kept[made.id] = replace(made, status=status, error=error, finished_at=ended, usage=usage, savings=saved)
        yield ResearchEnded(made.id, status, ended, usage, saved, error)
