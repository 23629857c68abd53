"""Pages are brought side by side; limits, refusals and hanging servers are outcomes."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled
from ghost.steps import Reading, fetching
from ghost.steps.fetching import Brought, SourceState, bring
from ghost.web import Fetched, NotFetched, Problem, ReadPage, Unreadable, read

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


@pytest.fixture
def through(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Reading an address with "endless" in it ends when this is set."""
    event = threading.Event()

    def slowly(body: bytes, kind: str, url: str, *rest: object) -> ReadPage | Unreadable:
        if "endless" in url:
            event.wait(10)
        return read(body, kind, url)

    monkeypatch.setattr(fetching, "read", slowly)
    return event


def test_a_page_that_takes_too_long_to_read_is_given_up_and_those_behind_it_come(through: threading.Event) -> None:
    urls = ["https://a.example/endless", "https://b.example/endless", "https://c.example/"]
    pages, judged = Pages(), list[str]()

    def then(page: Brought, budget: Budget) -> object:
        judged.append(page.url)
        return "judged"

    started = time.monotonic()
    found = {b.url: b for b in bring(urls, pages, Reading(seconds=0.4, parallel=1), Budget(Limits()), then=then)}
    assert time.monotonic() - started < 4
    assert pages.asked == urls
    assert found[urls[2]].opened == "judged"
    for url in urls[:2]:
        late = found[url]
        assert (late.state, late.kind, late.page) == (SourceState.UNREADABLE, "timeout", None)
        assert late.why == "It could not be read within 0.4 s."
        assert late.fetched is not None
        assert late.received == len(TEXT)
        assert late.seconds >= 0.4
    through.set()
    _gone_home()
    assert judged == [urls[2]]


def test_who_is_through_with_a_late_page_takes_no_other(through: threading.Event) -> None:
    urls = ["https://a.example/endless", *(f"https://b.example/hang{n}" for n in range(3))]
    pages = Pages()
    coming = bring(urls, pages, Reading(seconds=0.4, parallel=1), Budget(Limits()))
    assert next(coming).url == urls[0]
    through.set()
    assert next(coming).url == urls[1]
    assert sum(thread.name == "ghost-page" for thread in threading.enumerate()) == 1
    assert [b.url for b in coming] == urls[2:]
    _gone_home()


def _gone_home() -> None:
    for thread in threading.enumerate():
        if thread.name == "ghost-page":
            thread.join(5)
            assert not thread.is_alive()
