"""A page without what its reader cannot see: orders to a machine are hidden there.

The page alone decides: attributes, well-known classes, ``style`` attributes and its plainest style rules. What other
rules or a script hide cannot be known here. Losing a visible sentence is worse than keeping a hidden one, so in doubt
text stays.
"""

import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field

from lxml import etree

from ghost.text import without_invisible
from ghost.web.extract.dates import day_in
from ghost.web.extract.html import INLINE, Node, elements, empty, in_running_text, parse
from ghost.web.extract.style import UNKNOWN, Declared, Look, declared_for, hidden_by_style, look_of, rules_in
from ghost.web.extract.vocabulary import words

MAX_DEPTH = 200
"""Elements nested deeper become plain text."""
MAX_ELEMENTS = 120_000
"""What comes after so many is left out."""
STRUCK = "struck out"

_NEVER_SEEN = {tag: tag for tag in ("script", "style", "template", "noscript")} | dict.fromkeys(
    "iframe canvas audio video noframes noembed progress meter rp datalist annotation annotation-xml desc metadata "
    "defs symbol applet frameset".split(),
    "fallback",
)
_IN_HEAD = frozenset("head title meta link base".split())
_SPOKEN = frozenset("alt aria-label aria-description aria-roledescription placeholder summary srcdoc label".split())
"""Attributes whose words are read by machines, not by a reader of the page."""
_TOOLTIP_KEPT = frozenset({"abbr", "time"})
_DAY_CHARS = 30
_FOR_SCREEN_READERS, _HIDDEN_CLASSES = words("hidden", "screen_readers"), words("hidden", "classes")
_STRUCK_CLASSES = words("hidden", "struck")
_SHOWN_AGAIN = re.compile(
    r"(?:^|\s)(?:\S+:(?:block|flex|inline|inline-block|grid|visible|table)|d-\w\w-\w+|show|open)\b"
)
_STRUCK_TAGS = frozenset({"s", "del", "strike"})
_OVERLAID = re.compile("(?:[^\u0335-\u0338][\u0335-\u0338]++(?:\\s(?![\u0335-\u0338]))?){2,}[.,;:!?]*")
"""Two or more characters, each with a line drawn through it by a combining one; a single one may be of a formula."""
_LINES = frozenset("block flex grid table list-item flow-root".split())
"""Styles that give an inline element a line of its own: a heading must not run into the sentence behind it."""

