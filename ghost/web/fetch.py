"""Pages of the web, asked for politely and safely. What a page or a server does never raises here: it is an outcome."""

import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from ghost.web.address import canonical
from ghost.web.cache import WebCache
from ghost.web.exchange import Answer, Exchange
from ghost.web.fetched import Fetched, NoPage, NotFetched, Problem, Seen
from ghost.web.guard import Guard, Resolve, system_resolve
from ghost.web.hosts import Hosts
from ghost.web.page_cache import KEEP_SECONDS, PageCache
from ghost.web.page_type import LOOK, PAGES, declared, looked_at, may_be
from ghost.web.permission import Permissions
from ghost.web.place import Place
from ghost.web.walk import End, Permit, Trail, Walk
from ghost.web.watch import Watch

__all__ = ["FetchLimits", "Fetched", "Fetcher", "NotFetched", "PageFetcher", "Problem", "Seen"]

_NO_BODY = frozenset({204, 205, 206})
_LOOKING = {"Accept": "text/html, */*;q=0.5"}


class PageFetcher(Protocol):
    """Whoever brings a page."""

    def fetch(self, url: str, seconds: float, check: Callable[[], None]) -> Fetched | NotFetched:
        """The page within ``seconds``, or why there is none.

        ``check`` is called at least each 0.1 s and may raise to stop; only what it raises is raised here.
        """
        ...


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one page may cost, and how hosts are treated."""

    wire_bytes: int = 5_000_000
    """What may come over the wire for one page, with redirects and robots.txt."""
    body_bytes: int = 10_000_000
    """Without compression."""
    redirects: int = 5
    parallel: int = 2
    """Requests to one host at a time."""
    gap: float = 0.2
    """Seconds between the beginnings of two requests to one host."""
    keep_seconds: float = KEEP_SECONDS
    """How long a page counts as fresh, unless its server wants less."""


class Fetcher:
    """Fetches pages. Safe to use from many threads; one serves the whole process, so that turns at hosts are kept."""

    def __init__(
        self,
        cache: WebCache | None = None,
        limits: FetchLimits | None = None,
        resolve: Resolve = system_resolve,
        tls: ssl.SSLContext | None = None,
        local: Iterable[tuple[str, int]] = (),
    ) -> None:
        """``local`` is the one opening of the address check, for tests and the demo web.

        Exactly these pairs of host (as the address has it) and port may be on this machine. A redirect never leads
        from outside to them, nor from one local port to another.
        """
        self._limits = limits or FetchLimits()
        self._pages = PageCache(cache, self._limits.keep_seconds)
        exchange = Exchange(Guard(resolve, local), self._limits.body_bytes, tls)
        hosts = Hosts(self._limits.parallel)
        self._walk = Walk(exchange, hosts, self._limits.redirects)
        self._permissions = Permissions(self._walk, cache)

    def fetch(
        self, url: str, seconds: float, check: Callable[[], None], types: frozenset[str] = PAGES
    ) -> Fetched | NotFetched:
        """The page within ``seconds``, or why there is none; raises what ``check`` raises and nothing else.

        ``types`` are the media types that are taken.
        """
        started = time.monotonic()
        watch = Watch(seconds, check, self._limits.wire_bytes)
        trail = Trail()
        address = canonical(url)
        try:
            if not address:
                raise NoPage(Problem.ADDRESS, "It is no address of a web page: only http and https are fetched.")
            watch.look()
            return self._fetched(address, types, trail, watch)
        except NoPage as problem:
            took = time.monotonic() - started
            return NotFetched(
                address or url, problem.problem, str(problem), took, watch.received, problem.status, tuple(trail.passed)
            )

    def look(self, url: str, seconds: float, check: Callable[[], None]) -> Seen | NotFetched:
        """Whether there is a page, and where the address leads; its text is not read, and nothing is kept of it.

        A HEAD would ask for less, but many servers answer it with something else than they answer a reader.
        """
        started = time.monotonic()
        watch = Watch(seconds, check, self._limits.wire_bytes)
        trail = Trail()
        address = canonical(url)
        try:
            if not address:
                raise NoPage(Problem.ADDRESS, "It is no address of a web page: only http and https are fetched.")
            watch.look()
            opened = self._walk.opens(Place.of(address))
            with self._walk.to_end(address, opened, self._permit(watch), lambda _: _LOOKING, trail, watch) as end:
                if not 200 <= end.answer.status < 300:
                    raise NoPage(Problem.HTTP, _status(end.answer.status), end.answer.status)
                return Seen(address, end.url, end.answer.status)
        except NoPage as problem:
            took = time.monotonic() - started
            return NotFetched(
                address or url, problem.problem, str(problem), took, watch.received, problem.status, tuple(trail.passed)
            )

    def _permit(self, watch: Watch) -> Permit:
        def permit(place: Place, opened: bool) -> float:
            return max(self._limits.gap, self._permissions.gap(place, opened, watch))

        return permit

    def _fetched(self, url: str, types: frozenset[str], trail: Trail, watch: Watch) -> Fetched:
        kept = self._pages.get(url, types)
        if kept and kept.fresh:
            return kept.page(url, watch)

        def headers(address: str) -> Mapping[str, str]:
            return {"Accept": _accept(types)} | dict(kept.conditions if kept and kept.final_url == address else {})

        opened = self._walk.opens(Place.of(url))
        with self._walk.to_end(url, opened, self._permit(watch), headers, trail, watch) as end:
            if end.answer.status == 304 and kept and kept.final_url == end.url:
                return self._pages.confirmed(url, kept, end, trail, watch)
            page = _read(url, end, types, self._limits.wire_bytes, trail, watch)
        self._pages.put(page, end.answer.headers)
        return page


def _read(url: str, end: End, types: frozenset[str], most: int, trail: Trail, watch: Watch) -> Fetched:
    """The body of an answer, if it is a page; raises NoPage."""
    answer = end.answer
    if not 200 <= answer.status < 300 or answer.status in _NO_BODY:
        raise NoPage(Problem.HTTP, _status(answer.status), answer.status)
    name, charset = declared(answer.headers.get("content-type", ""))
    if not may_be(name, types):
        raise NoPage(Problem.NOT_A_PAGE, f"It is of the type {name}, which is not read.")
    length = answer.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length[:20]) > most:
        raise NoPage(Problem.TOO_LARGE, f"It has {int(length[:20]):,} bytes, and was not read.")
    kind, body = _body(answer, name, types)
    return Fetched(
        url,
        end.url,
        answer.status,
        kind,
        charset,
        body,
        watch.received,
        watch.spent,
        datetime.now(UTC),
        tuple(trail.passed),
        trail.downgraded,
    )


def _body(answer: Answer, name: str, types: frozenset[str]) -> tuple[str, bytes]:
    """What it is and all of it; a body that is no page is not read to its end."""
    body = bytearray()
    kind = ""
    for piece in answer.pieces:
        body += piece
        if not kind and len(body) >= LOOK:
            kind = _kind(bytes(body[:LOOK]), name, types)
    if not body.strip():
        raise NoPage(Problem.NOT_A_PAGE, "It is empty.")
    return kind or _kind(bytes(body[:LOOK]), name, types), bytes(body)


def _kind(first: bytes, name: str, types: frozenset[str]) -> str:
    if name in types and name not in PAGES:
        return name
    kind = looked_at(first, name)
    if kind not in types:
        said = f" though its server says {name}" if name else ""
        raise NoPage(Problem.NOT_A_PAGE, f"It is neither HTML nor text nor PDF{said}.")
    return kind


def _accept(types: frozenset[str]) -> str:
    return ", ".join(sorted(types, key=lambda name: (name not in PAGES, "html" not in name, name)))


def _status(status: int) -> str:
    said = {401: "asks for a login", 403: "refuses it", 404: "has no such page", 410: "has taken it down"}
    known = {402: "asks for payment", 429: "refuses more requests for now", 451: "withholds it for legal reasons"}
    words = (said | known).get(status, "has trouble" if status >= 500 else "gives no page")
    return f"The server {words} (HTTP {status})."
