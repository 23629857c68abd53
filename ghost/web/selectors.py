"""Which elements a rule is about: tags, classes, ids, attributes, places, and what stands around them.

A selector with anything else in it is left out as a whole: it hides nothing, and shows nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml.etree import _Element

from ghost.web.pseudo import PSEUDO, Step, placed

MAX_LOOKS = 1_000_000
"""Ancestors and siblings that are looked at for one page: selectors can be written so that they never end."""
MAX_FITS = 20_000_000
"""Rules, choices and declarations that are compared with the elements of one page, each a fraction of a microsecond."""
MOST_AROUND = 200
MOST_INSIDE = 200
"""Elements inside another one that are looked at for ``:has()``."""
CLASSES_PER_FIT = 40
CHARS_PER_FIT = 20
"""Characters of a ``class`` and of another attribute that take as long as one comparison."""

_CLASSES = re.compile(r"[^ \t\n\r\f]+")

Weight = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Attribute:
    """What an attribute must be."""

    name: str
    how: str
    wanted: str
    fold: bool
    """Whether capitals make no difference."""

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element has it so."""
        value, wanted = element.get(self.name), self.wanted
        if value is None:
            return False
        effort["fits"] += len(value) // CHARS_PER_FIT
        if self.how == "":
            return True
        if self.fold:
            value, wanted = value.lower(), wanted.lower()
        if self.how == "=":
            return value == wanted
        if self.how == "~=":
            return wanted in classes(value)
        if self.how == "|=":
            return value == wanted or value.startswith(f"{wanted}-")
        if not wanted:
            return False
        return {"^=": value.startswith, "$=": value.endswith, "*=": value.__contains__}[self.how](wanted)


@dataclass(frozen=True, slots=True)
class State:
    """A pseudo-class that is known, with what is in its brackets."""

    name: str
    argument: str

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element is in that state."""
        return PSEUDO[self.name](element, self.argument, effort)


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: everything between two combinators."""

    tag: str = ""
    ids: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    more: "tuple[Attribute | State | Place | Choice, ...]" = ()

    @property
    def weight(self) -> Weight:
        """How specific it is, as CSS counts."""
        few = len(self.classes) + sum(not isinstance(m, Choice) for m in self.more)
        own = len(self.ids), few, int(bool(self.tag))
        a, b, c = (sum(column) for column in zip(own, *map(_inner_weight, self.more), strict=True))
        return a, b, c

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element is one of these; what it costs beyond one comparison is booked in ``effort``."""
        if self.tag and self.tag != element.tag:
            return False
        if self.ids and self.ids != {element.get("id")}:
            return False
        if self.classes:
            text = element.get("class") or ""
            effort["fits"] += 1 + len(text) // CLASSES_PER_FIT
            for name in self.classes:  # most have no such letters, which is soon seen
                if name not in text:
                    return False
            if not self.classes.issubset(classes(text)):
                return False
        return not self.more or all(more.fits(element, effort) for more in self.more)


@dataclass(frozen=True, slots=True)
class Place:
    """``:nth-child()`` and its like."""

    step: Step
    from_end: bool
    of_type: bool
    among: tuple["Selector", ...]
    """Which siblings count; all when there are none."""

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element has such a place among its siblings."""
        if self.among and not any(s.fits(element, effort) for s in self.among):
            return False
        counts = (lambda e: any(s.fits(e, effort) for s in self.among)) if self.among else None
        return placed(element, self.step, self.from_end, self.of_type, counts, effort)


@dataclass(frozen=True, slots=True)
class Choice:
    """``:is()``, ``:where()``, ``:not()`` and ``:has()``: one of several, or none of them."""

    among: tuple["Selector", ...]
    none: bool
    weighs: bool
    near: tuple[str, ...] = ()
    """For ``:has()``: where each of them is to be looked for."""

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether the element is one of them, has one of them, or is none of them, whichever is asked for."""
        for n, selector in enumerate(self.among):
            found = _within(element, selector, self.near[n], effort) if self.near else selector.fits(element, effort)
            if found:
                effort["fits"] += n + 1
                return not self.none
        effort["fits"] += len(self.among)
        return self.none


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds with what stands between them."""

    compounds: tuple[Compound, ...]
    """From left to right; the last one is the element itself."""
    combinators: tuple[str, ...]

    @property
    def weight(self) -> Weight:
        """How specific it is."""
        a, b, c = (sum(column) for column in zip(*(x.weight for x in self.compounds), strict=True))
        return a, b, c

    @property
    def key(self) -> str:
        """``#id``, ``.class``, tag or ``*``: what an element must at least be."""
        last = self.compounds[-1]
        some_id, some_class = min(last.ids, default=""), min(last.classes, default="")
        return f"#{some_id}" if some_id else f".{some_class}" if some_class else last.tag or "*"

    def fits(self, element: _Element, effort: Counter[str]) -> bool:
        """Whether it is about this element; what looking around costs is booked in ``effort``."""
        if effort["fits"] > MAX_FITS:
            return False
        if not self.compounds[-1].fits(element, effort):
            return False
        return not self.combinators or self._around(element, len(self.compounds) - 1, effort)

    def _around(self, element: _Element, at: int, effort: Counter[str]) -> bool:
        if at == 0:
            return True
        how, wanted = self.combinators[at - 1], self.compounds[at - 1]
        near: Iterator[_Element]
        if how in "+~":
            near = (e for n, e in enumerate(element.itersiblings(preceding=True)) if n < 60 and isinstance(e.tag, str))
        else:
            near = element.iterancestors()
        if how in ">+":
            near = islice(near, 1)
        for n, other in enumerate(near):
            effort["looks"] += 1
            if n > MOST_AROUND or effort["looks"] > MAX_LOOKS:
                return False
            if wanted.fits(other, effort) and self._around(other, at - 1, effort):
                return True
        return False


def exhausted(effort: Counter[str]) -> bool:
    """Whether so much has been looked at that the rest is left."""
    return effort["looks"] > MAX_LOOKS or effort["fits"] > MAX_FITS


def classes(text: str) -> list[str]:
    """The names in a ``class`` attribute: only the blanks of HTML separate them."""
    return text.split() if text.isascii() and text.isprintable() else _CLASSES.findall(text)


def _within(element: _Element, wanted: Selector, how: str, effort: Counter[str]) -> bool:
    """Whether there is such a one inside the element, or behind it."""
    near: Iterator[_Element]
    if how in "+~":
        near = element.itersiblings()
    else:
        near = element.iterchildren() if how == ">" else element.iterdescendants()
    for n, other in enumerate(e for e in islice(near, MOST_INSIDE) if isinstance(e.tag, str)):
        effort["looks"] += 1
        if (n and how == "+") or exhausted(effort):
            return False
        if wanted.fits(other, effort):
            return True
    return False


def _inner_weight(more: "Attribute | State | Place | Choice") -> Weight:
    """The weight of the heaviest selector in the brackets."""
    if isinstance(more, Place) or (isinstance(more, Choice) and more.weighs):
        return max((s.weight for s in more.among), default=(0, 0, 0))
    return 0, 0, 0
