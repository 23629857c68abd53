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
from ghost.web.fetch import Fetched, PageFetcher, Problem
from ghost.web.read import read
from ghost.web.read_page import ReadPage, Unreadable

TICK = 0.1
"""Seconds between two looks at the clock and at the wish to stop."""
LEAST_SECONDS = 0.3
"""With less time left a page is not asked for any more."""


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
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    done: queue.SimpleQueue[Brought | BaseException] = queue.SimpleQueue()
    arrived: dict[str, Brought] = {}
    stop = threading.Event()
    mine = budget.until(lambda: stop.is_set())
    for url in urls:
        waiting.put(url)

    def work() -> None:
        while not stop.is_set():
            try:
                url = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                came = _one(url, fetcher, rules, mine, mine.check, today)
                if came.page and then:
                    arrived[url] = came
                    came = replace(came, opened=then(came, mine))
                done.put(came)
            except BaseException as failure:  # it belongs to the run, not to this thread
                done.put(failure)
                return

    # Daemons, as nothing can end a thread: a program that closes must not wait for a page.
    for number in range(min(rules.parallel, len(urls))):
        threading.Thread(target=work, name=f"ghost-page-{number + 1}", daemon=True).start()
    left = list(urls)
    try:
        while left:
            try:
                came = done.get(timeout=TICK)
            except queue.Empty:
                budget.check()
                if budget.seconds_to_look <= 0:
                    break
                continue
            if isinstance(came, BaseException):
                raise came
            left.remove(came.url)
            yield came
        stop.set()
        for url in left:
            yield arrived.get(url) or Brought(url, SourceState.LEFT, "The time for reading pages is over.")
    finally:
        stop.set()


def _one(
    url: str, fetcher: PageFetcher, rules: Reading, budget: Budget, check: Callable[[], None], today: date | None
) -> Brought:
    seconds = min(rules.seconds, budget.seconds_to_look)
    if seconds < LEAST_SECONDS:
        return Brought(url, SourceState.LEFT, "The time for reading pages is over.")
    check()
    try:
        budget.spend(fetches=1)
    except BudgetExceeded as limit:
        budget.check()  # out of time is the end of the run; out of pages is not
        return Brought(url, SourceState.LEFT, str(limit))
    started = time.monotonic()
    came = fetcher.fetch(url, seconds, check)
    if not isinstance(came, Fetched):
        if came.kind is Problem.TIMEOUT and seconds < rules.seconds:  # the run had no more time for it
            why = "It had not answered when the time for reading pages was over."
            return Brought(url, SourceState.LEFT, why, received=came.received, seconds=came.seconds, kind=came.kind)
        return Brought(url, SourceState.REFUSED, came.why, received=came.received, seconds=came.seconds, kind=came.kind)
    left = max(LEAST_SECONDS, seconds - (time.monotonic() - started))
    page = read(came.body, came.content_type, came.final_url, came.charset, today, min(left, rules.seconds))
    check()
    took = time.monotonic() - started
    if isinstance(page, Unreadable):
        return Brought(
            url, SourceState.UNREADABLE, page.why,
            unreadable=page, fetched=came, received=came.received, seconds=took, kind=page.kind,
        )  # fmt: skip
    return Brought(url, SourceState.READ, page=page, fetched=came, received=came.received, seconds=took)
