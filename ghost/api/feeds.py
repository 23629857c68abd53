"""Event logs as they are told: each event is encoded once, for any number of readers."""

import asyncio
import json
import secrets
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

import anyio

from ghost.api.access_log import log_unexpected
from ghost.errors import GhostError
from ghost.events import (
    AskEvent,
    EvidenceWeighed,
    QuestionResearched,
    ResearchEvent,
    ResearchStarted,
    RunStarted,
    SentenceAccepted,
    SourceUpdate,
)
from ghost.jobs import Changes, EventLog, ResearchJobs, Runner, stored_research_events
from ghost.reports import Paths, event_name, event_value
from ghost.types import Research

POLL_SECONDS = 0.5
"""How often the store is asked for news of a run that another process makes."""
_FIRST = (RunStarted, ResearchStarted)
_LAST = ("run_ended", "research_ended")
Stored = Callable[[], Sequence[AskEvent | ResearchEvent] | None]
"""What is stored of a run or a research by now, as its events; None when nothing is."""
_DATA = b"\ndata: "
_VERBATIM = (EvidenceWeighed, QuestionResearched, SentenceAccepted, SourceUpdate)
"""Events whose texts are evidence or quotes, and stay as they are."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event as it is told."""

    id: str
    """``<log>-<n>``, n counted from 1; of a log that is made from what is stored ``<what was told until here>-<n>``."""
    name: str
    event: AskEvent | ResearchEvent
    frame: bytes
    """As a server-sent event. JSON has no line breaks, so that the data is one line."""

    @property
    def data(self) -> str:
        """``event_value`` as JSON."""
        return self.frame.partition(_DATA)[2].decode().rstrip("\n")


class _Told:
    """What was told of a log so far. It does not hold the log, so that both go when the log is forgotten."""

    def __init__(self, name: str = "") -> None:
        """Without a ``name`` the log is made from what is stored: the ids are the same after a restart."""
        self.lock = threading.Lock()
        self.events: list[Told] = []
        self._name = name
        self._said, self._count = blake2b(digest_size=6), 0

    def next_id(self, event: AskEvent | ResearchEvent, data: bytes) -> str:
        """The id of an event that was not told yet.

        What is stored is replaced when another worker begins it anew, and may be longer by then than what a reader has
        had. So the id stands for all that was said since the beginning: who comes back with one of the first attempt
        is not taken for somebody who has had as many events of the second.
        """
        if self._name:
            return f"{self._name}-{len(self.events) + 1}"
        if isinstance(event, _FIRST):
            self._said, self._count = blake2b(digest_size=6), 0
        self._said.update(data)
        self._count += 1
        return f"{self._said.hexdigest()}-{self._count}"


class Feed:
    """An event log and its events as they are told. Safe to share between threads."""

    def __init__(self, log: EventLog[Any], paths: Paths, told: _Told) -> None:
        self.log = log
        self._paths, self._told = paths, told

    async def position(self, last_event_id: str) -> int:
        """How many events a reader has had that names this one as its last; 0 when it is of another log."""
        if not last_event_id:
            return 0
        told, _ = await self.since(0)
        return next((n for n, one in enumerate(told, start=1) if one.id == last_event_id), 0)

    def complete(self, position: int) -> bool:
        """Whether nothing comes after this position."""
        events, ended = self.log.since(position)
        return ended and not events

    async def since(self, position: int) -> tuple[Sequence[Told], bool]:
        """The events from this position on, and whether the log has ended."""
        events, ended = self.log.since(position)
        if position + len(events) > len(self._told.events):
            await anyio.to_thread.run_sync(self._tell)  # large ones take longer than the loop should wait
        return self._told.events[position : position + len(events)], ended

    async def follow(self, position: int = 0, quiet: float = 10.0) -> AsyncGenerator[Sequence[Told], None]:
        """The events from this position on until the log ends, those at once that happened since the last time.

        An empty sequence comes after each ``quiet`` seconds without one.
        """
        with Changes(self.log) as changes:
            while True:
                told, ended = await self.since(position)
                if told:
                    yield told
                position += len(told)
                if ended:
                    return
                while not await changes.next(quiet):
                    yield ()

    async def ended(self) -> None:
        """Return when the log has ended."""
        with Changes(self.log) as changes:
            while not self.log.since(0)[1]:
                await changes.next(None)

    def _tell(self) -> None:
        with self._told.lock:
            events, _ = self.log.since(len(self._told.events))
            for event in events:
                value = event_value(event)
                value = value if isinstance(event, _VERBATIM) else self._paths.hidden(value)
                data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
                body, name = data.encode("utf-8", "replace"), event_name(event)
                event_id = self._told.next_id(event, body)
                head = f"id: {event_id}\nevent: {name}".encode()
                self._told.events.append(Told(event_id, name, event, b"".join((head, _DATA, body, b"\n\n"))))


