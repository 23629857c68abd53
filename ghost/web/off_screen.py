"""Whether a box stands where nobody can scroll to, or so far off that nobody does."""

from collections.abc import Mapping
from dataclasses import dataclass

from ghost.web.boxes import cuts_off
from ghost.web.measures import called, pixels, share, words

FAR_LEFT_PX = 500.0
"""Nobody can scroll to the left of a page."""
FAR_UP_PX = 500.0
PUSHED_UP_PX = 2_000.0
"""Above its top neither; but what is moved up from where it would stand may still be below it."""
FAR_RIGHT_PX = 5_000.0
"""A page of that width is scrolled by nobody."""
FAR_DOWN_PX = 50_000.0
"""Pages are long: only beyond this nobody gets to the end."""
INDENTED_PX = 1_000.0

_MOVES = frozenset("position left right margin-left margin-top text-indent transform translate top bottom".split())
_PLACED = frozenset({"absolute", "fixed", "relative"})
_NO_WRAP = frozenset({"nowrap", "pre"})
_WHOLE = ("%", "vw", "vh", "vmin", "vmax", "dvw", "dvh", "svh", "lvh")


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a transform moves a box, in pixels and in shares of its own size."""

    x: float = 0.0
    y: float = 0.0
    own_x: float = 0.0
    own_y: float = 0.0


class _Sides:
    """The lengths of a style that are about where it is, in pixels; 0 where there are none."""

    def __init__(self, value: Mapping[str, str], em: float, rem: float) -> None:
        self._value, self._em, self._rem = value, em, rem

    def known(self, name: str) -> float | None:
        """A length, or None where it cannot be told."""
        return pixels(self._value[name], self._em, self._rem) if name in self._value else None

    def __getitem__(self, name: str) -> float:
        return self.known(name) or 0.0


def off_screen(value: Mapping[str, str], em: float, rem: float) -> bool:
    """Whether a box with this style is out of reach; ``em`` and ``rem`` are sizes of letters in pixels."""
    if _MOVES.isdisjoint(value):
        return False
    sides = _Sides(value, em, rem)
    position = value.get("position", "static")
    x = sides["margin-left"] + min(0.0, sides["text-indent"])
    y = sides["margin-top"]
    if position in _PLACED:
        if sides.known("left") is not None:
            x += sides["left"]
        elif position == "relative":
            x -= sides["right"]
        if sides.known("top") is not None:
            y += sides["top"]
        elif position == "relative":
            y -= sides["bottom"]
    x += max(0.0, sides["padding-left"]) if x < 0 else 0.0  # text begins behind the padding
    y += max(0.0, sides["padding-top"]) if y < 0 else 0.0
    up = FAR_UP_PX if position in ("absolute", "fixed") else PUSHED_UP_PX
    if x <= -FAR_LEFT_PX or x >= FAR_RIGHT_PX or y <= -up or y >= FAR_DOWN_PX:
        return True
    if position in ("absolute", "fixed") and _from_the_end(value, sides, position == "fixed"):
        return True
    return _indented(value, sides) or _shifted(value, sides, position, em, rem)


def _from_the_end(value: Mapping[str, str], sides: _Sides, fixed: bool) -> bool:
    """Out of reach by its distance from the right or the lower end; what is fixed also by that of a whole screen."""
    if sides.known("left") is None and (sides["right"] >= FAR_RIGHT_PX or sides["right"] <= -FAR_RIGHT_PX):
        return True
    if sides.known("top") is None and (sides["bottom"] >= FAR_RIGHT_PX or sides["bottom"] <= -FAR_DOWN_PX):
        return True
    if not fixed:
        return False
    if sides.known("left") is None and sides["right"] <= -FAR_LEFT_PX:
        return True
    if sides.known("top") is None and sides["bottom"] <= -FAR_UP_PX:
        return True
    if "transform" in value or "translate" in value:
        return False  # often moved back by its own size
    start, end = ("left", "margin-left"), ("top", "margin-top")
    beside = [side for side, margin in (start, end) if _whole(value.get(side)) and sides[margin] >= 0]
    behind = [s for s, o in (("right", "left"), ("bottom", "top")) if _whole(value.get(s)) and sides.known(o) is None]
    return bool(beside or behind)


def _whole(length: str | None) -> bool:
    """Whether it is all of the screen, or more."""
    if not length or not length.endswith(_WHOLE):
        return False
    part = share(length.rstrip("abcdefghijklmnopqrstuvwxyz%"))
    return part is not None and part >= 100


def _indented(value: Mapping[str, str], sides: _Sides) -> bool:
    """Whether the one line of a box begins behind its end, and nothing is shown there."""
    return (
        "text-indent" in value
        and sides["text-indent"] >= INDENTED_PX
        and not _NO_WRAP.isdisjoint(value.get("white-space", "").split())
        and cuts_off(value)[0]
    )


def _shifted(value: Mapping[str, str], sides: _Sides, position: str, em: float, rem: float) -> bool:
    if "transform" not in value and "translate" not in value:
        return False
    moved = shift(value, em, rem)
    if moved.x <= -2 * FAR_LEFT_PX or moved.x >= FAR_RIGHT_PX or moved.y <= -PUSHED_UP_PX or moved.y >= FAR_DOWN_PX:
        return True
    placed = position in ("absolute", "fixed")
    if moved.own_x <= -1 and sides["left"] <= 0 and not (placed and sides.known("right") is not None):
        return True
    if moved.own_x >= 1 and position == "fixed" and sides.known("right") is not None and sides["right"] <= 0:
        return True
    return abs(moved.own_y) >= 10 or (position == "fixed" and moved.own_y <= -1 and sides["top"] <= 0)


def shift(value: Mapping[str, str], em: float, rem: float) -> Shift:
    """What all translations of a style come to."""
    moves: list[tuple[str, str]] = []
    for word in words(value.get("transform", "")):
        name, arguments = called(word) or ("", [])
        if name in ("translate", "translate3d"):
            moves.append((arguments[0], arguments[1] if len(arguments) > 1 else "0"))
        elif name in ("translatex", "translatey") and arguments:
            moves.append((arguments[0], "0") if name == "translatex" else ("0", arguments[0]))
        elif name == "matrix" and len(arguments) == 6:
            moves.append((arguments[4], arguments[5]))
        elif name == "matrix3d" and len(arguments) == 16:
            moves.append((arguments[12], arguments[13]))
    if (parts := words(value.get("translate", ""))) and parts != ["none"]:
        moves.append((parts[0], parts[1] if len(parts) > 1 else "0"))
    if not moves:
        return Shift()
    by_x, by_y = [x for x, _ in moves], [y for _, y in moves]
    return Shift(
        sum(pixels(m, em, rem) or 0.0 for m in by_x if not m.endswith("%")),
        sum(pixels(m, em, rem) or 0.0 for m in by_y if not m.endswith("%")),
        sum(share(m) or 0.0 for m in by_x if m.endswith("%")),
        sum(share(m) or 0.0 for m in by_y if m.endswith("%")),
    )
