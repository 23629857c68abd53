"""What a run or a question has reported, kept in order, so that any number of readers follow it at their own pace."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, Self, TypeVar

from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    RunEnded,
    RunStarted,
    StepFinished,
    VerdictReached,
)
from ghost.types import RESEARCH_STEPS, STEP_NAMES, JudgeInfo, Research, Run, RunStatus

E = TypeVar("E")


class EventLog(Generic[E]):
    """Events in the order in which they happened. Safe to share between threads.

    A reader keeps its own position and reads on from there, so a slow reader costs nothing and one that comes back
    has missed nothing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[E] = []
        self._ended = False
        self._listeners: list[Callable[[], None]] = []

    def append(self, event: E) -> None:
        """Add an event and tell the listeners."""
        self._change(event)

    def end(self) -> None:
        """No event comes after this; safe to repeat."""
        self._change()

    def since(self, position: int) -> tuple[Sequence[E], bool]:
        """The events from this position on (0: all of them), and whether the log has ended."""
        with self._lock:
            return tuple(self._events[position:]), self._ended

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` at each change, in the thread that makes it; it must return at once.

        Returns a function that stops this. Whoever listens reads once after that, or may miss what came before.
        """
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def _change(self, *events: E) -> None:
        with self._lock:
            self._events.extend(events)
            self._ended = self._ended or not events
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()


class Changes:
    """Wakes a coroutine when a log has changed, from whatever thread. To be used in a ``with`` block."""

    def __init__(self, log: EventLog[Any]) -> None:
        self._log, self._changed, self._loop = log, asyncio.Event(), asyncio.get_running_loop()
        self._stop: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        self._stop = self._log.listen(self._wake)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    async def next(self, seconds: float | None) -> bool:
        """Wait for a change since the last time; False when there is none for so long."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        self._changed.clear()
        return True

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it whoever would read
            self._loop.call_soon_threadsafe(self._changed.set)


def stored_events(run: Run) -> list[Event]:
    """A stored run as the events that led to it, without those that are not kept.

    Of a run that goes on in another process they only get more: the later list begins with the earlier one.
    """
    events: list[Event] = [RunStarted(run.id, run.claim, run.started_at, run.judge, run.settings)]
    numbers = {name: number for number, name in enumerate(STEP_NAMES, start=1)}
    for position, step in enumerate(run.steps):
        events.append(StepFinished(numbers.get(step.name, 0), step))
        if position == 0 and run.classification:
            events.append(ClaimClassified(run.classification))
    if run.status is RunStatus.RUNNING:
        return events
    if run.evidence:
        events.append(EvidenceWeighed(run.evidence))
    if run.verdict:
        events.append(VerdictReached(run.verdict, run.judge))
    return [*events, RunEnded(run.id, run.status, run.finished_at or run.started_at, run.usage, run.error)]


def stored_research_events(research: Research) -> list[ResearchEvent]:
    """A stored research as the events that led to it, without those that are not kept.

    Of one that goes on in another process they only get more, as for a run: its answers come when it has ended.
    """
    r, judge = research, JudgeInfo(research.judge, "")
    events: list[ResearchEvent] = [ResearchStarted(r.id, r.topic, r.started_at, judge, r.web)]
    if r.plan:
        events.append(ResearchPlanned(r.plan))
    numbers = {name: number for number, name in enumerate(RESEARCH_STEPS, start=1)}
    events += [StepFinished(numbers.get(step.name, 0), step) for step in r.steps]
    if r.status is RunStatus.RUNNING:
        return events
    events += [QuestionResearched(answer) for answer in r.answers]
    return [*events, ResearchEnded(r.id, r.status, r.finished_at or r.started_at, r.usage, r.savings, r.error)]
