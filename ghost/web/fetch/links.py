"""Addresses that an analyst names for a run to read, and the check whether addresses still lead to a page."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, Protocol

from ghost.errors import Cancelled, ClaimError
from ghost.text import without_secrets
from ghost.types import canonical, host_of, original, same_page, with_scheme
from ghost.web.fetch.cache import Kept
from ghost.web.fetch.fetcher import FetchLimits
from ghost.web.fetch.outcome import NotFetched, Problem, Seen

MAX_LINKS = 10
"""For one run. Each counts as a page of its limit."""
LIMITS = FetchLimits(wire_bytes=1_000_000, gap=0.5)
"""For a fetcher that checks many addresses: slower at one host than a run, which asks for a handful."""
SECONDS = 20.0
AT_ONCE = 8
PROBES = 5
"""Hosts that must all be out of reach before it counts as having no network."""


def usable(text: str) -> str:
    """A typed address in canonical form, with https where the scheme is missing. Raises ClaimError."""
    typed = without_secrets(text.strip())
    url = canonical(with_scheme(typed))
    if not typed or not url or "." not in url.partition("://")[2].partition("/")[0]:
        why = f"“{typed[:80]}” is no address of a web page." if typed else "There is no address."
        raise ClaimError(f"{why} Enter one such as https://example.org/page.")
    return url


class Links:
    """A queue of addresses. Any thread may add one while a run goes on. The run takes them between its rounds."""

    def __init__(self, urls: Iterable[str] = ()) -> None:
        """Raises ClaimError for what is no address, and for too many of them."""
        self._lock = threading.Lock()
        self._all: list[str] = []
        self._taken = 0
        self._closed = False
        for url in urls:
            self.add(url)

    def add(self, url: str) -> bool:
        """Add an address. False when the run takes no more, as its verdict is being made.

        A page that is in already is not added again. Raises ClaimError.
        """
        address = usable(url)
        with self._lock:
            if self._closed:
                return False
            if any(same_page(address, known) and _copy(address) == _copy(known) for known in self._all):
                return True
            if len(self._all) >= MAX_LINKS:
                raise ClaimError(f"One run reads at most {MAX_LINKS} pages that you name. Check the claim again.")
            self._all.append(address)
            return True

    def take(self, last: bool = False) -> tuple[str, ...]:
        """The addresses added since the last time. ``last`` closes the queue when there are none."""
        with self._lock:
            new = tuple(self._all[self._taken :])
            self._taken = len(self._all)
            self._closed = self._closed or (last and not new)
            return new

    def close(self) -> tuple[str, ...]:
        """Close the queue and return what was never taken."""
        with self._lock:
            self._closed = True
            return tuple(self._all[self._taken :])

    @property
    def named(self) -> tuple[str, ...]:
        """Everything that was added so far."""
        with self._lock:
            return tuple(self._all)


def _copy(address: str) -> bool:
    """Whether it is an archived or translated copy, which may be named beside the page itself: that may be gone."""
    return original(address) != address


class LinkState(StrEnum):
    """The outcome for an address."""

    FINE = "fine"
    MOVED = "moved"
    DEAD = "dead"
    REFUSED = "refused"
    """The server or its robots.txt lets no program in. A reader may find the page there."""
    UNREACHABLE = "unreachable"
    """No usable answer: no such host, no connection, no answer in time, a server error."""
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class Link:
    """One address and its outcome."""

    url: str
    state: LinkState
    status: int = 0
    """The HTTP status, 0 without an answer."""
    final_url: str = ""
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
        self._kept: dict[tuple[str, str], Any] = {}

    def get(self, kind: str, key: str) -> Kept | None:
        """What was kept."""
        return self._kept.get((kind, key))

    def put(self, kind: str, key: str, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        """Keep it to the end, however few ``seconds`` it was meant for."""
        del seconds
        self._kept[kind, key] = SimpleNamespace(head=dict(head), body=body, stored_at=datetime.now(UTC), fresh=True)


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

    by_host: dict[str, list[str]] = {}
    for url in wanted:
        by_host.setdefault(host_of(url), []).append(url)
    try:
        _probe([some[0] for some in by_host.values() if canonical(some[0])][:PROBES], ask)
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="links") as pool:
            for done in [pool.submit(ask_all, some) for some in by_host.values()]:
                done.result()
    except Cancelled:
        pass
    return [found.get(url) or Link(url, LinkState.NOT_ASKED) for url in wanted]


def _probe(urls: Sequence[str], ask: Callable[[str], Link]) -> None:
    """Ask for one address at each of a few hosts, until one of them answers."""
    links: list[Link] = []
    for url in urls:
        links.append(ask(url))
        if links[-1].state is not LinkState.UNREACHABLE or links[-1].status:
            return
    if links:
        raise NoNetwork(f"None of {len(links)} hosts could be reached. {links[-1].why}")


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
