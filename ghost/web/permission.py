"""Whether a site lets programs read a page: its robots.txt, asked for once a day."""

import threading
from collections.abc import Mapping
from functools import lru_cache

from ghost.errors import StoreError
from ghost.web.cache import Kept, WebCache
from ghost.web.exchange import AGENT
from ghost.web.fetched import NoPage, Problem
from ghost.web.place import Place
from ghost.web.robots import MAX_BYTES, Rules, parse
from ghost.web.waiting import TICK
from ghost.web.walk import Trail, Walk
from ghost.web.watch import Watch

KIND = "robots"
KEEP_SECONDS = 24 * 3600.0
"""As long as RFC 9309 lets it be kept."""
RETRY_SECONDS = 600.0
"""After which a site that had trouble is asked again."""
_TROUBLE = "trouble"


class Permissions:
    """Reads robots.txt of sites as RFC 9309 asks: none means yes, trouble means no."""

    def __init__(self, walk: Walk, cache: WebCache | None) -> None:
        self._walk = walk
        self._cache = cache
        self._asking: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def gap(self, place: Place, opened: bool, watch: Watch) -> float:
        """Seconds between requests that the site wishes for; raises NoPage when the page must not be read."""
        if place.target == "/robots.txt":
            return 0.0
        rules = self._rules(place, opened, watch)
        if not rules.allows(place.target):
            raise NoPage(Problem.ROBOTS, f"The robots.txt of {place.host} asks programs not to read this page.")
        return rules.delay

    def _rules(self, place: Place, opened: bool, watch: Watch) -> Rules:
        """Kept, or asked for; who comes second waits for the first instead of asking too."""
        kept = self._kept(place)
        if kept and kept.fresh:
            return _read(kept, place)
        with self._lock:
            asking = self._asking.setdefault(place.origin, threading.Lock())
        watch.doing = f"waiting for the robots.txt of {place.host}"
        while not asking.acquire(timeout=TICK):
            watch.look()
        try:
            kept = self._kept(place)
            if kept and kept.fresh:
                return _read(kept, place)
            return self._asked(place, opened, kept, watch)
        finally:
            asking.release()
            with self._lock:
                self._asking.pop(place.origin, None)

    def _asked(self, place: Place, opened: bool, stale: Kept | None, watch: Watch) -> Rules:
        """Ask the site. Where it has trouble, an older answer counts on, and without one nothing may be read."""
        trail = Trail()
        try:
            status, body = self._get(place, opened, trail, watch)
        except NoPage as problem:
            if problem.problem == Problem.REDIRECTS:  # as if there were none, the standard says
                status, body = 404, b""
            else:
                raise _unread(place, problem, bool(trail.passed)) from problem
        if status == 429 or status >= 500:
            if stale and stale.head.get("status") != _TROUBLE:
                return _read(stale, place)
            self._keep(place, {"status": _TROUBLE}, b"", RETRY_SECONDS)
            raise _trouble(place)
        rules = body if 200 <= status < 300 else b""
        self._keep(place, {"status": str(status)}, rules, KEEP_SECONDS)
        return _parsed(rules)

    def _get(self, place: Place, opened: bool, trail: Trail, watch: Watch) -> tuple[int, bytes]:
        url = f"{place.origin}/robots.txt"
        with self._walk.to_end(url, opened, _anyone, _plain, trail, watch) as end:
            body = bytearray()
            if 200 <= end.answer.status < 300:
                for piece in end.answer.pieces:
                    body += piece
                    if len(body) >= MAX_BYTES:
                        break
            return end.answer.status, bytes(body[:MAX_BYTES])

    def _kept(self, place: Place) -> Kept | None:
        try:
            return self._cache.get(KIND, place.origin) if self._cache else None
        except StoreError:  # a cache that fails costs a request, not the page
            return None

    def _keep(self, place: Place, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        if self._cache:
            try:
                self._cache.put(KIND, place.origin, head, body, seconds)
            except StoreError:
                return


def _read(kept: Kept, place: Place) -> Rules:
    if kept.head.get("status") == _TROUBLE:
        raise _trouble(place)
    return _parsed(kept.body)


@lru_cache(maxsize=64)
def _parsed(body: bytes) -> Rules:
    return parse(body.decode("utf-8", "replace"), AGENT)


def _anyone(place: Place, opened: bool) -> float:
    """Permission to read robots.txt itself."""
    del place, opened
    return 0.0


def _plain(url: str) -> Mapping[str, str]:
    del url
    return {"Accept": "text/plain, */*;q=0.1"}


def _trouble(place: Place) -> NoPage:
    return NoPage(Problem.ROBOTS, f"The robots.txt of {place.host} cannot be read now, so no page may be.")


def _unread(place: Place, problem: NoPage, led_away: bool) -> NoPage:
    """The same problem, said of robots.txt; a broken one is a site's refusal to say."""
    if problem.problem in (Problem.BROKEN, Problem.TOO_LARGE):
        return NoPage(Problem.ROBOTS, f"The robots.txt of {place.host} cannot be read, so no page may be: {problem}")
    if led_away:  # whose address it is that is forbidden or silent
        why = f"The robots.txt of {place.host} redirects and cannot be read: {problem}"
        return NoPage(problem.problem, why, problem.status)
    return NoPage(problem.problem, str(problem), problem.status)
