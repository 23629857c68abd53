"""Sites on this machine that answer byte for byte as a test says, well or badly."""

import gzip
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ghost.errors import StoreFullError
from ghost.web import Fetched, Fetcher, FetchLimits, NotFetched

TLS = Path(__file__).parent.parent / "data" / "tls"
"""A certificate for news.test, good until 2126 and worthless elsewhere: its key is here for all to read."""
HTML = "text/html; charset=utf-8"
ARTICLE = b"<!doctype html><title>Bees</title><p>Bees make honey from nectar.</p>"


@dataclass(frozen=True)
class Request:
    """What came in."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    raw: str
    body: bytes = b""


RESET = -1.0
Part = bytes | float
"""Bytes to send, seconds to wait, or RESET to tear the connection down."""
Answers = Callable[[Request], bytes | Iterable[Part]]


@dataclass
class Site:
    """A running site, and what was asked of it."""

    host: str
    port: int
    asked: list[Request] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        """Its address, without the closing slash."""
        return f"http://{self.host}:{self.port}"

    @property
    def pages(self) -> list[str]:
        """The paths that were asked for, robots.txt aside."""
        return [r.path for r in self.asked if r.path != "/robots.txt"]


def page(body: bytes = ARTICLE, status: int = 200, content_type: str = HTML, **headers: str) -> bytes:
    """A whole answer; a header's name has underscores for dashes, and an empty type leaves the header out."""
    named = {"Content-Length": str(len(body))} | ({"Content-Type": content_type} if content_type else {})
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} Said"] + [f"{name}: {value}" for name, value in named.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere."""
    return page(b"", status, Location=location)


def zipped(body: bytes) -> bytes:
    """A gzip body."""
    return page(gzip.compress(body), Content_Encoding="gzip")


@contextmanager
def site(
    answers: Answers | dict[str, bytes | Iterable[Part]] | bytes,
    robots: bytes | None = None,
    tls: bool = False,
    address: str = "127.0.0.1",
) -> Iterator[Site]:
    """A site that answers by path; robots.txt is not there unless it is given or ``answers`` is a function."""
    stop = threading.Event()
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.create_server((address, 0), family=family)
    found = Site(f"[{address}]" if ":" in address else address, listening.getsockname()[1])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if tls else None
    if context:
        context.load_cert_chain(TLS / "server.pem")
    threads: list[threading.Thread] = []

    def answer(request: Request) -> bytes | Iterable[Part]:
        if callable(answers):
            return answers(request)
        if request.path == "/robots.txt":
            return page(b"", 404) if robots is None else page(robots, content_type="text/plain")
        if isinstance(answers, bytes):
            return answers
        return answers.get(request.path, page(b"gone", 404))

    def talk(client: socket.socket) -> None:
        with client, suppress(OSError):
            _talk(client, answer, found.asked.append, stop, context)

    def listen() -> None:
        while not stop.is_set():
            try:
                client, _ = listening.accept()
            except OSError:
                return
            found.connections += 1
            threads.append(threading.Thread(target=talk, args=(client,), daemon=True))
            threads[-1].start()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield found
    finally:
        stop.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for thread in [listener, *threads]:
            thread.join(5)


def _talk(
    client: socket.socket,
    answer: Answers,
    heard: Callable[[Request], None],
    stop: threading.Event,
    context: ssl.SSLContext | None,
) -> None:
    client.settimeout(5)
    if context:
        client = context.wrap_socket(client, server_side=True)
    with client:
        head = b""
        while b"\r\n\r\n" not in head:
            more = client.recv(65536)
            if not more:
                return
            head += more
            if not head[:1].isalpha():  # the hello of somebody who wants to encrypt
                client.sendall(page(b"What?", 400))
                return
        head, _, body = head.partition(b"\r\n\r\n")
        request = _request(head.decode("latin-1"))
        while len(body) < int(request.headers.get("content-length", 0)):
            body += client.recv(65536)
        request = replace(request, body=body)
        heard(request)
        given = answer(request)
        for part in [given] if isinstance(given, bytes) else given:
            if isinstance(part, bytes):
                client.sendall(part)
            elif part == RESET:
                stop.wait(0.2)  # what was sent before arrives first
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            elif stop.wait(part):
                return
            if stop.is_set():
                return


