"""A style sheet as its rules, one after the other: nesting, conditions, layers and scopes are resolved here."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ghost.web.conditions import media, supports

MAX_LIST = 20_000
"""Characters of one list of selectors that are looked at."""
MAX_SELECTOR = 2_000
"""Characters of a list that was put together of lists in lists."""
MAX_NESTED = 12

_MARK = re.compile(r"\([^(){};\[\]]*+\)|\[[^(){};\[\]]*+\]|[][(){};]")
_COMMA_OR_BRACKET = re.compile(r"[](),[]")
_BLANKS = " \t\n\r\f"
_CUSTOM = re.compile(r"--[\w\U000f0000-\U000f007f-]*\s*:")
_AT = re.compile(r"@(?:-webkit-)?([a-z-]+)(.*)", re.DOTALL | re.IGNORECASE)
_SCOPE = re.compile(r"\((.+)\)", re.DOTALL)
_ANONYMOUS = "{}"
_UNLAYERED = math.inf


@dataclass(frozen=True, slots=True)
class Block:
    """What one pair of braces declares, and for which elements."""

    selectors: str
    declared: str
    layer: tuple[float, ...]
    """The place of its layer: the greatest wins, and what is in no layer is the greatest."""


@dataclass(frozen=True, slots=True)
class Keyframes:
    """An animation."""

    name: str
    body: str


class Layers:
    """The order of the layers of a page, as they are first named."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], dict[str, int]] = {}
        self._without_name = 0

    def path(self, outer: tuple[str, ...], name: str) -> tuple[str, ...]:
        """A layer inside another one; one without a name is like no other."""
        if not name:
            self._without_name += 1
            name = f"{_ANONYMOUS}{self._without_name}"
        path = (*outer, *name.split("."))[:MAX_NESTED]
        self.place(path)
        return path

    def place(self, path: tuple[str, ...]) -> tuple[float, ...]:
        """Where it is among all layers."""
        found: list[float] = []
        for n, name in enumerate(path):
            among = self._places.setdefault(path[:n], {})
            found.append(among.setdefault(name, len(among)))
        return (*found, _UNLAYERED)


@dataclass(slots=True)
class _Open:
    """A block or bracket that is not closed yet."""

    closes: str = "}"
    bracket: bool = False
    holds: bool = True
    selectors: str = ""
    """What declarations directly inside are about; empty where they are about nothing."""
    layer: tuple[str, ...] = ()
    scope: str = ""
    keyframes: str = ""
    begin: int = 0
    texts: list[str] = field(default_factory=list)


_SKIPPED = _Open(holds=False)
_BRACKETS = {sign: _Open(closes, bracket=True) for sign, closes in {"(": ")", "[": "]", "{": "}"}.items()}


