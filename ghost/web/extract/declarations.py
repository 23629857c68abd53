"""Plain CSS declarations that can hide text."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tinycss2 import parse_blocks_contents, serialize
from tinycss2.color5 import parse_color

MAX_STYLE = 5_000
"""Characters of one ``style`` attribute that are read."""
UNKNOWN = "?"
"""The value of a property that was set to something that cannot be known."""

Node = Any
Declared = dict[str, tuple[str, bool]]
"""Property -> its value in small letters, and whether it is ``!important``."""
Rgba = tuple[float, float, float, float]
"""Red, green and blue from 0 to 255, and alpha from 0 to 1."""

_LENGTH = r"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:%|[a-z]{1,5})|[+-]?0(?:\.0{1,9})?"
_NUMBER = r"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})%?"
_CUTS = "visible|hidden|clip|scroll|auto|overlay"
_COLOUR = "a colour"
_VALID = {
    "display": r"none|contents|inline|ruby|list-item|flow-root|(?:inline-)?(?:block|flex|grid|table)|table-[a-z-]+"
    r"|(?:block|inline) (?:flow|flow-root|flex|grid|table)|-(?:webkit|moz|ms)-[a-z-]+",
    "visibility": "visible|hidden|collapse", "content-visibility": "visible|hidden|auto",
    "position": "static|relative|absolute|fixed|(?:-webkit-)?sticky", "float": "none|left|right|inline-(?:start|end)",
    "overflow": f"(?:{_CUTS})(?: (?:{_CUTS}))?", "opacity": _NUMBER, "vertical-align": rf"[a-z-]+|{_LENGTH}",
    "font-size": rf"{_LENGTH}|(?:x{{1,3}}-)?(?:small|large)|medium|smaller|larger",
    **dict.fromkeys(
        "left right top bottom text-indent width height max-width max-height min-width min-height padding-top "
        "padding-bottom padding-left margin-left".split(), rf"{_LENGTH}|auto|none|(?:min|max|fit)-content",
    ),
    **dict.fromkeys(("color", "background-color", "-webkit-text-fill-color"), _COLOUR),
    **dict.fromkeys(
        "text-decoration animation clip clip-path transform filter background-image background-clip flex "
        "color-scheme".split(), r"[^;{}]+",
    ),
}  # fmt: skip
"""What browsers take as the value of each property that is read; they throw anything else away."""
_ANY_FUNCTION = re.compile(r"\b(?:var|env|attr|calc|min|max|clamp)\(")
_GLOBAL = frozenset("inherit initial unset revert revert-layer".split())
_ALIASES = {"overflow-x": "overflow", "overflow-y": "overflow", "text-decoration-line": "text-decoration",
            "animation-name": "animation", "flex-grow": "flex", "margin-inline-start": "margin-left",
            "inset-inline-start": "left", "-webkit-text-decoration": "text-decoration"}  # fmt: skip
_FONT = re.compile(rf"(?:^|\s)({_LENGTH})(?:\s*/\s*\S+)?\s+\S")
_PICTURE = re.compile(r"url\(|gradient\(|image")


def inline_style(written: str) -> Declared:
    """What a ``style`` attribute declares."""
    try:
        return declarations(parse_blocks_contents(written[:MAX_STYLE], skip_comments=True, skip_whitespace=True))
    except (RecursionError, ValueError):  # brackets in brackets, or a number of thousands of digits
        return {}


def colour(value: str) -> Rgba | None:
    """A colour in any notation of CSS that can be known."""
    try:
        found = parse_color(value, ("light",))
        if found is None or isinstance(found, str):
            return None
        if found.space in ("lab", "lch", "oklab", "oklch"):  # tinycss2 converts them no further than to Lab
            light, a, b = found.to("lab").coordinates
            return _grey(light, a, b, float(found.alpha))
        red, green, blue = (255 * max(0.0, min(1.0, c or 0.0)) for c in found.to("srgb").coordinates)
        return red, green, blue, float(found.alpha)
    except (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError):
        return None


def _grey(light: float, a: float, b: float, alpha: float) -> Rgba | None:
    """Black or white; None for any other colour of Lab."""
    if abs(a) + abs(b) > 5 or 3 < light < 97:
        return None
    return (255.0, 255.0, 255.0, alpha) if light >= 97 else (0.0, 0.0, 0.0, alpha)


def declarations(nodes: Iterable[Node]) -> Declared:
    """The declarations of a block: the last of each property counts, or the last important one."""
    found: Declared = {}
    for node in nodes:
        if node.type == "declaration":
            name = node.lower_name.removeprefix("-webkit-") if node.lower_name not in _VALID else node.lower_name
            value = " ".join(serialize(node.value).lower().split())
            for key, read in _plain(_ALIASES.get(name, name), value):
                if node.important or not found.get(key, ("", False))[1]:
                    found[key] = (read, node.important)
    return found


def _plain(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The properties that a declaration sets, shorthands taken apart; none where it is invalid."""
    if name == "background":
        if _PICTURE.search(value) or "var(" in value:
            yield "background-image", UNKNOWN
            return
        yield "background-image", "none"
        words = re.split(r"\s(?![^()]*\))", value)
        named = [word for word in words if "(" in word or _is_colour(word)]
        yield "background-color", named[0] if named else "transparent"
    elif name == "font" and (size := _FONT.search(value)):
        yield "font-size", size[1]
    elif name == "scale" and value[:1] in "0123456789.":
        yield "transform", f"scale({value.replace(' ', ',')})"
    elif name in ("margin", "padding") and 0 < len(sides := value.split()) <= 4:
        left = sides[{1: 0, 2: 1, 3: 1, 4: 3}[len(sides)]]
        if re.fullmatch(_VALID["left"], left):
            yield f"{name}-left", left
    elif name in _VALID:
        if value in _GLOBAL:
            yield name, value
        elif _ANY_FUNCTION.search(value):
            yield name, UNKNOWN
        elif _is_colour(value) if _VALID[name] is _COLOUR else re.fullmatch(_VALID[name], value):
            yield name, value


def _is_colour(value: str) -> bool:
    """Whether browsers take it for a colour, whether or not it can be known here."""
    try:
        return parse_color(value) is not None or value.startswith("color-mix(")
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False
