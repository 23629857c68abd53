"""Whether what ``@media`` and ``@supports`` ask for holds for a reader: on a wide screen, in daylight, with a mouse.

There are three answers. What cannot be told is neither: rules that hang on it hide nothing and show nothing.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from ghost.web.measures import SCREEN_HIGH, SCREEN_WIDE, pixels
from ghost.web.numbers import number
from ghost.web.shorthands import is_shorthand, plain, plain_name
from ghost.web.values import PROPERTIES

MOST_CHARS = 1_000
MOST_DEPTH = 8
_KNOWN = 256
"""Conditions whose answer is kept: a style sheet asks the same few again and again."""

_TOKEN = re.compile(r"\s*+([a-z-]*+\(|\)|[^\s()]++)", re.IGNORECASE)
_COMMA = re.compile(r"(?:\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)|[^,])++")
_SIGN = r"\s*([<>]=?|=)\s*"
_RANGE = re.compile(rf"(?:([^<>=]+?){_SIGN})?([a-z-]+){_SIGN}([^<>=]+)|([^<>=]+?){_SIGN}([a-z-]+)")
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
_NUMBERS = {
    "width": float(SCREEN_WIDE), "height": float(SCREEN_HIGH), "device-width": float(SCREEN_WIDE),
    "device-height": float(SCREEN_HIGH), "aspect-ratio": SCREEN_WIDE / SCREEN_HIGH,
    "device-aspect-ratio": SCREEN_WIDE / SCREEN_HIGH, "color": 8.0, "monochrome": 0.0, "color-index": 0.0, "grid": 0.0,
}  # fmt: skip
_FEATURES = {
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference", "forced-colors": "none",
    "inverted-colors": "none", "scripting": "enabled", "update": "fast", "display-mode": "browser",
    "color-gamut": "srgb", "overflow-block": "scroll", "overflow-inline": "scroll", "scan": "progressive",
}  # fmt: skip
_OTHERWISE = {
    "orientation": "portrait", "hover": "none", "any-hover": "none", "pointer": "none coarse",
    "any-pointer": "none", "prefers-color-scheme": "dark", "prefers-reduced-motion": "reduce",
    "prefers-contrast": "more less custom", "prefers-reduced-transparency": "reduce", "prefers-reduced-data": "reduce",
    "forced-colors": "active", "inverted-colors": "inverted", "scripting": "none initial-only", "update": "none slow",
    "display-mode": "fullscreen standalone minimal-ui picture-in-picture", "overflow-block": "none paged",
    "overflow-inline": "none",
}  # fmt: skip
"""Words that say that it is not so. Of all others it is not known."""
_FALSE_ALONE = frozenset({"none", "no-preference"})
_SCREENS = frozenset({"all", "screen"})
_RATIO = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)(?:\s*/\s*(\d{1,6}))?")
_RESOLUTION = re.compile(r"(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})(dpi|dppx|x|dpcm)?")
_PER_DOT = {"dpi": 1 / 96, "dpcm": 2.54 / 96, "dppx": 1.0, "x": 1.0, "": 1.0}
_KNOWN_ELSEWHERE = frozenset(
    "align-content align-items align-self animation appearance aspect-ratio backdrop-filter border border-radius "
    "box-shadow box-sizing columns column-count content cursor float gap grid grid-area grid-template-areas "
    "grid-template-columns grid-template-rows hyphens isolation justify-content letter-spacing mask mask-image "
    "mix-blend-mode object-fit object-position order outline perspective pointer-events resize scroll-behavior "
    "scroll-snap-type shape-outside text-align text-decoration text-overflow text-shadow text-transform touch-action "
    "transform-style transition user-select vertical-align will-change word-break writing-mode z-index".split()
)
"""Properties of all browsers whose values are not looked at here."""

Answer = bool | None


@lru_cache(_KNOWN)
def media(queries: str) -> Answer:
    """Whether one of the queries of ``@media`` or of a ``media`` attribute holds."""
    low = queries.strip().lower()
    if not low:
        return True
    return None if len(low) > MOST_CHARS else _any([_query(q.strip()) for q in _COMMA.findall(low)])


@lru_cache(_KNOWN)
def supports(condition: str) -> Answer:
    """Whether browsers can do what ``@supports`` asks for."""
    return _Condition(condition.strip().lower(), _supported).answer()


def _query(query: str) -> Answer:
    """One query: a kind of device, conditions, or both."""
    found = re.match(r"(?:(not|only)\s+)?([a-z-]+)(?:\s+and\s+|$)(?<!^not)", query)
    if not found or found[2] in ("not", "only", "and", "or", "layer"):
        return _Condition(query, _feature).answer()
    rest = query[found.end() :]
    conditions = _Condition(rest, _feature).answer() if rest else True
    answer = _all([found[2] in _SCREENS, conditions])
    if found[1] == "not":
        return None if answer is None else not answer
    return answer


def _any(answers: list[Answer]) -> Answer:
    return True if True in answers else None if None in answers else False


def _all(answers: list[Answer]) -> Answer:
    return False if False in answers else None if None in answers else True


class _Condition:
    """What is joined with ``and``, ``or``, ``not`` and brackets; what is in the innermost ones is asked elsewhere."""

    def __init__(self, text: str, asks: Callable[[str], Answer]) -> None:
        self._text = text if len(text) <= MOST_CHARS else ""
        self._asks = asks

    def answer(self) -> Answer:
        """Whether it holds; None where that cannot be told."""
        return self._joined(self._text, 0) if self._text else None

    def _joined(self, text: str, depth: int) -> Answer:
        parts = _pieces(text)
        if not parts or depth > MOST_DEPTH:
            return None
        if parts[0] == "not":
            answer = self._one(parts[1], depth) if len(parts) == 2 else None
            return None if answer is None else not answer
        between = set(parts[1::2])
        if len(parts) % 2 == 0 or len(between) > 1 or not between <= {"and", "or"}:
            return None
        answers = [self._one(part, depth) for part in parts[::2]]
        return _any(answers) if between == {"or"} else _all(answers)

    def _one(self, part: str, depth: int) -> Answer:
        if not part.startswith("("):
            return self._asks(part)
        inside = part[1:-1].strip()
        if inside.startswith("(") or re.match(r"not[\s(]", inside):
            return self._joined(inside, depth + 1)
        return self._asks(inside)


def _pieces(text: str) -> list[str]:
    """Words, and what is in brackets as a whole; none where a bracket is not closed."""
    pieces: list[str] = []
    depth = start = 0
    for found in _TOKEN.finditer(text):
        if depth == 0:
            start = found.start(1)
        depth += found[1].endswith("(") - (found[1] == ")")
        if depth < 0:
            return []
        if depth == 0:
            pieces.append(text[start : found.end()])
    return pieces if depth == 0 else []


def _feature(text: str) -> Answer:
    """One feature of the screen, as ``name``, ``name: value`` or a range."""
    name, colon, value = (part.strip() for part in text.partition(":"))
    if colon:
        return _named(name, value)
    found = _RANGE.fullmatch(text)
    if not found:
        return _alone(text)
    if found[8]:
        return _compared(found[8], _TURNED[found[7]], found[6].strip())
    answers = [_compared(found[3], found[4], found[5].strip())]
    if found[1]:
        answers.append(_compared(found[3], _TURNED[found[2]], found[1].strip()))
    return _all(answers)


def _alone(name: str) -> Answer:
    if name in _NUMBERS:
        return _NUMBERS[name] != 0
    return _FEATURES[name] not in _FALSE_ALONE if name in _FEATURES else None


def _named(name: str, value: str) -> Answer:
    webkit = re.fullmatch(r"-webkit-(?:(min|max)-)?device-pixel-ratio", name)
    if webkit:
        name = f"{webkit[1]}-resolution" if webkit[1] else "resolution"
    limit = name[:4] if name.startswith(("min-", "max-")) else ""
    if limit or name in _NUMBERS or name == "resolution":
        return _compared(name.removeprefix(limit), {"min-": ">=", "max-": "<="}.get(limit, "="), value)
    if _FEATURES.get(name) == value:
        return True
    return False if value in _OTHERWISE.get(name, "").split() else None


def _compared(name: str, sign: str, wanted: str) -> Answer:
    if name == "resolution":
        return _resolution(sign, wanted)
    have = _NUMBERS.get(name)
    value = _ratio(wanted) if "ratio" in name else pixels(wanted)
    if have is None or value is None:
        return None
    return {">=": have >= value, "<=": have <= value, ">": have > value, "<": have < value}.get(
        sign, abs(have - value) < 0.001
    )


def _ratio(text: str) -> float | None:
    found = _RATIO.fullmatch(text)
    return number(found[1]) / (number(found[2] or "1") or 1e-9) if found else None


def _resolution(sign: str, wanted: str) -> Answer:
    """Readers have screens of one to four dots for each pixel: only what holds or fails for all of them is known."""
    found = _RESOLUTION.fullmatch(wanted)
    if not found:
        return None
    value = number(found[1]) * _PER_DOT[found[2] or ""]
    if sign in (">=", ">"):
        return True if value < 1 or (value == 1 and sign == ">=") else None if value <= 4 else False
    if sign in ("<=", "<"):
        return True if value > 4 else None if value >= 1 else False
    return None


def _supported(text: str) -> Answer:
    """``property: value``; what browsers have that is not known here cannot be told."""
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not colon or text.startswith("selector("):
        return None
    if name.startswith("--"):
        return True
    if name in _KNOWN_ELSEWHERE:
        return True
    if plain_name(name) not in PROPERTIES and not is_shorthand(name):
        return None
    return bool(plain(name, value))
