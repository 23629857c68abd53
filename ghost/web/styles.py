"""The style rules that a page brings along: parsed as far as they are simple, and matched with elements.

This is no browser. It knows tags, classes, ids, attributes, ancestors and the order of rules, which is what hiding text
takes; rules with anything else in them are left out. Style sheets that would have to be fetched are not known.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from lxml.etree import _Element

from ghost.web.blocks import Keyframes, Sheets, split
from ghost.web.declarations import Declared, declarations, declared, over, readable
from ghost.web.selector_parser import selector
from ghost.web.selectors import Selector, classes, exhausted
from ghost.web.values import GLOBAL

MAX_CSS = 600_000
"""Characters of style sheets that are looked at."""
MAX_RULES = 6_000
MOST_NAMES = 40
"""Classes of one element for which rules are looked up."""
MOST_REMEMBERED = 2_000

_RELEVANT = re.compile(
    r"display|visibility|opacity|color|background|font|position|left|top|right|bottom|indent|transform|clip|width"
    r"|height|size|overflow|filter|animation|margin|padding|inset|scale|zoom|contain|flex|rotate|translate|white-space|float|decoration|vertical|--",
    re.IGNORECASE,
)
_FRAME = re.compile(r"\{([^}]*)")
_FIRST_FRAME = re.compile(r"\bfrom\b|(?<![\d.])0%", re.IGNORECASE)
_LAST_FRAME = re.compile(r"(?:\bto|100%)\s*(?:,\s*[\w.%]+\s*)*\{([^}]*)")
_SHOWS = re.compile(r"opacity\s*:\s*+(?!0(?:\.0*)?%?\s*(?:;|$))|visibility\s*:\s*visible")
_HIDES = re.compile(r"opacity\s*:\s*+0(?:\.0*)?%?\s*(?:;|$)|visibility\s*:\s*(?:hidden|collapse)|display\s*:\s*none")


@dataclass(frozen=True, slots=True)
class Rule:
    """One selector with what it declares."""

    selector: Selector
    declared: Declared
    order: tuple[int, int, int, int]
    """Weight and place: the greatest wins within a layer."""
    layer: tuple[float, ...]
    """The greatest layer wins, or the smallest among what is important."""
    important: bool
    """Whether something in it is."""


@dataclass(frozen=True, slots=True)
class Style:
    """What an element declares."""

    values: dict[str, str]
    variables: dict[str, str]
    """Those of the values that elements inside can use."""
    pending: bool
    """Whether there are values that wait for variables."""


@dataclass(slots=True)
class Sheet:
    """All rules of a page."""

    by_key: dict[str, list[Rule]] = field(default_factory=dict)
    """``#id``, ``.class``, tag or ``*`` of the element itself -> rules."""
    fades_in: frozenset[str] = frozenset()
    """Names of animations at whose end the text can be seen."""
    fades_out: frozenset[str] = frozenset()
    """Those at whose end it cannot."""
    never_shows: frozenset[str] = frozenset()
    """Those in which it never can; one that only blinks can be read."""
    cut: bool = False
    """Whether there was more than is looked at."""
    quirks: bool = False
    """Whether the page has no document type, so that lengths need no unit."""
    elsewhere: bool = False
    """Whether there are style sheets that are not known."""
    effort: Counter[str] = field(default_factory=Counter)
    remembered: dict[str, Declared] = field(default_factory=dict)
    """``style`` attributes that have been read; many elements of a page have the same."""
    styles: dict[tuple[tuple[int, ...], str], Style] = field(default_factory=dict)
    """What the same rules and the same attribute come to."""

    @property
    def exhausted(self) -> bool:
        """Whether the rules are such a tangle that what they hide can no longer be told."""
        return exhausted(self.effort)

    def style_for(self, element: _Element) -> Style:
        """What the rules and the ``style`` attribute of an element come to, with its variables apart."""
        own = element.get("style") or ""
        if not own and not self.by_key:
            return _BARE
        rules = self._fitting(element)
        if not own and not rules:
            return _BARE
        key = (tuple(r.order[3] for r in rules), own)
        found = self.styles.get(key)
        if found is None:
            found = _style(_cascade(rules, self._inline(own)))
            if len(self.styles) < MOST_REMEMBERED:
                self.styles[key] = found
        return found

    def declared_for(self, element: _Element) -> Declared:
        """The same, with whether each is important."""
        return _cascade(self._fitting(element), self._inline(element.get("style") or ""))

    def _fitting(self, element: _Element) -> list[Rule]:
        if not self.by_key:
            return []
        keys = ["*", str(element.tag), *(f".{c}" for c in classes(element.get("class") or "")[:MOST_NAMES])]
        if element.get("id"):
            keys.append(f"#{element.get('id')}")
        found: list[Rule] = []
        for rules in (self.by_key[k] for k in dict.fromkeys(keys) if k in self.by_key):
            self.effort["fits"] += len(rules)
            if self.exhausted:
                break
            found += [r for r in rules if r.selector.fits(element, self.effort)]
        self.effort["fits"] += sum(1 + len(r.declared) for r in found)
        return found

    def _inline(self, style: str) -> Declared:
        if not style:
            return {}
        read = self.remembered.get(style)
        if read is None:
            read = declarations(style, self.quirks)
            if len(self.remembered) < MOST_REMEMBERED:
                self.remembered[style] = read
        return read


