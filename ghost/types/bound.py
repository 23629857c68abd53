"""The bound: a label less probable than this is not given, whichever judge proposes it."""

from collections.abc import Collection
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


def too_unsure(label: Label, probability: float | None, bound: float = BOUND, withheld: Collection[Label] = ()) -> bool:
    """Whether a label is less probable than the bound, or one of those that are ``withheld``; never an abstention."""
    return label in withheld or (label in DECIDED and (probability is None or probability < bound))


def held_open(verdict: Verdict, bound: float = BOUND, withheld: Collection[Label] = ()) -> Verdict:
    """The verdict, left open with what it leans to where its label is too unsure."""
    if not too_unsure(verdict.label, verdict.probability, bound, withheld):
        return verdict
    said = any(reason.code is ReasonCode.BELOW_BOUND for reason in verdict.reasons)  # by one of its statements
    reasons = verdict.reasons if said else (TOO_UNSURE, *verdict.reasons)
    return replace(opened(verdict, bound, withheld), truth_percentage=None, basis=None, reasons=reasons)


def opened(found: V, bound: float = BOUND, withheld: Collection[Label] = ()) -> V:
    """A verdict or one statement, left open where its label is too unsure, without a reason."""
    if not too_unsure(found.label, found.probability, bound, withheld):
        return found
    leaning = Leaning(found.label, found.probability or 0.0)
    return replace(_without_numbers(found), label=Label.NOT_ENOUGH_EVIDENCE, contested=False, leaning=leaning)


def as_drawn(verdict: Verdict) -> Verdict:
    """A stored verdict by the rule of today: runs of older versions keep what they stored and are drawn alike.

    What they called confidence was the judge's own probability, so theirs counts as not measured.
    """
    statements = tuple(_settled(opened(own_probability(s))) for s in verdict.statements)
    return _settled(held_open(own_probability(replace(verdict, statements=statements))))


def own_probability(found: V) -> V:
    """The same, where its number is still the judge's own, with the number in its place."""
    if found.probability is not None or found.confidence is None:
        return found
    return replace(found, probability=found.confidence, confidence=None)


def _settled(found: V) -> V:
    return found if found.label in DECIDED else _without_numbers(found)


def _without_numbers(found: V) -> V:
    return replace(found, confidence=None, probability=None)
