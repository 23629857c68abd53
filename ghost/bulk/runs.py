"""From claims to finished runs, many at a time, over a knowledge base that stays as it is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from ghost.bulk.together import Job, Together
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    StepFinished,
    VerdictReached,
)
from ghost.pipelines import Tools, verify
from ghost.types import Claim, Run, RunStatus, as_drawn
from ghost.web import Links

SIDE_BY_SIDE = 48
"""Runs that are under way together. More fill the batches no better and wait longer for one another."""


class BulkRuns:
    """Checks claims with the tools of a single run. For one thread at a time."""

    def __init__(self, tools: Tools, side_by_side: int = SIDE_BY_SIDE) -> None:
        """``tools`` must be those of the seven steps without the web, over a frozen knowledge base."""
        # A run waits for those beside it, so the time that it may take is that of all of them.
        limits = replace(tools.limits, seconds=tools.limits.seconds * side_by_side)
        self._tools = replace(tools, limits=limits)
        self._together = Together(self._tools)
        self._side_by_side = side_by_side

    def check(self, claims: Sequence[tuple[str, Claim]], cancelled: Callable[[], bool] = lambda: False) -> list[Run]:
        """The runs of these claims, each with the id given beside it, in their order.

        A run that fails or was ``cancelled`` says so in its status, as a single run does.
        """
        done: list[Run] = []
        for start in range(0, len(claims), self._side_by_side):
            some = claims[start : start + self._side_by_side]
            ended: dict[str, Run] = {}
            self._together.run([self._job(run_id, claim, cancelled, ended) for run_id, claim in some])
            done += [ended[run_id] for run_id, _ in some]
        return done

    def _job(self, run_id: str, claim: Claim, cancelled: Callable[[], bool], ended: dict[str, Run]) -> Job:
        def job(tools: Tools) -> None:
            ended[run_id] = collect(verify(claim, replace(tools, links=Links()), run_id, cancelled))

        return job


def collect(events: Iterable[Event]) -> Run:
    """The run that these events tell, as it would be read from the records."""
    first, *rest = events
    assert isinstance(first, RunStarted)
    changed = partial(replace, Run(first.run_id, RunStatus.RUNNING, first.claim, first.started_at, first.judge,
                                   first.settings))  # fmt: skip
    values: dict[str, object] = {}
    steps = tuple(event.step for event in rest if isinstance(event, StepFinished))
    for event in rest:
        match event:
            case ClaimClassified():
                values["classification"] = event.classification
            case EvidenceWeighed():
                values["evidence"] = event.evidence
            case VerdictReached():
                values |= {"verdict": as_drawn(event.verdict), "judge": event.judge}
            case RunEnded():
                values |= {
                    "status": event.status, "finished_at": event.finished_at, "usage": event.usage,
                    "error": event.error,
                }  # fmt: skip
            case _:
                pass
    return changed(**values, steps=steps)
