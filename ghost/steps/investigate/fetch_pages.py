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
class ReadingRules:
    """How pages are read, from the settings."""

    seconds: float = 10.0
    """For one page, everything together."""
    parallel: int = 4
    per_page: int = 4
    """Passages of one page that are weighed as evidence at most."""


@dataclass(frozen=True, slots=True)
class FetchResult:
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


def fetch_pages(
    urls: Sequence[str],
    fetcher: PageFetcher,
    rules: ReadingRules,
    budget: Budget,
    today: date | None = None,
    then: Callable[[FetchResult, Budget], object] | None = None,
) -> Iterator[FetchResult]:
    """Each page as it comes, in no order. Raises what the budget raises; pages still on their way are given up then.

    ``then`` goes on with each page that was read, in the thread that brought it; the budget it gets says when that is
    not wanted any more. A page for which it takes too long comes without it.
    """
    pool = FetchPool(urls, fetcher, rules, budget, today, then)
    left = list(urls)
    try:
        pool.begin()
        while left:
            for result in pool.overdue():
                left.remove(result.url)
                yield result
            try:
                done = pool.done.get(timeout=TICK)
            except queue.Empty:
                budget.check()
                if budget.seconds_to_look <= 0:
                    break
                continue
            if isinstance(done, BaseException):
                raise done
            left.remove(done.url)
            yield done
        pool.stop.set()
        for url in left:
            yield pool.arrived.get(url) or FetchResult(url, SourceState.LEFT, "The time for reading pages is over.")
    finally:
        pool.stop.set()


@dataclass(frozen=True, slots=True)
class _Begun:
    """A page that is there and being read."""

    fetched: Fetched
    started: float
    """When it was asked for."""
    until: float


class FetchPool:
    """The threads that bring the pages of one stage, and how far each page has come."""

    def __init__(
        self,
        urls: Sequence[str],
        fetcher: PageFetcher,
        rules: ReadingRules,
        budget: Budget,
        today: date | None,
        then: Callable[[FetchResult, Budget], object] | None,
    ) -> None:
        self.done: queue.SimpleQueue[FetchResult | BaseException] = queue.SimpleQueue()
        self.arrived: dict[str, FetchResult] = {}
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

    def overdue(self) -> list[FetchResult]:
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

    def _given_up(self, url: str, begun: _Begun, took: float) -> FetchResult:
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
                result = self._one(url)
                if result is None:
                    return
                if result.page and self._then:
                    self.arrived[url] = result
                    result = replace(result, opened=self._then(result, self._budget))
                self.done.put(result)
            except BaseException as failure:  # it belongs to the run, not to this thread
                self.done.put(failure)
                return

    def _one(self, url: str) -> FetchResult | None:
        """What comes of one page; None when it was given up while it was read."""
        budget, rules = self._budget, self._rules
        seconds = min(rules.seconds, budget.seconds_to_look)
        if seconds < LEAST_SECONDS:
            return FetchResult(url, SourceState.LEFT, "The time for reading pages is over.")
        budget.check()
        try:
            budget.spend(fetches=1)
        except BudgetExceeded as limit:
            budget.check()  # out of time is the end of the run; out of pages is not
            return FetchResult(url, SourceState.LEFT, str(limit))
        started = time.monotonic()
        result = self._fetcher.fetch(url, seconds, budget.check)
        if not isinstance(result, Fetched):
            if result.kind is Problem.TIMEOUT and seconds < rules.seconds:  # the run had no more time for it
                why = "It had not answered when the time for reading pages was over."
                return FetchResult(
                    url, SourceState.LEFT, why, received=result.received, seconds=result.seconds, kind=result.kind
                )
            return FetchResult(
                url, SourceState.REFUSED, result.why, received=result.received, seconds=result.seconds, kind=result.kind
            )
        return self._read(url, result, started, max(LEAST_SECONDS, seconds - (time.monotonic() - started)))

    def _read(self, url: str, result: Fetched, started: float, seconds: float) -> FetchResult | None:
        with self._lock:
            self._begun[url] = _Begun(result, started, time.monotonic() + seconds + GRACE)
        try:
            page = read(result.body, result.content_type, result.final_url, result.charset, self._today, seconds)
        finally:
            with self._lock:
                wanted = self._begun.pop(url, None) is not None
        if not wanted:
            return None
        self._budget.check()
        took = time.monotonic() - started
        if isinstance(page, Unreadable):
            return _unreadable(url, page, result, took)
        return FetchResult(url, SourceState.READ, page=page, fetched=result, received=result.received, seconds=took)


def _unreadable(url: str, page: Unreadable, result: Fetched, took: float) -> FetchResult:
    return FetchResult(
        url, SourceState.UNREADABLE, page.why,
        unreadable=page, fetched=result, received=result.received, seconds=took, kind=page.kind,
    )  # fmt: skip
