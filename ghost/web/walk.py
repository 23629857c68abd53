"""From an address to where it leads: redirects, one at a time, each checked like the first address."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urljoin

from ghost.web.address import canonical
from ghost.web.exchange import Answer, Exchange
from ghost.web.fetched import NoPage, Problem
from ghost.web.hosts import Hosts
from ghost.web.place import Place
from ghost.web.retry_after import seconds_of
from ghost.web.watch import Watch

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
Permit = Callable[[Place, bool], float]
"""(place, opened) → seconds until the host may be asked again; raises NoPage when this place must not be asked."""


@dataclass
class Trail:
    """The way so far; whoever began the walk keeps it when the walk fails."""

    passed: list[str] = field(default_factory=list)
    """Addresses that redirected."""
    downgraded: bool = False
    """Whether it went from https to http."""


@dataclass(frozen=True, slots=True)
class End:
    """Where a walk ended."""

    url: str
    answer: Answer


class Walk:
    """Follows redirects, and takes turns at every host on the way."""

    def __init__(self, exchange: Exchange, hosts: Hosts, redirects: int) -> None:
        self._exchange = exchange
        self._hosts = hosts
        self._redirects = redirects

    def opens(self, place: Place) -> bool:
        """Whether a walk that begins here may go to this machine."""
        return self._exchange.guard.opens(place)

    @contextmanager
    def to_end(
        self,
        url: str,
        opened: bool,
        permit: Permit,
        headers: Callable[[str], Mapping[str, str]],
        trail: Trail,
        watch: Watch,
    ) -> Iterator[End]:
        """The first answer that is no redirect, while it is being read. ``url`` must be canonical.

        ``opened`` holds for the first address and for redirects to other named places on the same port: a page of the
        outside never leads in, nor does one local port lead to another.
        """
        while True:
            place = Place.of(url)
            gap = permit(place, opened)
            with (
                self._hosts.turn(place.netloc, gap, watch),
                self._exchange.asking(place, opened, headers(url), watch) as answer,
            ):
                location = answer.headers.get("location", "")
                if answer.status not in _REDIRECTS or not location:
                    self._heed(place, answer)
                    yield End(url, answer)
                    return
            target = self._next(url, location, trail)
            later = Place.of(target)
            opened = opened and later.port == place.port and self.opens(later)
            url = target

    def _heed(self, place: Place, answer: Answer) -> None:
        """Leave a host alone that asks for it."""
        if answer.status in (429, 503):
            self._hosts.rest(place.netloc, seconds_of(answer.headers.get("retry-after", ""), datetime.now(UTC)) or 0.0)

    def _next(self, url: str, location: str, trail: Trail) -> str:
        """Where a redirect leads; raises NoPage when it must not be followed."""
        trail.passed.append(url)
        try:
            target = canonical(urljoin(url, _decoded(location)))
        except ValueError:
            target = ""
        if not target:
            raise NoPage(Problem.ADDRESS, "It redirects to something that is no address of a web page.")
        if len(trail.passed) > self._redirects:
            raise NoPage(Problem.REDIRECTS, f"It redirects more than {self._redirects} times.")
        if target in trail.passed:
            raise NoPage(Problem.REDIRECTS, "It redirects in a circle.")
        trail.downgraded |= url.startswith("https:") and target.startswith("http:")
        return target


def _decoded(location: str) -> str:
    """A Location as servers send it: raw UTF-8 and spaces are common there, and mean their escapes."""
    with suppress(UnicodeDecodeError):
        location = location.encode("latin-1").decode("utf-8")
    return location.strip().replace(" ", "%20")
