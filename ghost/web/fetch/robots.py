"""robots.txt as RFC 9309 has it: who may read what, asked for once a day.

The parser is ours. The standard library's knows no wildcards and takes the first rule instead of the longest. Protego
does it right, but builds regular expressions: on half a megabyte of ``/*a*a*a*a*a*a*a*a*b`` it ran for more than 20
seconds without an end, which no time limit can interrupt. This one takes a fraction of a second.
"""

import re
import threading
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

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
_TOKEN = re.compile(r"[a-z_-]+")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What one site allows us."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0

    def allows(self, target: str) -> bool:
        """Whether a path with its query may be read. The longest rule that fits decides, or of two the kinder."""
        path = _normal(target)
        best = (0, True)
        for pattern, allow in self.rules:
            fit = (len(pattern), allow)
            if fit > best and _fits(pattern, path):
                best = fit
        return best[1]


@lru_cache(maxsize=64)
def parse_robots(body: bytes, agent: str = AGENT) -> RobotsRules:
    """The rules for ``agent``: of all groups that name it, or else of those for everyone."""
    found: dict[str, list[tuple[str, bool]]] = {agent: [], "*": []}
    delays: dict[str, float] = {}
    named: set[str] = set()
    group: set[str] = set()
    heading = False  # whether the group's names are still being listed
    for line in body.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        key = key.lower()
        if key == "user-agent":
            token = _TOKEN.match(value.lower())
            names = {"*"} if value == "*" else {agent} if token and token[0] == agent else set()
            group = (group if heading else set()) | names
            named |= group
            heading = True
        elif key in ("allow", "disallow", "crawl-delay"):
            heading = False
            if key == "crawl-delay":
                delays |= dict.fromkeys(group, _seconds(value))
            elif value:
                for name in group:
                    found[name].append((_normal(value), key == "allow"))
    name = agent if agent in named else "*"
    return RobotsRules(tuple(found[name]), delays.get(name, 0.0))


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
        if not rules.allows(url.target):
            raise FetchError(Problem.ROBOTS, f"The robots.txt of {url.host} asks programs not to read this page.")
        return rules.delay

    def _rules(self, url: Url, opened: bool, deadline: Deadline) -> RobotsRules:
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

    def _asked(self, url: Url, opened: bool, stale: Kept | None, deadline: Deadline) -> RobotsRules:
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


def _read(kept: Kept, url: Url) -> RobotsRules:
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


def _seconds(value: str) -> float:
    try:
        wish = float(value)
    except ValueError:
        return 0.0
    return min(wish, MAX_DELAY) if wish > 0 else 0.0


def _normal(text: str) -> str:
    """Escapes in one spelling: what needs none has none, everything else has them in capitals."""

    def escape(found: re.Match[str]) -> str:
        char = chr(int(found[1], 16))
        return char if char in _UNRESERVED else found[0].upper()

    return _ESCAPE.sub(escape, quote(text, safe=_ASCII))


def _fits(pattern: str, path: str) -> bool:
    """Whether a pattern with ``*`` and a closing ``$`` fits the beginning of a path, without backtracking."""
    whole = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not rest:
        return not whole or len(path) == len(first)
    position = len(first)
    for part in rest[:-1] if whole else rest:
        position = path.find(part, position)
        if position < 0:
            return False
        position += len(part)
    return not whole or (path.endswith(rest[-1]) and len(path) - len(rest[-1]) >= position)
