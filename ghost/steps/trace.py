"""What every step returns, and how it is recorded in the trace."""

import json
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event, StepFinished, StepStarted
from ghost.types import TraceStep, Usage

STEPS = ("classify", "retrieve", "rerank", "sufficiency", "investigate", "index", "verdict")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """The result of one step: the value for the next step, and what the trace keeps."""

    value: T
    decision: str
    """What was decided, in a few words."""
    reason: str
    """Why, in a sentence."""
    inputs: dict[str, Any] = field(default_factory=dict)
    """JSON-safe."""
    outputs: dict[str, Any] = field(default_factory=dict)
    """JSON-safe."""


def count(number: int, singular: str, plural: str = "") -> str:
    """``1 passage``, ``3 passages``, ``no passages``."""
    word = singular if number == 1 else plural or singular + "s"
    return f"{number or 'no'} {word}"


Work = Callable[[], Outcome[T]] | Generator[Event, None, Outcome[T]]
"""A step: a call, or a generator where it reports something before it ends."""


def traced(
    number: int,
    budget: Budget | None,
    work: Work[T],
    round_: int = 1,
    detail: str = "",
    names: Sequence[str] = STEPS,
) -> Generator[Event, None, T]:
    """Run one step between StepStarted and StepFinished, and return its value.

    The budget is checked first. A step that fails is recorded as "stopped", with what its error carries. ``names`` are
    those of the steps of the work, where that is no run.
    """
    name = names[number - 1]
    yield StepStarted(name, number, round_, detail)
    started, clock = datetime.now(UTC), time.monotonic()
    before, mark = (budget.usage(), budget.mark()) if budget else (Usage(), (0, 0))

    def ended(decision: str, reason: str, inputs: dict[str, Any], outputs: dict[str, Any]) -> StepFinished:
        after = budget.usage() if budget else Usage()
        calls, stories = budget.since(mark) if budget else ([], [])
        if calls:
            outputs = {**outputs, "calls": [asdict(c) for c in calls]}
        if stories:
            outputs = {**outputs, "troubles": dict(Counter(kind for kind, _ in stories))}
        return StepFinished(
            number,
            TraceStep(
                name,
                started,
                round(time.monotonic() - clock, 4),
                decision,
                " ".join((*dict.fromkeys(text for _, text in stories if text), reason)),
                _as_json(inputs),
                _as_json(outputs),
                after.tokens - before.tokens,
                round(after.cost_usd - before.cost_usd, 6),
                after.unpriced_tokens - before.unpriced_tokens,
            ),
        )

    try:
        if budget:
            budget.check()
        outcome = work() if callable(work) else (yield from work)
    except Exception as failure:
        partial = dict(failure.partial) if isinstance(failure, GhostError) else {}
        yield ended("stopped", str(failure) or type(failure).__name__, {}, partial)
        raise
    yield ended(outcome.decision, outcome.reason, outcome.inputs, outcome.outputs)
    return outcome.value


def _as_json(values: dict[str, Any]) -> dict[str, Any]:
    """Enums and tuples as JSON has them, so that a live trace equals the stored one."""
    return json.loads(json.dumps(values, ensure_ascii=False))
