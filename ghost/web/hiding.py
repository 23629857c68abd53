"""What a style does to text: whether a reader can still see it, and what it hands down to the elements inside."""

import math
import re
from dataclasses import dataclass, replace

from lxml.etree import _Element

from ghost.web.colours import BLACK, SEE_THROUGH, WHITE, Colour, alike, colour, over
from ghost.web.numbers import MOST, NUMBER, number
from ghost.web.styles import Declared, Sheet

SMALL_PX = 2.5
"""Smaller letters cannot be read."""
FAR_PX = 500.0
"""So far above or left of the page nobody can scroll."""
FAR_RIGHT_PX = 5_000.0

_LENGTH = re.compile(rf"({NUMBER})(px|pt|em|rem|ex|ch|vw|vh|%|in|cm|mm|pc)?")
_SHARE = re.compile(rf"({NUMBER})(%?)")
_TURNED = re.compile(rf"rotate[xy]\(\s*({NUMBER})(deg|turn|grad|rad)\s*\)")
_TURN = {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 57.29578}
_CHOSEN = re.compile(r"(min|max|clamp|calc)\((.*)\)", re.DOTALL)
_TERMS = re.compile(r"\s+([+-])\s+")
_INSET = re.compile(rf"inset\(\s*({NUMBER})%")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.333, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "vw": 12.8, "vh": 8.0,
           "%": 10.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "pc": 16.0}  # fmt: skip
_FONT_WORDS = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
               "xx-large": 32.0, "xxx-large": 48.0, "initial": 16.0}  # fmt: skip
_FONT_SIZE = re.compile(rf"(?:^|\s)({NUMBER}(?:px|pt|em|rem|%|vw|vh))(?:\s*/|\s)")
_MAYBE_DARK = re.compile(
    r"(?:^|[\s_-])(?:hero|banner|dark|cover|overlay|footer|header|masthead|nav|navbar|btn|button|badge|label"
    r"|tag|chip|pill|slide|slider|carousel|jumbotron|cta|bg|background|inverse|inverted|alert|callout|promo|tooltip|ribbon)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Names of what often has a dark ground that only a style sheet elsewhere knows of."""
_DARK_TAGS = frozenset({"header", "footer", "nav", "button", "figure", "figcaption", "aside", "th", "summary"})
_COLOURED = frozenset("a font body table tr td th".split())
"""Elements that have colours without a style."""
_WORDS = re.compile(r"[a-z-]++\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*\))*\)|\S+")
"""The words of a value; a function with what is in its brackets is one."""
_COLOUR_FUNCTION = re.compile(r"(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color(?:-mix)?|contrast-color|light-dark|var)\(")
_FOR_SCREEN_READERS = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-text sr-text "
    "a11y-hidden u-visually-hidden u-hidden-visually is-visually-hidden show-for-sr assistive-text offscreen "
    "off-screen wcag-hidden element-invisible".split()
)
_HIDDEN_CLASSES = frozenset("d-none hidden is-hidden hide display-none u-hidden invisible ng-hide".split())
_SHOWN_AGAIN = re.compile(
    r"(?:^|\s)(?:\S+:(?:block|flex|inline|inline-block|grid|visible|table)|d-\w\w-\w+|show|open)\b"
)


@dataclass(frozen=True, slots=True)
class Look:
    """How text directly inside an element looks."""

    seen: bool = True
    """``visibility``: an element inside can be seen again."""
    font_px: float = 16.0
    text: Colour | None = BLACK
    """None where it cannot be told."""
    ground: Colour | None = WHITE
    """None where it is a picture, or not known."""
    sure: bool = True
    """Whether the ground was declared; else it is white because nothing says otherwise."""
    why_unseen: str = ""
    """Why a reader does not see the text; empty when nothing says so."""


def hidden_whole(element: _Element, css: Declared, sheet: Sheet) -> str:
    """Why nothing inside an element can be seen; empty when something can."""
    if not css and not element.attrib and element.tag != "dialog":
        return ""
    if element.get("hidden") is not None and "display" not in css:
        return "hidden attribute"
    if (element.get("popover") is not None or (element.tag == "dialog" and element.get("open") is None)) and (
        "display" not in css
    ):
        return "closed dialog"
    if element.tag in ("html", "body"):
        return ""  # shown by a script as soon as it is loaded
    if not css:
        return _by_class(element, {})
    value = {name: v for name, (v, _) in css.items()}
    if value.get("display") == "none" or value.get("content-visibility") == "hidden":
        return "display: none"
    if not _animated(value, sheet) and (
        _number(value.get("opacity")) <= 0.05 or _number(_argument(value.get("filter", ""), "opacity")) <= 0.05
    ):
        return "invisible style"
    if _no_size(value):
        return "no size"
    if _far_away(value) or _clipped(value):
        return "off screen"
    return _by_class(element, value)


