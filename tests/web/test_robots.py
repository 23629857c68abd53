"""What the robots.txt of a site means for its pages, as RFC 9309 has it, also when it cannot be read."""

import itertools
import threading
import time

import pytest

from ghost.web import Fetched, Fetcher, NotFetched, Problem
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


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/", True),
        ("User-agent: *\nDisallow: /", "/", False),
        ("User-agent: *\nDisallow:", "/", True),
        ("Disallow: /", "/", True),  # of no group
        ("user-AGENT : *  # all\nDISALLOW:/a # not this", "/ab", False),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: *\rDisallow: /a", "/a", False),
        # whom it is for
        ("User-agent: *\nDisallow: /\n\nUser-agent: ghost-workbench\nDisallow: /b", "/a", True),
        ("User-agent: Ghost-Workbench/1.0\nDisallow: /b\nUser-agent: *\nAllow: /", "/b", False),
        ("User-agent: ghost\nDisallow: /", "/", True),
        ("User-agent: ghost-workbench-pro\nDisallow: /", "/", True),
        ("User-agent: other\nUser-agent: ghost-workbench\nDisallow: /x", "/x", False),
        ("User-agent: other\nDisallow: /\nUser-agent: ghost-workbench\nDisallow: /x", "/y", True),
        ("User-agent: ghost-workbench\nDisallow: /a\n\nUser-agent: ghost-workbench\nDisallow: /b", "/a", False),
        ("User-agent: *\nSitemap: https://a.org/s.xml\nDisallow: /a", "/a", False),
        ("User-agent: *\nCrawl-delay: 9\nUser-agent: bad\nDisallow: /", "/a", True),
        ("User-agent: ghost-workbench\nDisallow:\nUser-agent: *\nDisallow: /", "/a", True),
        # which rule counts
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nAllow: /*.php\nDisallow: /cgi", "/cgi.php", True),
        # wildcards
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /a*b*c", "/a1b2c3", False),
        ("User-agent: *\nDisallow: /a*b*c", "/a1c2b3", True),
        ("User-agent: *\nDisallow: *secret", "/my/secret", False),
        ("User-agent: *\nDisallow: /a$", "/a", False),
        ("User-agent: *\nDisallow: /a$", "/ab", True),
        ("User-agent: *\nDisallow: /*a$", "/a", False),
        ("User-agent: *\nDisallow: /a*a$", "/a", True),
        ("User-agent: *\nDisallow: /*?*print=", "/x?y=1&print=1", False),
        # escapes
        ("User-agent: *\nDisallow: /%7ejoe", "/~joe", False),
        ("User-agent: *\nDisallow: /~joe", "/%7Ejoe", False),
        ("User-agent: *\nDisallow: /grün", "/gr%C3%BCn", False),
        ("User-agent: *\nDisallow: /gr%c3%bcn", "/gr%C3%BCn", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
        ("User-agent: *\nDisallow: a", "/a", True),
        # no robots.txt at all
        ("<html><body>Not found</body></html>", "/", True),
        ("\x00\x01\ufffd:\n:::\nUser-agent\nDisallow", "/", True),
    ],
)  # fmt: skip
def test_who_may_read_what(text: str, path: str, allowed: bool) -> None:
    with site(page(), robots=text.encode()) as running:
        found = fetcher(running).fetch(running.url + path, 5, nothing)
    assert isinstance(found, Fetched) is allowed
    assert running.pages == ([path] if allowed else [])


@pytest.mark.parametrize(
    ("wish", "waits"),
    [("3", True), ("0.5", True), ("99999", True), ("inf", True), ("-1", False), ("nan", False), ("soon", False),
     ("", False)],
)  # fmt: skip
def test_a_wish_for_time_between_requests_is_heard_within_reason(
    wish: str, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.web.fetch.robots.MAX_DELAY", 0.7)
    with site(page(), robots=f"User-agent: *\nCrawl-delay: {wish}\nDisallow: /x".encode()) as running:
        asking = fetcher(running, cache=MemoryCache())
        assert isinstance(asking.fetch(f"{running.url}/a", 5, nothing), Fetched)
        second = asking.fetch(f"{running.url}/b", 0.3, nothing)
        assert isinstance(second, NotFetched) is waits
        assert isinstance(asking.fetch(f"{running.url}/c", 2, nothing), Fetched)


def test_a_wish_of_another_robot_is_none_of_ours() -> None:
    with site(page(), robots=b"User-agent: other\nCrawl-delay: 9") as running:
        asking = fetcher(running, cache=MemoryCache())
        for path in ("/a", "/b"):
            assert isinstance(asking.fetch(running.url + path, 2, nothing), Fetched)


LARGE = 512_000
SLOW = {
    "names times rules": "useragent:*\n".replace("useragent", "User-agent") * 20_000 + "Disallow:/\n" * 20_000,
    "different names": "".join(f"User-agent: x{i}\n" for i in range(25_000)) + "Disallow: /",
    "wildcards": "User-agent: *\nDisallow: /" + "*a" * 250_000 + "b",
    "many wildcards": "User-agent: *\n" + "Disallow: /*a*a*a*a*a*a*a*a*b\n" * 17_000,
    "dollars": "User-agent: *\n" + "Disallow: /a$$$$*$\n" * 25_000,
    "escapes": "User-agent: *\nDisallow: /" + "%41" * 170_000,
    "colons": "User-agent: *\n" + ":" * 500_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_file_that_is_made_to_be_slow_is_not(name: str) -> None:
    with site(page(), robots=SLOW[name][:LARGE].encode()) as running:
        started = time.process_time()
        fetcher(running).fetch(f"{running.url}/{'a' * 1900}", 20, nothing)
        assert time.process_time() - started < 2
