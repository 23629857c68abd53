"""Values of style declarations: which of them browsers throw away, and what variables stand for."""

import re
from collections.abc import Mapping

from ghost.web.colours import NAMED, colour
from ghost.web.numbers import NUMBER

MOST_CHARS = 500
"""A value longer than that once its variables are in it is not read: variables can double at each step."""
MOST_STEPS = 40

_GLOBAL = frozenset("inherit initial unset revert revert-layer".split())
_WORDS = {
    "display": (
        "none block inline inline-block flow flow-root run-in list-item flex inline-flex grid inline-grid table "
        "inline-table table-row table-cell table-caption table-column table-column-group table-row-group "
        "table-header-group table-footer-group contents ruby ruby-base ruby-text ruby-base-container "
        "ruby-text-container math subgrid masonry grid-lanes -webkit-box -webkit-inline-box -webkit-flex "
        "-webkit-inline-flex -ms-flexbox -ms-inline-flexbox -ms-grid -moz-box -moz-inline-box"
    ),
    "visibility": "visible hidden collapse",
    "content-visibility": "visible hidden auto",
    "position": "static relative absolute fixed sticky -webkit-sticky",
    "overflow": "visible hidden clip scroll auto overlay -moz-hidden-unscrollable",
    "font-size": "xx-small x-small small medium large x-large xx-large xxx-large smaller larger math",
    "opacity": "",
}
_KEYWORDS = {name: frozenset(words.split()) for name, words in _WORDS.items()}
_KEYWORDS |= dict.fromkeys(("overflow-x", "overflow-y"), _KEYWORDS["overflow"])
_OUTSIDE = frozenset("block inline run-in".split())
_INSIDE = frozenset("flow flow-root table flex grid ruby math".split())
_COLOURS = frozenset({"color", "background-color", "-webkit-text-fill-color"})
_MEASURES = {
    "opacity": re.compile(rf"{NUMBER}%?"),
    "font-size": re.compile(
        rf"(?!-){NUMBER}(?:%|px|pt|pc|in|cm|mm|q|r?(?:em|ex|ch|ic|cap|lh)|(?:[sld]?v|cq)(?:w|h|i|b|min|max))?"
    ),
}
_CALCULATED = re.compile(
    r"(?:(?:-webkit-|-moz-)?calc|calc-size|min|max|clamp|round|mod|rem|abs|sign|a?sin|a?cos|a?tan|atan2|pow|sqrt|hypot|log|exp"
    r"|progress|if|attr|random|sibling-(?:count|index))\(.*\)",
    re.DOTALL,
)
_BARE_HEX = re.compile(r"[0-9a-f]{3,8}")
_COLOUR_CALL = re.compile(
    r"(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color(?:-mix)?|contrast-color|light-dark|device-cmyk|if)\(.*\)", re.DOTALL
)
_SYSTEM = frozenset(
    "currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext graytext highlight "
    "highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext".split()
)
_PLAIN_COLOUR = re.compile(r"(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch))\([^()]*\)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)")


def thrown_away(name: str, value: str) -> bool:
    """Whether browsers leave out a declaration as if it were not there, so that an earlier one stays."""
    if not value:
        return not name.startswith("--")
    if value in _GLOBAL or "var(" in value or "env(" in value:
        return False
    if name in _COLOURS:
        return not _may_be_colour(value)
    words = _KEYWORDS.get(name)
    if words is None:
        return False
    if name in _MEASURES and (_MEASURES[name].fullmatch(value) or _CALCULATED.fullmatch(value)):
        return False
    parts = value.split()
    if name == "display" and len(parts) > 1:
        return not _may_be_display(parts)
    return len(parts) > (2 if name == "overflow" else 1) or not set(parts) <= words


def _may_be_display(parts: list[str]) -> bool:
    """Whether it says at most once each how an element is outside, how inside, and that it is an item of a list."""
    outside, inside = _OUTSIDE & set(parts), _INSIDE & set(parts)
    item = {"list-item"} & set(parts)
    if item and not inside <= {"flow", "flow-root"}:
        return False
    return len(outside) <= 1 and len(inside) <= 1 and len(outside | inside | item) == len(parts)


def _may_be_colour(value: str) -> bool:
    if _BARE_HEX.fullmatch(value) and value not in NAMED:
        return False  # colours without their # are for attributes only
    if value in _SYSTEM or colour(value) is not None:
        return True
    if _PLAIN_COLOUR.fullmatch(value):
        return "from " in value
    return _COLOUR_CALL.fullmatch(value) is not None


def with_variables(value: str, known: Mapping[str, str]) -> str | None:
    """The value with what its variables stand for; None where one stands for nothing, or there is no end to them."""
    for _ in range(MOST_STEPS):
        found = _VARIABLE.search(value)
        if not found:
            return value if "var(" not in value else None
        put = known.get(found[1], found[2])
        if put is None or len(value) + len(put) > MOST_CHARS:
            return None
        value = f"{value[: found.start()]}{put.strip()}{value[found.end() :]}"
    return None
