"""Progress of one call: what happens in a thread, told to the client from the event loop."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

from ghost.events import (
    AskEvent,
    QuestionRouted,
    QuestionSearched,
    RunStarted,
    SourceUpdate,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.text import one_line
from ghost.types import STEP_NAMES, host_of

if TYPE_CHECKING:
    from ghost.jobs import EventLog

Tell = Callable[[str], Awaitable[None]]
"""Sends a message to who waits for the call."""
_LONGEST = 200


class Progress:
    """Sends progress notifications, numbered from 1; a client that asked for none gets none."""

    def __init__(self, context: Context[Any, Any]) -> None:
        self._context = context
        self._count = 0
        self._last = ""

    async def tell(self, message: str) -> None:
        """Send a message, unless it is the same as the last one. There is no total: steps may come again."""
        message = one_line(message)[:_LONGEST]
        if message and message != self._last:
            self._last, self._count = message, self._count + 1
            await self._context.report_progress(self._count, None, message)


async def follow(log: "EventLog[Any]", tell: Tell) -> None:
    """Tell of all that is reported, as it is reported; returns at the end of the log."""
    from ghost.jobs import Changes  # its import takes a second

    position = 0
    with Changes(log) as changes:
        while True:
            events, ended = log.since(position)
            position += len(events)
            for event in events:
                await tell(described(event))
            if ended:
                return
            await changes.next(None)


def described(event: AskEvent) -> str:
    """An event in a few words; empty where it says nothing new. No text of a page is in it, only names of hosts."""
    match event:
        case RunStarted():
            return f"Checking the claim as run {event.run_id}"
        case StepStarted():
            detail = f": {event.detail}" if event.detail else ""
            return f"Step {event.number} of {len(STEP_NAMES)}, {event.name}{detail}"
        case StepFinished():
            return f"Step {event.number} of {len(STEP_NAMES)}, {event.step.name}, done: {event.step.decision}"
        case SourceUpdate():
            return f"Source {host_of(event.url) or 'without a host'}: {event.state}"
        case VerdictReached():
            return f"Verdict: {event.verdict.label.value}"
        case QuestionSearched():
            return event.what
        case QuestionRouted():
            return f"The answer comes from: {event.decision.mode.value}"
        case _:
            return ""
