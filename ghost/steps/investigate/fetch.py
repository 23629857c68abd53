"""Fetch pages in parallel. Each is returned as soon as it is done, whether it could be read or not."""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import partial
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, ProviderTimeoutError
from ghost.web import Fetched, PageFetcher, Problem, ReadPage, Unreadable, WhyUnreadable, in_time, read

TICK = 0.1
"""Seconds between two checks of the clock and of a cancel."""
LEAST_SECONDS = 0.3
"""With less time left no page is fetched any more."""
_OVER = "The time for reading pages is over."


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
    one_site: frozenset[str] = frozenset()
    """Addresses that a model chose: they are read at their own site only, wherever they redirect to."""


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
    hosts: tuple[str, ...] = ()
    """All that were connected to."""
    kind: str = ""
    """The kind of failure; empty where there was none."""
    gone: bool = False
    """Whether the server says that there is no such page."""
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
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    done: queue.SimpleQueue[FetchResult | BaseException] = queue.SimpleQueue()
    being_opened: dict[str, FetchResult] = {}
    stop = threading.Event()
    shared = budget.until(stop.is_set)

    def work() -> None:
        while not stop.is_set():
            try:
                url = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                result = _fetch(url, fetcher, rules, shared, today)
                if result.page and then:
                    being_opened[url] = result
                    result = replace(result, opened=then(result, shared))
                done.put(result)
            except BaseException as failure:  # raised again in the thread of the run
                done.put(failure)
                return

    for url in urls:
        waiting.put(url)
    for _ in range(min(rules.parallel, len(urls))):
        # A daemon, because a thread cannot be ended and a program that exits must not wait for a page.
        threading.Thread(target=work, name="ghost-page", daemon=True).start()
    left = list(urls)
    try:
        while left:
            try:
                result = done.get(timeout=TICK)
            except queue.Empty:
                budget.check()
                if budget.seconds_to_look <= 0:
                    break
                continue
            if isinstance(result, BaseException):
                raise result
            left.remove(result.url)
            yield result
        stop.set()
        for url in left:
            yield being_opened.get(url) or FetchResult(url, SourceState.LEFT, _OVER)
    finally:
        stop.set()


def _fetch(url: str, fetcher: PageFetcher, rules: ReadingRules, budget: Budget, today: date | None) -> FetchResult:
    seconds = min(rules.seconds, budget.seconds_to_look)
    if seconds < LEAST_SECONDS:
        return FetchResult(url, SourceState.LEFT, _OVER)
    try:
        budget.spend(fetches=1)
    except BudgetExceeded as limit:
        budget.check()  # out of time ends the run; out of pages does not
        return FetchResult(url, SourceState.LEFT, str(limit))
    started = time.monotonic()
    fetch = partial(fetcher.fetch, one_site=True) if url in rules.one_site else fetcher.fetch
    came = fetch(url, seconds, budget.check)
    made = FetchResult(url, SourceState.READ, received=came.received, seconds=came.seconds, hosts=came.hosts)
    if not isinstance(came, Fetched):
        failed = partial(replace, made, kind=came.kind)
        if came.kind is Problem.TIMEOUT and seconds < rules.seconds:  # the run had no more time for it
            return failed(state=SourceState.LEFT, why="It had not answered when the time for reading pages was over.")
        return failed(state=SourceState.REFUSED, why=came.why, gone=came.status in (404, 410))
    page = _read(came, max(LEAST_SECONDS, seconds - (time.monotonic() - started)), rules, budget, today)
    made = replace(made, fetched=came, seconds=time.monotonic() - started)
    if isinstance(page, Unreadable):
        return replace(made, state=SourceState.UNREADABLE, why=page.why, unreadable=page, kind=page.kind)
    return replace(made, page=page)


def _read(
    came: Fetched, seconds: float, rules: ReadingRules, budget: Budget, today: date | None
) -> ReadPage | Unreadable:
    """The page behind the bytes. Reading that hangs is left to its thread, which nothing can end."""
    reading = partial(read, came.body, came.content_type, came.final_url, came.charset, today, seconds)
    try:
        return in_time(reading, seconds, budget.check, came.final_url)
    except ProviderTimeoutError:
        why = f"It could not be read within {rules.seconds:g} s."
        return Unreadable(came.final_url, WhyUnreadable.TIMEOUT, why)
