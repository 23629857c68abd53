"""Questions, cards, passages and events as JSON-safe values: what the command line, the HTTP API and MCP all say."""

import re
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter

from ghost.events import AskEvent, QuestionRouted, ResearchEvent, VerdictReached
from ghost.knowledge import AddReport
from ghost.records import PassageReading
from ghost.reports.formatting import iso
from ghost.types import Candidate, ClaimCard, RouterDecision, cited_as

_ANY: TypeAdapter[Any] = TypeAdapter(Any)
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def answer_value(decision: RouterDecision, cards: tuple[ClaimCard, ...]) -> dict[str, Any]:
    """How a question was answered, and the cards that the answer comes from."""
    return {
        "mode": decision.mode.value,
        "response": decision.answer,
        "reasoning": decision.reasoning,
        "cards": [card_value(card) for card in cards],
        "decision": asdict(decision) | {"created_at": decision.created_at.isoformat()},
    }


def card_value(card: ClaimCard) -> dict[str, Any]:
    """A claim card, with the state it is in now."""
    times = {name: iso(getattr(card, name)) for name in ("checked_at", "expires_at", "approved_at", "as_of")}
    cited = [asdict(c) | {"published_at": iso(c.published_at), "cited_as": cited_as(c)} for c in card.citations]
    return {
        **asdict(card),
        **times,
        "publisher": card.answered_by,
        "citations": cited,
        "state": card.state(datetime.now(UTC)).value,
        "reviewed": card.reviewed,
    }


def candidate_value(found: Candidate) -> dict[str, Any]:
    """A passage that was found, with its rank and its scores."""
    p = found.passage
    return {
        "rank": found.rank, "passage_id": p.id, "text": p.text, "url": p.source_url, "domain": p.domain,
        "title": p.title, "publisher": p.publisher, "published_at": iso(p.published_at), "origin": p.origin.value,
        "kind": p.kind.value, "intake": p.intake.value, "cited_as": cited_as(p), "retrieved_at": iso(p.retrieved_at),
        "status": p.status.value, "source_type": p.source_type.value, "credibility": p.credibility,
        "fused": found.fused, "semantic": found.semantic, "lexical": found.lexical,
    }  # fmt: skip


def added_value(report: AddReport) -> dict[str, Any]:
    """What became of passages that were added."""
    counts = {name: getattr(report, name) for name in ("added", "merged", "quarantined", "refused")}
    outcomes = [{"action": o.action.value, "passage_id": o.passage_id, "reason": o.reason} for o in report.outcomes]
    return {**counts, "ids": list(report.ids), "outcomes": outcomes}


def reading_value(r: PassageReading) -> dict[str, Any]:
    """How a person reads a passage for a statement."""
    names = ("id", "run_id", "passage_id", "statement", "text", "label", "machine")
    return {name: getattr(r, name) for name in names} | {"at": iso(r.at), "undone_at": iso(r.withdrawn_at)}


def event_name(event: AskEvent | ResearchEvent) -> str:
    """What an event is called outside: ``StepStarted`` is ``step_started``."""
    return _WORD.sub("_", type(event).__name__).lower()


def event_value(event: AskEvent | ResearchEvent) -> dict[str, Any]:
    """The fields of an event; times in ISO 8601, enums as their values. A judge's own number stays inside."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    named: dict[str, Any] = _ANY.dump_python(values, mode="json", fallback=str)
    if isinstance(event, QuestionRouted):
        for card, value in zip(event.cards, named["cards"], strict=True):
            value["reviewed"] = card.reviewed
    if isinstance(event, VerdictReached):
        for judged in (named["verdict"], *named["verdict"]["statements"]):
            judged.pop("probability")
            if judged["leaning"]:
                judged["leaning"].pop("probability")
    return named
