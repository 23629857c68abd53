"""robots.txt as RFC 9309 has it: who may read what, kept for a day.

Written here, because the parser of the standard library knows no wildcards and takes the first rule instead of the
longest, and the one that does it right takes minutes for a file of half a megabyte that was made to be slow.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote

MAX_BYTES = 512_000
"""What follows is not read; the standard asks for as much as that."""
MAX_DELAY = 10.0
"""Seconds between two requests that a site may ask for."""
_TOKEN = re.compile(r"[a-z_-]+")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True, slots=True)
class Rules:
    """What one site allows us."""

    rules: tuple[tuple[str, bool], ...] = ()
    """Pattern, and whether it allows; normalised."""
    delay: float = 0.0
    """Seconds between two requests that it wishes for."""

    def allows(self, target: str) -> bool:
        """Whether a path with its query may be read: the longest rule that fits decides, or of two the kinder."""
        path = _normal(target)
        best = (0, True)
        for pattern, allow in self.rules:
            fit = (len(pattern), allow)
            if fit > best and _fits(pattern, path):
                best = fit
        return best[1]


def parse(text: str, agent: str) -> Rules:
    """The rules for ``agent``: of all groups that name it, or else of those for everyone."""
    found: dict[str, list[tuple[str, bool]]] = {agent: [], "*": []}
    delays: dict[str, float] = {}
    named: set[str] = set()
    group: set[str] = set()
    heading = False  # whether the group's names are still being listed
    for line in text.removeprefix("\ufeff").splitlines():
        key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        key = key.lower()
        if key == "user-agent":
            group = (group if heading else set()) | _names(value, agent)
            named |= group
            heading = True
        elif key in ("allow", "disallow"):
            heading = False
            if value:
                for name in group:
                    found[name].append((_normal(value), key == "allow"))
        elif key == "crawl-delay":
            heading = False
            delays |= dict.fromkeys(group, _seconds(value))
    name = agent if agent in named else "*"
    return Rules(tuple(found[name]), delays.get(name, 0.0))


def _names(value: str, agent: str) -> set[str]:
    if value == "*":
        return {"*"}
    token = _TOKEN.match(value.lower())
    return {agent} if token and token[0] == agent else set()


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
    """Whether a pattern with ``*`` and a closing ``$`` fits the beginning of a path; takes no more than one way."""
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
