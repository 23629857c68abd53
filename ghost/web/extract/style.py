"""Whether text can be seen, by ``style`` attributes, inherited looks, and the plainest rules of ``<style>`` elements.

This is no browser. A rule counts for one class, id or tag, or ``tag.class``, and only for what hides an element or
strikes it out. There is no cascade: where rules disagree, or one with another selector shows what they hide, the text
stays.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tinycss2 import parse_blocks_contents, parse_stylesheet, serialize
from tinycss2.color5 import parse_color

from ghost.web.extract.html import INLINE, Node

MAX_STYLE = 5_000
"""Characters of one ``style`` attribute that are read."""
MAX_VALUE = 200
MAX_CSS = 300_000
MAX_NESTED = 6
UNKNOWN = "?"
"""The value of a property that was set to something that cannot be known."""

Declared = Mapping[str, str]
Rgba = tuple[float, ...]
"""Red, green, blue and alpha, each from 0 to 1."""
BLACK: Rgba = (0.0, 0.0, 0.0, 1.0)
WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)
_ALIKE = 0.05
"""Red, green and blue that differ by less look the same."""
_FAINT = 0.05

_LENGTH = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:%|[a-z]+)|[+-]?0(?:\.0+)?"
_VALUE = re.compile(
    rf"{_LENGTH}|[01]?\.\d+|1|none|auto|visible|hidden|collapse|scroll|clip|left|right|(?:min|max|fit)-content|contents"
    "|inline|(?:inline-)?(?:block|flex|grid|table)|ruby|list-item|flow-root|table-[a-z-]+|static|relative|absolute|fixed"
    "|sticky|(?:x+-)?(?:small|large)|medium|smaller|larger"
)
_CHECKED = frozenset(
    "display visibility content-visibility float position opacity font-size left right top text-indent width height "
    "max-width max-height min-width min-height padding-top padding-bottom padding-left margin-left overflow".split()
)
"""Properties with such a value; browsers throw away any other."""
_UNSURE = re.compile(r"\b(?:var|env|attr|calc|min|max|clamp)\(|^(?:inherit|initial|unset|revert|revert-layer)$")
_ALIASES = {"overflow-x": "overflow", "overflow-y": "overflow", "text-decoration-line": "text-decoration",
            "animation-name": "animation", "flex-grow": "flex", "margin-inline-start": "margin-left",
            "inset-inline-start": "left", "text-fill-color": "color"}  # fmt: skip
_FONT = re.compile(rf"(?:^|\s)({_LENGTH})(?:\s*/\s*\S+)?\s+\S")
_PICTURE = re.compile(r"url\(|gradient\(|image|var\(")
_OF_RULES = frozenset("display visibility text-decoration".split())
_NAME = re.compile(r"[#.]?(?:[\w-]|\\.)+")
_PLAIN = re.compile(rf"{_NAME.pattern}|[\w-]+{_NAME.pattern}")
"""One class, id or tag, or a tag with one of the others: ``span.old``."""
_ELSEWHERE = "~"
"""Before a name: what other selectors with it show."""

_NOTHING = r"(?:0+(?:\.0*)?|0*\.0[0-4]?\d*)"
_TINY = re.compile(rf"{_NOTHING}[a-z]*|[0-2]?(?:\.\d*)?p[xt]|0*\.[01]\d*r?em")
_FAR = r"(?:(?:[7-9]\d\d|\d{4,})(?:\.\d*)?p[xt]|(?:[5-9]\d|\d{3,})(?:\.\d*)?r?em|\d{3,}(?:\.\d*)?(?:v[wh]|in|cm|ch|ex))"
_NO_PATH = (
    r"^(?:inset\(\s*(?:100|[5-9]\d(?:\.\d+)?)%\s*\)|(?:circle|ellipse)\(\s*0[a-z%]*[\s)]"
    r"|polygon\(\s*([^\s,]+\s+[^\s,)]+)(?:\s*,\s*\1)*\s*\))"
)
_UNSEEN = {
    "display": ("display: none", "^none$"), "content-visibility": ("display: none", "^hidden$"),
    "opacity": ("invisible style", rf"^(?:{_NOTHING}|[0-4](?:\.\d*)?%)$"),
    "filter": ("invisible style", rf"opacity\(\s*(?:{_NOTHING}|[0-4](?:\.\d*)?)%?\s*\)"),
    "clip-path": ("off screen", _NO_PATH),
    "transform": ("off screen", rf"translate(?:x|3d)?\(\s*-{_FAR}"),
    "margin-left": ("off screen", f"^-{_FAR}"), "text-indent": ("off screen", f"^-{_FAR}"),
}  # fmt: skip
"""Values that leave nothing of an element to be seen, and why."""
_AWAY = {"left": rf"^-{_FAR}|^(?:[3-9]\d{{3}}|\d{{5,}})px", "top": f"^-{_FAR}", "right": f"^{_FAR}",
         "clip": r"^rect\(\s*([\d.]+)\w*[\s,]+[\d.]+\w*[\s,]+\1\w*[\s,]"}  # fmt: skip
"""Such values of an element that is taken out of the flow."""
_FLAT = re.compile(rf"scale(?:[xy]|3d)?\((?:[^,)]+,)?\s*{_NOTHING}%?\s*[,)]")


@dataclass(frozen=True, slots=True)
class Look:
    """What the text in an element inherits. A colour that cannot be known is None."""

    visible: bool = True
    tiny: bool = False
    text: Rgba | None = BLACK
    ground: Rgba | None = WHITE

    @property
    def why_unseen(self) -> str:
        if not self.visible:
            return "invisible style"
        if self.tiny:
            return "no size"
        if self.text is None:
            return ""
        alike = self.ground and all(abs(a - b) < _ALIKE for a, b in zip(self.text[:3], self.ground, strict=False))
        return "same colour" if alike or self.text[3] < _FAINT else ""


def rules_in(sheets: Sequence[str]) -> dict[str, Declared]:
    """What plain rules say about ``.class``, ``#id`` or a tag; every name in a selector has an entry."""
    if sum(map(len, sheets)) > MAX_CSS:
        return {}  # what hides at its beginning may be shown at its end
    found: dict[str, Declared] = {}
    try:
        for sheet in sheets:
            _read(parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), found, 0)
    except (RecursionError, ValueError):  # brackets in brackets, or a number of thousands of digits
        return {}
    return found


