"""The phases before anything is searched: context, policy, plan and gate. They ask no web and store nothing."""

from collections.abc import Generator, Sequence
from dataclasses import asdict, replace

import numpy as np

from ghost.budget import Budget
from ghost.events import Event
from ghost.inference import Encoder
from ghost.judges import ResearchWriter, research_prompts
from ghost.research.estimate import estimate
from ghost.research.parts import Parts
from ghost.research.plan import own_questions, plan_questions
from ghost.research.questions import is_name
from ghost.research.skills import Skills
from ghost.steps import Outcome, count, traced
from ghost.types import (
    RESEARCH_STEPS,
    Category,
    Collection,
    Estimate,
    GateDecision,
    GateState,
    Recalled,
    ResearchPlan,
    Skill,
)

CONTEXT, POLICY, PLAN, GATE = 1, 2, 3, 4
GENERAL = "general"
_NOTHING = Estimate(0, 0, 0, 0, 0, 0.0, 0.0)


def planned(
    parts: Parts, skills: Skills, topic: str, wanted: str, questions: Sequence[str], web: bool, judge: str,
    budget: Budget,
) -> Generator[Event, None, ResearchPlan]:  # fmt: skip
    """The plan for a tidied topic. Raises ClaimError, StoreError, ModelError, BudgetExceeded and Cancelled."""
    matcher, writer = parts.matcher(), parts.writer(judge)
    recalled = yield from traced(CONTEXT, budget, lambda: _context(parts, skills, topic), names=RESEARCH_STEPS)
    # A bare name says nothing of what kind of knowledge is wanted, and would get questions that do not fit it.
    category = Category.OTHER if is_name(topic) else matcher.category_of([topic])[0]

    def policy() -> Outcome[Skill]:
        skill = skills.named(wanted) if wanted else choose_skill(topic, category, skills.all(), parts.encoder)
        why = "You chose it." if wanted else f"The topic is of the kind {category.value}."
        if problem := skills.problem:
            why += f" Your file of skills cannot be used ({problem}); what it last had stays in force."
        shown = {"skill": skill.name, "policy": asdict(skill.policy)}
        return Outcome(skill, skill.title, why, {"wanted": wanted, "category": category.value}, shown)

    skill = yield from traced(POLICY, budget, policy, names=RESEARCH_STEPS)

    def plan() -> Outcome[ResearchPlan]:
        asks = writer if not questions else None
        made = (
            own_questions(topic, questions)
            if questions
            else plan_questions(topic, category, skill, asks, matcher, budget)
        )
        plan = ResearchPlan(topic, category, skill, made.questions, _marked(recalled, skill), (), _NOTHING, made.by)
        shown = {"questions": [q.text for q in made.questions]} | ({"prompts": research_prompts()} if asks else {})
        return Outcome(plan, count(len(made.questions), "question"), made.why, {"topic": topic}, shown)

    made = yield from traced(PLAN, budget, plan, names=RESEARCH_STEPS)
    return (yield from gated(parts, made, web, writer, budget))


def gated(
    parts: Parts, plan: ResearchPlan, web: bool, writer: ResearchWriter | None, budget: Budget
) -> Generator[Event, None, ResearchPlan]:
    """The plan with a decision for each question as memory is now, and with what it will spend at most."""
    policy = plan.skill.policy
    tools = parts.tools(web, policy.allowed_sites, policy.denied_sites)

    def gate() -> Outcome[tuple[GateDecision, ...]]:
        decisions = parts.gate.decide(plan.topic, plan.questions, policy, tools.today())
        satisfied = sum(d.state is GateState.SATISFIED for d in decisions)
        return Outcome(
            decisions,
            f"{satisfied} of {len(decisions)} from memory",
            " ".join(f"{d.question}. {d.reason}" for d in decisions),
            {"questions": [q.text for q in plan.questions]},
            {"decisions": [_row(d) for d in decisions]},
        )

    decisions = yield from traced(GATE, budget, gate, names=RESEARCH_STEPS)
    may = web and policy.allow_web and bool(tools.providers)
    return replace(plan, decisions=decisions, estimate=estimate(decisions, policy, may, parts.limits(), writer))


def choose_skill(topic: str, category: Category, skills: Sequence[Skill], encoder: Encoder) -> Skill:
    """The nearest skill for the category of a topic; the general one where there is none for it."""
    fitting = [s for s in skills if category in s.categories]
    if not fitting:
        return next((s for s in skills if s.name == GENERAL), skills[0])
    vectors = encoder.encode([topic, *(f"{s.title}. {s.description}" for s in fitting)])
    return fitting[int(np.argmax(vectors[1:] @ vectors[0]))]


def _context(parts: Parts, skills: Skills, topic: str) -> Outcome[tuple[Recalled, ...]]:
    found = parts.memory.recall(topic, skills.all())
    used = sum(r.used for r in found)
    reason = f"{used} of them may be used; the others are about something else, or no longer valid."
    shown = {"recalled": [asdict(r) for r in found]}
    return Outcome(found, count(len(found), "memory", "memories"), reason, {"topic": topic}, shown)


def _marked(recalled: Sequence[Recalled], skill: Skill) -> tuple[Recalled, ...]:
    """The memories, with the skill that was chosen as used."""
    return tuple(
        replace(r, used=True, why="It fits the topic.")
        if r.collection is Collection.PROCEDURAL and r.id == skill.name
        else r
        for r in recalled
    )


def _row(d: GateDecision) -> dict[str, object]:
    return asdict(d) | {"newest": d.newest.isoformat() if d.newest else None}
