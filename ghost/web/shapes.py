"""What clips and turns do to a box: whether nothing is left of it."""

import math
import re
from collections.abc import Iterator, Mapping

from ghost.web.declarations import put_back
from ghost.web.measures import called, degrees, pixels, share, words

TINY = 0.1
"""Letters that are made so much smaller cannot be read."""
FAR_PX = 5_000.0
"""Nothing is that large: a clip that takes so much takes all."""
MOST_CORNERS = 50

_DRAWS = re.compile(r"[lhvcsqtaLHVCSQTA]")
_OUT_OF_FLOW = frozenset({"absolute", "fixed"})
_TURNING = frozenset("transform scale rotate zoom".split())


def clipped(value: Mapping[str, str], em: float, rem: float) -> bool:
    """Whether nothing is left within the clip of a box."""
    clip, path = value.get("clip", ""), value.get("clip-path", "")
    if clip and value.get("position") in _OUT_OF_FLOW:
        rect = called(clip)
        if rect and rect[0] == "rect" and _no_rect([pixels(a, em, rem) for a in rect[1]]):
            return True
    return bool(path) and any(_clips_all(word, em, rem) for word in words(path))


def flattened(value: Mapping[str, str]) -> bool:
    """Whether a box is pressed flat, made tiny, or turned so that one looks at its edge."""
    if _TURNING.isdisjoint(value):
        return False
    zoom = share(value.get("zoom"))
    if zoom is not None and zoom < TINY:
        return True
    across = down = 1.0
    for x, y in _scales(value):
        across, down = across * x, down * y
    return abs(across) < TINY or abs(down) < TINY or any(_on_edge(*turn) for turn in _turns(value))


def _clips_all(word: str, em: float, rem: float) -> bool:
    name, arguments = called(word) or ("", [])
    sizes = [pixels(a, em, rem) for a in arguments]
    if name == "inset":
        return _no_inset(arguments[: arguments.index("round")] if "round" in arguments else arguments, em, rem)
    if name in ("circle", "ellipse"):
        radii = sizes[: arguments.index("at")] if "at" in arguments else sizes
        return any(r is not None and r < 0.5 for r in radii[:2] if r != 0) or 0.0 in radii[:2]
    if name == "polygon":
        return _no_area(word, em, rem)
    if name == "rect":
        return _no_rect(sizes[:4])
    if name == "xywh":
        return any(s is not None and s < 1 for s in sizes[2:4])
    return name == "path" and not _DRAWS.search(put_back(word).partition("(")[2])


def _no_rect(edges: list[float | None]) -> bool:
    """Whether nothing is between the edges, from the top around to the left."""
    if len(edges) != 4:
        return False
    top, right, bottom, left = edges
    return (top is not None and bottom is not None and bottom - top <= 1) or (
        left is not None and right is not None and right - left <= 1
    )


def _no_inset(arguments: list[str], em: float, rem: float) -> bool:
    """Whether so much is cut from two opposite sides that nothing is left between them."""
    if not 1 <= len(arguments) <= 4:
        return False
    sides = [arguments[n if n < len(arguments) else max(n - 2, 0) if n - 2 < len(arguments) else 0] for n in range(4)]
    for one, other in ((sides[0], sides[2]), (sides[1], sides[3])):
        taken = [a for a in (one, other) if a.endswith("%")]
        if sum(share(a) or 0.0 for a in taken) > 0.99:
            return True
        if sum(pixels(a, em, rem) or 0.0 for a in (one, other) if a not in taken) >= FAR_PX:
            return True
    return False


def _no_area(polygon: str, em: float, rem: float) -> bool:
    """Whether there is nothing between the corners of a polygon, or nothing of it in the box."""
    inside = polygon.partition("(")[2].removesuffix(")")
    corners = [words(corner) for corner in inside.split(",")[:MOST_CORNERS] if "evenodd" not in corner]
    at = [[pixels(w, em, rem) for w in corner if w != "nonzero"] for corner in corners]
    points = [(xy[0], xy[1]) for xy in at if len(xy) == 2]
    known = [(x, y) for x, y in points if x is not None and y is not None]
    if len(known) < len(at) or not known:
        return False
    if all(x <= 0 for x, _ in known) or all(y <= 0 for _, y in known):
        return True
    (a, b), *others = known
    u, v = max(((x - a, y - b) for x, y in others), key=lambda d: math.hypot(*d), default=(0.0, 0.0))
    return all(abs(u * (y - b) - v * (x - a)) < 2 for x, y in others)  # on one line; edges that cross enclose something


def _scales(value: Mapping[str, str]) -> Iterator[tuple[float, float]]:
    """How many times as wide and as high each step makes a box."""
    if "scale" in value:
        yield _two([share(word) for word in words(value["scale"])])
    for word in words(value.get("transform", "")):
        name, arguments = called(word) or ("", [])
        sizes = [share(a) for a in arguments]
        if name in ("scale", "scale3d"):
            yield _two(sizes)
        elif name in ("scalex", "scaley"):
            size = _or_one(sizes)
            yield (size, 1.0) if name == "scalex" else (1.0, size)
        elif name in ("matrix", "matrix3d") and None not in sizes and len(sizes) in (6, 16):
            plane = sizes[:4] if name == "matrix" else [*sizes[:2], *sizes[4:6]]
            a, b, c, d = (s or 0.0 for s in plane)
            flat = abs(a * d - b * c) < 0.001
            yield (0.0, 0.0) if flat else (math.hypot(a, b), math.hypot(c, d))


def _two(sizes: list[float | None]) -> tuple[float, float]:
    first = _or_one(sizes)
    return first, _or_one(sizes[1:]) if len(sizes) > 1 else first


def _or_one(sizes: list[float | None]) -> float:
    return sizes[0] if sizes and sizes[0] is not None else 1.0


def _turns(value: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Axes and angles of all turns out of the plane of the page."""
    parts = words(value.get("rotate", ""))
    if len(parts) == 2:
        yield parts[0], parts[1]
    for word in words(value.get("transform", "")):
        name, arguments = called(word) or ("", [])
        if name in ("rotatex", "rotatey") and arguments:
            yield name[-1], arguments[0]
        elif name == "rotate3d" and len(arguments) == 4 and share(arguments[2]) == 0:
            yield "x", arguments[3]


def _on_edge(axis: str, angle: str) -> bool:
    turned = degrees(angle)
    return axis in ("x", "y") and turned is not None and abs(turned % 180 - 90) < 0.5
