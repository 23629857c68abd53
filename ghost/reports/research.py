"""A research as Markdown, as one HTML page, on a terminal, and as JSON-safe values."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from ghost.reports.documents import page, render
from ghost.reports.formatting import counted, dated, day, heading, iso, money
from ghost.reports.terminal import wrap
from ghost.types import (
    Citation,
    Collection,
    Estimate,
    GateDecision,
    GateState,
    Research,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    SubQuestion,
    cited_as,
)

_PLAN: TypeAdapter[ResearchPlan] = TypeAdapter(ResearchPlan)
_ENDED = {
    RunStatus.RUNNING: "This research is still going on.",
    RunStatus.CANCELLED: "This research was stopped before it was finished.",
    RunStatus.INTERRUPTED: "This research was interrupted before it was finished.",
    RunStatus.FAILED: "This research failed before it was finished.",
}


@dataclass(frozen=True, slots=True)
class Section:
    """One question of a report."""

    question: SubQuestion
    decision: GateDecision | None
    answer: ResearchAnswer | None
    """None where the research ended before it."""


def research_markdown(r: Research) -> str:
    """The report as Markdown; everything from outside is escaped."""
    return render("research.md", **_values(r))


def research_html(r: Research) -> str:
    """The report as a page of its own, without scripts; it fetches nothing."""
    return page("research.html", **_values(r))


def research_value(r: Research) -> dict[str, Any]:
    """The whole of a research as JSON-safe values; times in ISO 8601, enums as their values."""
    return {
        "research_id": r.id,
        "topic": r.topic,
        "status": r.status.value,
        "error": r.error,
        "started_at": iso(r.started_at),
        "finished_at": iso(r.finished_at),
        "web": r.web,
        "judge": r.judge,
        "plan": plan_value(r.plan) if r.plan else None,
        "answers": [answer_of(a) for a in r.answers],
        "sources": [
            {"n": c.n, "url": c.url, "domain": c.domain, "title": c.title, "kind": c.kind.value,
             "cited_as": cited_as(c), "published_at": iso(c.published_at),
             "as_of": c.as_of, "passage_id": c.passage_id, "quotes": quotes}
            for c, quotes in research_sources(r.answers)
        ],
        "gaps": [{"question": a.question, "why": a.gap} for a in r.gaps],
        "saved": asdict(r.savings),
        "usage": asdict(r.usage),
        "steps": [asdict(s) | {"started_at": iso(s.started_at)} for s in r.steps],
    }  # fmt: skip


def plan_value(plan: ResearchPlan) -> dict[str, Any]:
    """A plan as JSON-safe values: its questions with what memory has for each, and what it will spend at most."""
    value: dict[str, Any] = _PLAN.dump_python(plan, mode="json", exclude={"steps", "usage"})
    return value


def answer_of(answer: ResearchAnswer) -> dict[str, Any]:
    """One answer as JSON-safe values."""
    cited = [{**asdict(c), "published_at": iso(c.published_at), "archived_at": iso(c.archived_at)}
             for c in answer.citations]  # fmt: skip
    return asdict(answer) | {"citations": cited, "read_on": iso(answer.read_on)}


def research_sources(answers: Sequence[ResearchAnswer]) -> list[tuple[Citation, list[str]]]:
    """Every source that is cited, by its number, each with the quotes from it."""
    cited: dict[int, Citation] = {}
    quotes: dict[int, list[str]] = {}
    for c in (c for a in answers for c in a.citations):
        cited.setdefault(c.n, c)
        if c.quote not in quotes.setdefault(c.n, []):
            quotes[c.n].append(c.quote)
    return [(cited[n], quotes[n]) for n in sorted(cited)]


def plan_text(plan: ResearchPlan, width: int = 80) -> str:
    """A plan as it is printed on a terminal: the questions, what memory has for each, and the cost before."""
    by = {"analyst": "your questions", "embedded": "questions from templates"}
    who = by.get(plan.planned_by, f"questions by the {plan.planned_by} model")
    lines = [*wrap(f"Plan for “{plan.topic}”", width, "  "), ""]
    lines += wrap(f"Skill: {plan.skill.title} ({plan.skill.name}); {who}.", width, "  ")
    used = [r for r in plan.recalled if r.used and r.collection is not Collection.PROCEDURAL]
    others = sum(r.collection is not Collection.PROCEDURAL for r in plan.recalled) - len(used)
    memories = counted(len(used), "memory", "memories")
    known = f"{memories} of this topic" if used else "nothing on this topic"
    lines += [*wrap(f"Memory: {known}{f', {others} about something else' if others else ''}.", width, "  "), ""]
    elsewhere = "web" if plan.estimate.from_web else "knowledge base"
    for question, decision in zip(plan.questions, plan.decisions, strict=True):
        where = "memory" if decision.state is GateState.SATISFIED else elsewhere
        lines += wrap(f"{question.number}. {question.text} [{where}]", width, "  ", 3)
        lines += wrap(decision.reason, width, "     ")
    return "\n".join([*lines, "", *wrap(f"At most: {estimate_text(plan.estimate)}.", width, "  ")]) + "\n"


def estimate_text(e: Estimate) -> str:
    """What a plan will spend at most, in words."""
    parts = [counted(e.searches, "search", "searches"), counted(e.fetches, "page", "pages")]
    if e.tokens:
        price = "price not known" if e.cost_usd is None else f"US$ {e.cost_usd:.4f}"
        parts.append(f"{e.tokens:,} tokens ({price})")
    return ", ".join([*parts, f"{e.seconds:.0f} seconds"])


def spent_text(r: Research) -> str:
    """What a research has spent, and what memory has saved, in a line."""
    u = r.usage
    parts = [counted(u.searches, "search", "searches"), counted(u.fetches, "page", "pages")]
    if u.tokens:
        parts.append(money(u.tokens, u.cost_usd, u.unpriced_tokens))
    saved = counted(r.savings.searches, "search", "searches")
    spent = f"Spent: {', '.join([*parts, f'{u.seconds:.1f} seconds'])}."
    if not r.savings.questions:
        return spent
    questions = counted(r.savings.questions, "question", "questions")
    return f"{spent} Memory answered {questions} and saved {saved} and {counted(r.savings.fetches, 'page', 'pages')}."


def research_text(r: Research, width: int = 80) -> str:
    """The report as it is printed on a terminal, at most ``width`` columns wide; addresses are never broken."""
    lines = [*wrap(r.topic, width, "  "), ""]
    for note in (_ENDED.get(r.status, ""), r.error):
        lines += wrap(note, width, "  ") if note else []
    for s in _sections(r):
        lines += wrap(f"{s.question.number}. {s.question.text}", width, "  ", 3)
        for text in _told(s):
            lines += wrap(text, width, "     ")
        lines.append("")
    sources = research_sources(r.answers)
    lines += ["  Sources"] if sources else []
    for c, _ in sources:
        lines += wrap(f"[{c.n}] {heading(c)} ({dated(c)})", width, "  ", 4)
        lines += wrap(c.url, width, "      ") if c.url else []
    return "\n".join([*lines, "", *wrap(spent_text(r), width, "  "), f"  Research {r.id}"]) + "\n"


def _told(s: Section) -> list[str]:
    """What there is to say of a question."""
    if s.answer is None:
        return ["Not answered: the research ended before it."]
    told = [s.answer.text] if s.answer.text else []
    told += [f"Sources disagree: [{d.one}] and [{d.other}]. {d.why}" for d in s.answer.disagreements]
    told += [f"Gap: {s.answer.gap}"] if s.answer.gap else []
    return [*told, f"({_origin(s.answer)})"] if s.answer.text else told


def _origin(a: ResearchAnswer) -> str:
    """Where an answer comes from, and who wrote it."""
    how = "the nearest excerpts, quoted" if a.written_by == "embedded" else f"written by the {a.written_by} model"
    since = f", read on {day(a.read_on)}" if a.read_on else ""
    return f"{f'from memory{since}' if a.from_memory else 'newly researched'}, {how}"


def _sections(r: Research) -> list[Section]:
    answers = {a.question: a for a in r.answers}
    decisions = {d.question: d for d in r.plan.decisions} if r.plan else {}
    return [Section(q, decisions.get(q.number), answers.get(q.number)) for q in (r.plan.questions if r.plan else ())]


def _values(r: Research) -> dict[str, Any]:
    """What the templates show."""
    return {
        "r": r,
        "sections": _sections(r),
        "sources": research_sources(r.answers),
        "ended": _ENDED.get(r.status, ""),
        "spent": spent_text(r),
        "origin": _origin,
        "disagreements": [d for a in r.answers for d in a.disagreements],
        "questions": {q.number: q.text for q in r.plan.questions} if r.plan else {},
    }