_AS_BROWSERS_DO = frozenset({"", "revert", "revert-layer", UNKNOWN})


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The visible part of a page."""

    html: str
    removed: Counter[str] = field(default_factory=Counter)


def clean(html: str) -> Cleaned:
    """The HTML of a page without what a reader cannot see."""
    tree = parse(html)
    removed = hide(tree)
    return Cleaned(f"<!DOCTYPE html>\n{etree.tostring(tree, encoding='unicode', method='html')}", removed)


def hide(tree: Node) -> Counter[str]:
    """Take out of a tree what a human reader cannot see; returns what went, by kind."""
    removed: Counter[str] = Counter()
    elsewhere = any("stylesheet" in (link.get("rel") or "").lower() for link in elements(tree, "link"))
    sheets = [style.text or "" for style in elements(tree, "style") if _for_screen(style)]
    rules = rules_in(sheets)
    coloured = elsewhere or any("color" in sheet or "background" in sheet for sheet in sheets)
    stack = [(iter([tree]), Look(text=None, ground=None) if coloured else Look())]
    count = 0
    while stack:
        node, before = next(stack[-1][0], None), stack[-1][1]
        if node is None:
            stack.pop()
            continue
        count += 1
        if count > MAX_ELEMENTS:
            removed["longer than is read"] += 1
            _cut_before(node)
            break
        if len(stack) > MAX_DEPTH:
            _flatten(node)
        declared = declared_for(node, rules)
        if why := _why_hidden(node, declared, () if elsewhere else rules):
            removed[why] += node.tag in _NEVER_SEEN or any(text.strip() for text in node.itertext())
            _take_out(node)
            continue
        look = look_of(node, declared, before)
        _clean_node(node, look.why_unseen, removed)
        _keep_look(node, declared)
        stack.append((iter(list(node)), look))
    return +removed


def _take_out(node: Node) -> None:
    parts_words = node.tag in _STRUCK_TAGS and (node.tail or "")[:1].isalnum() and " " in "".join(node.itertext())
    empty(node, "span")
    node.text = " " if parts_words else None


def _for_screen(style: Node) -> bool:
    asleep = any(above.tag in ("template", "noscript", "iframe") for above in style.iterancestors())
    media = (style.get("media") or "").lower()
    return not asleep and "print" not in media and "max-width" not in media


def _cut_before(node: Node) -> None:
    for place in (node, *node.iterancestors()):
        parent = place.getparent()
        if parent is not None:
            del parent[parent.index(place) + (place is not node) :]


def _flatten(node: Node) -> None:
    if len(node):
        etree.strip_elements(node, *_NEVER_SEEN, with_tail=False)
        text = " ".join(node.itertext())
        del node[:]
        node.text = text


def _why_hidden(node: Node, declared: Declared, own: Container[str]) -> str:
    tag = str(node.tag).lower()
    if tag in _NEVER_SEEN:
        return _NEVER_SEEN[tag]
    parent = node.getparent()
    if parent is not None and parent.tag == "head" and tag not in _IN_HEAD:
        return "head"
    if (tag == "title" and (parent is None or parent.tag != "head")) or (tag == "object" and node.get("data")):
        return "fallback"
    if not declared and not node.attrib and tag != "dialog":
        return STRUCK if tag in _STRUCK_TAGS else ""
    if declared.get("display", "") in _AS_BROWSERS_DO:
        if node.get("hidden") is not None:
            return "hidden attribute"
        if node.get("popover") is not None or (tag == "dialog" and node.get("open") is None):
            return "closed dialog"
    if tag in ("html", "body"):
        return ""  # a script shows them as soon as it is loaded
    return hidden_by_style(tag, declared) or _by_class(node, declared, own) or _struck(node, declared)


def _by_class(node: Node, declared: Declared, own: Container[str]) -> str:
    """Hidden by a class of a framework, whose style sheet is elsewhere; ``own`` are names in the page's own rules."""
    names = (node.get("class") or "").lower()
    classes = set(names.split())
    if classes & _FOR_SCREEN_READERS and not {"position", "clip", "display"} & set(declared):
        return "screen readers only"
    if {"display", "visibility"} & set(declared) or _SHOWN_AGAIN.search(names):
        return ""
    return "hidden by class" if any(f".{name}" not in own for name in classes & _HIDDEN_CLASSES) else ""


def _struck(node: Node, declared: Declared) -> str:
    """No style of an element inside takes a line through the text away."""
    line = declared.get("text-decoration", "")
    if line not in _AS_BROWSERS_DO:
        return STRUCK if "line-through" in line else ""
    classes = set((node.get("class") or "").lower().split())
    return STRUCK if node.tag in _STRUCK_TAGS or classes & _STRUCK_CLASSES else ""


def _clean_node(node: Node, why_unseen: str, removed: Counter[str]) -> None:
    """Take unseen text, characters that draw nothing and spoken attributes out of one element."""
    if any(name.startswith("{") for name in node.attrib):  # the parser takes them and cannot delete them one by one
        kept = {name: value for name, value in node.attrib.items() if not name.startswith("{")}
        node.attrib.clear()
        node.attrib.update(kept)
    for name in list(node.attrib):
        if name in _SPOKEN or name.startswith("on") or (name == "title" and node.tag not in _TOOLTIP_KEPT):
            value = node.get(name)
            if name == "title" and len(value) <= _DAY_CHARS and value.isascii() and day_in(value):
                continue  # the day that "two years ago" stands for
            if len(value.split()) > 1:
                removed["attribute text"] += 1
            del node.attrib[name]
    node.text = _seen(node.text, why_unseen, removed)
    for child in node:
        child.tail = _seen(child.tail, why_unseen, removed)


def _seen(text: str | None, why_unseen: str, removed: Counter[str]) -> str | None:
    if not text:
        return text
    if why_unseen and text.strip():
        removed[why_unseen] += 1
        return None
    if text.isascii():
        return text
    text, gone = without_invisible(text)
    removed.update(gone)
    text, struck = _OVERLAID.subn("", text)
    removed[STRUCK] += struck
    return text


def _keep_look(node: Node, declared: Declared) -> None:
    """Put into the markup what a style says about the text: a raised mark, and a line of its own."""
    if not declared or node.tag not in INLINE:
        return
    align = declared.get("vertical-align", "")
    if align in ("super", "sub"):
        node.tag = "sup" if align == "super" else "sub"
    elif declared.get("display", "") in _LINES and in_running_text(node):
        end = node.makeelement("br")
        end.tail, node.tail = node.tail, None
        node.addprevious(node.makeelement("br"))
        node.addnext(end)
