"""The bound: a label less probable than this is not given, whichever judge proposes it."""

from dataclasses import replace
from typing import TypeVar

from ghost.types.claim import Reason, ReasonCode
from ghost.types.verdict import BOUND, DECIDED, Label, Leaning, StatementVerdict, Verdict

V = TypeVar("V", Verdict, StatementVerdict)

TOO_UNSURE = Reason(
    ReasonCode.BELOW_BOUND,
    "The evidence leans one way, but not clearly enough: verdicts like this are too often wrong.",
    "A source that says this explicitly would settle it.",
)


def too_unsure(label: Label, confidence: float | None, bound: float = BOUND) -> bool:
    """Whether a label is less probable than the bound; never for an abstention."""
    return label in DECIDED and (confidence is None or confidence < bound)


def held_open(verdict: Verdict, bound: float = BOUND) -> Verdict:
    """The verdict, left open with what it leans to where its label is below the bound."""
    if not too_unsure(verdict.label, verdict.confidence, bound):
        return verdict
    told = any(reason.code is ReasonCode.BELOW_BOUND for reason in verdict.reasons)  # by one of its statements
    return replace(
        verdict,
        label=Label.NOT_ENOUGH_EVIDENCE,
        confidence=None,
        contested=False,
        truth_percentage=None,
        reasons=verdict.reasons if told else (TOO_UNSURE, *verdict.reasons),
        leaning=Leaning(verdict.label, verdict.confidence or 0.0),
    )


def opened(found: StatementVerdict, bound: float = BOUND) -> StatementVerdict:
    """One statement, left open where its label is below the bound."""
    if not too_unsure(found.label, found.confidence, bound):
        return found
    leaning = Leaning(found.label, found.confidence or 0.0)
    return replace(found, label=Label.NOT_ENOUGH_EVIDENCE, confidence=None, contested=False, leaning=leaning)


def as_drawn(verdict: Verdict) -> Verdict:
    """A stored verdict by the rule of today: runs of older versions keep what they stored and are drawn alike."""
    statements = tuple(_without_confidence(opened(s)) for s in verdict.statements)
    return _without_confidence(held_open(replace(verdict, statements=statements)))


def _without_confidence(found: V) -> V:
    return found if found.label in DECIDED else replace(found, confidence=None)