def sheet(*texts: str, quirks: bool = False, elsewhere: bool = False) -> Sheet:
    """The rules in the texts of ``<style>`` elements, in their order; what one leaves open ends with it."""
    rules: dict[str, list[Rule]] = {}
    fading: dict[str, str] = {}
    count = size = 0
    sheets = Sheets()
    for text in texts:
        css = readable(text[: max(0, MAX_CSS - size)])
        size += len(text)
        for block in sheets.blocks(css):
            if isinstance(block, Keyframes):
                fading[block.name] = block.body  # of two of a name the later one counts
                continue
            said = declared(block.declared, quirks) if _RELEVANT.search(block.declared) else {}
            important = any(i for _, i in said.values())
            for part in split(block.selectors) if said else ():
                count += 1
                if count <= MAX_RULES and (read := selector(part)):
                    rule = Rule(read, said, (*read.weight, count), block.layer, important)
                    rules.setdefault(read.key, []).append(rule)
    return Sheet(
        rules,
        frozenset(name for name, body in fading.items() if _ends(body, _SHOWS)),
        frozenset(name for name, body in fading.items() if _ends(body, _HIDES)),
        frozenset(name for name, body in fading.items() if _all_hide(body)),
        size > MAX_CSS or count > MAX_RULES,
        quirks,
        elsewhere,
    )


_BARE = Style({}, {}, False)


def _style(css: Declared) -> Style:
    values = {name: value for name, (value, _) in css.items()}
    own = {n: v for n, v in values.items() if n.startswith("--") and (v not in GLOBAL or v == "initial")}
    return Style(values, own, any("var(" in value for value in values.values()))


def _cascade(rules: list[Rule], inline: Declared) -> Declared:
    """What wins: the later layer, the weightier selector, the later rule; of what is important, the earlier layer."""
    if not rules:
        return inline
    result: Declared = {}
    for rule in sorted(rules, key=lambda r: (r.layer, r.order)):
        for name, (value, important) in rule.declared.items():
            if not important:
                result[name] = (value, False)
    for name, (value, important) in inline.items():
        if not important:
            result[name] = (value, False)
    backwards = [r for r in rules if r.important]
    for rule in sorted(backwards, key=lambda r: (tuple(-n for n in r.layer), r.order)):
        over(result, {name: (value, True) for name, (value, important) in rule.declared.items() if important})
    over(result, {name: (value, True) for name, (value, important) in inline.items() if important})
    return result


def _ends(body: str, how: re.Pattern[str]) -> bool:
    return any(how.search(block.strip()) for block in _LAST_FRAME.findall(f"{body.lower()}}}"))


def _all_hide(body: str) -> bool:
    """Whether every frame hides, and the first and the last are given: else they show what the style shows."""
    frames = _FRAME.findall(f"{body.lower()}}}")
    return (
        _ends(body, _HIDES)
        and bool(_FIRST_FRAME.search(body))
        and all(_HIDES.search(frame.strip()) for frame in frames)
    )
