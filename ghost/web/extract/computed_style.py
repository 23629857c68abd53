"""Whether text can be seen, by the plain declarations of its element and those handed down to it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ghost.web.extract.html import INLINE, Node
from ghost.web.extract.style import UNKNOWN, Rgba, colour

BLACK: Rgba = (0.0, 0.0, 0.0, 1.0)
WHITE: Rgba = (255.0, 255.0, 255.0, 1.0)
_SMALL_PX = 2.5
_FAINT = 0.05
_FAR_PX = 700.0
_ALIKE = 12.0
"""Red, green and blue that differ by less look the same."""
_PX = {"": 1.0, "px": 1.0, "pt": 1.333, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "rem": 16.0, "vw": 12.8,
       "vh": 8.0, "ex": 8.0, "ch": 8.0}  # fmt: skip
_CUTS = re.compile("hidden|auto|scroll|overlay")
_EMPTY_PATH = re.compile(
    r"inset\(\s*(?:100|[5-9]\d(?:\.\d+)?)%\s*\)|(?:circle|ellipse)\(\s*0[a-z%]*[\s)]"
    r"|polygon\(\s*([^\s,]+\s+[^\s,)]+)(?:\s*,\s*\1)*\s*\)"
)
_LENGTH = re.compile(r"([+-]?[\d.]+)([a-z%]*)")
_FONT_WORDS = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0}


@dataclass(frozen=True, slots=True)
class ComputedStyle:
    """The inherited style of the text in an element. A colour that cannot be known is None."""

    visible: bool = True
    opacity: float = 1.0
    font_px: float = 16.0
    text: Rgba | None = BLACK
    ground: Rgba | None = WHITE
    why_unseen: str = ""


def hidden_by_style(tag: str, declared: Mapping[str, str], before: ComputedStyle) -> str:
    if not declared:
        return ""
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return "display: none"
    if "animation" not in declared and before.opacity * _opacity(declared) < _FAINT:
        return "invisible style"
    display = declared.get("display", "inline" if tag in INLINE else "table-cell" if tag in ("td", "th") else "block")
    placed = declared.get("position") in ("absolute", "fixed")
    box = display != "inline" or placed or declared.get("float", "none") != "none"
    if box and (_no_room(display, declared, before.font_px) or _flat(declared)):
        return "no size"
    return "off screen" if _off_screen(declared, placed, before.font_px) or _clipped(declared, placed) else ""


def _opacity(declared: Mapping[str, str]) -> float:
    found = 1.0
    filtered = re.search(r"opacity\(\s*([^)]*)\)", declared.get("filter", ""))
    for said in (declared.get("opacity", ""), filtered[1].strip() if filtered else ""):
        if number := re.fullmatch(r"([+-]?[\d.]+)(%?)", said):
            found *= max(0.0, min(1.0, _number(number[1]) / (100 if number[2] else 1)))
    return found


def _number(written: str) -> float:
    try:
        return max(-1e9, min(1e9, float(written)))
    except ValueError:
        return 0.0


def _px(value: str | None, em: float = 16.0, whole: float | None = None) -> float | None:
    """A length in pixels, where 100 % is ``whole``; None where it cannot be known."""
    found = _LENGTH.fullmatch(value or "")
    if not found:
        return None
    number, unit = _number(found[1]), found[2]
    if unit == "%":
        return None if whole is None else number / 100 * whole
    return number * em if unit == "em" else number * _PX[unit] if unit in _PX else None


def _no_room(display: str, declared: Mapping[str, str], em: float) -> bool:
    if not _CUTS.search(declared.get("overflow", "")) or display == "table-cell" or "flex" in declared:
        return False
    for name, edges in (("width", ()), ("height", ("padding-top", "padding-bottom"))):
        sizes = [px for n in (name, f"max-{name}") if (px := _px(declared.get(n), em)) is not None]
        held = [_px(declared.get(n, "0"), em) for n in (f"min-{name}", *edges)]
        if sizes and min(sizes) < _SMALL_PX and all(px is not None and px < _SMALL_PX for px in held):
            return True
    return False


def _flat(declared: Mapping[str, str]) -> bool:
    found = re.search(r"scale(?:x|y|3d)?\(([^)]*)\)", declared.get("transform", ""))
    return found is not None and any(
        abs(_number(n.strip().removesuffix("%"))) < _FAINT for n in found[1].split(",")[:2]
    )


def _off_screen(declared: Mapping[str, str], placed: bool, em: float) -> bool:
    """Whether a box or its text stands where no reader scrolls to."""
    moved = [_px(declared.get("margin-left"), em), _px(declared.get("text-indent"), em)]
    if placed:
        left, right = _px(declared.get("left"), em), _px(declared.get("right"), em)
        moved += [left, _px(declared.get("top"), em), None if right is None else -right]
        if left is not None and left > 4 * _FAR_PX:
            return True
    if found := re.search(r"translate(?:x|3d)?\(\s*([^,)]*)", declared.get("transform", "")):
        moved.append(_px(found[1].strip(), em))
    padding = _px(declared.get("padding-left"), em) or 0.0
    return any(px is not None and px + padding <= -_FAR_PX for px in moved)


def _clipped(declared: Mapping[str, str], placed: bool) -> bool:
    path = declared.get("clip-path", "")
    if _EMPTY_PATH.match(path):
        return True
    clip = re.match(r"rect\(\s*([\d.]+)\w*[\s,]+([\d.]+)\w*[\s,]+([\d.]+)\w*[\s,]+([\d.]+)", declared.get("clip", ""))
    if not placed or not clip:
        return False
    top, right, bottom, left = (_number(n) for n in clip.groups())
    return top >= bottom or left >= right


def computed(node: Node, declared: Mapping[str, str], before: ComputedStyle) -> ComputedStyle:
    """The look of the text in an element that is not hidden as a whole."""
    coloured = node.tag in ("a", "font", "body", "table", "tr", "td", "th")
    if not declared and not coloured:
        return before
    visibility = declared.get("visibility", "inherit")
    visible = before.visible
    if visibility in ("visible", "initial", UNKNOWN) or "animation" in declared or node.tag in ("html", "body"):
        visible = True
    elif visibility in ("hidden", "collapse"):
        visible = False
    font = _font_px(declared.get("font-size", ""), before.font_px)
    text, ground = _text_colour(node, declared, before.text), _ground(node, declared, before.ground)
    why = "" if visible else "invisible style"
    if not why and font < _SMALL_PX:
        why = "no size"
    if not why and "text" not in declared.get("background-clip", "") and _same(text, ground):
        why = "same colour"
    return ComputedStyle(visible, before.opacity * _opacity(declared), font, text, ground, why)


def _font_px(said: str, before: float) -> float:
    if said in _FONT_WORDS:
        return _FONT_WORDS[said]
    if said in ("smaller", "larger"):
        return before * (0.83 if said == "smaller" else 1.2)
    found = _px(said, before, before)
    return found if found is not None else 16.0 if said in ("medium", "initial", UNKNOWN) else before


def _text_colour(node: Node, declared: Mapping[str, str], before: Rgba | None) -> Rgba | None:
    said = declared.get("-webkit-text-fill-color") or declared.get("color", "")
    if not said and node.tag in ("font", "body"):
        said = (node.get("color") or node.get("text") or "").lower()
    if not said and node.tag == "a" and node.get("href") is not None:
        return None
    if said in ("", "inherit", "unset", "currentcolor", "revert"):
        return before
    return BLACK if said == "initial" else colour(said)


def _ground(node: Node, declared: Mapping[str, str], before: Rgba | None) -> Rgba | None:
    said = declared.get("background-color", "") or (node.get("bgcolor") or "").lower().strip()[:50]
    if (
        declared.get("background-image", "none") != "none"
        or node.get("background")
        or "dark" in declared.get("color-scheme", "")
    ):
        return None
    if said in ("", "transparent", "initial", "unset"):
        return before
    found = colour(said)
    return before if found and found[3] < _FAINT else found if found and found[3] > 0.99 else None


def _same(text: Rgba | None, ground: Rgba | None) -> bool:
    """Whether letters have the colour of what is behind them."""
    if text is None:
        return False
    return text[3] < _FAINT or (
        ground is not None and all(abs(a - b) < _ALIKE for a, b in zip(text[:3], ground, strict=False))
    )
