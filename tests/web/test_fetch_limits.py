"""Time, size and the wish to stop hold, whatever a server does and wherever it hangs."""

import itertools
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress

import pytest

from ghost.errors import Cancelled, ProviderTimeoutError
from ghost.web import Fetched, Fetcher, NotFetched, Problem, in_time
from tests.web.sites import (
    HTML,
    TLS,
    Part,
    Request,
    Site,
    deaf,
    fetcher,
    nothing,
    page,
    redirect,
    silent,
    site,
)

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def slowly(data: bytes, pause: float = 0.05) -> Iterator[Part]:
    for position in range(len(data)):
        yield data[position : position + 1]
        yield pause


def endless_lines(request: Request) -> Iterable[Part]:
    return itertools.chain([b"HTTP/1.1 200 OK\r\n"], itertools.cycle([b"X-Line: 1\r\n", 0.05]))


def endless_hints(request: Request) -> Iterable[Part]:
    return itertools.cycle([b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.02])


def endless_drip(request: Request) -> Iterable[Part]:
    return itertools.chain([HEAD + b"\r\n"], itertools.cycle([b"<p>", 0.05]))


def endless_circle(request: Request) -> Iterable[Part]:
    """Each address leads slowly to a new one."""
    return [0.3, redirect(request.path + "x")]


@contextmanager
def hanging_names() -> Iterator[Site]:
    """A name server that never answers; the site is nobody's."""
    yield Site("slow.test", 80)


