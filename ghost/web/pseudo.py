"""Pseudo-classes: what an element is by its place, its state or its language, on a page that is only looked at."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice

from lxml.etree import _Element

MOST_SIBLINGS = 300
"""Brothers and sisters that are counted for the place of an element."""
COUNTED_PER_FIT = 4
SIBLINGS_PER_FIT = 60
"""Siblings counted or passed by that take as long as one comparison."""

NEVER = frozenset(
    "hover active focus focus-within focus-visible -moz-focusring target target-within visited fullscreen "
    "-webkit-full-screen -moz-full-screen popover-open modal picture-in-picture user-valid user-invalid autofill "
    "-webkit-autofill current past future".split()
)
"""What nothing is before its reader does something."""

_STEPS = re.compile(r"([+-]?\d{0,3})n\s*(?:([+-])\s*(\d{1,3}))?|([+-]?\d{1,4})")
_CONTROLS = frozenset("button input select textarea optgroup option fieldset".split())

Step = tuple[int, int]
"""``an+b``."""


def step(text: str) -> Step | None:
    """``2n+1``, ``odd`` or ``3``."""
    found = _STEPS.fullmatch({"odd": "2n+1", "even": "2n"}.get(text, text))
    if not found:
        return None
    if found[4]:
        return 0, int(found[4])
    return int(f"{found[1]}1" if found[1] in ("", "+", "-") else found[1]), int(f"{found[2] or ''}{found[3] or 0}")


def placed(
    element: _Element,
    wanted: Step,
    from_end: bool,
    of_type: bool,
    counts: Callable[[_Element], bool] | None,
    effort: Counter[str],
) -> bool:
    """Whether an element is the one that is wanted among its siblings, or among those that count."""
    each, first = wanted
    if each == 1 and first <= 1:
        return True  # all of them
    _passed_by(element, of_type, effort)
    same = str(element.tag) if of_type else "*"
    before = passed = 0
    for sibling in islice(element.itersiblings(same, preceding=not from_end), MOST_SIBLINGS):
        before += counts is None or counts(sibling)
        passed += 1
    effort["fits"] += passed // COUNTED_PER_FIT if counts is None else passed
    rest = before + 1 - first
    return passed < MOST_SIBLINGS and (rest == 0 if each == 0 else rest % each == 0 and rest // each >= 0)


def _passed_by(element: _Element, of_type: bool, effort: Counter[str]) -> None:
    if of_type and (parent := element.getparent()) is not None:
        effort["fits"] += len(parent) // SIBLINGS_PER_FIT


def _first(element: _Element, same: str) -> bool:
    return next(element.itersiblings(same, preceding=True), None) is None


def _last(element: _Element, same: str) -> bool:
    return next(element.itersiblings(same), None) is None


def _of_type(
    tests: tuple[Callable[[_Element, str], bool], ...],
) -> Callable[[_Element, str, Counter[str]], bool]:
    def fits(element: _Element, _: str, effort: Counter[str]) -> bool:
        _passed_by(element, True, effort)
        return all(test(element, str(element.tag)) for test in tests)

    return fits


def _empty(element: _Element, _: str, __: Counter[str]) -> bool:
    return not element.text and all(not isinstance(e.tag, str) and not e.tail for e in islice(element, MOST_SIBLINGS))


def _link(element: _Element, _: str, __: Counter[str]) -> bool:
    return element.tag in ("a", "area") and element.get("href") is not None


def _lang(element: _Element, wanted: str, effort: Counter[str]) -> bool:
    said = _inherited(element, ("lang", "{http://www.w3.org/XML/1998/namespace}lang", "xml:lang"), effort).lower()
    return any(
        said == one or said.startswith(f"{one}-") for one in (w.strip(" \"'").lower() for w in wanted.split(",")) if one
    )


def _dir(element: _Element, wanted: str, effort: Counter[str]) -> bool:
    return (_inherited(element, ("dir",), effort).lower() or "ltr") == wanted.lower()


def _inherited(element: _Element, names: tuple[str, ...], effort: Counter[str]) -> str:
    at: _Element | None = element
    for _ in range(MOST_SIBLINGS):
        if at is None:
            break
        effort["looks"] += 1
        for name in names:
            if (value := at.get(name)) is not None:
                return value
        at = at.getparent()
    return ""


def _checked(element: _Element, _: str, __: Counter[str]) -> bool:
    return (element.tag == "input" and element.get("checked") is not None) or (
        element.tag == "option" and element.get("selected") is not None
    )


PSEUDO: dict[str, Callable[[_Element, str, Counter[str]], bool]] = {
    "root": lambda e, _, __: e.getparent() is None,
    "scope": lambda e, _, __: e.getparent() is None,
    "first-child": lambda e, _, __: _first(e, "*"),
    "last-child": lambda e, _, __: _last(e, "*"),
    "only-child": lambda e, _, __: _first(e, "*") and _last(e, "*"),
    "first-of-type": _of_type((_first,)),
    "last-of-type": _of_type((_last,)),
    "only-of-type": _of_type((_first, _last)),
    "empty": _empty,
    "link": _link,
    "any-link": _link,
    "-webkit-any-link": _link,
    "lang": _lang,
    "dir": _dir,
    "checked": _checked,
    "enabled": lambda e, _, __: e.tag in _CONTROLS and e.get("disabled") is None,
    "disabled": lambda e, _, __: e.tag in _CONTROLS and e.get("disabled") is not None,
    "open": lambda e, _, __: e.tag in ("details", "dialog") and e.get("open") is not None,
    "defined": lambda e, _, __: isinstance(e.tag, str),
    "never": lambda *_: False,
}
"""Those that are known, by name: the element, what is in the brackets, and where effort is booked."""
