"""A site on this machine in place of a search engine."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.web.sites import Part, Request, page, site


@dataclass
class Reply:
    """What the server answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    """Seconds before it answers."""
    drip: float = 0.0
    """Seconds between two bytes."""

    def parts(self) -> Iterator[Part]:
        """The answer as a site sends it."""
        yield self.wait
        yield page(self.body, self.status, "", **self.headers).removesuffix(self.body)
        if not self.drip:
            yield self.body
        for position in range(len(self.body) if self.drip else 0):
            yield self.body[position : position + 1]
            yield self.drip


@dataclass
class Asked:
    """A request as it came in."""

    path: str
    words: dict[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass
class Server:
    """An address, and what was asked there."""

    url: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serving(reply: Reply | Callable[[Asked], Reply]) -> Iterator[Server]:
    """A server that answers every request with ``reply``."""
    server = Server("")

    def answers(request: Request) -> Iterator[Part]:
        parts = urlsplit(request.path)
        query = request.body.decode() or parts.query
        words = {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}
        server.asked.append(Asked(parts.path, words, httpx.Headers(request.headers), request.body))
        return (reply(server.asked[-1]) if callable(reply) else reply).parts()

    with site(answers) as running:
        server.url = f"{running.url}/"
        yield server
