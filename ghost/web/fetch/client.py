"""The HTTP client for pages: one request over one connection, and redirects, each checked like the first address."""

import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urljoin

import httpcore
import httpx

from ghost import __version__
from ghost.types import Url, UrlError, registrable
from ghost.web.fetch.body import ACCEPTED, decompressed
from ghost.web.fetch.deadline import Deadline, HostTurns
from ghost.web.fetch.guard import AddressGuard
from ghost.web.fetch.outcome import FetchError, Problem
from ghost.web.fetch.transport import LastAddresses, PinnedBackend

AGENT = "ghost-workbench"
"""The name that robots.txt may speak to."""
USER_AGENT = f"{AGENT}/{__version__} (checks claims for one reader; no bulk use)"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
Permit = Callable[[Url, bool], float]
"""(url, opened) → seconds until the host may be asked again. Raises FetchError when it must not be asked."""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer while it is being read."""

    status: int
    headers: httpx.Headers
    body: Iterator[bytes]

    @property
    def success(self) -> bool:
        """Whether it has what was asked for."""
        return 200 <= self.status < 300


class Redirects:
    """The redirects of one fetch so far. They are known also when it fails later."""

    def __init__(self, one_site: bool = False) -> None:
        """With ``one_site`` none is followed to another registrable domain."""
        self.one_site = one_site
        self.passed: list[str] = []
        self.downgraded = False
        """Whether one led from https to http."""

    def next(self, url: Url, location: str, most: int) -> Url:
        """The target of a redirect. Raises FetchError when it must not be followed."""
        self.passed.append(url.text)
        try:
            target = Url.parse(urljoin(url.text, _decoded(location)))
        except (UrlError, ValueError):
            raise FetchError(Problem.ADDRESS, "It redirects to something that is no address of a web page.") from None
        if self.one_site and registrable(target.host) != registrable(url.host):
            raise FetchError(Problem.REDIRECTS, "It redirects to another site, and is read at its own only.")
        if len(self.passed) > most:
            raise FetchError(Problem.REDIRECTS, f"It redirects more than {most} times.")
        if target.text in self.passed:
            raise FetchError(Problem.REDIRECTS, "It redirects in a circle.")
        self.downgraded |= (url.scheme, target.scheme) == ("https", "http")
        return target


class HttpClient:
    """Sends GET requests without cookies, credentials and referrer, and uses no proxy, whatever the environment says.

    Safe to use from many threads.
    """

    def __init__(
        self, guard: AddressGuard, max_body: int, redirects: int, parallel: int, tls: ssl.SSLContext | None = None
    ) -> None:
        """``max_body`` limits the decompressed bytes of a body, ``parallel`` the requests to one host at a time.

        ``tls`` says which certificates are trusted. By default those that Mozilla trusts.
        """
        self.guard = guard
        self._turns = HostTurns(parallel)
        self._max_body = max_body
        self._redirects = redirects
        self._tls = tls
        self._last: LastAddresses = {}

    @contextmanager
    def follow(
        self,
        url: Url,
        opened: bool,
        permit: Permit,
        headers: Callable[[Url], Mapping[str, str]],
        redirects: Redirects,
        deadline: Deadline,
    ) -> Iterator[tuple[Url, Response]]:
        """The first answer that is no redirect, while it is being read, and the address that it came from.

        ``opened`` lets the first address be a named local server, and redirects lead to other named hosts on the same
        port. A page of the public web never leads in, nor does one local port lead to another. Raises FetchError.
        """
        while True:
            gap = permit(url, opened)
            with (
                self._turns.turn(url.netloc, gap, deadline),
                self._answer(url, opened, headers(url), deadline) as response,
            ):
                location = response.headers.get("location", "")
                if response.status not in _REDIRECTS or not location:
                    if response.status in (429, 503):
                        self._turns.rest(url.netloc, response.headers.get("retry-after", ""))
                    yield url, response
                    return
            target = redirects.next(url, location, self._redirects)
            opened = opened and target.port == url.port and self.guard.opens(target)
            url = target

    @contextmanager
    def _answer(self, url: Url, opened: bool, headers: Mapping[str, str], deadline: Deadline) -> Iterator[Response]:
        sent = {"Host": url.netloc, "User-Agent": USER_AGENT, "Accept-Encoding": ACCEPTED, "Connection": "close"}
        # httpcore is asked directly. The client of httpx around it would keep cookies and log addresses.
        target = httpcore.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.target)
        request = httpcore.Request("GET", target, headers=httpx.Headers(sent | dict(headers)).raw)
        network = PinnedBackend(self.guard, self._last, url, opened, deadline)
        context = self._trusted() if url.scheme == "https" else None
        with httpcore.HTTPConnection(target.origin, ssl_context=context, network_backend=network) as connection:
            try:
                deadline.check()
                answer = connection.handle_request(request)
                found = httpx.Headers(answer.headers)
                found.encoding = "latin-1"
                deadline.doing = deadline.doing.replace("waiting for", "reading", 1)
                pieces = _checked(answer.iter_stream(), deadline)
                yield Response(
                    answer.status, found, decompressed(pieces, found.get("content-encoding", ""), self._max_body)
                )
            except (httpcore.ProtocolError, httpcore.NetworkError) as error:
                raise FetchError(Problem.BROKEN, f"What {url.host} sends is cut off or no valid HTTP.") from error

    def _trusted(self) -> ssl.SSLContext:
        """Made when it is first needed, as reading all certificates takes a moment."""
        if self._tls is None:
            self._tls = httpx.create_ssl_context(trust_env=False)
        return self._tls


def _checked(pieces: Iterator[bytes], deadline: Deadline) -> Iterator[bytes]:
    for piece in pieces:
        deadline.check()
        yield piece


def _decoded(location: str) -> str:
    """A Location as servers send it: raw UTF-8 and spaces are common there, and mean their escapes."""
    with suppress(UnicodeDecodeError):
        location = location.encode("latin-1").decode("utf-8")
    return location.strip().replace(" ", "%20")
