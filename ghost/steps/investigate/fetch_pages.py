"""Bringing the pages of a stage, several at a time; each is handed on as soon as it is there, read or not."""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded
from ghost.web import Fetched, PageFetcher, Problem, ReadPage, Unreadable, WhyUnreadable, read

TICK = 0.1
"""Seconds between two looks at the clock and at the wish to stop."""
LEAST_SECONDS = 0.3
"""With less time left a page is not asked for any more."""
GRACE = 0.5
"""Seconds that reading gets beyond its time: a PDF says then by itself that it took too long, and machines are busy."""


class SourceState(StrEnum):
    """How far the work on a source has come."""

    READING = "reading"
    READ = "read"
    REFUSED = "refused"
    """It was not fetched: forbidden, gone, too large, too slow."""
    UNREADABLE = "unreadable"
    DROPPED = "dropped"
    """It was read, and may not count."""
    LEFT = "not read"
    """A limit of the run came first."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How pages are read, from the settings."""

    seconds: float = 10.0
    """For one page, everything together."""
    parallel: int = 4
    per_page: int = 4
    """Passages of one page that are weighed as evidence at most."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of asking for one page."""

    url: str
    state: SourceState
    why: str = ""
    page: ReadPage | None = None
    unreadable: Unreadable | None = None
    fetched: Fetched | None = None
    received: int = 0
    """Bytes over the wire."""
    seconds: float = 0.0
    kind: str = ""
    """What kind of failure it was; empty where it was none."""
    opened: Any = None
    """What ``then`` made of the page; None where it was not asked, or had no time."""


def bring(
    urls: Sequence[str],
    fetcher: PageFetcher,
    rules: Reading,
    budget: Budget,
    today: date | None = None,
    then: Callable[[Brought, Budget], object] | None = None,
) -> Iterator[Brought]:
    """Each page as it comes, in no order. Raises what the budget raises; pages still on their way are given up then.

    ``then`` goes on with each page that was read, in the thread that brought it; the budget it gets says when that is
    not wanted any more. A page for which it takes too long comes without it.
    """
    crew = _Crew(urls, fetcher, rules, budget, today, then)
    left = list(urls)
    try:
        crew.begin()
        while left:
            for came in crew.overdue():
                left.remove(came.url)
                yield came
            try:
                done = crew.done.get(timeout=TICK)
            except queue.Empty:
                budget.check()
                if budget.seconds_to_look <= 0:
                    break
                continue
            if isinstance(done, BaseException):
                raise done
            left.remove(done.url)
            yield done
        crew.stop.set()
        for url in left:
            yield crew.arrived.get(url) or Brought(url, SourceState.LEFT, "The time for reading pages is over.")
    finally:
        crew.stop.set()


@dataclass(frozen=True, slots=True)
class _Begun:
    """A page that is there and being read."""

    fetched: Fetched
    started: float
    """When it was asked for."""
    until: float


class _Crew:
    """The threads that bring the pages of one stage, and how far each page has come."""

    def __init__(
        self,
        urls: Sequence[str],
        fetcher: PageFetcher,
        rules: Reading,
        budget: Budget,
        today: date | None,
        then: Callable[[Brought, Budget], object] | None,
    ) -> None:
        self.done: queue.SimpleQueue[Brought | BaseException] = queue.SimpleQueue()
        self.arrived: dict[str, Brought] = {}
        """Pages that were read, and with which ``then`` may not be through."""
        self.stop = threading.Event()
        self._waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._begun: dict[str, _Begun] = {}
        self._lock = threading.Lock()
        self._fetcher, self._rules, self._today, self._then = fetcher, rules, today, then
        self._budget = budget.until(self.stop.is_set)
        self._hands = min(rules.parallel, len(urls))
        for url in urls:
            self._waiting.put(url)

    def begin(self) -> None:
        """Set to work."""
        for _ in range(self._hands):
            self._hire()

    def overdue(self) -> list[Brought]:
        """The pages that have been read for too long, given up with this.

        Nothing can end the thread that reads one. It goes home when it is through, without asking a judge about a page
        that nobody waits for; until then another does its work, so that the pages behind it have their turn.
        """
        now = time.monotonic()
        with self._lock:
            late = {url: begun for url, begun in self._begun.items() if now >= begun.until}
            for url in late:
                del self._begun[url]
        for _ in late:
            self._hire()
        return [self._given_up(url, begun, now - begun.started) for url, begun in late.items()]

    def _given_up(self, url: str, begun: _Begun, took: float) -> Brought:
        why = f"It could not be read within {self._rules.seconds:g} s."
        page = Unreadable(begun.fetched.final_url, WhyUnreadable.TIMEOUT, why)
        return _unreadable(url, page, begun.fetched, took)

    def _hire(self) -> None:
        # Daemons, as nothing can end a thread: a program that closes must not wait for a page.
        threading.Thread(target=self._work, name="ghost-page", daemon=True).start()

    def _work(self) -> None:
        while not self.stop.is_set():
            try:
                url = self._waiting.get_nowait()
            except queue.Empty:
                return
            try:
                came = self._one(url)
                if came is None:
                    return
                if came.page and self._then:
                    self.arrived[url] = came
                    came = replace(came, opened=self._then(came, self._budget))
                self.done.put(came)
            except BaseException as failure:  # it belongs to the run, not to this thread
                self.done.put(failure)
                return

    def _one(self, url: str) -> Brought | None:
        """What comes of one page; None when it was given up while it was read."""
        budget, rules = self._budget, self._rules
        seconds = min(rules.seconds, budget.seconds_to_look)
        if seconds < LEAST_SECONDS:
            return Brought(url, SourceState.LEFT, "The time for reading pages is over.")
        budget.check()
        try:
            budget.spend(fetches=1)
        except BudgetExceeded as limit:
            budget.check()  # out of time is the end of the run; out of pages is not
            return Brought(url, SourceState.LEFT, str(limit))
        started = time.monotonic()
        came = self._fetcher.fetch(url, seconds, budget.check)
        if not isinstance(came, Fetched):
            if came.kind is Problem.TIMEOUT and seconds < rules.seconds:  # the run had no more time for it
                why = "It had not answered when the time for reading pages was over."
                return Brought(url, SourceState.LEFT, why, received=came.received, seconds=came.seconds, kind=came.kind)
            return Brought(
                url, SourceState.REFUSED, came.why, received=came.received, seconds=came.seconds, kind=came.kind
            )
        return self._read(url, came, started, max(LEAST_SECONDS, seconds - (time.monotonic() - started)))

    def _read(self, url: str, came: Fetched, started: float, seconds: float) -> Brought | None:
        with self._lock:
            self._begun[url] = _Begun(came, started, time.monotonic() + seconds + GRACE)
        try:
            page = read(came.body, came.content_type, came.final_url, came.charset, self._today, seconds)
        finally:
            with self._lock:
                wanted = self._begun.pop(url, None) is not None
        if not wanted:
            return None
        self._budget.check()
        took = time.monotonic() - started
        if isinstance(page, Unreadable):
            return _unreadable(url, page, came, took)
        return Brought(url, SourceState.READ, page=page, fetched=came, received=came.received, seconds=took)


def _unreadable(url: str, page: Unreadable, came: Fetched, took: float) -> Brought:
    return Brought(
        url, SourceState.UNREADABLE, page.why,
        unreadable=page, fetched=came, received=came.received, seconds=took, kind=page.kind,
    )  # fmt: skip
