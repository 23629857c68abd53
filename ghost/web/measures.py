"""Lengths, shares and angles as style sheets write them, and what they come to."""

import re
from collections.abc import Callable

from ghost.web.numbers import MOST, NUMBER, number

MOST_CHARS = 200
"""A longer sum is not calculated."""
MOST_DEPTH = 12
EM = 16.0
"""Size of letters, in pixels, where nothing else is said."""
SCREEN_WIDE = 1280
SCREEN_HIGH = 800
"""The screen in pixels that pages are looked at on."""

_PIXELS = {
    "px": 1.0, "pt": 1.3333, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945,
    "vw": 12.8, "vi": 12.8, "vmax": 12.8, "vh": 8.0, "vb": 8.0, "vmin": 8.0,
    "cqw": 10.0, "cqi": 10.0, "cqmax": 10.0, "cqh": 8.0, "cqb": 8.0, "cqmin": 8.0, "%": 10.0,
}  # fmt: skip
"""What is a share of a surrounding box counts as a share of 1000 pixels."""
_PIXELS |= {f"{which}{unit}": _PIXELS[unit] for which in "sld" for unit in ("vw", "vi", "vmax", "vh", "vb", "vmin")}
_LETTERS = {"em": 1.0, "ex": 0.5, "ch": 0.5, "ic": 1.0, "cap": 0.7, "lh": 1.2}
"""Shares of the size of letters; with an ``r`` in front, of those of the whole page."""
_TURN = {"deg": 1.0, "grad": 0.9, "rad": 57.29578, "turn": 360.0}
LENGTHS = frozenset(_PIXELS) | frozenset(_LETTERS) | frozenset(f"r{unit}" for unit in _LETTERS)
ANGLES = frozenset(_TURN)

_MEASURE = re.compile(rf"({NUMBER})([a-z]+|%)?")
_MATH = re.compile(
    r"(?:(?:-webkit-|-moz-)?calc|calc-size|min|max|clamp|round|mod|rem|abs|sign|a?sin|a?cos|a?tan|atan2|pow|sqrt|hypot|log|exp"
    r"|progress|if|attr|random|sibling-(?:count|index)|anchor(?:-size)?|env|var)\(.*\)",
    re.DOTALL,
)
_TOKEN = re.compile(rf"\s*+(?:({NUMBER})([a-z]+|%)?|([a-z-]*)\(|([-+*/,)]))")
_WORDS = re.compile(
    r"[a-z0-9-]*+\((?:[^()]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))*+\)|/|,|[^\s,/()]++|[()]", re.IGNORECASE
)
_FUNCTION = re.compile(r"([a-z0-9-]+)\((.*)\)", re.DOTALL)


def words(value: str) -> list[str]:
    """The words, commas and strokes of a value; a function with what is in its brackets is one."""
    return _WORDS.findall(value)


def called(word: str) -> tuple[str, list[str]] | None:
    """Name and arguments of a function, whether commas or blanks stand between them; None for what is none."""
    found = _FUNCTION.fullmatch(word)
    return (found[1], [w for w in words(found[2]) if w not in (",", "/")]) if found else None


def is_math(word: str) -> bool:
    """Whether it is a function that may come to any measure."""
    return "(" in word and _MATH.fullmatch(word) is not None


def measured(word: str, units: frozenset[str], signed: bool = True, bare: bool = False) -> bool:
    """Whether browsers take it for a measure in one of these units; with ``bare`` also for one without a unit."""
    found = _MEASURE.fullmatch(word)
    if not found:
        return is_math(word)
    unit = found[2] or ""
    if not signed and word[0] == "-" and number(found[1]) < 0:
        return False
    return unit in units if unit else bare or number(found[1]) == 0


def pixels(value: str | None, em: float = EM, rem: float = EM) -> float | None:
    """A length in pixels, also one that is calculated; ``em`` and ``rem`` are sizes of letters. None if not known."""
    if not value:
        return None
    if value == "0":
        return 0.0
    if plain := _MEASURE.fullmatch(value):
        return _in_pixels(number(plain[1]), plain[2] or "", em, rem)
    return _Sum(value, lambda n, unit: _in_pixels(n, unit, em, rem)).total()


def share(value: str | None) -> float | None:
    """A number, or a percentage as a share of 1."""
    if not value:
        return None
    if plain := _MEASURE.fullmatch(value):
        return _as_share(number(plain[1]), plain[2] or "")
    return _Sum(value, _as_share).total()


def degrees(value: str) -> float | None:
    """An angle."""
    plain = _MEASURE.fullmatch(value)
    return number(plain[1]) * _TURN.get(plain[2] or "deg", 0.0) if plain else None


def _in_pixels(size: float, unit: str, em: float, rem: float) -> float | None:
    if unit in _LETTERS:
        each: float | None = _LETTERS[unit] * em
    elif unit[:1] == "r" and unit[1:] in _LETTERS:
        each = _LETTERS[unit[1:]] * rem
    else:
        each = _PIXELS.get(unit) if unit else 1.0
    return None if each is None else _bounded(size * each)


def _as_share(size: float, unit: str) -> float | None:
    return {"": size, "%": size / 100}.get(unit)


def _bounded(size: float) -> float:
    return max(-MOST, min(MOST, size))


class _Unreadable(ValueError):
    """A sum with something in it that is not known here."""


class _Sum:
    """What is calculated: ``calc()``, ``min()``, ``max()`` and ``clamp()``, with brackets in brackets."""

    def __init__(self, value: str, reads: Callable[[float, str], float | None]) -> None:
        self._text = value if len(value) <= MOST_CHARS else ""
        self._reads = reads
        self._at = 0
        self._token: re.Match[str] | None = None
        self._depth = 0

    def total(self) -> float | None:
        """What it comes to; None where it cannot be told."""
        if "(" not in self._text:
            return None
        try:
            self._next()
            total = self._value()
        except _Unreadable:
            return None
        return total if self._token is None and not self._text[self._at :].strip() else None

    def _next(self) -> None:
        self._token = _TOKEN.match(self._text, self._at)
        if self._token:
            self._at = self._token.end()

    def _takes(self, signs: str) -> str:
        sign = self._token[4] if self._token else None
        if not sign or sign not in signs:
            return ""
        self._next()
        return sign

    def _sum(self) -> float:
        total = self._product()
        while sign := self._takes("+-"):
            more = self._product()
            total += more if sign == "+" else -more
        return _bounded(total)

    def _product(self) -> float:
        total = self._value()
        while sign := self._takes("*/"):
            by = self._value()
            if sign == "/" and by == 0:
                raise _Unreadable
            total = _bounded(total * by if sign == "*" else total / by)
        return total

    def _value(self) -> float:
        token = self._token
        if token is None or token[4]:
            raise _Unreadable
        self._next()
        if token[1]:
            read = self._reads(number(token[1]), token[2] or "")
            if read is None:
                raise _Unreadable
            return read
        return self._called(token[3])

    def _called(self, name: str) -> float:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise _Unreadable
        parts = [self._sum()]
        while self._takes(","):
            parts.append(self._sum())
        if not self._takes(")"):
            raise _Unreadable
        self._depth -= 1
        if len(parts) == 1 and name in ("", "calc", "-webkit-calc", "-moz-calc", "min", "max"):
            return parts[0]
        if name == "clamp" and len(parts) == 3:
            return max(parts[0], min(parts[1:]))
        if name in ("min", "max"):
            return min(parts) if name == "min" else max(parts)
        raise _Unreadable