@contextmanager
def hanging_connection() -> Iterator[Site]:
    """A port at which no connection comes about, and nothing says so."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with deaf("127.0.0.1", port):
        yield Site("127.0.0.1", port)


@contextmanager
def dripping_handshake() -> Iterator[Site]:
    """A server that begins its part of the handshake and sends a byte of it now and then."""
    stop = threading.Event()

    def drip(client: socket.socket) -> None:
        with client, suppress(OSError):
            client.sendall(b"\x16\x03\x03\x40\x00")  # a record of 16 KB follows
            while not stop.wait(0.05):
                client.sendall(b"\x02")

    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: drip(listening.accept()[0]))
        try:
            yield Site("127.0.0.1", listening.getsockname()[1])
        finally:
            stop.set()


HANGING: dict[str, tuple[str, Callable[[], AbstractContextManager[Site]]]] = {
    "never accepts": ("waiting for the robots.txt of", silent),
    "name server": ("looking up slow.test", hanging_names),
    "connection": ("connecting to 127.0.0.1", hanging_connection),
    "handshake": ("encryption", silent),
    "handshake drips": ("encryption", dripping_handshake),
    "robots.txt hangs": ("waiting for the robots.txt of", lambda: site(lambda request: [60.0])),
    "page hangs": ("waiting for the answer of", lambda: site({"/": [60.0]})),
    "header drips": ("waiting for the answer of", lambda: site({"/": slowly(page())})),
    "header never ends": ("", lambda: site({"/": endless_lines(Request("/", {}, ""))})),
    "hints never end": ("", lambda: site({"/": endless_hints(Request("/", {}, ""))})),
    "body hangs": ("reading the answer of", lambda: site({"/": [HEAD + b"Content-Length: 99\r\n\r\n<p>", 60.0]})),
    "body drips": ("reading the answer of", lambda: site({"/": endless_drip(Request("/", {}, ""))})),
    "redirects slowly": (
        "", lambda: site(lambda r: page(b"", 404) if r.path == "/robots.txt" else endless_circle(r)),
    ),
}  # fmt: skip
"""What hangs, and what the message about it says that it was waiting for."""


@contextmanager
def asking(how: str) -> Iterator[tuple[Fetcher, str]]:
    """A fetcher and the address of something that hangs. The name server, if that does, until the end."""
    free = threading.Event()

    def resolve(host: str, port: int) -> Sequence[str]:
        free.wait(30)
        return []

    with HANGING[how][1]() as running:
        scheme = "https" if how.startswith("handshake") else "http"
        url = f"{scheme}://{running.host}:{running.port}/"
        try:
            yield Fetcher(None, resolve=resolve, local=[(running.host, running.port)]), url
        finally:
            free.set()


def each(work: Callable[[str], str]) -> list[str]:
    """What is wrong with each thing that hangs; all at the same time, as each of them takes its time."""
    with ThreadPoolExecutor(len(HANGING)) as pool:
        return [f"{how}: {wrong}" for how, wrong in zip(HANGING, pool.map(work, HANGING), strict=True) if wrong]


def test_the_time_holds_and_what_took_too_long_is_told() -> None:
    def work(how: str) -> str:
        with asking(how) as (fetching, url):
            started = time.monotonic()
            answer = fetching.fetch(url, 0.8, nothing)
            took = time.monotonic() - started
        timed_out = isinstance(answer, NotFetched) and answer.kind == Problem.TIMEOUT
        told = timed_out and "longer than 0.8 s (" in answer.why and HANGING[how][0] in answer.why
        return "" if told and 0.7 < took < 1.8 else f"{took} {answer}"

    assert not each(work)


def test_a_wish_to_stop_is_heard_within_a_moment() -> None:
    def work(how: str) -> str:
        asked: list[float] = []

        def check() -> None:
            asked.append(time.monotonic())
            if asked[-1] - asked[0] > 0.4:
                raise Cancelled("stop")

        with asking(how) as (fetching, url), pytest.raises(Cancelled):
            fetching.fetch(url, 30, check)
        pauses = sorted(b - a for a, b in itertools.pairwise(asked))
        # A tick in the middle; the longest pause may be the busy machine's.
        return "" if asked[-1] - asked[0] < 1.4 and pauses[len(pauses) // 2] < 0.25 else f"{pauses}"

    assert not each(work)


def test_a_server_that_hangs_after_the_handshake_is_told_as_that() -> None:
    context = ssl.create_default_context(cafile=str(TLS / "ca.pem"))
    with site(lambda request: [60.0], tls=True) as running:
        fetching = Fetcher(tls=context, resolve=lambda host, _: ["127.0.0.1"], local=[("news.test", running.port)])
        answer = fetching.fetch(f"https://news.test:{running.port}/", 1.5, nothing)
    assert isinstance(answer, NotFetched)
    assert "waiting for the robots.txt of news.test" in answer.why


def test_a_wish_that_was_there_before_asks_nobody() -> None:
    def check() -> None:
        raise Cancelled("stop")

    with site(page()) as running, pytest.raises(Cancelled):
        fetcher(running).fetch(running.url, 5, check)
    assert running.connections == 0


def test_what_says_it_is_too_large_is_not_read() -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {HTML}\r\nContent-Length: 99999999\r\n\r\n".encode()
    with site({"/": itertools.chain([head], itertools.repeat(b"x" * 1000, 2000))}) as running:
        answer = fetcher(running).fetch(running.url, 10, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.TOO_LARGE
    assert "99,999,999" in answer.why
    assert answer.received < 200_000


@pytest.mark.parametrize(
    "head", [HEAD + b"\r\n", HEAD + b"Content-Length: 1" + b"0" * 60 + b"\r\n\r\n"], ids=["silent", "absurd length"]
)
def test_what_never_ends_is_cut_at_the_limit(head: bytes) -> None:
    with site({"/": itertools.chain([head], itertools.repeat(b"x" * 50_000))}) as running:
        answer = fetcher(running, wire_bytes=300_000).fetch(running.url, 20, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind in (Problem.TOO_LARGE, Problem.BROKEN)
    assert answer.received < 300_000 + 70_000


def _bomb(size: int, wrapper: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, wrapper)
    block = b" " * 1_000_000
    return b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()


@pytest.mark.parametrize(("encoding", "wrapper"), [("gzip", 31), ("deflate", -15)])
def test_a_bomb_costs_little_memory_and_time(encoding: str, wrapper: int) -> None:
    bomb = _bomb(100_000_000, wrapper)
    assert len(bomb) < 150_000
    with site({"/": page(bomb, Content_Encoding=encoding)}) as running:
        fetching = fetcher(running, body_bytes=2_000_000)
        tracemalloc.start()
        try:
            answer = fetching.fetch(running.url, 20, nothing)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.TOO_LARGE
    assert "larger than 2,000,000 bytes" in answer.why
    assert peak < 8_000_000


def test_two_requests_go_to_one_host_at_a_time() -> None:
    busy: list[int] = [0]
    lock = threading.Lock()

    def count(change: int) -> None:
        with lock:
            busy.append(busy[-1] + change)

    def slow() -> Iterator[Part]:
        count(1)
        yield 0.15
        count(-1)  # before the answer, so that the next cannot have begun
        yield page()

    def answers(request: Request) -> bytes | Iterable[Part]:
        return page(b"", 404) if request.path == "/robots.txt" else slow()

    with site(answers) as running:
        fetching = fetcher(running)
        found = _together(lambda n: fetching.fetch(f"{running.url}/{n}", 20, nothing), 7)
    assert [type(f) for f in found] == [Fetched] * 7
    assert max(busy) == 2
    assert sorted(running.pages) == [f"/{n}" for n in range(7)]


def test_there_is_a_moment_between_two_requests_to_one_host() -> None:
    times: list[float] = []

    def answers(request: Request) -> bytes:
        if request.path != "/robots.txt":
            times.append(time.monotonic())
        return page()

    with site(answers) as running:
        fetching = fetcher(running, gap=0.3, parallel=5)
        _together(lambda n: fetching.fetch(f"{running.url}/{n}", 20, nothing), 3)
    times.sort()
    assert times[-1] - times[0] > 0.3  # 0.6, less what the machine may be late with the first


def test_a_host_that_asks_for_peace_gets_it() -> None:
    with site({"/": page(b"later", 429, Retry_After="120"), "/other": page()}) as running:
        fetching = fetcher(running)
        first = fetching.fetch(running.url, 5, nothing)
        started = time.monotonic()
        second = fetching.fetch(f"{running.url}/other", 5, nothing)
    assert isinstance(first, NotFetched)
    assert isinstance(second, NotFetched)
    assert (second.kind, second.status) == (Problem.HTTP, 429)
    assert "left alone" in second.why
    assert time.monotonic() - started < 2
    assert running.pages == ["/"]


def _together(work: Callable[[int], Fetched | NotFetched], count: int) -> list[Fetched | NotFetched]:
    found: list[Fetched | NotFetched] = []
    threads = [threading.Thread(target=lambda n=n: found.append(work(n))) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_a_search_that_hangs_is_given_up_in_time_or_when_it_is_no_longer_wanted() -> None:
    free, started = threading.Event(), time.monotonic()

    def check() -> None:
        if time.monotonic() - started > 1.0:
            raise Cancelled("stop")

    assert in_time(lambda: 7, 1, nothing, "it") == 7
    with pytest.raises(ProviderTimeoutError, match=r"Scripted did not answer within 0\.2 s"):
        in_time(lambda: free.wait(30), 0.2, nothing, "Scripted")
    with pytest.raises(Cancelled):
        in_time(lambda: free.wait(30), 30, check, "it")
    assert time.monotonic() - started < 2.5
    free.set()
