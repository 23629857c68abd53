"""Values of style declarations: which of them browsers throw away, and what variables stand for."""

import re
from collections.abc import Callable, Mapping

from ghost.web.colours import NAMED, colour
from ghost.web.measures import ANGLES, LENGTHS, called, measured, words

MOST_CHARS = 500
"""A value longer than that once its variables are in it is not read: variables can double at each step."""
MOST_STEPS = 40

GLOBAL = frozenset("inherit initial unset revert revert-layer".split())
_LENGTHS = LENGTHS | {"%"}
_SHARE = frozenset({"%"})
_NONE: frozenset[str] = frozenset()
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
    "overflow-x": "visible hidden clip scroll auto overlay -moz-hidden-unscrollable",
    "font-size": "xx-small x-small small medium large x-large xx-large xxx-large smaller larger math",
    "line-height": "normal",
    "zoom": "normal reset",
    "flex-grow": "",
    "opacity": "",
}
_KEYWORDS = {name: frozenset(text.split()) for name, text in _WORDS.items()}
_KEYWORDS["overflow-y"] = _KEYWORDS["overflow-x"]
_LISTS = {
    "contain": "none strict content size inline-size block-size layout style paint",
    "white-space": "normal nowrap pre pre-wrap pre-line break-spaces collapse preserve preserve-breaks "
    "preserve-spaces wrap balance stable pretty",
    "background-clip": "border-box padding-box content-box text border-area no-clip border padding content ,",
}
_MANY = {name: frozenset(text.split()) for name, text in _LISTS.items()}
_OUTSIDE = frozenset("block inline run-in".split())
_INSIDE = frozenset("flow flow-root table flex grid ruby math".split())
_COLOURS = frozenset({"color", "background-color", "-webkit-text-fill-color"})
_SIZES = frozenset(
    "auto none min-content max-content fit-content stretch intrinsic min-intrinsic content -webkit-fill-available "
    "-webkit-min-content -webkit-max-content -webkit-fit-content -moz-available -moz-min-content -moz-max-content "
    "-moz-fit-content".split()
)
_PLACES = frozenset("top right bottom left".split())
_BARE_IN_QUIRKS = frozenset(
    "top right bottom left width height min-width min-height max-width max-height font-size text-indent margin-top "
    "margin-right margin-bottom margin-left padding-top padding-right padding-bottom padding-left".split()
)
"""What may be without a unit on a page without a document type."""
_BARE_HEX = re.compile(r"[0-9a-f]{3,8}")
_COLOUR_CALL = re.compile(
    r"(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color(?:-mix)?|contrast-color|light-dark|device-cmyk|if)\(.*\)", re.DOTALL
)
_SYSTEM = frozenset(
    "currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext graytext highlight "
    "highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext".split()
)
_PLAIN_COLOUR = re.compile(r"(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch))\([^()]*\)")
IMAGE_CALL = re.compile(
    r"(?:url|src|image|image-set|cross-fade|element|paint|(?:repeating-)?(?:linear|radial|conic)-gradient"
    r"|-webkit-(?:gradient|image-set|cross-fade|(?:repeating-)?(?:linear|radial)-gradient)"
    r"|-moz-(?:element|(?:repeating-)?(?:linear|radial)-gradient))\(.*\)",
    re.DOTALL,
)
_VARIABLE = re.compile(
    r"var\(\s*(--[\w\U000f0000-\U000f007f-]+)\s*(?:,([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*))?\)"
)

