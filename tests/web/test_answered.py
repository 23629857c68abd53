"""What answered is asked first, and nothing is asked that was not found now."""

import time

from ghost.web import Fetched, Fetcher
from ghost.web.answered import MAX_HOSTS, Answered
from ghost.web.fetch import FetchLimits
from tests.web.sites import Request, deaf, named, nothing, page, redirect, site


def test_the_address_that_answered_last_comes_first() -> None:
    answered = Answered()
    assert answered.first("a.example", ["1", "2", "3"]) == ["1", "2", "3"]
    answered.note("a.example", "3")
    assert answered.first("a.example", ["1", "2", "3"]) == ["3", "1", "2"]
    assert answered.first("b.example", ["1", "2", "3"]) == ["1", "2", "3"]
    answered.note("a.example", "2")
    assert answered.first("a.example", ["1", "2", "3"]) == ["2", "1", "3"]


def test_an_address_that_is_not_among_those_found_now_is_never_added() -> None:
    answered = Answered()
    answered.note("a.example", "10.0.0.1")
    assert answered.first("a.example", ["1", "2"]) == ["1", "2"]


def test_the_host_that_was_asked_longest_ago_is_forgotten() -> None:
    answered = Answered()
    for number in range(MAX_HOSTS):
        answered.note(f"{number}.example", "2")
    answered.note("0.example", "2")
    answered.note("new.example", "2")
    assert answered.first("1.example", ["1", "2"]) == ["1", "2"]
    for host in ("0.example", "2.example", "new.example"):
        assert answered.first(host, ["1", "2"]) == ["2", "1"]


def test_a_dead_address_costs_a_moment_and_only_once() -> None:
    def answers(request: Request) -> bytes:
        if request.path == "/robots.txt":
            return page(b"", 404)
        return redirect("/there") if request.path == "/" else page()

    with site(answers) as running, deaf("127.0.0.2", running.port):
        names = named({"news.test": ["127.0.0.2", "127.0.0.1"]})
        fetching = Fetcher(None, FetchLimits(gap=0.0), names, local=[("news.test", running.port)])
        started = time.monotonic()
        first = fetching.fetch(f"http://news.test:{running.port}/", 10, nothing)
        between = time.monotonic()
        second = fetching.fetch(f"http://news.test:{running.port}/there", 10, nothing)
        ended = time.monotonic()
    assert isinstance(first, Fetched)
    assert isinstance(second, Fetched)
    assert 0.9 < between - started < 2.5
    assert ended - between < 0.9