def _read(nodes: Iterable[Node], found: dict[str, Declared], depth: int) -> None:
    for node in nodes if depth < MAX_NESTED else ():
        if (content := getattr(node, "content", None)) is None:
            continue
        inside = parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
        said = {name: value for name, value in _declarations(inside).items() if name in _OF_RULES}
        shows = {name: said[name] for name in said if said[name] not in ("none", "hidden", "collapse")}
        shows.pop("text-decoration", None)  # links say too often that they have no line under them
        sure = depth == 0 and node.type == "qualified-rule" and all(each.type == "declaration" for each in inside)
        for selector in (each.strip() for each in serialize(node.prelude).split(",")):
            plain = sure and _PLAIN.fullmatch(selector) is not None
            names = [name.replace("\\", "") for name in _NAME.findall(selector)]
            found |= {name: found.get(name, {}) for name in names}
            for key in [selector.replace("\\", "")] if plain else [_ELSEWHERE + name for name in names]:
                found[key] = _united(found.get(key, {}), said if plain else shows)
        _read(inside, found, depth + 1)


def _united(one: Declared, other: Declared) -> Declared:
    return {**one, **{name: value if one.get(name, value) == value else UNKNOWN for name, value in other.items()}}


def declared_for(node: Node, rules: Mapping[str, Declared]) -> Declared:
    """What the rules and the ``style`` attribute of an element say."""
    found: Declared = {}
    if rules:
        classes = [f".{name}" for name in re.findall(r"[^ \t\n\r\f]+", node.get("class") or "")]
        named = (*classes, f"#{node.get('id', '')}")
        keys = (node.tag, *named, *(f"{node.tag}{name}" for name in named))
        for key in keys[1:]:
            found = _united(found, rules.get(key, {}))
        found = {**rules.get(node.tag, {}), **found}
        for key in keys:
            found = _united(found, rules.get(_ELSEWHERE + key, {}))
    style = node.get("style")
    return {**found, **_inline(style[:MAX_STYLE])} if style else found


@lru_cache(maxsize=1_000)
def _inline(style: str) -> Declared:
    try:
        return _declarations(parse_blocks_contents(style, skip_comments=True, skip_whitespace=True))
    except (RecursionError, ValueError):
        return {}


def _declarations(nodes: Iterable[Node]) -> dict[str, str]:
    """The declarations of a block: the last of each property counts, or the last important one."""
    found: dict[str, str] = {}
    for node in sorted((node for node in nodes if node.type == "declaration"), key=lambda node: bool(node.important)):
        name = re.sub("^-(?:webkit|moz|ms)-", "", node.lower_name)
        found |= _plain(_ALIASES.get(name, name), " ".join(serialize(node.value).lower().split()))
    return found


