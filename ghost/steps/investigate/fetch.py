"""Fetch pages in parallel. Each is returned as soon as it is done, whether it could be read or not."""

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
"""Seconds between two checks of the clock and of a cancel."""
LEAST_SECONDS = 0.3
"""With less time left no page is fetched any more."""
GRACE = 0.5
"""Extra seconds for reading, so that a PDF reader can report its own time-out first on a busy machine."""


class SourceState(StrEnum):
    """What has become of a page."""

    READING = "reading"
    READ = "read"
    REFUSED = "refused"
    """Not fetched: forbidden, gone, too large, too slow."""
    UNREADABLE = "unreadable"
    DROPPED = "dropped"
    """Read, but it may not count."""
    LEFT = "not read"
    """A limit of the run was reached first."""


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """How pages are read, from the settings."""

    seconds: float = 10.0
    """For one page, fetching and reading together."""
    parallel: int = 4
    per_page: int = 4
    """The most passages of one page that are weighed as evidence."""


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The result for one page."""

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
    """The kind of failure; empty where there was none."""
    opened: Any = None
    """What ``then`` returned for the page; None where it was not called or had no time."""


def fetch_pages(
    urls: Sequence[str],
    fetcher: PageFetcher,
    rules: ReadingRules,
    budget: Budget,
    today: date | None = None,
    then: Callable[[FetchResult, Budget], object] | None = None,
) -> Iterator[FetchResult]:
    """Each page as it is done, in no order. Raises what the budget raises, and then abandons the pages under way.

    ``then`` continues with each page that was read, in the thread that fetched it; its budget says when to stop. A page
    for which it takes too long is returned without its result.
    """
    pool = FetchPool(urls, fetcher, rules, budget, today, then)
    left = list(urls)
    try:
        pool.start()
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
class _BeingRead:
    """A page that was fetched and is being read."""

    fetched: Fetched
    started: float
    """When the request began."""
    until: float


class FetchPool:
    """The threads that fetch the pages of one stage, and the state of each page."""

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
        """Pages that were read, and that ``then`` may still be working on."""
        self.stop = threading.Event()
        self._waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._being_read: dict[str, _BeingRead] = {}
        self._lock = threading.Lock()
        self._fetcher, self._rules, self._today, self._then = fetcher, rules, today, then
        self._budget = budget.until(self.stop.is_set)
        self._threads = min(rules.parallel, len(urls))
        for url in urls:
            self._waiting.put(url)

    def start(self) -> None:
        """Start the threads."""
        for _ in range(self._threads):
            self._start_thread()

    def overdue(self) -> list[FetchResult]:
        """Give up the pages that have taken too long to read.

        A thread cannot be ended. It exits when its page is done, without calling a judge for it. Until then another
        thread takes over the pages behind it.
        """
        now = time.monotonic()
        with self._lock:
            late = {url: begun for url, begun in self._being_read.items() if now >= begun.until}
            for url in late:
                del self._being_read[url]
        for _ in late:
            self._start_thread()
        return [self._given_up(url, begun, now - begun.started) for url, begun in late.items()]

    def _given_up(self, url: str, begun: _BeingRead, took: float) -> FetchResult:
        why = f"It could not be read within {self._rules.seconds:g} s."
        page = Unreadable(begun.fetched.final_url, WhyUnreadable.TIMEOUT, why)
        return _unreadable(url, page, begun.fetched, took)

    def _start_thread(self) -> None:
        # A daemon, because a thread cannot be ended and a program that exits must not wait for a page.
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
            except BaseException as failure:  # raised again in the thread of the run
                self.done.put(failure)
                return

    def _one(self, url: str) -> FetchResult | None:
        """The result for one page; None when it was given up while it was read."""
        budget, rules = self._budget, self._rules
        seconds = min(rules.seconds, budget.seconds_to_look)
        if seconds < LEAST_SECONDS:
            return FetchResult(url, SourceState.LEFT, "The time for reading pages is over.")
        budget.check()
        try:
            budget.spend(fetches=1)
        except BudgetExceeded as limit:
            budget.check()  # out of time ends the run; out of pages does not
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
            self._being_read[url] = _BeingRead(result, started, time.monotonic() + seconds + GRACE)
        try:
            page = read(result.body, result.content_type, result.final_url, result.charset, self._today, seconds)
        finally:
            with self._lock:
                wanted = self._being_read.pop(url, None) is not None
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
