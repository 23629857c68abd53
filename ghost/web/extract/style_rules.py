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

from ghost.web.extract.declarations import UNKNOWN, Declared, declarations, inline_style

MAX_CSS = 300_000
"""Characters of ``<style>`` elements that are read, together."""
MAX_RULES = 6_000
MAX_SELECTOR = 500
MAX_STYLES = 10_000
"""Different ``style`` attributes that are read."""
MAX_NESTED = 6
MAX_EFFORT = 3_000_000
"""Steps that matching may take on one page; from there on the rules are ignored."""
Node = Any
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
        return declarations(self._nodes)


class StyleSheet:
    """The rules in the ``<style>`` elements of a page."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._styles: dict[str, Declared] = {}
        self._effort = 0
        self._count = 0
        self.cut = False
        """Whether there was more than is read."""
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
        """What a ``style`` attribute declares."""
        if not written:
            return {}
        if written not in self._styles:
            if len(self._styles) >= MAX_STYLES:
                self.cut = True
                return {}
            self._styles[written] = inline_style(written)
        return self._styles[written]

    def _candidates(self, element: ElementWrapper) -> Iterator[_Rule]:
        if self._rules and self._effort < MAX_EFFORT:
            for key in ("*", element.local_name, *(f".{c}" for c in element.classes), f"#{element.id}"):
                yield from self._rules.get(key, ())

    def _fits(self, rule: _Rule, element: ElementWrapper) -> bool:
        self._effort += rule.cost
        if rule.ancestors:
            self._effort += len(element.ancestors) ** rule.ancestors
        if rule.siblings:
            self._effort += len(element.etree_siblings)
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
