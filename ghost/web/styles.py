"""The style rules that a page brings along: parsed as far as they are simple, and matched with elements.

This is no browser. It knows tags, classes, ids, attributes, ancestors and the order of rules, which is what hiding text
takes; rules with anything else in them are left out. Style sheets that would have to be fetched are not known.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from lxml.etree import _Element

from ghost.web.numbers import NUMBER, number
from ghost.web.values import thrown_away

MAX_CSS = 600_000
"""Characters of style sheets that are looked at."""
MAX_RULES = 6_000
MAX_LOOKS = 1_000_000
"""Ancestors and siblings that are looked at for one page: selectors can be written so that they never end."""
MAX_FITS = 20_000_000
"""Rules, choices and declarations that are compared with the elements of one page, each a fraction of a microsecond."""
MAX_SELECTOR = 2_000
MAX_NESTED = 12
SCREEN = 1280
SCREEN_HIGH = 800
"""Width and height in pixels of the screen for which ``@media`` is decided."""

Declared = dict[str, tuple[str, bool]]
"""Property -> value in lower case, and whether it is ``!important``."""

_ASIDE = re.compile(r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]++|\\.)*\"?|'(?:[^'\\\n]++|\\.)*'?|<!--|-->", re.DOTALL)
"""Comments and strings, whichever begins first; a string that nothing closes ends with its line."""
_INNER = re.compile(r"(?:\A|(?<=[;{}]))[^;{}]*+\{[^{}]*+\}")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_BRACKETS = r"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*\))*\)"
_DECLARATION = re.compile(rf"(?<![\w-])(--[\w-]++|[a-z-]++)\s*+:\s*((?:[^;()\"']|{_BRACKETS}|\"[^\"]*\"|'[^']*')+)")
"""A name and its value. A name is tried at its beginning only."""
_PART = re.compile(
    r"(?P<tag>\*|[a-z][\w-]*)|\.(?P<class>-?[\w\u0080-\uffff-]+)|#(?P<id>-?[\w\u0080-\uffff-]+)"
    r"|\[\s*(?P<name>[\w-]+)\s*(?:(?P<how>[~|^$*]?=)\s*[\"']?(?P<value>[^\"'\]]*)[\"']?\s*(?:[is]\s*)?)?\]"
    r"|(?P<pseudo>:root|:(?:first|last|only)-(?:child|of-type)|:nth-(?:child|of-type)\([^()]{1,20}\))"
    r"|:(?P<choice>is|where|not|matches|-webkit-any)\((?P<among>[^()]*(?:\([^()]*\)[^()]*)*)\)",
    re.IGNORECASE,
)
_GROUPS = ("@media", "@supports", "@layer", "@container", "@scope")
_PIECE = re.compile(r"[>+~]|(?:\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)|[^\s>+~\[]|\[$)+")
"""A combinator, or everything between two of them; blanks inside brackets separate nothing."""
_COMMA = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)|[^,])+")
"""Everything between two commas; those inside brackets separate nothing."""
_STEPS = re.compile(r"([+-]?\d{0,3})n\s*(?:([+-])\s*(\d{1,3}))?|([+-]?\d{1,4})")
MOST_SIBLINGS = 300
"""Brothers and sisters that are counted for the place of an element."""
COUNTED_PER_FIT = 4
SIBLINGS_PER_FIT = 60
NAMES_PER_FIT = 8
CHARS_PER_FIT = 20
"""Siblings counted or passed by, classes, and characters of an attribute that take as long as one comparison."""
_FEATURE = re.compile(rf"\(\s*(?:(min|max)-)?(width|height)\s*(:|[<>]=?)\s*({NUMBER})(px|em|rem)\s*\)")
_USUAL = re.compile(
    r"\(\s*(?:prefers-color-scheme\s*:\s*light|orientation\s*:\s*landscape|(?:any-)?hover\s*(?::\s*hover)?"
    r"|(?:any-)?pointer\s*:\s*fine|prefers-reduced-motion\s*:\s*no-preference|color|scripting\s*:\s*enabled)\s*\)"
)
"""What holds for most readers: a screen in daylight, and a mouse."""
_RELEVANT = re.compile(
    r"display|visibility|opacity|color|background|font|position|left|top|right|bottom|indent|transform|clip|width"
    r"|height|overflow|filter|animation|margin|inset|scale|zoom|contain|--"
)


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: everything between two combinators."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()
    """(name, operator, value)."""
    places: tuple[str, ...] = ()
    """Pseudo-classes about the place among the siblings."""
    choices: tuple["Choice", ...] = ()

    @property
    def weight(self) -> tuple[int, int, int]:
        """How specific it is, as CSS counts."""
        own = bool(self.id), len(self.classes) + len(self.attributes) + len(self.places), bool(self.tag)
        inside = (max((c.weight for c in choice.among), default=own) for choice in self.choices if choice.weighs)
        a, b, c = (sum(column) for column in zip(own, *inside, strict=True))
        return a, b, c

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element is one of these; what it costs beyond one comparison is booked in ``effort``."""
        if self.tag and self.tag != element.tag:
            return False
        if self.id and self.id != element.get("id"):
            return False
        if self.classes:
            names = (element.get("class") or "").split()
            effort["fits"] += 1 + len(names) // NAMES_PER_FIT
            if not self.classes <= set(names):
                return False
        return (
            all(_has(element, *a, effort) for a in self.attributes)
            and all(_placed(element, place, effort) for place in self.places)
            and all(choice.fits(element, effort) for choice in self.choices)
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """``:is()``, ``:where()`` and ``:not()``: one of several, or none of them."""

    among: tuple[Compound, ...]
    none: bool
    weighs: bool

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element is one of them, or none of them where that is asked for."""
        for n, compound in enumerate(self.among, 1):
            if compound.fits(element, effort):
                effort["fits"] += n
                return not self.none
        effort["fits"] += len(self.among)
        return self.none


@dataclass(frozen=True, slots=True)
class Rule:
    """One selector with what it declares."""

    compounds: tuple[Compound, ...]
    """From left to right; the last one is the element itself."""
    combinators: tuple[str, ...]
    declared: Declared
    order: tuple[int, int, int, int]
    """Weight and place: the greatest wins."""

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the rule is about this element; what looking around costs is booked in ``effort``."""
        if effort["fits"] > MAX_FITS:
            return False
        return self.compounds[-1].fits(element, effort) and self._around(element, len(self.compounds) - 1, effort)

    def _around(self, element: _Element, at: int, effort: Counter[str]) -> bool:
        if at == 0:
            return True
        how, wanted = self.combinators[at - 1], self.compounds[at - 1]
        near: Iterator[_Element]
        if how in "+~":
            near = (e for n, e in enumerate(element.itersiblings(preceding=True)) if n < 60 and isinstance(e.tag, str))
        else:
            near = element.iterancestors()
        for n, other in enumerate(near):
            effort["looks"] += 1
            if n > 200 or (n and how in ">+") or _exhausted(effort):
                return False
            if wanted.fits(other, effort) and self._around(other, at - 1, effort):
                return True
        return False


@dataclass(slots=True)
class Sheet:
    """All rules of a page."""

    by_key: dict[str, list[Rule]] = field(default_factory=dict)
    """``#id``, ``.class``, tag or ``*`` of the element itself -> rules."""
    fades_in: frozenset[str] = frozenset()
    """Names of animations at whose end the text can be seen."""
    cut: bool = False
    """Whether there was more than is looked at."""
    effort: Counter[str] = field(default_factory=Counter)

    @property
    def exhausted(self) -> bool:
        """Whether the rules are such a tangle that what they hide can no longer be told."""
        return _exhausted(self.effort)

    def declared_for(self, element: _Element) -> Declared:
        """What the rules and the ``style`` attribute of an element come to."""
        keys = ["*", str(element.tag), *(f".{c}" for c in (element.get("class") or "").split()[:40])]
        if element.get("id"):
            keys.append(f"#{element.get('id')}")
        own = element.get("style")
        found: list[Rule] = []
        for rules in (self.by_key.get(k, []) for k in keys):
            self.effort["fits"] += len(rules)
            if self.exhausted:
                break
            found += [r for r in rules if r.fits(element, self.effort)]
        self.effort["fits"] += sum(1 + len(r.declared) for r in found)
        if not found:
            return declarations(own) if own else {}
        result: Declared = {}
        for rule in sorted(found, key=lambda r: r.order):
            _over(result, rule.declared)
        _over(result, declarations(own) if own else {})
        return result


def _exhausted(effort: Counter[str]) -> bool:
    return effort["looks"] > MAX_LOOKS or effort["fits"] > MAX_FITS


def declarations(css: str) -> Declared:
    """``a: b; c: d`` as a mapping; the later wins."""
    found: Declared = {}
    for name, value in _DECLARATION.findall(_plain(css[:20_000]).lower()):
        important = "!important" in value.replace(" ", "")
        value = value.partition("!")[0].strip()
        if not thrown_away(name, value):
            _over(found, {name: (value, important)})
    return found


def sheet(css: str) -> Sheet:
    """The rules in the text of all ``<style>`` elements, in their order."""
    text = _plain(css[:MAX_CSS])
    rules: dict[str, list[Rule]] = {}
    fading: set[str] = set()
    count = 0
    for prelude, body in _blocks(text):
        if prelude.startswith("@"):
            if _fades_in(body):
                fading.add(prelude.split()[-1])
            continue
        declared = declarations(body) if _RELEVANT.search(body.lower()) else {}
        for selector in _COMMA.findall(prelude) if declared else ():
            count += 1
            if count <= MAX_RULES and (rule := _rule(selector.strip(), declared, count)):
                last = rule.compounds[-1]
                some_class = min(last.classes, default="")
                key = f"#{last.id}" if last.id else f".{some_class}" if some_class else last.tag or "*"
                rules.setdefault(key, []).append(rule)
    return Sheet(rules, frozenset(fading), len(css) > MAX_CSS or count > MAX_RULES)


def _over(under: Declared, more: Declared) -> None:
    for name, (value, important) in more.items():
        if important or not under.get(name, ("", False))[1]:
            under[name] = (value, important)


def _plain(css: str) -> str:
    """Without comments, without signs in strings that could be taken for blocks, and with escapes read."""
    css = _ASIDE.sub(lambda m: re.sub(r"[{};]", "", m[0]) if m[0][0] in "\"'" else " ", css)
    if "\\" not in css:
        return css
    return _ESCAPE.sub(lambda m: chr(min(int(m[1], 16), 0x10FFFF)) if m[1] else m[2], css)


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) of the rules that hold on a screen, and (``@keyframes name``, body)."""
    opened: list[tuple[str, int]] = []  # prelude and start of each block that is open
    held = [True]
    start = 0
    for mark in re.finditer(r"[{};]", css):
        at, sign = mark.start(), mark.group()
        if sign == "{":
            prelude = css[max(start, at - MAX_SELECTOR) : at].strip() if len(opened) < MAX_NESTED else "@too-deep"
            if opened and not prelude.startswith("@") and not (outer := opened[-1][0]).startswith("@"):
                prelude = _inside(outer, prelude)
            opened.append((prelude, at + 1))
            held.append(held[-1] and _holds(prelude))
            start = at + 1
        elif sign == "}" and opened:
            prelude, begin = opened.pop()
            if held.pop() and not prelude.startswith(_GROUPS):
                yield prelude, _INNER.sub("", css[begin:at])
            elif "keyframes" in prelude and held[-1]:
                yield prelude.lower(), css[begin:at]
            start = at + 1
        elif sign == ";":
            start = at + 1
    if opened and held[-1] and not opened[-1][0].startswith("@"):  # browsers close what is open at the end
        yield opened[-1][0], css[opened[-1][1] :]


def _inside(outer: str, inner: str) -> str:
    """The selectors of a rule inside another one. Each ``&`` is the whole outer one: they could double at each step."""
    if "&" not in inner:
        inner = f"& {inner}"
    if inner.count("&") * len(outer) + len(inner) > MAX_SELECTOR:
        return "@too-deep"
    return inner.replace("&", outer)


def _holds(prelude: str) -> bool:
    """Whether what is inside a block counts on the screen of a reader."""
    low = prelude.lower()
    if not low.startswith("@"):
        return True
    if low.startswith(_GROUPS[1:]):
        return True
    return low.startswith("@media") and any(_media(q.strip()) for q in low.removeprefix("@media").split(","))


def _media(query: str) -> bool:
    if query.startswith("not"):
        return re.fullmatch(r"not\s+(?:print|speech|tty|braille)", query) is not None
    if re.search(r"\b(?:print|speech|tty|braille)\b", query):
        return False
    rest = query
    for found in _FEATURE.finditer(query):
        size = SCREEN if "width" in found[0] else SCREEN_HIGH
        pixels = number(found[4]) * (1 if found[5] == "px" else 16)
        sign = {"min": ">=", "max": "<="}.get(found[1] or "", found[3])
        if not {">=": size >= pixels, "<=": size <= pixels, ">": size > pixels, "<": size < pixels}.get(sign, False):
            return False
        rest = rest.replace(found[0], "", 1)
    rest = _USUAL.sub("", rest)
    return not re.sub(r"\b(?:only|screen|all|and)\b", "", rest).strip()


def _fades_in(body: str) -> bool:
    end = re.findall(r"(?:\bto|100%)\s*\{([^}]*)", body.lower() + "}")
    return any(re.search(r"opacity\s*:\s*+(?!0(?:\.0*)?\s*(?:;|$))|visibility\s*:\s*visible", block) for block in end)


def _rule(selector: str, declared: Declared, count: int) -> Rule | None:
    """The selector read, or None where it has something that is not known here."""
    compounds: list[Compound] = []
    combinators: list[str] = []
    for piece in _PIECE.findall(selector):
        if piece in (">", "+", "~"):
            combinators.append(piece)
        else:
            if len(compounds) > len(combinators):
                combinators.append(" ")
            compound = _compound(piece)
            if compound is None:
                return None
            compounds.append(compound)
    if not compounds or len(combinators) != len(compounds) - 1 or len(compounds) > 12:
        return None
    a, b, c = (sum(column) for column in zip(*(x.weight for x in compounds), strict=True))
    return Rule(tuple(compounds), tuple(combinators), declared, (a, b, c, count))


def _compound(text: str) -> Compound | None:
    tag = id_ = ""
    places: list[str] = []
    choices: list[Choice] = []
    classes: set[str] = set()
    attributes: list[tuple[str, str, str]] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if not part:
            return None
        if part["tag"]:
            tag = part["tag"].lower() if part["tag"] != "*" else ""
        elif part["class"]:
            classes.add(part["class"])
        elif part["id"]:
            id_ = part["id"]
        elif part["name"]:
            attributes.append((part["name"].lower(), part["how"] or "", part["value"] or ""))
        elif part["choice"]:
            choice = _choice(part["choice"].lower(), part["among"])
            if choice is None:
                return None
            choices.append(choice)
        else:
            places.append(part["pseudo"].lower())
        at = part.end()
    return Compound(tag, id_, frozenset(classes), tuple(attributes), tuple(places), tuple(choices))


def _choice(kind: str, among: str) -> Choice | None:
    """What is in the brackets, where each of it is one element; what is not known there fits nothing."""
    read = [None if _PIECE.findall(one.strip()) != [one.strip()] else _compound(one.strip())
            for one in _COMMA.findall(among)[:40]]  # fmt: skip
    if kind == "not" and (None in read or not read):
        return None
    return Choice(tuple(c for c in read if c), kind == "not", kind != "where")


def _has(element: _Element, name: str, how: str, wanted: str, effort: Counter[str]) -> bool:
    value = element.get(name)
    if value is None:
        return False
    effort["fits"] += len(value) // CHARS_PER_FIT
    if how == "":
        return True
    if how == "=":
        return value == wanted
    if how == "~=":
        return wanted in value.split()
    if how == "|=":
        return value == wanted or value.startswith(f"{wanted}-")
    if not wanted:
        return False
    return {"^=": value.startswith, "$=": value.endswith, "*=": value.__contains__}[how](wanted)


def _placed(element: _Element, place: str, effort: Counter[str]) -> bool:
    if place == ":root":
        return element.getparent() is None
    name, _, wanted = place.removeprefix(":").partition("(")
    same = str(element.tag) if name.endswith("of-type") else "*"
    if same != "*" and (parent := element.getparent()) is not None:
        effort["fits"] += len(parent) // SIBLINGS_PER_FIT
    if name.startswith("nth"):
        before = sum(1 for _ in islice(element.itersiblings(same, preceding=True), MOST_SIBLINGS))
        effort["fits"] += before // COUNTED_PER_FIT
        return before < MOST_SIBLINGS and _counted(before + 1, wanted.removesuffix(")").strip())
    first = next(element.itersiblings(same, preceding=True), None) is None
    last = next(element.itersiblings(same), None) is None
    return {"first": first, "last": last, "only": first and last}[name.partition("-")[0]]


def _counted(at: int, wanted: str) -> bool:
    """Whether the place is one of ``2n+1``, ``odd``, ``3``."""
    found = _STEPS.fullmatch({"odd": "2n+1", "even": "2n"}.get(wanted, wanted))
    if not found:
        return False
    if found[4]:
        return at == int(found[4])
    step = int(f"{found[1]}1" if found[1] in ("", "+", "-") else found[1])
    rest = at - int(f"{found[2] or ''}{found[3] or 0}")
    return rest == 0 if step == 0 else rest % step == 0 and rest // step >= 0
