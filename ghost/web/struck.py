"""Text that is struck out: a reader sees that it no longer holds, and plain text would not show that."""

import re
from collections.abc import Mapping

from lxml.etree import _Element

_TAGS = frozenset({"s", "del", "strike"})
_CLASSES = frozenset(
    "line-through strike strikethrough strike-through struck struck-through struck-out is-struck deleted-text "
    "text-decoration-line-through has-strikethrough crossed-out".split()
)
"""Names by which common frameworks strike out text, where the style sheet is elsewhere."""
_AS_BROWSERS_DO = frozenset({"", "revert", "revert-layer"})
_OVERLAID = re.compile("(?:[^\u0335-\u0338][\u0335-\u0338]++(?:\\s(?![\u0335-\u0338]))?){2,}[.,;:!?]*")
"""Two or more characters, each with a line drawn through it by a combining one; a single one may be of a formula."""


def struck_out(element: _Element, value: Mapping[str, str]) -> bool:
    """Whether an element that declares ``value`` has a line through all of its text.

    No style of an element inside takes that line away.
    """
    if element.tag in ("html", "body"):
        return False  # then the page says nothing at all, or a script takes the line away
    lines = value.get("text-decoration-line", "")
    if lines not in _AS_BROWSERS_DO:
        return "line-through" in lines.split()
    if element.tag in _TAGS:
        return True
    return not _CLASSES.isdisjoint((element.get("class") or "").lower().split())


def without_overlaid(text: str) -> tuple[str, int]:
    """The text without words whose letters are struck out by overlays, and how many there were."""
    return _OVERLAID.subn("", text) if not text.isascii() else (text, 0)
