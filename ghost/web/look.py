"""How the text in an element looks, and what it hands down to the elements inside."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lxml.etree import _Element

from ghost.web.boxes import SMALL_PX, cuts_off, no_room, padded
from ghost.web.colours import BLACK, SEE_THROUGH, WHITE, Colour, alike, colour, over
from ghost.web.fading import ends_seen, opacity
from ghost.web.measures import EM, called, is_math, pixels, share, words
from ghost.web.styles import Sheet

NIGHT: Colour = (18.0, 18.0, 18.0, 1.0)
"""The ground of a page that asks for a dark one."""

_FONT_WORDS = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
               "xx-large": 32.0, "xxx-large": 48.0, "initial": 16.0}  # fmt: skip
_STEPS = {"smaller": 1 / 1.2, "larger": 1.2}
_SMALLER = {"small": 1 / 1.2, "sub": 1 / 1.2, "sup": 1 / 1.2, "big": 1.2}
_MAYBE_DARK = re.compile(
    r"(?:^|[\s_-])(?:hero|banner|dark|cover|overlay|footer|header|masthead|nav|navbar|btn|button|badge|label"
    r"|tag|chip|pill|slide|slider|carousel|jumbotron|cta|bg|background|inverse|inverted|alert|callout|promo|tooltip|ribbon)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Names of what often has a dark ground that only a style sheet elsewhere knows of."""
_DARK_TAGS = frozenset({"header", "footer", "nav", "button", "figure", "figcaption", "aside", "th", "summary"})
_COLOURED = frozenset("a font html body table tr td th small sub sup big".split())
"""Elements that change how text looks without a style."""
_PAINTED = frozenset({"body", "table", "tbody", "thead", "tfoot", "tr", "td", "th"})
_COLOUR_FUNCTION = re.compile(r"(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color(?:-mix)?|contrast-color|light-dark|var)\(")
_HANDED_DOWN = frozenset({"", "inherit", "currentcolor", "unset", "revert", "revert-layer"})
_GRADIENT = re.compile(r"(?:-webkit-|-moz-)?(?:repeating-)?(?:linear|radial|conic)-gradient")
_OF_GRADIENTS = frozenset(
    "to from at in top right bottom left center circle ellipse closest-side farthest-side closest-corner "
    "farthest-corner srgb oklab oklch lab lch hsl hwb shorter longer hue".split()
)
_FLEX = frozenset("flex inline-flex -webkit-flex -webkit-inline-flex -webkit-box -ms-flexbox grid inline-grid".split())


@dataclass(frozen=True, slots=True)
class Look:
    """How text directly inside an element looks."""

    seen: bool = True
    """``visibility``: an element inside can be seen again."""
    font_px: float = EM
    text: Colour | None = BLACK
    """None where it cannot be told."""
    ground: Colour | None = WHITE
    """None where it is a picture, or not known."""
    sure: bool = True
    """Whether the ground was declared; else it is white because nothing says otherwise."""
    filled: bool = False
    """Whether letters have a colour of their own, which counts before the colour of the text."""
    opacity: float = 1.0
    """Of the element and all around it: an element inside is never seen better."""
    root_px: float = EM
    """Size of the letters of the whole page, by which ``rem`` counts."""
    no_lines: bool = False
    """Whether its lines have no height."""
    flat: bool = False
    """Whether a box around it is as high as its lines, and cuts off the rest."""
    in_padding: bool = False
    """Whether it stands in a box of padding only, which shows nothing but what is placed in it."""
    of_flex: bool = False
    """Whether the elements inside may grow beyond their own size."""
    why_unseen: str = ""
    """Why a reader does not see the text; empty when nothing says so."""


def look(element: _Element, value: Mapping[str, str], before: Look, sheet: Sheet) -> Look:
    """How text in ``element`` looks, which declares ``value`` and is inside one that looks like ``before``."""
    tag = element.tag
    if not value and tag not in _COLOURED and not (tag in _DARK_TAGS or _named_dark(element)):
        return replace(before, of_flex=False) if before.of_flex and not sheet.elsewhere else before
    if tag == "html" and value.get("color-scheme", "") in ("dark", "only dark", "dark only"):
        before = replace(before, text=WHITE, ground=NIGHT)
    seen = _visible(tag, value, before, sheet)
    text, filled = _text_colour(element, value, before)
    ground, sure = _ground(element, value, before, text)
    if value.get("background-clip") == "text":
        text, ground, sure = _cut_letters(text, ground, before)
    font_px = _font(tag, value, before)
    root_px = font_px if tag == "html" else before.root_px
    no_lines = _no_lines(value, font_px, root_px, before)
    in_padding = before.in_padding and value.get("position") not in ("absolute", "fixed")
    if not in_padding and tag not in ("html", "body"):
        in_padding = padded(value, font_px, root_px) and no_room(value, font_px, root_px, before.of_flex)
    now = Look(
        seen, font_px, text, ground, sure, filled,
        before.opacity if tag in ("html", "body") or ends_seen(value, sheet) else before.opacity * opacity(value),
        root_px, no_lines, no_lines and (before.flat or _as_high_as_lines(value)), in_padding,
        value.get("display", "") in _FLEX or (sheet.elsewhere and "display" not in value),
    )  # fmt: skip
    return replace(now, why_unseen=why) if (why := _why_unseen(now)) else now


def unsure(of: Look) -> Look:
    """The same look on a page whose style sheets are elsewhere."""
    return replace(of, sure=False)


