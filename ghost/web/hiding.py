"""Whether nothing inside an element can be seen, by its style, its attributes or a well-known class."""

import re
from collections.abc import Mapping

from lxml.etree import _Element

from ghost.web.boxes import no_room, padded
from ghost.web.colours import SEE_THROUGH
from ghost.web.fading import ends_seen, ends_unseen, opacity
from ghost.web.look import Look
from ghost.web.measures import pixels
from ghost.web.off_screen import off_screen
from ghost.web.shapes import clipped, flattened
from ghost.web.styles import Sheet

_AS_BROWSERS_DO = frozenset({"", "revert", "revert-layer"})
_FADING = frozenset("opacity filter animation animation-name".split())
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup "
    "time tt u var".split()
)
"""Elements that are no boxes, so that sizes and turns do nothing to them."""
_CELLS = frozenset({"td", "th"})
_BOXED = frozenset({"absolute", "fixed"})
_FOR_SCREEN_READERS = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-text sr-text "
    "a11y-hidden u-visually-hidden u-hidden-visually is-visually-hidden show-for-sr assistive-text offscreen "
    "off-screen wcag-hidden element-invisible visually-hidden-focusable screenreader".split()
)
_HIDDEN_CLASSES = frozenset("d-none hidden is-hidden hide display-none u-hidden invisible ng-hide".split())
_SHOWN_AGAIN = re.compile(
    r"(?:^|\s)(?:\S+:(?:block|flex|inline|inline-block|grid|visible|table)|d-\w\w-\w+|show|open)\b"
)


def hidden_whole(element: _Element, value: Mapping[str, str], before: Look, sheet: Sheet) -> str:
    """Why nothing can be seen inside an element that declares ``value``; empty when something can.

    ``before`` is how text around the element looks.
    """
    if not value and not element.attrib and element.tag != "dialog":
        return ""
    display = value.get("display", "")
    if display in _AS_BROWSERS_DO:
        if element.get("hidden") is not None:
            return "hidden attribute"
        if element.get("popover") is not None or (element.tag == "dialog" and element.get("open") is None):
            return "closed dialog"
    if element.tag in ("html", "body"):
        return ""  # shown by a script as soon as it is loaded
    return (_by_style(str(element.tag), value, before, sheet) if value else "") or _by_class(element, value, sheet)


def _by_style(tag: str, value: Mapping[str, str], before: Look, sheet: Sheet) -> str:
    if value.get("display") == "none" or value.get("content-visibility") == "hidden":
        return "display: none"
    if not _FADING.isdisjoint(value):
        faint = before.opacity * opacity(value) < SEE_THROUGH and not ends_seen(value, sheet)
        if faint or ends_unseen(value, sheet):
            return "invisible style"
    em, rem = before.font_px, before.root_px
    if (own := value.get("font-size")) and (size := pixels(own, em, rem)):
        em = size
    if _is_box(tag, value, before) and (
        flattened(value)
        or (not _is_cell(tag, value) and no_room(value, em, rem, before.of_flex) and not padded(value, em, rem))
    ):
        return "no size"
    return "off screen" if off_screen(value, em, rem) or clipped(value, em, rem) else ""


def _is_box(tag: str, value: Mapping[str, str], before: Look) -> bool:
    """Whether an element is more than a part of a line."""
    display = value.get("display") or ("inline" if tag in _INLINE else "block")
    return (
        display != "inline"
        or before.of_flex
        or value.get("position") in _BOXED
        or value.get("float", "none") not in ("none", "inherit", "initial", "unset")
    )


def _is_cell(tag: str, value: Mapping[str, str]) -> bool:
    """Whether an element is as large as its row and column, whatever its own size."""
    return value.get("display", "table-cell" if tag in _CELLS else "") == "table-cell"


def _by_class(element: _Element, value: Mapping[str, str], sheet: Sheet) -> str:
    """Hidden by a class of the common frameworks, whose style sheets are elsewhere."""
    names = element.get("class")
    if not names:
        return ""
    classes = set(names.lower().split())
    if not sheet.elsewhere:  # where the page says itself what a class does, it does that
        classes -= {name for name in classes & _HIDDEN_CLASSES if f".{name}" in sheet.by_key}
    if classes & _FOR_SCREEN_READERS and not {"position", "clip", "display"} & set(value):
        return "screen readers only"
    hides = classes & _HIDDEN_CLASSES
    if hides and not {"display", "visibility"} & set(value) and not _SHOWN_AGAIN.search(names.lower()):
        return "hidden by class"
    return ""
