"""robots.txt as RFC 9309 has it: who may read what, asked for once a day."""

import re
import threading
from collections.abc import Iterator
from functools import lru_cache

from protego import Protego

from ghost.types import Url
from ghost.web.fetch.cache import Kept, SafeCache
from ghost.web.fetch.client import AGENT, HttpClient, Redirects
from ghost.web.fetch.deadline import TICK, Deadline
from ghost.web.fetch.outcome import FetchError, Problem

ROBOTS = "robots"
MAX_BYTES = 512_000
"""What follows is not read. The standard asks for no more."""
MAX_DELAY = 10.0
KEEP_SECONDS = 24 * 3600.0
"""As long as RFC 9309 lets it be kept."""
RETRY_SECONDS = 600.0
"""After which a site that had trouble is asked again."""
_TROUBLE = "trouble"
_OURS = re.compile(rf"{AGENT}(?![a-z_-])", re.IGNORECASE)
_RULES = ("allow", "disallow", "crawl-delay")


@lru_cache(maxsize=64)
def parse_robots(body: bytes) -> Protego:
    """What one site allows."""
    return Protego.parse("\n".join(_lines(body)))


def _lines(body: bytes) -> Iterator[str]:
    """The lines that count, with one name for all other programs.

    Protego takes "ghost" for us too, copies each rule for each name (a hostile file then takes minutes and gigabytes),
    and ends a group at a line that it does not know.
    """
    for line in body.decode("utf-8-sig", "replace").splitlines():
        key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        if key.lower() == "user-agent":
            yield f"user-agent: {AGENT if _OURS.match(value) else '*' if value == '*' else 'others'}"
        elif key.lower() in _RULES:
            yield line


class RobotsPolicy:
    """Applies the robots.txt of each site: none means yes, trouble means no."""

    def __init__(self, client: HttpClient, cache: SafeCache) -> None:
        self._client = client
        self._cache = cache
        self._asking: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def gap(self, url: Url, opened: bool, deadline: Deadline) -> float:
        """Seconds between requests that the site asks for. Raises FetchError when the page must not be read."""
        if url.target == "/robots.txt":
            return 0.0
        rules = self._rules(url, opened, deadline)
        if not rules.can_fetch(url.text, AGENT):
            raise FetchError(Problem.ROBOTS, f"The robots.txt of {url.host} asks programs not to read this page.")
        return min(rules.crawl_delay(AGENT) or 0.0, MAX_DELAY)

    def _rules(self, url: Url, opened: bool, deadline: Deadline) -> Protego:
        """From the cache or the site. A second fetch waits for the first instead of asking too."""
        kept = self._cache.get(ROBOTS, url.origin)
        if kept and kept.fresh:
            return _read(kept, url)
        with self._lock:
            asking = self._asking.setdefault(url.origin, threading.Lock())
        deadline.doing = f"waiting for the robots.txt of {url.host}"
        while not asking.acquire(timeout=TICK):
            deadline.check()
        try:
            kept = self._cache.get(ROBOTS, url.origin)
            if kept and kept.fresh:
                return _read(kept, url)
            return self._asked(url, opened, kept, deadline)
        finally:
            asking.release()
            with self._lock:
                self._asking.pop(url.origin, None)

    def _asked(self, url: Url, opened: bool, stale: Kept | None, deadline: Deadline) -> Protego:
        """Ask the site. Where it has trouble, an older answer stays valid, and without one nothing may be read."""
        redirects = Redirects()
        try:
            status, body = self._get(url, opened, redirects, deadline)
        except FetchError as error:
            if error.problem != Problem.REDIRECTS:
                raise _unread(url, error, bool(redirects.passed)) from error
            status, body = 404, b""  # as if there were none, the standard says
        if status == 429 or status >= 500:
            if stale and stale.head.get("status") != _TROUBLE:
                return _read(stale, url)
            self._cache.put(ROBOTS, url.origin, {"status": _TROUBLE}, b"", RETRY_SECONDS)
            raise _trouble(url)
        self._cache.put(ROBOTS, url.origin, {"status": str(status)}, body, KEEP_SECONDS)
        return parse_robots(body)

    def _get(self, url: Url, opened: bool, redirects: Redirects, deadline: Deadline) -> tuple[int, bytes]:
        robots, headers = Url.parse(f"{url.origin}/robots.txt"), {"Accept": "text/plain, */*;q=0.1"}
        ask = self._client.follow(robots, opened, lambda *_: 0.0, lambda _: headers, redirects, deadline)
        body = bytearray()
        with ask as (_, response):
            for piece in response.body if response.success else ():
                body += piece
                if len(body) >= MAX_BYTES:
                    break
            return response.status, bytes(body[:MAX_BYTES])


def _read(kept: Kept, url: Url) -> Protego:
    if kept.head.get("status") == _TROUBLE:
        raise _trouble(url)
    return parse_robots(kept.body)


def _trouble(url: Url, why: str = " now, so no page may be.") -> FetchError:
    return FetchError(Problem.ROBOTS, f"The robots.txt of {url.host} cannot be read{why}")


def _unread(url: Url, error: FetchError, redirected: bool) -> FetchError:
    """The same problem, said of robots.txt. A broken one counts as no permission."""
    if error.problem in (Problem.BROKEN, Problem.TOO_LARGE):
        return _trouble(url, f", so no page may be: {error}")
    if redirected:  # then the address that is forbidden or silent is another one
        why = f"The robots.txt of {url.host} redirects and cannot be read: {error}"
        return FetchError(error.problem, why, error.status)
    return error
