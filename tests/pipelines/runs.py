"""Runs of the real steps over scripted readings, as a store would give them back."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from ghost.steps import RerankContext, RerankRules, rerank
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader, passage
from ghost.types import (
    Candidate,
    Claim,
    ClaimType,
    Classification,
    JudgeInfo,
    Passage,
    Run,
    RunStatus,
    Stance,
    Statement,
    TraceStep,
)

DAY = date(2026, 3, 1)
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel".split()


def page(n: int, says: str = "yes", **changes: object) -> Passage:
    """A passage of a site of its own; its first word is what the scripted reader goes by."""
    text = f"{says} " + " ".join(f"{word}{n}" for word in WORDS)
    made = passage(text, f"p{n}", url=f"https://s{n}.org/a", domain=f"s{n}.org")
    return replace(made, **changes)  # type: ignore[arg-type]


def stance(text: str, _: str) -> Stance:
    return {"yes": SUPPORTING, "no": REFUTING, "off": OFF_TOPIC}.get(text.split()[0], ON_TOPIC)


def made(
    passages: Sequence[Passage],
    claim: str = "Honey does not spoil.",
    rules: RerankRules | None = None,
    reading: Callable[[str, str], Stance] = stance,
    found_at: str | None = None,
) -> Run:
    """A run as far as step 3, which is all that a what-if needs."""
    rules, statement, reader = rules or RerankRules(), Statement(1, claim), ScriptedReader(reading)
    candidates = {1: [Candidate(p, n, 1 / (60 + n), 0.6, 2.0) for n, p in enumerate(passages, 1)]}
    context = RerankContext(found_at, today=DAY)
    outcome = rerank([statement], candidates, reader, None, rules, context)
    step = TraceStep("rerank", AT, 0.1, outcome.decision, outcome.reason, outcome.inputs, outcome.outputs)
    return Run(
        "f" * 32,
        RunStatus.FINISHED,
        Claim(claim, found_at=found_at),
        AT,
        JudgeInfo("embedded", "scripted"),
        classification=Classification(ClaimType.FACTUAL, 0.9, (statement,), "It can be checked."),
        evidence=outcome.value.evidence,
        steps=(step,),
    )
