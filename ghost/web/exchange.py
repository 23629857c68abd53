"""One request and its answer, over one connection that is closed afterwards."""

import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpcore
import httpx

from ghost import __version__
from ghost.web.answered import Answered
from ghost.web.fetched import NoPage, Problem
from ghost.web.guard import Guard
from ghost.web.place import Place
from ghost.web.unpack import ACCEPTED, unpacked
from ghost.web.watch import Watch
from ghost.web.wire import Wire

AGENT = "ghost-workbench"
"""The name that robots.txt may speak to."""
USER_AGENT = f"{AGENT}/{__version__} (checks claims for one reader; no bulk use)"


@dataclass(frozen=True, slots=True)
class Answer:
    """The beginning of an answer; the body comes as it is asked for."""

    status: int
    headers: Mapping[str, str]
    """By name in lower case; several of one name are joined by commas."""
    pieces: Iterator[bytes]
    """The body without compression; raises NoPage."""


class Exchange:
    """Asks. Sends no cookies, no credentials and no referrer, and uses no proxy, whatever the environment says."""

    def __init__(self, guard: Guard, most_body: int, tls: ssl.SSLContext | None = None) -> None:
        """``most_body`` are the bytes of a body without compression.

        ``tls`` says whose certificates are trusted: by default those that Mozilla trusts.
        """
        self.guard = guard
        self._most_body = most_body
        self._tls = tls
        self._answered = Answered()

    @contextmanager
    def asking(self, place: Place, opened: bool, extra: Mapping[str, str], watch: Watch) -> Iterator[Answer]:
        """The answer to a GET, while it is being read; whatever goes wrong in it becomes a NoPage."""
        wire = Wire(self.guard, self._answered, place, opened, watch)
        url = httpcore.URL(
            scheme=place.scheme.encode(), host=place.host.encode(), port=place.port, target=place.target.encode()
        )
        request = httpcore.Request("GET", url, headers=_headers(place, extra))
        tls = self._trusted() if place.scheme == "https" else None
        connection = httpcore.HTTPConnection(url.origin, ssl_context=tls, network_backend=wire)
        try:
            watch.look()
            response = connection.handle_request(request)
            watch.doing = f"reading {place.asked}"
            yield self._answer(response, watch)
        except (httpcore.ProtocolError, httpcore.NetworkError) as error:
            raise NoPage(Problem.BROKEN, f"What {place.host} sends is cut off or no valid HTTP.") from error
        finally:
            connection.close()

    def _trusted(self) -> ssl.SSLContext:
        """Made when it is first needed, as reading all certificates takes a moment."""
        if self._tls is None:
            self._tls = httpx.create_ssl_context(trust_env=False)
        return self._tls

    def _answer(self, response: httpcore.Response, watch: Watch) -> Answer:
        headers = _joined(response.headers)
        body = unpacked(_watched(response.iter_stream(), watch), headers.get("content-encoding", ""), self._most_body)
        return Answer(response.status, headers, body)


def _headers(place: Place, extra: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    sent = {"Host": place.netloc, "User-Agent": USER_AGENT, "Accept-Encoding": ACCEPTED, "Connection": "close"}
    return [(name.encode("ascii"), value.encode("latin-1")) for name, value in (sent | dict(extra)).items()]


def _joined(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _watched(pieces: Iterable[bytes], watch: Watch) -> Iterator[bytes]:
    for piece in pieces:
        watch.look()
        yield piece
