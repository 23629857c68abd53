"""Time, size and the wish to stop hold, whatever a server does and wherever it hangs."""

import gzip
import itertools
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

import pytest

from ghost.errors import Cancelled
from ghost.web import Fetched, Fetcher, NotFetched, Problem
from tests.web.sites import (
    ARTICLE,
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


HANGING: dict[str, Callable[[], AbstractContextManager[Site]]] = {
    "never accepts": silent,
    "name server": hanging_names,
    "connection": hanging_connection,
    "robots.txt hangs": lambda: site(lambda request: [60.0]),
    "page hangs": lambda: site({"/": [60.0]}),
    "header drips": lambda: site({"/": slowly(page())}),
    "header never ends": lambda: site({"/": endless_lines(Request("/", {}, ""))}),
    "hints never end": lambda: site({"/": endless_hints(Request("/", {}, ""))}),
    "body hangs": lambda: site({"/": [HEAD + b"Content-Length: 99\r\n\r\n<p>", 60.0]}),
    "body drips": lambda: site({"/": endless_drip(Request("/", {}, ""))}),
    "redirects slowly": lambda: site(lambda r: page(b"", 404) if r.path == "/robots.txt" else endless_circle(r)),
}


def asking(running: Site) -> tuple[Fetcher, threading.Event]:
    """A fetcher for a site, with a name server that hangs until the event is set."""
    free = threading.Event()

    def resolve(host: str, port: int) -> Sequence[str]:
        free.wait(30)
        return []

    return Fetcher(None, resolve=resolve, local=[(running.host, running.port)]), free


@pytest.mark.parametrize("how", HANGING)
def test_the_time_holds(how: str) -> None:
    with HANGING[how]() as running:
        fetching, free = asking(running)
        started = time.monotonic()
        answer = fetching.fetch(f"http://{running.host}:{running.port}/", 0.7, nothing)
        took = time.monotonic() - started
        free.set()
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.TIMEOUT
    assert "longer than 0.7 s (" in answer.why
    assert 0.6 < took < 1.7
    assert 0.6 < answer.seconds < 1.7


DOING = {
    "connection": "connecting to 127.0.0.1",
    "never accepts": "waiting for the robots.txt of",
    "name server": "looking up slow.test",
    "robots.txt hangs": "waiting for the robots.txt of",
    "page hangs": "waiting for the answer of",
    "header drips": "waiting for the answer of",
    "body hangs": "reading the answer of",
    "body drips": "reading the answer of",
}


@pytest.mark.parametrize("how", DOING)
def test_what_took_too_long_is_told(how: str) -> None:
    with HANGING[how]() as running:
        fetching, free = asking(running)
        answer = fetching.fetch(f"http://{running.host}:{running.port}/", 0.6, nothing)
        free.set()
    assert isinstance(answer, NotFetched)
    assert DOING[how] in answer.why


def test_a_server_that_hangs_after_the_handshake_is_told_as_that() -> None:
    context = ssl.create_default_context(cafile=str(TLS / "ca.pem"))
    with site(lambda request: [60.0], tls=True) as running:
        fetching = Fetcher(tls=context, resolve=lambda host, _: ["127.0.0.1"], local=[("news.test", running.port)])
        answer = fetching.fetch(f"https://news.test:{running.port}/", 1.5, nothing)
    assert isinstance(answer, NotFetched)
    assert "waiting for the robots.txt of news.test" in answer.why


@pytest.mark.parametrize("how", HANGING)
def test_a_wish_to_stop_is_heard_within_a_moment(how: str) -> None:
    wished: list[float] = []
    asked: list[float] = []

    def check() -> None:
        asked.append(time.monotonic())
        if len(asked) > 1 and asked[-1] - asked[0] > 0.4:
            wished.append(asked[-1])
            raise Cancelled("stop")

    with HANGING[how]() as running:
        fetching, free = asking(running)
        with pytest.raises(Cancelled):
            fetching.fetch(f"http://{running.host}:{running.port}/", 30, check)
        took = time.monotonic() - asked[0]
        free.set()
    assert took < 1.4
    assert len(asked) >= 4
    pauses = sorted(b - a for a, b in itertools.pairwise(asked))
    assert pauses[len(pauses) // 2] < 0.2  # a tick; the longest pause may be the busy machine's


def test_a_wish_that_was_there_before_asks_nobody() -> None:
    def check() -> None:
        raise Cancelled("stop")

    with site(page()) as running, pytest.raises(Cancelled):
        fetcher(running).fetch(running.url, 5, check)
    assert running.connections == 0


def test_a_handshake_that_hangs_or_drips_is_given_up_in_time() -> None:
    with silent() as running:
        answer = fetcher(running).fetch(f"https://127.0.0.1:{running.port}/", 0.5, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.TIMEOUT
    assert "encryption" in answer.why


def test_a_wish_to_stop_is_heard_in_a_handshake() -> None:
    started = time.monotonic()

    def check() -> None:
        if time.monotonic() - started > 0.4:
            raise Cancelled("stop")

    with silent() as running, pytest.raises(Cancelled):
        fetcher(running).fetch(f"https://127.0.0.1:{running.port}/", 30, check)
    assert time.monotonic() - started < 1.4


def test_a_handshake_that_takes_several_looks_succeeds() -> None:
    context = ssl.create_default_context(cafile=str(TLS / "ca.pem"))
    with site(page(), tls=True) as running, _slow_relay(running.port, 0.25) as port:
        fetching = Fetcher(tls=context, resolve=lambda host, _: ["127.0.0.1"], local=[("news.test", port)])
        answer = fetching.fetch(f"https://news.test:{port}/", 20, nothing)
    assert isinstance(answer, Fetched)
    assert answer.body == ARTICLE


@contextmanager
def _slow_relay(target: int, pause: float) -> Iterator[int]:
    """A port that passes on what it gets, each piece after a pause and in two halves."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(5)
    threads: list[threading.Thread] = []

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                for half in (data[: len(data) // 2], data[len(data) // 2 :]):
                    time.sleep(pause)
                    sink.sendall(half)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def relay() -> None:
        for _ in range(2):  # robots.txt and the page
            try:
                client, _ = listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", target), 5)
            with client, server:
                back = threading.Thread(target=pump, args=(server, client), daemon=True)
                back.start()
                pump(client, server)
                back.join(5)

    threads.append(threading.Thread(target=relay, daemon=True))
    threads[0].start()
    try:
        yield listening.getsockname()[1]
    finally:
        threads[0].join(10)
        listening.close()


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


def test_a_page_as_large_as_allowed_is_fetched() -> None:
    body = b"<p>" + b"x" * 99_997
    with site({"/": page(body)}) as running:
        assert isinstance(fetcher(running, body_bytes=100_000).fetch(running.url, 10, nothing), Fetched)
        answer = fetcher(running, body_bytes=99_999).fetch(running.url, 10, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.TOO_LARGE


def _bomb(size: int, wrapper: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, wrapper)
    block = b" " * 1_000_000
    return b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()


@pytest.mark.parametrize(("encoding", "wrapper"), [("gzip", 31), ("deflate", 15), ("deflate", -15)])
def test_a_bomb_costs_little_memory_and_time(encoding: str, wrapper: int) -> None:
    bomb = _bomb(300_000_000, wrapper)
    assert len(bomb) < 400_000
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


def test_many_small_bombs_in_a_row_are_one() -> None:
    body = gzip.compress(b"x" * 10_000) * 200
    with site({"/": page(body, Content_Encoding="gzip")}) as running:
        answer = fetcher(running, body_bytes=1_000_000).fetch(running.url, 20, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.TOO_LARGE


def test_few_requests_go_to_one_host_at_a_time() -> None:
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
        fetching = fetcher(running, parallel=2)
        found = _together(lambda n: fetching.fetch(f"{running.url}/{n}", 20, nothing), 7)
    assert [type(f) for f in found] == [Fetched] * 7
    assert max(busy) == 2
    assert sorted(running.pages) == [f"/{n}" for n in range(7)]


def test_two_hosts_do_not_wait_for_each_other() -> None:
    with silent() as hangs, site(page()) as running:
        fetching = fetcher(hangs, running, parallel=1)
        waiting = threading.Thread(target=lambda: fetching.fetch(hangs.url, 3, nothing))
        waiting.start()
        started = time.monotonic()
        assert isinstance(fetching.fetch(running.url, 5, nothing), Fetched)
        assert time.monotonic() - started < 2
        waiting.join()


def test_who_waits_for_a_turn_gives_up_in_time() -> None:
    with site({"/": [60.0]}) as running:
        fetching = fetcher(running, parallel=1)
        found = _together(lambda n: fetching.fetch(running.url, 1.5, nothing), 3)
    assert {f.kind for f in found if isinstance(f, NotFetched)} == {Problem.TIMEOUT}
    assert any("waiting for a turn" in f.why for f in found if isinstance(f, NotFetched))


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
