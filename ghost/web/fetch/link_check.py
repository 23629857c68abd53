"""Checks whether addresses still lead to a page, politely, and sorts them by the outcome."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from ghost.errors import Cancelled
from ghost.types import canonical, host_of, same_page
from ghost.web.fetch.fetcher import FetchLimits
from ghost.web.fetch.outcome import NotFetched, Problem, Seen

LIMITS = FetchLimits(wire_bytes=1_000_000, gap=0.5)
"""For a fetcher that checks many addresses: slower at one host than a run, which asks for a handful."""
SECONDS = 20.0
AT_ONCE = 8
"""Hosts that are asked at a time, or halves of the addresses of a host that has many."""
MANY = 20
PROBES = 5
"""Hosts that must all be out of reach before it counts as having no network."""


class LinkState(StrEnum):
    """The outcome for an address."""

    FINE = "fine"
    MOVED = "moved"
    """There is a page, at another address."""
    DEAD = "dead"
    """The server says that there is no such page."""
    REFUSED = "refused"
    """The server or its robots.txt lets no program in. A reader may find the page there."""
    UNREACHABLE = "unreachable"
    """No usable answer: no such host, no connection, no answer in time, a server error."""
    NOT_ASKED = "not asked"
    """The check ended before."""


@dataclass(frozen=True, slots=True)
class Link:
    """One address and its outcome."""

    url: str
    state: LinkState
    status: int = 0
    """The HTTP status, 0 without an answer."""
    final_url: str = ""
    """Where it leads, when it has moved."""
    why: str = ""
    """One plain sentence. Empty where all is well."""


class Looker(Protocol):
    """Asks for an address without reading the page."""

    def look(self, url: str, seconds: float, check: Callable[[], None]) -> Seen | NotFetched:
        """What is there. Raises what ``check`` raises and nothing else."""
        ...


class NoNetwork(Exception):
    """No host could be reached, so nothing can be said of any address."""


class Memory:
    """Keeps robots.txt for one check, so that each site is asked for it once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Answer] = {}

    def get(self, kind: str, key: str) -> "_Answer | None":
        """What was kept."""
        return self._kept.get((kind, key))

    def put(self, kind: str, key: str, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        """Keep it to the end."""
        del seconds
        self._kept[kind, key] = _Answer(dict(head), body, datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class _Answer:
    head: Mapping[str, str]
    body: bytes
    stored_at: datetime
    fresh: bool = True


def check_links(
    urls: Iterable[str],
    looker: Looker,
    progress: Callable[[int, int], None] = lambda *_: None,
    stopping: Callable[[], bool] = lambda: False,
) -> list[Link]:
    """Ask for each address once, one after the other at each host. A fragment does not make another address.

    ``progress(done, total)`` may be called from any thread. Once ``stopping`` returns True, the rest is not asked for.
    Raises NoNetwork when no host can be reached.
    """
    wanted = list(dict.fromkeys(url.partition("#")[0] for url in urls))
    total, lock = len(wanted), threading.Lock()
    found: dict[str, Link] = {}

    def check() -> None:
        if stopping():
            raise Cancelled("Stopped.")

    def ask(url: str) -> Link:
        link = _link(url, looker.look(url, SECONDS, check))
        with lock:
            found[url] = link
            progress(len(found), total)
        return link

    def ask_all(some: Sequence[str]) -> None:
        for url in some:
            if url not in found:
                ask(url)

    try:
        _probe(wanted, ask)
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="links") as pool:
            for done in [pool.submit(ask_all, some) for some in _shares(wanted)]:
                done.result()
    except Cancelled:
        pass
    return [found.get(url) or Link(url, LinkState.NOT_ASKED) for url in wanted]


def _probe(urls: Sequence[str], ask: Callable[[str], Link]) -> None:
    """Ask for one address at each of a few hosts, until one of them answers."""
    first: dict[str, str] = {}
    for url in urls:
        if canonical(url):
            first.setdefault(host_of(url), url)
    tried: list[Link] = []
    for url in list(first.values())[:PROBES]:
        tried.append(ask(url))
        if tried[-1].state is not LinkState.UNREACHABLE or tried[-1].status:
            return
    if tried:
        raise NoNetwork(f"None of {len(tried)} hosts could be reached. {tried[-1].why}")


def _shares(urls: Sequence[str]) -> Iterator[list[str]]:
    """The addresses by host, those with most first. Two threads share a host with many."""
    by_host: dict[str, list[str]] = {}
    for url in urls:
        by_host.setdefault(host_of(url), []).append(url)
    for some in sorted(by_host.values(), key=len, reverse=True):
        if len(some) > MANY:
            yield from (some[::2], some[1::2])
        else:
            yield some


def _link(url: str, found: Seen | NotFetched) -> Link:
    if isinstance(found, Seen):
        if same_page(url, found.final_url):
            return Link(url, LinkState.FINE, found.status)
        return Link(url, LinkState.MOVED, found.status, found.final_url, "It leads to another address.")
    return Link(url, _state(found), found.status, why=found.why)


def _state(found: NotFetched) -> LinkState:
    if found.kind is Problem.HTTP and found.status in (404, 410):
        return LinkState.DEAD
    if found.kind is Problem.ROBOTS or (found.kind is Problem.HTTP and 400 <= found.status < 500):
        return LinkState.REFUSED
    return LinkState.UNREACHABLE
