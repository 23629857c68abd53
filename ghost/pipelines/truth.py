"""What a conversation says beside its label: how true the claim is, how much harm it could do, whether it is contested.

The gate has decided by then. Nothing here gives a label; it may only take one back.
"""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ghost.events import Event, SentenceAccepted, SentencesWithdrawn
from ghost.judges import Assessment, Conversation, StatementWeight
from ghost.reports import confidence
from ghost.steps import GateReport, Outcome, only_quotes, with_contests
from ghost.types import (
    DECIDED,
    Evidence,
    Harm,
    Label,
    Reason,
    ReasonCode,
    StatementVerdict,
    Verdict,
    opened,
    too_unsure,
)

HARM_BOUND = 0.9
"""The probability that a label needs where the claim could do much harm if it is wrong."""
RANGES: dict[Label, tuple[float, float]] = {
    Label.TRUE: (60.0, 100.0),
    Label.FALSE: (0.0, 40.0),
    Label.PARTIALLY_TRUE: (10.0, 90.0),
    Label.MISLEADING: (10.0, 90.0),
}
"""The percentages that agree with each label; a figure beyond them would contradict it, and is not given."""
_NEUTRAL_WEIGHT = StatementWeight(-1.0, 2)
"""For a statement of which the model says nothing."""


def assessed(
    deciding: Generator[Event, None, Outcome[GateReport]],
    conversation: Conversation,
    evidence: Sequence[Evidence],
    opinions: Collection[str],
) -> Generator[Event, None, Outcome[GateReport]]:
    """The verdict of step 7 with what the model says beside it; ``opinions`` are ids of passages that only judge."""
    outcome = yield from deciding
    said, report = conversation.assessment, outcome.value
    if said is None:  # no evidence, so no model was asked
        return outcome
    verdict = with_contests(report.verdict, evidence, opinions)
    verdict = replace(verdict, harm=max(said.harm, verdict.harm or Harm.LOW, key=list(Harm).index))
    held = held_by_harm(verdict)
    if held is not verdict:
        sentences = only_quotes([c for c in verdict.citations if c.accepted], evidence)
        yield SentencesWithdrawn(held.reasons[0].text)
        for text in sentences:
            yield SentenceAccepted(text)
        held = replace(held, explanation=" ".join(sentences))
        report = replace(report, sentences=sentences)
    percentage, rows = truth(held, said)
    held = replace(held, truth_percentage=percentage)
    return replace(
        outcome,
        value=replace(report, verdict=held),
        decision=", ".join(filter(None, (held.label, confidence(held).lower()))),
        reason=" ".join(dict.fromkeys((*(r.text for r in held.reasons), outcome.reason))),
        outputs=outcome.outputs | _outputs(held, said, rows),
    )


def truth(verdict: Verdict, said: Assessment) -> tuple[float | None, list[dict[str, Any]]]:
    """The average over the decided statements, 0 to 100, weighed by their importance, and a row for each of them.

    None where the label abstains, where the average would contradict it, and where a plain label is contested.
    """
    rows = [_row(s, said.weights) for s in verdict.statements if s.label in DECIDED]
    total = sum(row["importance"] for row in rows)
    if verdict.label not in DECIDED or not total or (verdict.contested and verdict.label in (Label.TRUE, Label.FALSE)):
        return None, rows
    average = round(sum(row["importance"] * row["truth"] for row in rows) / total, 1)
    low, high = RANGES[verdict.label]
    return (average if low <= average <= high else None), rows


def _row(decided: StatementVerdict, weights: Mapping[int, StatementWeight]) -> dict[str, Any]:
    said = weights.get(decided.statement, _NEUTRAL_WEIGHT)
    low, high = RANGES[decided.label]
    # The model's own figure, or, where it contradicts the label that the gate let stand, the middle of what agrees.
    figure = said.truth if low <= said.truth <= high else (low + high) / 2
    return {"statement": decided.statement, "truth": round(figure, 1), "importance": said.importance}


def held_by_harm(verdict: Verdict) -> Verdict:
    """The verdict, left open where much harm could come of it and it is not sure enough."""
    if verdict.harm is not Harm.HIGH or not too_unsure(verdict.label, verdict.probability, HARM_BOUND):
        return verdict
    reason = Reason(
        ReasonCode.BELOW_BOUND,
        "The claim could do much harm if it is wrong, so a verdict on it has to be surer than this one.",
        "A source that says this explicitly would settle it.",
    )
    return replace(
        opened(verdict, HARM_BOUND),
        basis=None,
        reasons=(reason, *verdict.reasons),
        statements=tuple(opened(s, HARM_BOUND) for s in verdict.statements),
    )


def _outputs(verdict: Verdict, said: Assessment, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    leaning = verdict.leaning
    return {
        "label": verdict.label,
        "confidence": verdict.confidence,
        "basis": verdict.basis,
        "leaning": leaning and {"label": leaning.label},
        "contested": verdict.contested,
        "reasons": [r.code for r in verdict.reasons],
        "statements": [
            {"statement": s.statement, "label": s.label, "support": round(s.support, 4), "refute": round(s.refute, 4)}
            for s in verdict.statements
        ],
        "harm": verdict.harm,
        "harm_by": "the model" if verdict.harm is said.harm else "the words of the claim",
        "truth": {"percentage": verdict.truth_percentage, "statements": list(rows)},
    }
