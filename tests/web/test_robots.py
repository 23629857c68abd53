"""What the robots.txt of a site means for its pages, as RFC 9309 has it, also when it cannot be read."""

import itertools
import json
import threading
import time
from pathlib import Path

import pytest

from ghost.web import Fetched, Fetcher, NotFetched, Problem
from tests.web.sites import (
    ARTICLE,
    MemoryCache,
    Part,
    Request,
    fetcher,
    got,
    no_names,
    nothing,
    page,
    redirect,
    refused,
    site,
)

CLOSED = b"User-agent: *\nDisallow: /private\nAllow: /private/open"
ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "robots.jsonl").read_text().splitlines()]


def test_who_may_read_what() -> None:
    assert len(ROWS) >= 35
    rules = [""]
    with site(lambda r: page(rules[0].encode()) if r.path == "/robots.txt" else page()) as running:
        wrong = []
        for row in ROWS:
            rules[0] = row["text"]
            found = fetcher(running).fetch(running.url + row["path"], 5, nothing)
            wrong += [row] if isinstance(found, Fetched) is not row["allowed"] else []
    assert not wrong
    assert len(running.pages) == sum(row["allowed"] for row in ROWS)


def test_a_page_that_programs_should_not_read_is_not_asked_for_nor_reached_by_a_redirect() -> None:
    with site({"/": redirect("/private/x")}, robots=CLOSED) as running:
        for path in ("/private/x", "/"):
            found = refused(running, path)
            assert found.kind == Problem.ROBOTS
            assert "asks programs not to read this page" in found.why
    assert running.pages == ["/"]


@pytest.mark.parametrize(
    ("robots", "read"),
    [
        (page(b"", 404), True), (page(b"", 403), True), (page(b"", 204, content_type=""), True),
        (page(ARTICLE), True), (page(b"\x00\xff\xfe" * 100), True),
        (page(b"", 500), False), (page(b"", 429), False), (b"garbage\r\n\r\n", False),
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
        assert refused(running, "/page").kind == Problem.ROBOTS
    assert running.pages == ["/rules"]


def test_an_endless_one_is_read_as_far_as_the_standard_asks() -> None:
    def answers(request: Request) -> bytes | list[Part]:
        if request.path != "/robots.txt":
            return page()
        head = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /page\n"
        return [head, *[b"# nothing\n" * 10_000] * 100]

    with site(answers) as running:
        found = refused(running, "/page")
    assert found.kind == Problem.ROBOTS
    assert found.received < 1_000_000


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
        found = refused(running, "/page", seconds=0.5)
    assert (found.kind, found.redirects) == (kind, ())
    assert found.why.startswith(f"The robots.txt of 127.0.0.1 redirects and cannot be read: {why}")


def test_a_forbidden_address_of_the_page_itself_is_told_as_that() -> None:
    found = Fetcher(resolve=no_names).fetch("http://10.0.0.1/page", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.why == "10.0.0.1 is not an address of the public web (private)."


def test_it_is_asked_for_once_and_kept_also_by_many_pages_at_once() -> None:
    cache = MemoryCache()

    def answers(request: Request) -> bytes | list[Part]:
        return [0.2, page(CLOSED)] if request.path == "/robots.txt" else page()

    with site(answers) as running:
        fetching = fetcher(running, cache=cache)
        threads = [threading.Thread(target=fetching.fetch, args=(f"{running.url}/{n}", 10, nothing)) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused(running, "/private/x", cache=cache).kind == Problem.ROBOTS
    assert len(running.asked) - len(running.pages) == 1
    assert len(running.pages) == 5
    kept = cache.kept["robots", running.url]
    assert (kept.expires_at - kept.stored_at).total_seconds() == 24 * 3600
    assert kept.body == CLOSED


def test_trouble_is_remembered_for_a_while_and_an_old_answer_counts_on_meanwhile() -> None:
    cache = MemoryCache()
    state = {"robots": page(b"", 503)}

    def answers(request: Request) -> bytes:
        return state["robots"] if request.path == "/robots.txt" else page(Cache_Control="no-store")

    with site(answers) as running:
        for _ in range(2):
            assert refused(running, "/", cache=cache).kind == Problem.ROBOTS
        assert [r.path for r in running.asked] == ["/robots.txt"]
        cache.age()
        state["robots"] = page(CLOSED)
        got(running, "/", cache=cache)
        cache.age()
        state["robots"] = page(b"", 500)
        got(running, "/", cache=cache)
        assert refused(running, "/private/x", cache=cache).kind == Problem.ROBOTS


@pytest.mark.parametrize(
    ("wish", "waits"), [("0.5", True), ("99999", True), ("-1", False), ("nan", False), ("", False)]
)
def test_a_wish_for_time_between_requests_is_heard_within_reason(
    wish: str, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.web.fetch.robots.MAX_DELAY", 0.5)
    robots = f"User-agent: *\nCrawl-delay: {wish}\nDisallow: /x\nUser-agent: other\nCrawl-delay: 9".encode()
    with site(page(), robots=robots) as running:
        asking = fetcher(running, cache=MemoryCache())
        assert isinstance(asking.fetch(f"{running.url}/a", 5, nothing), Fetched)
        second = asking.fetch(f"{running.url}/b", 0.2, nothing)
        assert isinstance(second, NotFetched) is waits
        assert isinstance(asking.fetch(f"{running.url}/c", 2, nothing), Fetched)


SLOW = {
    "names times rules": "".join(f"User-agent:{n}\n" for n in range(400)) + "Disallow:/\n" * 20_000,
    "wildcards": "User-agent: *\nDisallow: /" + "*a" * 250_000 + "b",
    "many wildcards": "User-agent: *\n" + "Disallow: /*a*a*a*a*a*a*a*a*b\n" * 17_000,
    "escapes": "User-agent: *\nDisallow: /" + "%41" * 170_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_file_that_is_made_to_be_slow_is_not(name: str) -> None:
    with site(page(), robots=SLOW[name][:512_000].encode()) as running:
        started = time.process_time()
        fetcher(running).fetch(f"{running.url}/{'a' * 1900}", 20, nothing)
        assert time.process_time() - started < 2