class Feeds:
    """The feeds that are being read, each once. To be used from the event loop."""

    def __init__(
        self, runner: Runner, jobs: ResearchJobs, researches: Callable[[str], Research | None], paths: Paths,
        poll_seconds: float = POLL_SECONDS, with_claims: bool = False,
    ) -> None:  # fmt: skip
        """``researches`` reads a stored one. ``with_claims``: the log may hold what was asked, that is the messages of
        errors.
        """
        self._runner, self._jobs, self._researches = runner, jobs, researches
        self._paths, self._poll_seconds, self._with_claims = paths, poll_seconds, with_claims
        self._told: WeakKeyDictionary[EventLog[Any], _Told] = WeakKeyDictionary()
        self._elsewhere: dict[str, _Watch] = {}
        self._closed = threading.Event()

    def of(self, log: EventLog[Any]) -> Feed:
        """The feed of a log of this process. Its name never comes again."""
        if log not in self._told:
            self._told[log] = _Told(secrets.token_hex(6))
        return Feed(log, self._paths, self._told[log])

    def run(self, run_id: str) -> AbstractAsyncContextManager[Feed | None]:
        """The feed of a run, whoever makes it; None when there is no such run. Raises StoreError."""
        return self._reading(run_id, self._runner.log, lambda: self._runner.stored(run_id))

    def research(self, research_id: str) -> AbstractAsyncContextManager[Feed | None]:
        """The feed of a research, whoever makes it; None when there is no such research. Raises StoreError."""

        def stored() -> Sequence[ResearchEvent] | None:
            research = self._researches(research_id)
            return stored_research_events(research) if research else None

        return self._reading(research_id, self._jobs.log, stored)

    @asynccontextmanager
    async def _reading(
        self, whose: str, logs: Callable[[str], EventLog[Any] | None], stored: Stored
    ) -> AsyncIterator[Feed | None]:
        """The log of its job, else one that is made from what is stored and grows with it."""
        if log := await anyio.to_thread.run_sync(logs, whose):  # in a thread, as it may be looked up in the queue
            yield self.of(log)
            return
        if whose not in self._elsewhere:
            feed = await self._stored(stored)
            if feed is None or feed.log.since(0)[1]:
                yield feed
                return
            if whose not in self._elsewhere:  # another reader may have come while the store was read
                task = asyncio.create_task(self._watch(whose, stored, feed.log))
                self._elsewhere[whose] = _Watch(feed, task)
        watch = self._elsewhere[whose]
        watch.readers += 1
        try:
            yield watch.feed
        finally:
            watch.readers -= 1
            if not watch.readers:
                self._elsewhere.pop(whose, None)
                watch.task.cancel()

    def close(self) -> None:
        """End all that is read from the store; the logs of this process end with their runs."""
        self._closed.set()

    async def _stored(self, stored: Stored) -> Feed | None:
        feed = Feed(EventLog(), self._paths, _Told())
        return feed if await anyio.to_thread.run_sync(self._read, stored, feed.log) else None

    def _read(self, stored: Stored, log: EventLog[Any]) -> bool:
        """Add to a log what is stored by now; False when nothing is."""
        events = stored()
        for event in _new(log.since(0)[0], events or ()):
            log.append(event)
        if not events or event_name(events[-1]) in _LAST:
            log.end()
        return events is not None

    async def _watch(self, whose: str, stored: Stored, log: EventLog[Any]) -> None:
        """Ask the store for news until the last event is there, or the server ends."""
        try:
            while not (log.since(0)[1] or self._closed.is_set()):
                await asyncio.sleep(self._poll_seconds)
                with suppress(GhostError):  # a store that is busy for a moment may answer the next time
                    await anyio.to_thread.run_sync(self._read, stored, log)
        except Exception as error:
            log_unexpected(whose, error, self._with_claims)
        finally:
            log.end()  # whatever has happened: a reader must not wait for news that nobody brings


def _new(told: Sequence[AskEvent | ResearchEvent], stored: Sequence[AskEvent | ResearchEvent]) -> Sequence[Any]:
    """What is stored and was not told: all of it where a worker has begun the run anew, which replaced the rest."""
    starts = [number for number, event in enumerate(told) if isinstance(event, _FIRST)]
    if not (starts and stored):
        return stored
    last, first = told[starts[-1]], stored[0]
    same = isinstance(last, _FIRST) and isinstance(first, _FIRST) and last.started_at == first.started_at
    return stored[len(told) - starts[-1] :] if same else stored


class _Watch:
    """A run or research of another process, asked for as long as somebody reads it."""

    def __init__(self, feed: Feed, task: asyncio.Task[None]) -> None:
        self.feed, self.task = feed, task
        self.readers = 0
