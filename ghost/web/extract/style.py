"""The few style rules of a page that can hide text: its ``style`` attributes and ``<style>`` elements.

This is no browser. tinycss2 parses, cssselect2 matches plain selectors, and what is not plain hides nothing: a value
with ``var()``, a condition that cannot be known, a selector that costs too much. Style sheets elsewhere are never read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from cssselect2 import ElementWrapper, SelectorError
from cssselect2.compiler import CompiledSelector
from cssselect2.parser import parse as parse_selectors
from tinycss2 import parse_blocks_contents, parse_stylesheet, serialize
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
MAX_CSS = 300_000
MAX_RULES = 6_000
MAX_SELECTOR = 500
MAX_STYLES = 10_000
MAX_NESTED = 6
MAX_EFFORT = 3_000_000
"""Steps that matching may take on one page; from there on the rules are ignored."""
_ON_SCREEN = re.compile(
    r"\b(?:only|screen|all|and)\b|\(\s*prefers-color-scheme\s*:\s*light\s*\)"
    r"|\(\s*(min|max)-(width|height)\s*:\s*(\d{1,6}(?:\.\d+)?)(px|r?em)\s*\)"
)
_AT_LEAST = re.compile(r"\(\s*(width|height)\s*(>=|<=)")
_SCREEN_PX = {"width": 1280.0, "height": 800.0}
_COMMA = re.compile(r",(?![^(]*\))")
_DESCENDANT = re.compile(r"[^\s>+,(]\s+[^\s>+,)]")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_NAME = re.compile(r"([#.])((?:[\w-]|\\.)+)|^()([a-zA-Z][\w-]*)")
_LEFT_ALONE = re.compile(r"~|::|:(?:before|after|first-l|hover|focus|active|visited|target|has\(|lang)")
"""Selectors that match no element as the page comes, and those that take long to match."""


class _Rule:
    """One selector with what it declares; read when the first element asks, as most rules of a page fit none."""

    def __init__(self, selector: str, nodes: Sequence[Node], order: int, sure: bool) -> None:
        self.selector = selector
        self.order = order
        self.sure = sure
        """Whether it surely holds. If not, it may make a value unknown, and sets none."""
        self.cost = 1 + len(selector) // 10
        self.ancestors = min(len(_DESCENDANT.findall(selector)), 3)
        self.siblings = "of-type" in selector
        self._nodes = nodes

    @cached_property
    def compiled(self) -> CompiledSelector | None:
        """None for a selector that is broken or left alone."""
        if _LEFT_ALONE.search(self.selector):
            return None
        try:
            found = [CompiledSelector(selector) for selector in parse_selectors(self.selector)]
        except (SelectorError, SyntaxError, RecursionError, MemoryError, NotImplementedError, AttributeError):
            return None
        return found[0] if len(found) == 1 and found[0].pseudo_element is None else None

    @cached_property
    def declared(self) -> Declared:
        return _declarations(self._nodes)


class StyleSheet:
    """The rules in the ``<style>`` elements of a page."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._styles: dict[str, Declared] = {}
        self._effort = 0
        self._count = 0
        self.cut = False
        left = MAX_CSS
        for text in texts:
            self.cut = self.cut or len(text) > left
            try:
                self._read(parse_stylesheet(text[:left], skip_comments=True, skip_whitespace=True), "", True, 0)
            except (RecursionError, ValueError):
                self.cut = True
            left -= min(left, len(text))

    def declared_for(self, element: ElementWrapper) -> dict[str, str]:
        """What the rules and the ``style`` attribute of an element come to."""
        own = self._style(element.etree_element.get("style"))
        rules = [rule for rule in self._candidates(element) if self._fits(rule, element)]
        if not rules:
            return {name: value for name, (value, _) in own.items()}
        found: dict[str, str] = {}
        rules.sort(key=lambda rule: (rule.compiled.specificity if rule.compiled else (0, 0, 0), rule.order))
        for important in (False, True):
            for rule in rules:
                for name, (value, weighty) in rule.declared.items():
                    if weighty is important:
                        found[name] = value if rule.sure or found.get(name) == value else UNKNOWN
            found |= {name: value for name, (value, weighty) in own.items() if weighty is important}
        return found

    def _style(self, written: str | None) -> Declared:
        if not written:
            return {}
        if written not in self._styles:
            if len(self._styles) >= MAX_STYLES:
                self.cut = True
                return {}
            self._styles[written] = _inline_style(written)
        return self._styles[written]

    def _candidates(self, element: ElementWrapper) -> Iterator[_Rule]:
        if self._rules and self._effort < MAX_EFFORT:
            for key in ("*", element.local_name, *(f".{c}" for c in element.classes), f"#{element.id}"):
                yield from self._rules.get(key, ())

    def _fits(self, rule: _Rule, element: ElementWrapper) -> bool:
        self._effort += rule.cost
        self._effort += len(element.ancestors) ** rule.ancestors if rule.ancestors else 0
        self._effort += len(element.etree_siblings) if rule.siblings else 0
        if self._effort > MAX_EFFORT:
            self.cut = True
            return False
        return rule.compiled is not None and bool(rule.compiled.test(element)) and bool(rule.declared)

    def _read(self, nodes: Iterable[Node], outer: str, sure: bool, depth: int) -> None:
        """Read rules; ``outer`` are the selectors around them, ``sure`` whether they surely hold."""
        for node in nodes if depth < MAX_NESTED else ():
            if node.type == "qualified-rule":
                selectors = serialize(node.prelude).strip()
                inside = _nested(outer, selectors) if outer else selectors
                if len(inside) <= MAX_SELECTOR:
                    self._read_block(node, inside, sure, depth)
            elif node.type == "at-rule" and node.content is not None:
                holds = _holds(node.lower_at_keyword, serialize(node.prelude).lower())
                if holds is not False:
                    self._read_block(node, outer, sure and holds is True, depth)

    def _read_block(self, node: Node, selectors: str, sure: bool, depth: int) -> None:
        nodes = parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
        if selectors and any(inside.type == "declaration" for inside in nodes):
            self._add(selectors, nodes, sure)
        if any(inside.type != "declaration" for inside in nodes):
            self._read(nodes, selectors, sure, depth + 1)

    def _add(self, selectors: str, nodes: Sequence[Node], sure: bool) -> None:
        for selector in _COMMA.split(selectors):
            self._count += 1
            if self._count > MAX_RULES:
                self.cut = True
                return
            rule = _Rule(selector.strip(), nodes, self._count, sure)
            self._rules.setdefault(_key(rule.selector), []).append(rule)