_TRANSFORMS: dict[str, tuple[int, int, frozenset[str], bool]] = {
    "matrix": (6, 6, _NONE, True), "matrix3d": (16, 16, _NONE, True), "perspective": (1, 1, LENGTHS, False),
    "translate": (1, 2, _LENGTHS, False), "translatex": (1, 1, _LENGTHS, False), "translatey": (1, 1, _LENGTHS, False),
    "translatez": (1, 1, LENGTHS, False), "translate3d": (3, 3, _LENGTHS, False), "scale": (1, 2, _SHARE, True),
    "scalex": (1, 1, _SHARE, True), "scaley": (1, 1, _SHARE, True), "scalez": (1, 1, _SHARE, True),
    "scale3d": (3, 3, _SHARE, True), "rotate": (1, 1, ANGLES, False), "rotatex": (1, 1, ANGLES, False),
    "rotatey": (1, 1, ANGLES, False), "rotatez": (1, 1, ANGLES, False), "rotate3d": (4, 4, ANGLES, True),
    "skew": (1, 2, ANGLES, False), "skewx": (1, 1, ANGLES, False), "skewy": (1, 1, ANGLES, False),
}  # fmt: skip
"""Fewest and most arguments, their units, and whether they may have none."""
_FILTERS = {"blur": (LENGTHS, False), "hue-rotate": (ANGLES, False)} | dict.fromkeys(
    ("brightness", "contrast", "grayscale", "invert", "opacity", "saturate", "sepia"), (_SHARE, True)
)
_SHAPES = frozenset("inset circle ellipse polygon path rect xywh shape url".split())
_IN_SHAPES = frozenset(
    "at round center left right top bottom closest-side farthest-side closest-corner farthest-corner auto evenodd "
    "nonzero ,".split()
)
_BOXES = frozenset("border-box padding-box content-box margin-box fill-box stroke-box view-box".split())


def thrown_away(name: str, value: str, quirks: bool = False) -> bool:
    """Whether browsers leave out a declaration of one property as if it were not there, so that an earlier one stays.

    With ``quirks`` as on a page without a document type.
    """
    if not value:
        return not name.startswith("--")
    if value in GLOBAL or "var(" in value or "env(" in value:
        return False
    if name in _COLOURS:
        return not _may_be_colour(value)
    if name in _MEASURED:
        keywords, units, signed, bare = _MEASURED[name]
        bare = bare or (quirks and name in _BARE_IN_QUIRKS)
        return value not in keywords and not measured(value, units, signed, bare) and not _sizing(name, value)
    if name in _READ:
        return not _READ[name](value)
    if name in _MANY:
        return not set(words(value)) <= _MANY[name]
    known = _KEYWORDS.get(name)
    return known is not None and value not in known


def _sizing(name: str, value: str) -> bool:
    """Whether it is one of the functions that only stand for sizes, or words beside an indentation."""
    if name == "text-indent":
        return any(measured(w, _LENGTHS) for w in value.split()) and all(
            measured(w, _LENGTHS) or w in ("hanging", "each-line") for w in value.split()
        )
    return value.startswith("fit-content(") and value.endswith(")") and name in _SIZED


def _may_be_display(value: str) -> bool:
    """Whether it says at most once each how an element is outside, how inside, and that it is an item of a list."""
    parts = value.split()
    if len(parts) == 1:
        return value in _KEYWORDS["display"]
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


def is_colour(word: str) -> bool:
    """Whether a word of a shorthand is a colour."""
    return _may_be_colour(word)


def _may_be_transform(value: str) -> bool:
    if value == "none":
        return True
    for word in words(value):
        call = called(word)
        if call is None or call[0] not in _TRANSFORMS:
            return False
        fewest, most, units, bare = _TRANSFORMS[call[0]]
        if not fewest <= len(call[1]) <= most:
            return False
        if not all(measured(a, units, bare=bare) or (a == "none" and call[0] == "perspective") for a in call[1]):
            return False
    return True


def _may_be_filter(value: str) -> bool:
    if value == "none":
        return True
    for word in words(value):
        name, arguments = called(word) or ("", [])
        if name in ("url", "drop-shadow"):
            continue
        if name not in _FILTERS or len(arguments) > 1:
            return False
        units, bare = _FILTERS[name]
        if not all(measured(a, units, signed=name == "hue-rotate", bare=bare) for a in arguments):
            return False
    return True