def _request(head: str) -> Request:
    first, *lines = head.split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return Request(first.split(" ")[1], {name.lower(): value.strip() for name, _, value in pairs}, head)


@contextmanager
def silent() -> Iterator[Site]:
    """A port that takes connections and never says a word, as one whose program hangs."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as listening:
        yield Site("127.0.0.1", listening.getsockname()[1])


@contextmanager
def deaf(address: str, port: int) -> Iterator[None]:
    """An address at which no connection comes about, and nothing says so, as when a way through the network is gone."""
    with socket.create_server((address, port), backlog=0), ExitStack() as waiting:
        for _ in range(3):  # the system takes so many for a program that takes none, and ignores all others
            before = waiting.enter_context(socket.socket())
            before.setblocking(False)
            before.connect_ex((address, port))
        yield


@dataclass
class Kept:
    """An answer in a MemoryCache."""

    head: dict[str, str]
    body: bytes
    stored_at: datetime
    expires_at: datetime

    @property
    def fresh(self) -> bool:
        return self.expires_at > datetime.now(UTC)


class MemoryCache:
    """A cache that a test can look into; ``age`` makes everything in it old."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Kept] = {}

    def get(self, kind: str, key: str) -> Kept | None:
        return self.kept.get((kind, key))

    def put(self, kind: str, key: str, head: object, body: bytes, seconds: float) -> None:
        now = datetime.now(UTC)
        self.kept[kind, key] = Kept(dict(head), body, now, now + timedelta(seconds=seconds))  # type: ignore[call-overload]

    def age(self) -> None:
        for kept in self.kept.values():
            kept.expires_at = kept.stored_at


class FullDisk(MemoryCache):
    """A cache that fails."""

    def get(self, kind: str, key: str) -> Kept | None:
        raise StoreFullError("full")

    def put(self, kind: str, key: str, head: object, body: bytes, seconds: float) -> None:
        raise StoreFullError("full")


def named(names: dict[str, str | Sequence[str]]) -> Callable[[str, int], list[str]]:
    """A resolver that knows these names and no others."""

    def resolve(host: str, port: int) -> list[str]:
        if host not in names:
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        found = names[host]
        return [found] if isinstance(found, str) else list(found)

    return resolve


def no_names(host: str, port: int) -> list[str]:
    """A resolver for tests in which nothing may be looked up."""
    raise AssertionError(f"{host} was looked up")


def fetcher(*sites: Site, cache: MemoryCache | None = None, **limits: float) -> Fetcher:
    """A fetcher that may go to these sites, without pauses unless a test wants them."""
    return Fetcher(
        cache,
        FetchLimits(**({"gap": 0.0} | limits)),  # type: ignore[arg-type]
        resolve=no_names,
        local=[(s.host.strip("[]"), s.port) for s in sites],
    )


def nothing() -> None:
    """A check that never stops anything."""


def got(
    running: Site, path: str = "/", seconds: float = 5, cache: MemoryCache | None = None, **limits: float
) -> Fetched:
    """The page of a site at a path."""
    answer = fetcher(running, cache=cache, **limits).fetch(running.url + path, seconds, nothing)
    assert isinstance(answer, Fetched), answer
    return answer


def refused(
    running: Site, path: str = "/", seconds: float = 5, cache: MemoryCache | None = None, **limits: float
) -> NotFetched:
    """Why there is no page of a site at a path."""
    answer = fetcher(running, cache=cache, **limits).fetch(running.url + path, seconds, nothing)
    assert isinstance(answer, NotFetched), answer
    return answer


@contextmanager
def outside(site: Site, address: str = "93.184.216.34") -> Iterator[list[tuple[str, int]]]:
    """As if a site were on the public web: connections to ``address`` arrive there. Yields where connections went."""
    went: list[tuple[str, int]] = []
    before = socket.socket.connect_ex

    def connect_ex(self: socket.socket, to: tuple[str, int]) -> int:
        went.append((to[0], to[1]))
        return before(self, ("127.0.0.1", site.port) if to[0] == address else to)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        yield went