def look(element: _Element, css: Declared, before: Look, sheet: Sheet) -> Look:
    """How text in ``element`` looks, which is inside one that looks like ``before``."""
    if not css and element.tag not in _COLOURED and not (element.tag in _DARK_TAGS or _named_dark(element)):
        return before
    value = {name: v for name, (v, _) in css.items()}
    seen = before.seen
    if value.get("visibility") in ("hidden", "collapse") and element.tag not in ("html", "body"):
        seen = _animated(value, sheet)
    elif value.get("visibility") in ("visible", "initial"):
        seen = True
    text = _text_colour(element, value, before)
    ground, sure = _ground(element, value, before)
    if "text" in value.get("background-clip", "") + value.get("-webkit-background-clip", "") + value.get(
        "background", ""
    ):
        ground, sure = None, True  # letters cut out of a picture
        text = BLACK
    font_px = _font(value, before.font_px)
    return Look(seen, font_px, text, ground, sure, _why_unseen(seen, font_px, text, ground))


def _why_unseen(seen: bool, font_px: float, text: Colour | None, ground: Colour | None) -> str:
    if not seen:
        return "invisible style"
    if font_px < SMALL_PX:
        return "no size"
    return "same colour" if text and (text[3] < SEE_THROUGH or (ground and alike(text, ground))) else ""


