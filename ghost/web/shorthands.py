"""Declarations that set several properties at once, and names that mean the same: only plain properties are left.

That keeps the order: of ``font-size: 0; font: 16px serif`` the later counts, and of ``margin-left`` and ``margin`` too.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from ghost.web.measures import LENGTHS, measured, words
from ghost.web.values import GLOBAL, IMAGE_CALL, PROPERTIES, is_colour, thrown_away

_SIDES = ("top", "right", "bottom", "left")
_FLOW = {"block-start": "top", "inline-end": "right", "block-end": "bottom", "inline-start": "left"}
"""Sides by the direction of a text that runs from left to right and from top to bottom."""
_SAME = {
    **{f"{start}{old}": f"{start}{new}" for start in ("", "min-", "max-")
       for old, new in (("inline-size", "width"), ("block-size", "height"))},
    **{f"{box}-{flow}": f"{box}-{side}" for box in ("margin", "padding") for flow, side in _FLOW.items()},
    **{f"inset-{flow}": side for flow, side in _FLOW.items()},
    **{f"-webkit-{box}-{end}": f"{box}-{side}" for box in ("margin", "padding")
       for end, side in (("start", "left"), ("end", "right"), ("before", "top"), ("after", "bottom"))},
    **{f"-webkit-{name}": name for name in (
        "transform", "clip-path", "filter", "opacity", "background-clip", "flex", "flex-grow", "animation",
        "animation-name", "animation-fill-mode", "animation-duration", "animation-delay", "animation-play-state",
        "animation-iteration-count")},
    "overflow-inline": "overflow-x", "overflow-block": "overflow-y",
    **{f"-webkit-text-decoration{end}": f"text-decoration{end}" for end in ("", "-line")},
}  # fmt: skip
_ALL_SIDES = {
    "margin": tuple(f"margin-{s}" for s in _SIDES),
    "padding": tuple(f"padding-{s}" for s in _SIDES),
    "inset": _SIDES,
}
_TWO_SIDES = {
    "overflow": ("overflow-x", "overflow-y"),
    "inset-block": ("top", "bottom"),
    "inset-inline": ("left", "right"),
    **{f"{box}-block": (f"{box}-top", f"{box}-bottom") for box in ("margin", "padding")},
    **{f"{box}-inline": (f"{box}-left", f"{box}-right") for box in ("margin", "padding")},
}
_LONGHANDS: dict[str, tuple[str, ...]] = {
    **_ALL_SIDES,
    **_TWO_SIDES,
    "font": ("font-size", "line-height"),
    "background": ("background-color", "background-image", "background-clip"),
    "flex": ("flex-grow",),
    "text-decoration": ("text-decoration-line",),
}
_MATTERS = (
    PROPERTIES
    | frozenset(_LONGHANDS)
    | frozenset(_SAME)
    | frozenset(
        "animation animation-name animation-fill-mode animation-duration animation-delay animation-iteration-count "
        "animation-play-state aspect-ratio color-scheme float contain-intrinsic-size contain-intrinsic-height "
        "text-decoration-line vertical-align".split()
    )
)
_KNOWN = 4_096
_SHORT = 100
"""Declarations that are remembered, and how long one may be: a style sheet says the same few again and again."""
_PENDING = "@"
"""Begins the value of a property that waits for the variables of a shorthand."""

_LENGTHS = LENGTHS | {"%"}
_FONT_SIZES = frozenset("xx-small x-small small medium large x-large xx-large xxx-large smaller larger math".split())
_FONT_BEFORE = frozenset(
    "normal italic oblique small-caps bold bolder lighter ultra-condensed extra-condensed condensed semi-condensed "
    "semi-expanded expanded extra-expanded ultra-expanded".split()
)
_SYSTEM_FONTS = frozenset(
    "caption icon menu message-box small-caption status-bar -webkit-small-control -webkit-mini-control "
    "-webkit-control -webkit-body -apple-system-body -apple-system-headline".split()
)
_WEIGHT_OR_TURN = re.compile(r"[1-9]\d{0,2}(?:\.\d+)?|1000|-?\d+(?:\.\d+)?(?:deg|grad|rad|turn)")
_STROKE = re.compile(r"\s*+/\s*+")
_OF_BACKGROUND = frozenset(
    "none repeat repeat-x repeat-y no-repeat space round scroll fixed local border-box padding-box content-box text "
    "border-area top right bottom left center auto cover contain".split()
)
_LINES = frozenset("underline overline line-through blink".split())
_FAMILY = re.compile(r"[a-z_\"'\u0080-\U0010ffff-]")


def plain_name(name: str) -> str:
    """The name that a property has today, in a text from left to right and from top to bottom."""
    return _SAME.get(name, name)


def matters(name: str) -> bool:
    """Whether it says something about what can be seen, as far as that is read here."""
    return name.startswith("--") or name in _MATTERS


def is_shorthand(name: str) -> bool:
    """Whether it sets several properties at once."""
    return plain_name(name) in _LONGHANDS


def plain(name: str, value: str, quirks: bool = False) -> dict[str, str]:
    """The plain properties that a declaration sets; none when browsers throw it away."""
    return dict((_remembered if len(value) < _SHORT else _plain)(name, value, quirks))


def _plain(name: str, value: str, quirks: bool) -> dict[str, str]:
    name = plain_name(name)
    if name not in _LONGHANDS:
        return {} if thrown_away(name, value, quirks) else {name: value}
    if value in GLOBAL:
        return dict.fromkeys(_LONGHANDS[name], value)
    if "var(" in value or "env(" in value:
        return dict.fromkeys(_LONGHANDS[name], f"{_PENDING}{name} {value}")
    if name in _ALL_SIDES or name in _TWO_SIDES:
        return _sides(_LONGHANDS[name], words(value), quirks)
    return _READERS[name](value)


_remembered = lru_cache(_KNOWN)(_plain)


def settled(name: str, value: str) -> str | None:
    """The value of a plain property once its variables have been put in; None when it comes to nothing."""
    if value.startswith(_PENDING):
        shorthand, _, text = value[1:].partition(" ")
        return plain(shorthand, text).get(name)
    return None if thrown_away(name, value) else value


def _sides(names: tuple[str, ...], parts: list[str], quirks: bool) -> dict[str, str]:
    if not 1 <= len(parts) <= len(names):
        return {}
    of = [0, 1, 2, 3] if len(names) == 4 else [0, 1]
    at = [n if n < len(parts) else n - 2 if 0 <= n - 2 < len(parts) else 0 for n in of]
    found = {name: parts[n] for name, n in zip(names, at, strict=True)}
    return {} if any(p in GLOBAL or thrown_away(n, p, quirks) for n, p in found.items()) else found


def _font(value: str) -> dict[str, str]:
    if value in _SYSTEM_FONTS:
        return {"font-size": "13px", "line-height": "normal"}
    parts = _STROKE.sub("/", value).split() if "(" not in value else _joined(words(value))
    for n, part in enumerate(parts):
        size, _, line = part.partition("/") if "(" not in part else _cut(part)
        if size in _FONT_SIZES or (measured(size, _LENGTHS, signed=False) and not _WEIGHT_OR_TURN.fullmatch(size)):
            wrong = line and thrown_away("line-height", line)
            if wrong or len(parts) == n + 1 or not _FAMILY.match(parts[n + 1]):
                return {}
            return {"font-size": size, "line-height": line or "normal"}
        if part not in _FONT_BEFORE and not _WEIGHT_OR_TURN.fullmatch(part):
            return {}
    return {}


def _joined(parts: list[str]) -> list[str]:
    """Words with what stands behind a stroke joined to what stands before it."""
    found: list[str] = []
    for part in parts:
        if found and (part == "/" or found[-1].endswith("/")):
            found[-1] += part
        else:
            found.append(part)
    return found


def _cut(part: str) -> tuple[str, str, str]:
    """Around the stroke that is in no brackets."""
    pieces = words(part)
    if "/" not in pieces:
        return part, "", ""
    at = pieces.index("/")
    return "".join(pieces[:at]), "/", "".join(pieces[at + 1 :])


def _background(value: str) -> dict[str, str]:
    colour, images, clip = "", [], "border-box"
    parts = words(value)
    for part in parts:
        if part == ",":
            if colour:
                return {}  # only the last of several layers has one
        elif IMAGE_CALL.fullmatch(part):
            images.append(part)
        elif part in _OF_BACKGROUND or part == "/" or measured(part, _LENGTHS):
            clip = part if part == "text" else clip
        elif colour or not is_colour(part):
            return {}
        else:
            colour = part
    if not parts or parts[-1] in (",", "/"):
        return {}
    return {
        "background-color": colour or "transparent",
        "background-image": ", ".join(images) or "none",
        "background-clip": clip,
    }


def _flex(value: str) -> dict[str, str]:
    parts = words(value)
    first = {"none": "0", "auto": "1"}.get(value) or parts[0]
    if thrown_away("flex-grow", first):  # only how large it is at first
        first = "1"
        if len(parts) > 1 or thrown_away("width", parts[0]):
            return {}
    return {"flex-grow": first} if len(parts) <= 3 else {}


def _decoration(value: str) -> dict[str, str]:
    """The lines through, under and over a text; colours, styles and widths of the lines are of no interest."""
    lines = [part for part in words(value) if part in _LINES]
    return {"text-decoration-line": " ".join(lines) or "none"}


_READERS: dict[str, Callable[[str], dict[str, str]]] = {
    "font": _font,
    "background": _background,
    "flex": _flex,
    "text-decoration": _decoration,
}