def _why_unseen(now: Look) -> str:
    if not now.seen:
        return "invisible style"
    if now.font_px < SMALL_PX or (now.flat and now.no_lines) or now.in_padding:
        return "no size"
    text, ground = now.text, now.ground
    return "same colour" if text and (text[3] < SEE_THROUGH or (ground and alike(text, ground))) else ""


def _visible(tag: object, value: Mapping[str, str], before: Look, sheet: Sheet) -> bool:
    said = value.get("visibility", "")
    if said in ("hidden", "collapse") and tag not in ("html", "body"):
        return ends_seen(value, sheet)
    return True if said in ("visible", "initial") else before.seen


def _named_dark(element: _Element) -> bool:
    """Whether the element is called like something with a ground of its own that is declared elsewhere."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return len(names) > 1 and bool(_MAYBE_DARK.search(names))


def _text_colour(element: _Element, value: Mapping[str, str], before: Look) -> tuple[Colour | None, bool]:
    """The colour of the letters, and whether that of the text no longer counts inside."""
    fill = value.get("-webkit-text-fill-color", "")
    if fill and fill not in _HANDED_DOWN and fill != "initial":
        return (None if _COLOUR_FUNCTION.match(fill) and not colour(fill) else colour(fill) or BLACK), True
    if before.filled and fill not in ("currentcolor", "initial"):
        return before.text, True
    said = value.get("color", "")
    if before.filled and said in _HANDED_DOWN:
        return None, False  # which colour the text around it had is not kept
    if not said and element.tag in ("font", "body"):
        said = (element.get("color") or element.get("text") or "").lower()
    found = colour(said) if said else None
    if found:
        return found, False
    if _COLOUR_FUNCTION.match(said):
        return None, False
    if element.tag == "a" and element.get("href") is not None and not said:
        return (0.0, 0.0, 238.0, 1.0), False  # links have their own colour
    return before.text if said in _HANDED_DOWN else BLACK, False


def _ground(
    element: _Element, value: Mapping[str, str], before: Look, text: Colour | None
) -> tuple[Colour | None, bool]:
    """What is behind the text, and whether that is declared."""
    said, image = value.get("background-color", ""), value.get("background-image", "")
    if "var(" in said or "var(" in image or (element.tag in _PAINTED and element.get("background")):
        return None, True
    said = said or (element.get("bgcolor") or "").lower().strip()
    found = text if said == "currentcolor" else colour(said) if said else None
    ground, sure = before.ground, before.sure
    if found is None and _COLOUR_FUNCTION.match(said):
        ground, sure = None, True
    elif found and found[3] > 0:
        ground, sure = _painted(found, ground), True
    elif not sure and (element.tag in _DARK_TAGS or _named_dark(element)):
        ground = None
    if image in ("", "none", "initial", "unset"):
        return ground, sure
    for layer in reversed([w for w in words(image) if w not in (",", "none")]):
        plain = _plain_picture(layer)
        if plain is None:
            return None, True
        ground = _painted(plain, ground)
    return ground, True


def _painted(front: Colour, back: Colour | None) -> Colour | None:
    if back is None and front[3] < 0.99:
        return None
    return over(front, back or WHITE)


def _plain_picture(image: str) -> Colour | None:
    """The one colour of a gradient that has only one; None for what is a picture."""
    name, arguments = called(image) or ("", [])
    if not _GRADIENT.fullmatch(name):
        return None
    stops: list[Colour] = []
    for argument in arguments:
        found = colour(argument) if not argument[0].isdigit() else None
        if found:
            stops.append(found)
        elif argument not in _OF_GRADIENTS and (argument[0].isalpha() or "(" in argument) and not is_math(argument):
            return None
    if not stops or any(abs(s[3] - stops[0][3]) > 0.05 or not alike((*s[:3], 1.0), stops[0]) for s in stops):
        return None if not stops or any(s[3] > 0.05 for s in stops) else stops[0]
    return stops[0]


def _cut_letters(text: Colour | None, own: Colour | None, before: Look) -> tuple[Colour | None, Colour | None, bool]:
    """Letters cut out of the ground of their element: their colour, what is behind them, and whether that is sure."""
    if own is None:
        return BLACK, None, True
    return (own if text is None or text[3] < SEE_THROUGH else text), before.ground, before.sure


def _font(tag: object, value: Mapping[str, str], before: Look) -> float:
    said = value.get("font-size", "")
    if not said or said in ("inherit", "unset", "revert", "revert-layer", "math"):
        return before.font_px * _SMALLER.get(str(tag), 1.0)
    if said in _FONT_WORDS:
        return _FONT_WORDS[said]
    if said in _STEPS:
        return before.font_px * _STEPS[said]
    root = before.font_px if tag == "html" else before.root_px
    if said.endswith("%") and (part := share(said)) is not None:
        return before.font_px * part
    # A share of the screen's width may be any size there; only sums of what is known can be told.
    sized = None if "(" in said and ("v" in said or "%" in said) else pixels(said, before.font_px, root)
    return max(before.font_px, EM) if sized is None else sized


def _no_lines(value: Mapping[str, str], font_px: float, root_px: float, before: Look) -> bool:
    said = value.get("line-height", "")
    if not said or said in ("inherit", "unset"):
        return before.no_lines
    many = share(said)
    height = many * font_px if many is not None else pixels(said, font_px, root_px)
    return height is not None and height <= 1


def _as_high_as_lines(value: Mapping[str, str]) -> bool:
    """Whether a box that cuts off has nothing else that holds it open."""
    if not cuts_off(value)[1]:
        return False
    held = (value.get(n, "0") for n in ("height", "min-height", "padding-top", "padding-bottom"))
    return all(h in ("auto", "none", "initial", "unset") or (pixels(h) or 0.0) <= 1 for h in held)
