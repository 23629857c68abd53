"""What the robots.txt of a site means for its pages, also when it cannot be read."""

import itertools
import threading
import time

import pytest

from ghost.web import Fetched, Fetcher, Problem
from ghost.web.fetch import NotFetched
from tests.web.sites import (
    ARTICLE,
    MemoryCache,
    Part,
    Request,
    fetcher,
    no_names,
    nothing,
    page,
    redirect,
    silent,
    site,
)

CLOSED = b"User-agent: *\nDisallow: /private\nAllow: /private/open"


@pytest.mark.parametrize(("path", "read"), [("/", True), ("/private/x", False), ("/private/open/x", True)])
def test_a_page_that_programs_should_not_read_is_not_asked_for(path: str, read: bool) -> None:
    with site(page(), robots=CLOSED) as running:
        found = fetcher(running).fetch(running.url + path, 5, nothing)
    assert isinstance(found, Fetched if read else NotFetched)
    assert running.pages == ([path] if read else [])
    if isinstance(found, NotFetched):
        assert found.kind == Problem.ROBOTS
        assert "asks programs not to read this page" in found.why


def test_it_counts_for_where_a_redirect_leads_too() -> None:
    with site({"/": redirect("/private/x"), "/private/x": page()}, robots=CLOSED) as running:
        found = fetcher(running).fetch(running.url, 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.ROBOTS
    assert running.pages == ["/"]


@pytest.mark.parametrize(
    ("robots", "read"),
    [
        (page(b"", 404), True), (page(b"", 403), True), (page(b"", 410), True), (page(b"", 204, content_type=""), True),
        (page(ARTICLE), True), (page(b"\x00\xff\xfe" * 100), True),
        (page(b"", 500), False), (page(b"", 503), False), (page(b"", 429), False), (b"garbage\r\n\r\n", False),
        (page(b"x", Content_Encoding="gzip"), False), (redirect("/robots.txt"), True), (redirect("/1"), True),
    ],
)  # fmt: skip
def test_none_means_yes_and_trouble_means_no(robots: bytes, read: bool) -> None:
    steps = itertools.count(2)

    def answers(request: Request) -> bytes:
        if request.path == "/page":
            return page()
        return robots if request.path == "/robots.txt" else redirect(f"/{next(steps)}")

    with site(answers) as running:
        found = fetcher(running).fetch(f"{running.url}/page", 5, nothing)
    assert isinstance(found, Fetched if read else NotFetched)
    if isinstance(found, NotFetched):
        assert found.kind == Problem.ROBOTS
        assert "/page" not in running.pages


def test_it_is_read_where_it_moved_to() -> None:
    answers = {"/robots.txt": redirect("/rules"), "/rules": page(b"User-agent: *\nDisallow: /")}
    with site(lambda request: answers.get(request.path, page())) as running:
        found = fetcher(running).fetch(f"{running.url}/page", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.ROBOTS
    assert running.pages == ["/rules"]


def test_an_endless_one_is_read_as_far_as_the_standard_asks() -> None:
    def answers(request: Request) -> bytes | list[Part]:
        if request.path != "/robots.txt":
            return page()
        head = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /page\n"
        return [head, *[b"# nothing\n" * 10_000] * 100]

    with site(answers) as running:
        found = fetcher(running).fetch(f"{running.url}/page", 10, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.ROBOTS
    assert found.received < 1_000_000


def test_a_server_that_hangs_is_told_as_what_it_is() -> None:
    with silent() as running:
        found = fetcher(running).fetch(running.url, 0.4, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.TIMEOUT
    assert found.why == "It took longer than 0.4 s (waiting for the robots.txt of 127.0.0.1)."


@pytest.mark.parametrize(
    ("location", "kind", "why"),
    [
        ("http://169.254.169.254/", Problem.ADDRESS, "169.254.169.254 is not an address of the public web"),
        ("ftp://a.example/", Problem.ADDRESS, "It redirects to something that is no address of a web page."),
        ("http://127.0.0.1:{port}/hangs", Problem.TIMEOUT, "It took longer than 0.5 s (waiting for the answer of"),
    ],
)  # fmt: skip
def test_where_it_leads_is_not_told_as_if_the_page_did(location: str, kind: Problem, why: str) -> None:
    def answers(request: Request) -> bytes | list[Part]:
        here = location.format(port=request.headers["host"].rpartition(":")[2])
        return redirect(here) if request.path == "/robots.txt" else [60.0]

    with site(answers) as running:
        found = fetcher(running).fetch(f"{running.url}/page", 0.5, nothing)
    assert isinstance(found, NotFetched)
    assert (found.kind, found.redirects) == (kind, ())
    assert found.why.startswith(f"The robots.txt of 127.0.0.1 redirects and cannot be read: {why}")


def test_a_forbidden_address_of_the_page_itself_is_told_as_that() -> None:
    found = Fetcher(resolve=no_names).fetch("http://10.0.0.1/page", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.why == "10.0.0.1 is not an address of the public web (private)."


def test_it_is_asked_for_once_and_kept() -> None:
    cache = MemoryCache()
    with site({"/a": page(), "/b": page()}, robots=CLOSED) as running:
        for path in ("/a", "/b", "/private/x"):
            fetcher(running, cache=cache).fetch(running.url + path, 5, nothing)
    assert [r.path for r in running.asked] == ["/robots.txt", "/a", "/b"]
    kept = cache.kept["robots", running.url]
    assert (kept.expires_at - kept.stored_at).total_seconds() == 24 * 3600
    assert kept.body == CLOSED


def test_many_pages_at_once_ask_for_it_once() -> None:
    cache = MemoryCache()

    def answers(request: Request) -> bytes | list[Part]:
        return [0.3, page(b"", 404)] if request.path == "/robots.txt" else page()

    with site(answers) as running:
        fetching = fetcher(running, cache=cache)
        threads = [threading.Thread(target=fetching.fetch, args=(f"{running.url}/{n}", 10, nothing)) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(running.asked) - len(running.pages) == 1
    assert len(running.pages) == 5


def test_trouble_is_remembered_for_a_while_and_an_old_answer_counts_on_meanwhile() -> None:
    cache = MemoryCache()
    state = {"robots": page(b"", 503)}

    def answers(request: Request) -> bytes:
        return state["robots"] if request.path == "/robots.txt" else page(Cache_Control="no-store")

    with site(answers) as running:
        fetching = fetcher(running, cache=cache)
        for _ in range(2):
            found = fetching.fetch(running.url, 5, nothing)
            assert isinstance(found, NotFetched)
            assert found.kind == Problem.ROBOTS
        assert [r.path for r in running.asked] == ["/robots.txt"]
        cache.age()
        state["robots"] = page(CLOSED)
        assert isinstance(fetching.fetch(running.url, 5, nothing), Fetched)
        cache.age()
        state["robots"] = page(b"", 500)
        assert isinstance(fetching.fetch(running.url, 5, nothing), Fetched)
        refused = fetching.fetch(f"{running.url}/private/x", 5, nothing)
    assert isinstance(refused, NotFetched)
    assert refused.kind == Problem.ROBOTS


def test_a_wish_for_time_is_kept() -> None:
    with site({"/a": page(), "/b": page()}, robots=b"User-agent: *\nCrawl-delay: 0.6") as running:
        fetching = fetcher(running, cache=MemoryCache())
        started = time.monotonic()
        fetching.fetch(f"{running.url}/a", 5, nothing)
        fetching.fetch(f"{running.url}/b", 5, nothing)
    assert time.monotonic() - started >= 0.6
    assert running.pages == ["/a", "/b"]