class Sheets:
    """Reads style sheets of one page, whose layers go on from one to the next."""

    def __init__(self) -> None:
        self._layers = Layers()

    def blocks(self, css: str) -> Iterator[Block | Keyframes]:
        """The rules of a readable style sheet that surely hold on a screen, in their order."""
        opened = [_Open()]
        start = 0
        for mark in _MARK.finditer(css):
            sign, at = mark[0], mark.start()
            top = opened[-1]
            if len(sign) > 1:
                continue  # brackets that close again
            if sign in "([" or (sign == "{" and top.bracket):
                opened.append(_BRACKETS[sign])
            elif top.bracket:
                if sign == top.closes:
                    opened.pop()
            elif sign == "{":
                prelude = _prelude(css, start, at)
                if top.selectors and _CUSTOM.match(prelude):
                    opened.append(_BRACKETS[sign])  # a variable may stand for anything
                    continue
                yield from self._told(top)
                opened.append(self._inside(top, prelude, at + 1) if len(opened) <= MAX_NESTED else _SKIPPED)
                start = at + 1
            elif sign == "}" and len(opened) > 1:
                yield from self._closed(opened.pop(), css, start, at)
                start = at + 1
            elif sign == ";" and self._ends(opened, css[start:at].strip(_BLANKS)):
                start = at + 1
        blocks = [o for o in opened[1:] if not o.bracket]
        if blocks:  # browsers close what is open at the end
            yield from self._closed(blocks[-1], css, start, len(css))

    def _inside(self, outer: _Open, prelude: str, begin: int) -> _Open:
        if not outer.holds or outer.keyframes:
            return _SKIPPED
        found = _AT.match(prelude) if prelude.startswith("@") else None
        if not found:
            if not outer.selectors:
                return _Open(selectors=prelude, layer=outer.layer, scope=outer.scope)
            nested = inside(outer.selectors, prelude)
            return _Open(selectors=nested, layer=outer.layer, scope=outer.scope) if nested else _SKIPPED
        kind, rest = found[1].lower(), found[2].strip(_BLANKS)
        layer, scope = outer.layer, outer.scope
        if kind == "keyframes":
            return _Open(keyframes=rest.lower(), begin=begin)
        if kind == "layer":
            layer = self._layers.path(layer, rest)
        elif kind == "scope":
            to = _SCOPE.fullmatch(rest)
            if not to or scope or ") to" in rest.lower():
                return _SKIPPED
            scope = to[1]
        elif not ((kind == "media" and media(rest)) or (kind == "supports" and supports(rest))):
            return _SKIPPED  # also @container: how wide a box is cannot be told
        return _Open(selectors=outer.selectors, layer=layer, scope=scope)

    def _told(self, block: _Open) -> Iterator[Block]:
        """What a block has declared until now."""
        if block.texts and block.selectors and block.holds:
            selectors = scoped(block.selectors, block.scope) if block.scope else block.selectors
            yield Block(selectors, ";".join(block.texts), self._layers.place(block.layer))
        block.texts = []

    def _closed(self, block: _Open, css: str, start: int, at: int) -> Iterator[Block | Keyframes]:
        if block.keyframes:
            yield Keyframes(block.keyframes, css[block.begin : at])
        elif block.selectors:
            block.texts.append(css[start:at])
            yield from self._told(block)

    def _ends(self, opened: list[_Open], text: str) -> bool:
        """Whether a semicolon ends something; outside of all blocks it is a part of the next selector."""
        top = opened[-1]
        if text.startswith("@"):
            found = _AT.match(text)
            if found and found[1].lower() == "layer" and top.holds and not top.selectors:
                for name in found[2].split(",")[:100]:
                    self._layers.path(top.layer, name.strip(_BLANKS) or "-")
            return True
        if top.selectors:
            top.texts.append(text)
        return len(opened) > 1


def split(text: str) -> list[str]:
    """What is between commas; those in brackets separate nothing."""
    if "(" not in text and "[" not in text:
        return text.split(",")
    parts: list[str] = []
    depth = start = 0
    for found in _COMMA_OR_BRACKET.finditer(text):
        if found[0] != ",":
            depth += 1 if found[0] in "([" else -1
        elif depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    parts.append(text[start:])
    return parts


def inside(outer: str, inner: str) -> str:
    """The selectors of a rule inside another one; none where they would be too long: they could double at each step."""
    if len(outer) + len(inner) > MAX_SELECTOR:
        return ""
    parts = [part if "&" in part else f"& {part}" for part in split(inner)]
    whole = f":is({outer})" if "," in outer else outer
    found = ",".join(parts)
    if found.count("&") * len(whole) + len(found) > MAX_SELECTOR:
        return ""
    joined = re.sub(r"(?<=[\w\])-])&", lambda _: f":is({outer})", found)
    return joined.replace("&", whole)


def scoped(selectors: str, scope: str) -> str:
    """Selectors that are only about what is inside a scope, or is its root."""
    if len(scope) > MAX_SELECTOR // 4 or len(selectors) > MAX_SELECTOR:
        return ""
    within = f":where(:is({scope}), :is({scope}) *)"
    root = f":where({scope})"
    parts = [part.strip().replace(":scope", root).replace("&", root) for part in split(selectors)]
    return ",".join(f"{part}{within}" for part in parts)


def _prelude(css: str, start: int, at: int) -> str:
    text = css[max(start, at - MAX_LIST) : at]
    if at - start > MAX_LIST:
        text = text.partition(",")[2]
    return text.strip(_BLANKS)