def _may_be_clip_path(value: str) -> bool:
    if value == "none":
        return True
    for word in words(value):
        name, arguments = called(word) or ("", [])
        if word in _BOXES or name in ("url", "path", "shape"):
            continue
        if name not in _SHAPES or not all(a in _IN_SHAPES or measured(a, _LENGTHS) for a in arguments):
            return False
    return True


def _may_be_clip(value: str) -> bool:
    name, arguments = called(value) or ("", [])
    return value == "auto" or (
        name == "rect" and len(arguments) == 4 and all(a == "auto" or measured(a, LENGTHS) for a in arguments)
    )


def _may_be_measures(most: int, units: frozenset[str], bare: bool) -> Callable[[str], bool]:
    def read(value: str) -> bool:
        parts = words(value)
        return value == "none" or (len(parts) <= most and all(measured(p, units, bare=bare) for p in parts))

    return read


def _may_be_rotation(value: str) -> bool:
    """An angle, with or without the axis around which it turns."""
    parts = words(value)
    angles = [p for p in parts if measured(p, ANGLES) and p != "0"]
    rest = [p for p in parts if p not in angles[-1:]]
    return value == "none" or (
        len(angles) >= 1
        and (rest in ([], ["x"], ["y"], ["z"]) or (len(rest) == 3 and all(measured(r, _NONE, bare=True) for r in rest)))
    )


def _may_be_image(value: str) -> bool:
    return all(part in ("none", ",") or IMAGE_CALL.fullmatch(part) for part in words(value))


_SIZED = frozenset("width height min-width min-height max-width max-height".split())
_MEASURED: dict[str, tuple[frozenset[str], frozenset[str], bool, bool]] = {
    **dict.fromkeys(_SIZED, (_SIZES, _LENGTHS, False, False)),
    **dict.fromkeys(_PLACES, (frozenset({"auto"}), _LENGTHS, True, False)),
    **{f"margin-{side}": (frozenset({"auto"}), _LENGTHS, True, False) for side in _PLACES},
    **{f"padding-{side}": (_NONE, _LENGTHS, False, False) for side in _PLACES},
    "text-indent": (_NONE, _LENGTHS, True, False),
    "line-height": (_KEYWORDS["line-height"], _LENGTHS, False, True),
    "font-size": (_KEYWORDS["font-size"], _LENGTHS, False, False),
    "opacity": (_NONE, _SHARE, True, True),
    "flex-grow": (_NONE, _NONE, False, True),
    "zoom": (_KEYWORDS["zoom"], _SHARE, False, True),
}
"""Words beside measures, units, whether there are measures below zero, and whether without a unit."""
_READ: dict[str, Callable[[str], bool]] = {
    "display": _may_be_display,
    "transform": _may_be_transform,
    "scale": _may_be_measures(3, _SHARE, True),
    "translate": _may_be_measures(3, _LENGTHS, False),
    "rotate": _may_be_rotation,
    "filter": _may_be_filter,
    "clip": _may_be_clip,
    "clip-path": _may_be_clip_path,
    "background-image": _may_be_image,
}
PROPERTIES = _COLOURS | frozenset(_MEASURED) | frozenset(_READ) | frozenset(_MANY) | frozenset(_KEYWORDS)
"""Those whose values are known here."""


def with_variables(value: str, known: Mapping[str, str]) -> str | None:
    """The value with what its variables stand for; None where one stands for nothing, or there is no end to them."""
    for _ in range(MOST_STEPS):
        found = _VARIABLE.search(value)
        if not found:
            return value if "var(" not in value else None
        put = known.get(found[1], "initial")
        put = found[2] if put == "initial" else put
        if put is None or len(value) + len(put) > MOST_CHARS:
            return None
        value = f"{value[: found.start()]}{put.strip()}{value[found.end() :]}"
    return None
