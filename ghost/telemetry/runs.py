"""Observers of runs: they are told every event, and nothing that goes wrong in them reaches the run."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ghost.events import Event, RunEnded, RunStarted, VerdictReached

log = logging.getLogger(__name__)

RunObserver = Callable[[], Callable[[Event], None]]
"""Called once for each run; what it returns is told each event of that run, in order and in one thread."""


def observed(events: Iterator[Event], observers: Sequence[RunObserver]) -> Iterator[Event]:
    """The same events, each told to the observers before it is handed on."""
    listeners = [observer() for observer in observers]
    for event in events:
        for tell in listeners:
            try:
                tell(event)
            except Exception:  # whatever becomes of a metric, the run goes on
                log.warning("An observer of runs failed", exc_info=True)
        yield event


def log_run() -> Callable[[Event], None]:
    """An observer that writes a line to the log when a run starts and when it ends."""
    fields: dict[str, Any] = {}

    def tell(event: Event) -> None:
        match event:
            case RunStarted():
                fields.update(run_id=event.run_id, judge=event.judge.name)
                log.info("Run started", extra={"fields": dict(fields)})
            case VerdictReached():
                fields.update(judge=event.judge.name, label=event.verdict.label.value)
            case RunEnded():
                usage = event.usage
                spent = {"seconds": round(usage.seconds, 3), "searches": usage.searches, "fetches": usage.fetches,
                         "tokens": usage.tokens, "cost_usd": usage.cost_usd}  # fmt: skip
                log.info("Run ended", extra={"fields": {**fields, "status": event.status.value, **spent}})

    return tell
