"""Pages are brought side by side; limits, refusals and hanging servers are outcomes."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled
from ghost.steps.fetching import Brought, Reading, SourceState, bring
from ghost.web.fetch import Fetched, NotFetched, Problem

TEXT = b"The harbour wall of Ellerby was painted white in 1987. It took nine days and forty buckets of paint."


class Pages:
    """A fetcher that answers at once, or hangs where the address says so, or refuses."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fetch(self, url: str, seconds: float, check: Callable[[], None]) -> Fetched | NotFetched:
        self.asked.append(url)
        started = time.monotonic()
        while "hang" in url and time.monotonic() - started < seconds:
            check()
            time.sleep(0.02)
        if "hang" in url:
            return NotFetched(url, Problem.TIMEOUT, "It took too long.", seconds, 0)
        if "gone" in url:
            return NotFetched(url, Problem.HTTP, "The server has no such page (HTTP 404).", 0.1, 80, 404)
        return Fetched(url, url, 200, "text/plain", "", TEXT, len(TEXT), 0.01, datetime.now(UTC))


def came(urls: list[str], fetcher: Pages, **limits: float) -> dict[str, Brought]:
    return {b.url: b for b in bring(urls, fetcher, Reading(seconds=5), Budget(Limits(**limits)))}  # type: ignore[arg-type]


def test_each_page_is_an_outcome() -> None:
    found = came(["https://a.example/", "https://a.example/gone"], Pages())
    assert found["https://a.example/"].state is SourceState.READ
    page = found["https://a.example/"].page
    assert page is not None
    assert "Ellerby" in page.text
    gone = found["https://a.example/gone"]
    assert (gone.state, gone.received, gone.kind) == (SourceState.REFUSED, 80, "http error")


def test_the_limit_of_pages_holds_among_threads_and_is_told() -> None:
    pages = Pages()
    found = came([f"https://a.example/{n}" for n in range(8)], pages, fetches=3)
    assert len(pages.asked) == 3
    left = [b for b in found.values() if b.state is SourceState.LEFT]
    assert len(left) == 5
    assert all("limit of" in b.why for b in left)


def test_what_hangs_does_not_hold_what_is_there_and_leaves_time_for_the_verdict() -> None:
    started = time.monotonic()
    budget = Budget(Limits(seconds=1.5))
    order = [
        b.url for b in bring(["https://a.example/hang", "https://b.example/"], Pages(), Reading(seconds=60), budget)
    ]
    assert order == ["https://b.example/", "https://a.example/hang"]
    assert time.monotonic() - started < 1.5
    assert budget.seconds_left > 0


def test_cancel_is_heard_while_all_hang() -> None:
    stop = threading.Event()
    budget = Budget(Limits(), cancelled=stop.is_set)
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        list(bring([f"https://a.example/hang{n}" for n in range(6)], Pages(), Reading(seconds=60), budget))
    assert time.monotonic() - started < 1.2


def test_a_run_out_of_time_asks_for_nothing() -> None:
    now = [0.0]
    budget = Budget(Limits(seconds=10), clock=lambda: now[0])
    now[0] = 9.5
    pages = Pages()
    assert [b.state for b in bring(["https://a.example/"], pages, Reading(), budget)] == [SourceState.LEFT]
    now[0] = 11.0
    with pytest.raises(BudgetExceeded):
        budget.check()
    assert pages.asked == []
