"""Pages of the web, asked for politely and safely. Nothing that a page or a server does raises here."""

import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from ghost.types import Url, UrlError, host_of, registrable
from ghost.web.fetch.body import LOOK, PAGES, declared, looked_at, may_be
from ghost.web.fetch.cache import KEEP_SECONDS, PageCache, SafeCache, WebCache
from ghost.web.fetch.client import HttpClient, Redirects, Response
from ghost.web.fetch.deadline import Deadline
from ghost.web.fetch.guard import AddressGuard, Resolve, system_resolve
from ghost.web.fetch.outcome import Fetched, FetchError, NotFetched, Problem, Seen
from ghost.web.fetch.robots import RobotsPolicy

T = TypeVar("T")
Headers = Callable[[Url], Mapping[str, str]]
Work = Callable[[Url, Redirects, Deadline], T]
_NO_BODY = frozenset({204, 205, 206})


class PageFetcher(Protocol):
    """Fetches a page."""

    def fetch(
        self, url: str, seconds: float, check: Callable[[], None], *, one_site: bool = False
    ) -> Fetched | NotFetched:
        """The page within ``seconds``, or why there is none. With ``one_site`` no redirect leads to another site.

        ``check`` is called at least every 0.1 s and may raise to stop. Only what it raises is raised here.
        """
        ...


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one page may cost, and how hosts are treated."""

    wire_bytes: int = 5_000_000
    """What may come over the wire for one page, with redirects and robots.txt."""
    body_bytes: int = 10_000_000
    redirects: int = 5
    parallel: int = 2
    gap: float = 0.2
    """Seconds between the starts of two requests to one host."""
    keep_seconds: float = KEEP_SECONDS


def read_again(fetcher: PageFetcher) -> PageFetcher:
    """The same fetcher, but it has a server confirm also what was kept a moment ago."""
    again = copy(fetcher)
    if isinstance(again, Fetcher):
        again.confirms = True
    return again


class Fetcher:
    """Fetches pages. Safe to use from many threads. One serves the whole process, so that turns at hosts are kept."""

    def __init__(
        self,
        cache: WebCache | None = None,
        limits: FetchLimits | None = None,
        resolve: Resolve = system_resolve,
        tls: ssl.SSLContext | None = None,
        local: Iterable[tuple[str, int]] = (),
    ) -> None:
        """``local`` is the one exception from the address guard, for tests and the demo web.

        Exactly these pairs of host (as the address has it) and port may be on this machine. A redirect never leads
        from outside to them, nor from one local port to another.
        """
        self.confirms = False
        """Whether each page that was kept is asked about again, however fresh it is."""
        self._limits = limits or FetchLimits()
        self._pages = PageCache(SafeCache(cache), self._limits.keep_seconds)
        self._client = HttpClient(
            AddressGuard(resolve, local), self._limits.body_bytes, self._limits.redirects, self._limits.parallel, tls
        )
        self._robots = RobotsPolicy(self._client, SafeCache(cache))

    def fetch(
        self, url: str, seconds: float, check: Callable[[], None], types: frozenset[str] = PAGES, one_site: bool = False
    ) -> Fetched | NotFetched:
        """The page within ``seconds``, or why there is none. Raises what ``check`` raises and nothing else.

        ``types`` are the media types that are accepted. With ``one_site`` no redirect leads to another site.
        """
        return self._attempt(url, seconds, check, lambda *attempt: self._fetched(types, *attempt), one_site)

    def look(self, url: str, seconds: float, check: Callable[[], None]) -> Seen | NotFetched:
        """Whether there is a page, and where the address leads. Its text is not read, and nothing is kept of it.

        A HEAD would ask for less, but many servers answer it with something else than they answer a reader.
        """
        return self._attempt(url, seconds, check, self._seen)

    def _attempt(
        self, url: str, seconds: float, check: Callable[[], None], work: Work[T], one_site: bool = False
    ) -> T | NotFetched:
        redirects, deadline = Redirects(one_site), Deadline(seconds, check, self._limits.wire_bytes)
        address = url
        try:
            try:
                parsed = Url.parse(url)
            except UrlError:
                why = "It is no address of a web page: only http and https are fetched."
                raise FetchError(Problem.ADDRESS, why) from None
            address = parsed.text
            deadline.check()
            return work(parsed, redirects, deadline)
        except FetchError as error:
            return NotFetched(
                address, error.problem, str(error), deadline.spent, deadline.received, error.status,
                tuple(redirects.passed), tuple(deadline.hosts),
            )  # fmt: skip

    def _seen(self, url: Url, redirects: Redirects, deadline: Deadline) -> Seen:
        with self._follow(url, lambda _: {"Accept": "text/html, */*;q=0.5"}, redirects, deadline) as (final, response):
            if not response.success:
                raise _http_error(response.status)
            return Seen(url.text, final.text, response.status)

    def _fetched(self, types: frozenset[str], url: Url, redirects: Redirects, deadline: Deadline) -> Fetched:
        kept = self._pages.get(url.text, types)
        if kept and redirects.one_site and registrable(host_of(kept.page.final_url)) != registrable(url.host):
            kept = None
        if kept and kept.fresh and not self.confirms:
            return replace(kept.page, seconds=deadline.spent)

        def headers(asked: Url) -> Mapping[str, str]:
            conditional = kept.conditions if kept and kept.page.final_url == asked.text else {}
            accept = ", ".join(sorted(types, key=lambda name: (name not in PAGES, "html" not in name, name)))
            return {"Accept": accept} | dict(conditional)

        with self._follow(url, headers, redirects, deadline) as (final, response):
            confirmed = kept if response.status == 304 and kept and kept.page.final_url == final.text else None
            page = confirmed.page if confirmed else self._read(types, url, final, response)
        page = replace(
            page,
            received=deadline.received,
            seconds=deadline.spent,
            retrieved_at=datetime.now(UTC),
            redirects=tuple(redirects.passed),
            downgraded=redirects.downgraded,
            hosts=tuple(deadline.hosts),
        )
        self._pages.put(page, response.headers, confirmed)
        return page

    def _follow(
        self, url: Url, headers: Headers, redirects: Redirects, deadline: Deadline
    ) -> AbstractContextManager[tuple[Url, Response]]:
        def permit(asked: Url, opened: bool) -> float:
            return max(self._limits.gap, self._robots.gap(asked, opened, deadline))

        opened = self._client.guard.opens(url)
        return self._client.follow(url, opened, permit, headers, redirects, deadline)

    def _read(self, types: frozenset[str], url: Url, final: Url, response: Response) -> Fetched:
        if not response.success or response.status in _NO_BODY:
            raise _http_error(response.status)
        name, charset = declared(response.headers.get("content-type", ""))
        if not may_be(name, types):
            raise FetchError(Problem.NOT_A_PAGE, f"It is of the type {name}, which is not read.")
        length = response.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and int(length[:20]) > self._limits.wire_bytes:
            raise FetchError(Problem.TOO_LARGE, f"It has {int(length[:20]):,} bytes, and was not read.")
        kind, body = _body(response.body, name, types)
        return Fetched(url.text, final.text, response.status, kind, charset, body, 0, 0.0, datetime.now(UTC))


def _body(pieces: Iterable[bytes], name: str, types: frozenset[str]) -> tuple[str, bytes]:
    """Its type and all of it. A body that is no page is not read to its end."""
    body = bytearray()
    kind = ""
    for piece in pieces:
        body += piece
        if not kind and len(body) >= LOOK:
            kind = _kind(bytes(body[:LOOK]), name, types)
    if not body.strip():
        raise FetchError(Problem.NOT_A_PAGE, "It is empty.")
    return kind or _kind(bytes(body[:LOOK]), name, types), bytes(body)


def _kind(first: bytes, name: str, types: frozenset[str]) -> str:
    if name in types and name not in PAGES:
        return name
    kind = looked_at(first, name)
    if kind not in types:
        said = f" though its server says {name}" if name else ""
        raise FetchError(Problem.NOT_A_PAGE, f"It is neither HTML nor text nor PDF{said}.")
    return kind


def _http_error(status: int) -> FetchError:
    said = {401: "asks for a login", 403: "refuses it", 404: "has no such page", 410: "has taken it down"}
    known = {402: "asks for payment", 429: "refuses more requests for now", 451: "withholds it for legal reasons"}
    words = (said | known).get(status, "has trouble" if status >= 500 else "gives no page")
    return FetchError(Problem.HTTP, f"The server {words} (HTTP {status}).", status)
