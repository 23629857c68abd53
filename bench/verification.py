"""Warm verification: how long one claim takes once everything is open."""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.figures import NotMeasured, Part
from bench.timing import percentile
from ghost.errors import GhostError
from ghost.events import ClaimClassified, RunEnded, RunStarted, StepFinished
from ghost.steps import STEPS
from ghost.types import Claim, RunStatus
from ghost.workbench import Workbench

WARM_UP = 3
"""Claims verified before the clock counts: the first one loads the models."""


@dataclass(slots=True)
class Timed:
    """One verification as it went."""

    seconds: float = 0.0
    statements: int = 0
    """None are left to check when the claim ended the run at step 1."""
    steps: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds per step, its rounds together."""
    models: dict[str, dict[str, str]] = field(default_factory=dict)


def verification(
    workbench: Workbench, claims: Sequence[str], warm_up: Sequence[str], progress: Callable[[str, int, int], None]
) -> Part:
    """Milliseconds per claim and per step; claims that end at step 1 are counted apart, as they are too quick."""
    for claim in warm_up:
        timed(workbench, claim)
    runs: list[Timed] = []
    for number, claim in enumerate(claims, 1):
        runs.append(timed(workbench, claim))
        progress("Verifying claims", number, len(claims))
    full = [run for run in runs if run.statements]
    if not full:
        raise NotMeasured("every claim ended at step 1")
    times = [run.seconds for run in full]
    by_step = {name: [run.steps[name] for run in full if name in run.steps] for name in STEPS}
    return {
        "p50_ms": _ms(percentile(times, 50)),
        "p95_ms": _ms(percentile(times, 95)),
        "fastest_ms": _ms(min(times)),
        "slowest_ms": _ms(max(times)),
        "claims": len(full),
        "statements": sum(run.statements for run in full),
        "ended_at_step_1": len(runs) - len(full),
        "steps_p50_ms": {
            **{name: _ms(percentile(spent, 50)) for name, spent in by_step.items() if spent},
            "recording": _ms(percentile([run.seconds - sum(run.steps.values()) for run in full], 50)),
        },
        "models": full[0].models,
        "notes": {"p50_ms": f"p95 {_ms(percentile(times, 95)):,.0f} ms, {len(full)} claims"},
    }


def timed(workbench: Workbench, claim: str) -> Timed:
    """Verify one claim, recorded as always; raises GhostError when the run does not finish."""
    run, ended = Timed(), None
    started = time.perf_counter()
    for event in workbench.verify(Claim(claim)):
        match event:
            case RunStarted():
                run.models = event.settings["models"]
            case ClaimClassified():
                run.statements = len(event.classification.statements)
            case StepFinished():
                run.steps[event.step.name] += event.step.seconds
            case RunEnded():
                ended = event
    run.seconds = time.perf_counter() - started
    if ended is None or ended.status is not RunStatus.FINISHED:
        why = ended.error if ended else "it stopped without an end"
        raise GhostError(f"A verification did not finish, so its time means nothing: {why}")
    return run


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