def _key(selector: str) -> str:
    """What an element must have for a selector to fit it: ``#id``, ``.class``, a tag, or ``*``."""
    last = re.split(r"[\s>+~]+", _BRACKETS.sub("", selector))[-1]
    found = _NAME.search(last)
    if not found or "(" in last or re.search(r"\\[0-9a-f]", last):
        return "*"
    return f"{found[1]}{found[2]}".replace("\\", "") if found[1] else found[4].lower()


def _nested(outer: str, inner: str) -> str:
    around = f":is({outer})" if "," in outer else outer
    return ",".join(part.replace("&", around) if "&" in part else f"{around} {part}" for part in _COMMA.split(inner))


def _holds(kind: str, condition: str) -> bool | None:
    """Whether the rules in an at-rule hold on a screen; None where that cannot be known."""
    if kind != "media":
        return None if kind in ("supports", "container", "scope", "layer") else False
    answers = [_query(query) for query in condition.split(",")]
    return True if True in answers else None if None in answers else False


def _query(query: str) -> bool | None:
    if found := re.match(r"\s*(not\s+)?(?:only\s+)?(?:print|speech)\b(.*)", query):
        return None if found[1] and found[2].strip() else bool(found[1])
    query = _AT_LEAST.sub(lambda found: f"({'min' if found[2] == '>=' else 'max'}-{found[1]}:", query)
    for found in _ON_SCREEN.finditer(query):
        if found[1]:
            px = float(found[3]) * (1.0 if found[4] == "px" else 16.0)
            if (px > _SCREEN_PX[found[2]]) if found[1] == "min" else (px < _SCREEN_PX[found[2]]):
                return False
    return None if _ON_SCREEN.sub("", query).strip() else True


def _inline_style(written: str) -> Declared:
    try:
        return _declarations(parse_blocks_contents(written[:MAX_STYLE], skip_comments=True, skip_whitespace=True))
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
            if abs(a) + abs(b) > 5 or 3 < light < 97:
                return None  # neither black nor white
            grey = 255.0 if light >= 97 else 0.0
            return grey, grey, grey, float(found.alpha)
        red, green, blue = (255 * max(0.0, min(1.0, c or 0.0)) for c in found.to("srgb").coordinates)
        return red, green, blue, float(found.alpha)
    except (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError):
        return None


def _declarations(nodes: Iterable[Node]) -> Declared:
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