def _named_dark(element: _Element) -> bool:
    """Whether the element is called like something with a ground of its own that is declared elsewhere."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return len(names) > 1 and bool(_MAYBE_DARK.search(names))


def _text_colour(element: _Element, value: dict[str, str], before: Look) -> Colour | None:
    said = value.get("-webkit-text-fill-color") or value.get("color") or ""
    if not said and element.tag in ("font", "body"):
        said = (element.get("color") or element.get("text") or "").lower()
    found = colour(said) if said else None
    if found:
        return found
    if _COLOUR_FUNCTION.match(said):
        return None
    if element.tag == "a" and element.get("href") is not None and not said:
        return (0.0, 0.0, 238.0, 1.0)  # links have their own colour
    return before.text if said in ("", "inherit", "currentcolor", "unset", "revert", "revert-layer") else BLACK


def _ground(element: _Element, value: dict[str, str], before: Look) -> tuple[Colour | None, bool]:
    said = f"{value.get('background', '')} {value.get('background-color', '')}".strip()
    image = value.get("background-image", "")
    if "url(" in said + image or "gradient(" in said + image or "var(" in said:
        return None, True
    said = said or (element.get("bgcolor") or "").lower()
    for word in reversed(_WORDS.findall(said)):
        found = colour(word)
        if found is None and _COLOUR_FUNCTION.match(word):
            return None, True
        if found and found[3] > 0:
            if found[3] < 0.99 and before.ground is None:
                return None, True
            return over(found, before.ground or WHITE), True
    if not before.sure and (element.tag in _DARK_TAGS or _named_dark(element)):
        return None, before.sure
    return before.ground, before.sure


def _font(value: dict[str, str], before: float) -> float:
    said = value.get("font-size", "")
    if not said and (short := _FONT_SIZE.search(value.get("font", ""))):
        said = short[1]
    if not said or said in ("inherit", "unset"):
        return before
    if said in _FONT_WORDS:
        return _FONT_WORDS[said]
    found = _LENGTH.fullmatch(said)
    if not found:
        # A share of the screen's width may be any size there; only sums of what is known can be told.
        sized = None if "v" in said or "%" in said else _pixels(said, before)
        return max(before, 16.0) if sized is None else min(sized, MOST)
    size, unit = number(found[1]), found[2] or ""
    if unit in ("em", "%"):
        return min(before * size / (100 if unit == "%" else 1), MOST)  # in nested elements it would have no end
    return size * _PIXELS[unit]


def _no_size(value: dict[str, str]) -> bool:
    turned = value.get("transform", "")
    if _number(_argument(turned, "scale(?:3d|x|y)?")) == 0 or value.get("scale") in ("0", "0 0") or _edge_on(turned):
        return True
    if value.get("zoom") in ("0", "0%"):
        return True
    overflow = value.get("overflow", "") + value.get("overflow-x", "") + value.get("overflow-y", "")
    contained = {"strict", "content", "paint"} & set(value.get("contain", "").split())
    if "hidden" not in overflow and "clip" not in overflow and not contained:
        return False
    sizes = (_pixels(value.get(n)) for n in ("width", "height", "max-width", "max-height", "line-height"))
    return any(s is not None and 0 <= s <= 1 for s in sizes)


def _far_away(value: dict[str, str]) -> bool:
    placed = value.get("position") in ("absolute", "fixed", "relative", "sticky")
    names = ("left", "top", "right", "bottom", "inset") if placed else ()
    for name in (*names, "margin-left", "margin-top", "text-indent", "margin"):
        for word in value.get(name, "").split()[:4]:
            pixels = _pixels(word)
            if pixels is not None and (pixels <= -FAR_PX or (name in ("left", "top") and pixels >= FAR_RIGHT_PX)):
                return True
    moved = re.findall(r"translate(?:3d|x|y)?\(([^()]*)\)", value.get("transform", ""))
    moved.append(value.get("translate", ""))
    lengths = [_pixels(w) for m in moved for w in re.split(r"[\s,]+", m)]
    return any(p is not None and (p <= -2 * FAR_PX or p >= FAR_RIGHT_PX) for p in lengths)


def _clipped(value: dict[str, str]) -> bool:
    if value.get("position") in ("absolute", "fixed"):
        rect = re.fullmatch(r"rect\(([^()]*)\)", value.get("clip", ""))
        if rect and all((_pixels(w) or 0) <= 1 for w in re.split(r"[\s,]+", rect[1].strip())):
            return True
    path = value.get("clip-path", "")
    inset = _INSET.match(path)
    corners = re.match(r"polygon\(([^()]*)\)", path)
    if corners and _no_area(corners[1]):
        return True
    return bool(inset and number(inset[1]) >= 50) or bool(re.match(r"circle\(\s*0(?:px|%)?\b(?!\.)", path))


def _edge_on(transform: str) -> bool:
    """Whether it is turned so that one looks at its edge, or pressed flat."""
    for angle, unit in _TURNED.findall(transform):
        if abs(number(angle) * _TURN[unit] % 180 - 90) < 0.5:
            return True
    flat = re.search(r"matrix\(([^()]*)\)", transform)
    parts = [_SHARE.fullmatch(p.strip()) for p in flat[1].split(",")] if flat else []
    a, b, c, d = (number(p[1]) if p else 1.0 for p in parts[:4]) if len(parts) == 6 else (1.0, 0.0, 0.0, 1.0)
    return abs(a * d - b * c) < 0.001


def _no_area(corners: str) -> bool:
    """Whether there is nothing between the corners of a polygon."""
    at = [[_pixels(w) for w in corner.split()] for corner in corners.split(",")[:50]]
    points = [(xy[0], xy[1]) for xy in at if len(xy) == 2]
    if len(points) < len(at) or any(x is None or y is None for x, y in points):
        return False
    known = [(x or 0.0, y or 0.0) for x, y in points]
    (a, b), *others = known
    u, v = max(((x - a, y - b) for x, y in others), key=lambda d: math.hypot(*d), default=(0.0, 0.0))
    return all(abs(u * (y - b) - v * (x - a)) < 2 for x, y in others)  # on one line; edges that cross enclose something


def _by_class(element: _Element, value: dict[str, str]) -> str:
    """Hidden by a class of the common frameworks, whose style sheets are elsewhere."""
    names = element.get("class")
    if not names:
        return ""
    classes = set(names.lower().split())
    if classes & _FOR_SCREEN_READERS and not {"position", "clip", "display"} & set(value):
        return "screen readers only"
    hides = classes & _HIDDEN_CLASSES
    if hides and not {"display", "visibility"} & set(value) and not _SHOWN_AGAIN.search(names.lower()):
        return "hidden by class"
    return ""


def _animated(value: dict[str, str], sheet: Sheet) -> bool:
    names = set(re.split(r"[\s,]+", f"{value.get('animation', '')} {value.get('animation-name', '')}"))
    return bool(names & sheet.fades_in)


def _argument(value: str, function: str) -> str | None:
    found = re.search(rf"{function}\(\s*([^(),\s]+)", value)
    return found[1] if found else None


def _number(value: str | None) -> float:
    found = _SHARE.fullmatch(value or "")
    return number(found[1]) / (100 if found[2] else 1) if found else 1.0


def _pixels(value: str | None, of: float = 16.0) -> float | None:
    """A length in pixels, also of a short sum or the least of several; ``of`` is the size of the letters."""
    if not value or len(value) > 100:
        return None
    if chosen := _CHOSEN.fullmatch(value):
        return _calculated(chosen[1], chosen[2], of)
    found = _LENGTH.fullmatch(value)
    return number(found[1]) * (of if found[2] == "em" else _PIXELS[found[2] or ""]) if found else None


def _calculated(how: str, inside: str, of: float) -> float | None:
    if how != "calc":
        parts = [_pixels(part.strip(), of) for part in inside.split(",")]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts) or (how == "clamp" and len(known) != 3):
            return None
        return max(known[0], min(known[1:])) if how == "clamp" else min(known) if how == "min" else max(known)
    first, *more = _TERMS.split(inside.strip())
    total = _pixels(first, of)
    for sign, term in zip(more[::2], more[1::2], strict=True):
        length = _pixels(term, of)
        if total is None or length is None:
            return None
        total += length if sign == "+" else -length
    return total


def unsure(of: Look) -> Look:
    """The same look on a page whose style sheets are elsewhere."""
    return replace(of, sure=False)
