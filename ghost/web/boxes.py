"""Whether a box shows nothing of what is in it, because it has no size and cuts off what goes beyond."""

from collections.abc import Mapping
from math import inf

from ghost.web.measures import pixels, share

SMALL_PX = 2.5
"""In a smaller box nothing can be read, and smaller letters cannot either."""
PADDED_PX = 20.0
"""A box without height that is held open by so much padding has something placed in it."""

_CUTS = frozenset({"hidden", "auto", "scroll", "overlay"})
"""Whoever cuts one way cuts the other way too; ``clip`` does not."""
_PAINT = frozenset({"strict", "content", "paint"})
_SIZED = frozenset("width height min-width min-height max-width max-height".split())
_HELD_OPEN = frozenset("height min-height aspect-ratio contain-intrinsic-size contain-intrinsic-height".split())
_OUT_OF_FLOW = frozenset({"absolute", "fixed"})


def cuts_off(value: Mapping[str, str]) -> tuple[bool, bool]:
    """Whether what goes beyond a box is not shown, at its sides, and above and below."""
    x, y = value.get("overflow-x", ""), value.get("overflow-y", "")
    both = x in _CUTS or y in _CUTS or ("contain" in value and not _PAINT.isdisjoint(value["contain"].split()))
    return both or x == "clip", both or y == "clip"


def no_room(value: Mapping[str, str], em: float, rem: float, grows: bool) -> bool:
    """Whether there is no room to see anything in a box; ``grows`` in one that makes its items as large as it is."""
    across, down = cuts_off(value)
    if not (across or down):
        return False
    if down and not grows and _sized_by_nothing(value):
        return True
    if _SIZED.isdisjoint(value):
        return False
    grown = grows and (share(value.get("flex-grow")) or 0.0) > 0
    return (across and _room("width", "right", value, em, rem, grown) < SMALL_PX) or (
        down and _room("height", "bottom", value, em, rem, grown) < SMALL_PX
    )


def padded(value: Mapping[str, str], em: float, rem: float) -> bool:
    """Whether only what is placed in a box can be seen: it is held open by its padding, for a picture and a title."""
    return (
        value.get("position", "static") != "static"
        and "padding-top" in value
        and (pixels(value["padding-top"], em, rem) or 0.0) >= PADDED_PX
    )


def _room(name: str, end: str, value: Mapping[str, str], em: float, rem: float, grown: bool) -> float:
    """How wide or high a box is at most; text also goes on into the padding behind it."""
    least = value.get(f"min-{name}", "0")
    floor = pixels(least, em, rem)
    behind = pixels(value.get(f"padding-{end}", "0"), em, rem)
    if (floor is None and least not in ("auto", "none", "initial", "unset")) or behind is None:
        return inf
    size = inf if grown else _known(name, value, em, rem)
    return max(min(size, _known(f"max-{name}", value, em, rem)), floor or 0.0) + max(behind, 0.0)


def _known(name: str, value: Mapping[str, str], em: float, rem: float) -> float:
    """A size, or no end where it cannot be told: a share of a height is nothing where nobody says of what height."""
    said = value.get(name, "")
    if said.endswith("%") and "height" in name and value.get("position") not in _OUT_OF_FLOW:
        return inf
    found = pixels(said, em, rem)
    return inf if found is None else found


def _sized_by_nothing(value: Mapping[str, str]) -> bool:
    """Whether a box is as high as if it were empty."""
    how = value.get("contain", "").split()
    return ("strict" in how or "size" in how) and _HELD_OPEN.isdisjoint(value) and "position" not in value