def _plain(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "background":
        yield "background-image", UNKNOWN if _PICTURE.search(value) else "none"
        words = re.split(r"\s(?![^()]*\))", value[:MAX_VALUE])
        yield "background-color", next((word for word in words if _is_colour(word)), "transparent")
    elif name == "font" and (size := _FONT.search(value[:MAX_VALUE])):
        yield "font-size", size[1]
    elif name == "scale":
        yield "transform", f"scale({value.replace(' ', ',')})"
    elif name in ("margin", "padding") and 0 < len(sides := value.split()) <= 4:
        yield from _plain(f"{name}-left", sides[{1: 0, 2: 1, 3: 1, 4: 3}[len(sides)]])
    elif len(value) > MAX_VALUE or _UNSURE.search(value):
        yield name, UNKNOWN
    elif _is_colour(value) if name.endswith("color") else name not in _CHECKED or _VALUE.fullmatch(value):
        yield name, value


def _is_colour(value: str) -> bool:
    return "(" in value or value in ("currentcolor", "transparent") or colour(value) is not None


@lru_cache(maxsize=1_000)
def colour(value: str) -> Rgba | None:
    """A colour in any notation of CSS that can be known."""
    try:
        found = parse_color(value, ("light",))
        if found.space in ("lab", "lch", "oklab", "oklch"):  # tinycss2 converts them no further than to Lab
            light, *hue = found.to("lab").coordinates
            return (*WHITE[:3], found.alpha) if light > 97 and sum(map(abs, hue)) < 5 else None
        return (*(max(0.0, min(1.0, part or 0.0)) for part in found.to("srgb").coordinates), found.alpha)
    except (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError):
        return None


def hidden_by_style(tag: str, declared: Declared) -> str:
    """Why nothing of an element can be seen; empty where something can."""
    if not declared:
        return ""
    excused = {"opacity", "filter"} if "animation" in declared else set()
    if re.match(_FAR, declared.get("padding-left", "")):
        excused |= {"margin-left", "text-indent"}
    for name, (why, pattern) in _UNSEEN.items():
        if name not in excused and re.search(pattern, declared.get(name, UNKNOWN)):
            return why
    placed = declared.get("position") in ("absolute", "fixed")
    if placed and any(re.search(pattern, declared.get(name, UNKNOWN)) for name, pattern in _AWAY.items()):
        return "off screen"
    display = declared.get("display", "inline" if tag in INLINE else "table-cell" if tag in ("td", "th") else "block")
    box = placed or display != "inline" or declared.get("float", "none") != "none"
    flat = _FLAT.search(declared.get("transform", "")) is not None
    return "no size" if box and (flat or (display != "table-cell" and _has_no_room(declared))) else ""


def _has_no_room(declared: Declared) -> bool:
    if "flex" in declared or declared.get("overflow") not in ("hidden", "auto", "scroll"):
        return False
    return any(
        any(_TINY.fullmatch(declared.get(name, UNKNOWN)) for name in (side, f"max-{side}"))
        and all(_TINY.fullmatch(declared.get(name, "0")) for name in others)
        for side, *others in (("width", "min-width"), ("height", "min-height", "padding-top", "padding-bottom"))
    )


def look_of(node: Node, declared: Declared, before: Look) -> Look:
    """The look of the text in an element that is not hidden as a whole."""
    if not declared and node.tag not in ("a", "font", "body", "table", "tr", "td", "th"):
        return before
    visibility = declared.get("visibility", "")
    shown = visibility in ("visible", UNKNOWN) or "animation" in declared or node.tag in ("html", "body")
    size = declared.get("font-size", "")
    tiny = _TINY.fullmatch(size) or re.fullmatch(r"\d(?:\.\d*)?%", size)
    relative = before.tiny and re.search("^$|(?<!r)em$|%$|er$", size)
    text = None if "text" in declared.get("background-clip", "") else _text_colour(node, declared, before.text)
    ground = _ground(node, declared, before.ground)
    return Look(shown or (before.visible and not visibility), bool(tiny or relative), text, ground)


def _text_colour(node: Node, declared: Declared, before: Rgba | None) -> Rgba | None:
    said = declared.get("color", "")
    if not said and node.tag in ("font", "body"):
        said = (node.get("color") or node.get("text") or "")[:50]
    if not said:
        return None if node.tag == "a" and node.get("href") is not None else before
    return colour(said)


def _ground(node: Node, declared: Declared, before: Rgba | None) -> Rgba | None:
    said = declared.get("background-color", "") or (node.get("bgcolor") or "").strip()[:50]
    if declared.get("background-image", "none") != "none" or node.get("background"):
        return None
    found = colour(said)
    if not said or (found and found[3] < _FAINT):
        return before
    return found if found and found[3] > 0.99 else None
