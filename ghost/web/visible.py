"""A page without what its reader cannot see: that is where orders to a machine are hidden.

``clean`` writes the page anew from its visible parts. It decides by the page alone: inline styles, ``<style>`` rules,
attributes and well-known classes. What a style sheet elsewhere or a script hides cannot be known here.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from html import escape

from lxml import etree
from lxml.etree import _Element

from ghost.text import without_invisible
from ghost.web.conditions import media
from ghost.web.days import day_in
from ghost.web.hiding import hidden_whole
from ghost.web.inline import INLINE, in_running_text
from ghost.web.look import Look, look, unsure
from ghost.web.shorthands import settled
from ghost.web.struck import struck_out, without_overlaid
from ghost.web.styles import Sheet, Style, sheet
from ghost.web.tree import with_body
from ghost.web.values import with_variables

MAX_DEPTH = 200
"""Elements nested deeper are unwrapped: their text stays, and whoever reads the result needs no deep stack."""

MAX_ELEMENTS = 120_000
"""More than any page that somebody reads has; what comes after them is left out."""

MOST_VARIABLES = 1_000
"""Variables of styles that are handed down; an element inside so many adds none of its own."""

_NEVER_SEEN = {
    "script": "script", "style": "style", "template": "template", "noscript": "noscript", "iframe": "fallback",
    "canvas": "fallback", "audio": "fallback", "video": "fallback", "noframes": "fallback", "noembed": "fallback",
    "progress": "fallback", "meter": "fallback", "rp": "fallback", "datalist": "hidden attribute",
    "annotation": "fallback", "annotation-xml": "fallback", "desc": "fallback", "metadata": "fallback",
    "defs": "fallback", "symbol": "fallback", "applet": "fallback", "frameset": "fallback",
}  # fmt: skip
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_DAY_CHARS = 30
_IN_HEAD = frozenset("title meta link base".split())
_SPOKEN = frozenset("alt aria-label aria-description aria-roledescription placeholder summary srcdoc label".split())
"""Attributes whose words are read by machines, not by a reader of the page."""
_TOOLTIP_KEPT = frozenset({"abbr", "time"})
_NAME = re.compile(r"[a-z][a-z0-9-]*(?::[a-z][a-z0-9-]*)?", re.IGNORECASE)
_STYLES_ASLEEP = ("template", "iframe", "noembed", "noframes", "textarea", "xmp")
"""In these a ``<style>`` is text, or belongs to no page yet."""
_DOCTYPE = re.compile(r"<!doctype", re.IGNORECASE)
STRUCK = "struck out"
_RAISED = {"super": "sup", "sub": "sub"}
"""Styles that do what these elements do: how a mark stands to the number before it must not be lost with the style."""
_LINES = frozenset("block flex grid table list-item flow-root".split())
"""Styles that give an inline element lines of its own: a heading so made must not run into the sentence behind it."""
_AS_PRE = {"xmp": "pre", "plaintext": "pre", "listing": "pre"}


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A page as far as it can be seen."""

    html: str
    """Well-formed HTML without scripts, styles and comments; structured data (JSON-LD) is gone with the scripts."""
    removed: Counter[str] = field(default_factory=Counter)
    """What was taken out, by kind: places, and for invisible characters their number."""


def clean(html: str) -> Cleaned:
    """Take out what a human reader cannot see; the visible words stay as they are."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = etree.fromstring(html.replace("\0", "").encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        return Cleaned("")
    quirks = _DOCTYPE.search(html, 0, 5_000) is None
    return _Page(with_body(root), quirks).cleaned(
        truncated=any("Excessive depth" in e.message for e in parser.error_log)
    )


class _Page:
    """One walk over a page, from which the visible parts are written down."""

    def __init__(self, root: _Element, quirks: bool) -> None:
        self._root = root
        self._out: list[str] = []
        self._gone: Counter[str] = Counter()
        self._variables: list[dict[str, str]] = [{}]
        elsewhere = any("stylesheet" in (e.get("rel") or "").lower() for e in root.iter("link"))
        asleep = {e for outer in root.iter(*_STYLES_ASLEEP) for e in outer.iter("style")}
        texts = [e.text or "" for e in root.iter("style") if e not in asleep and _for_screen(e)]
        self._sheet: Sheet = sheet(*texts, quirks=quirks, elsewhere=elsewhere)

    def cleaned(self, truncated: bool) -> Cleaned:
        if truncated:
            self._gone["nested too deeply"] += 1
        if self._sheet.cut:
            self._gone["style sheet not read to its end"] += 1
        self._walk()
        return Cleaned(f"<!DOCTYPE html>\n{''.join(self._out)}", self._gone)

    def _walk(self) -> None:
        first = Look()
        if self._sheet.elsewhere:
            first = unsure(first)
        looks, closing, elements = [first], [""], 0
        walk = etree.iterwalk(self._root, events=("start", "end", "comment", "pi"))
        for event, element in walk:
            if event in ("comment", "pi"):
                self._gone["comment"] += 1
                self._text(element.tail, looks[-1])
            elif event == "start":
                self._open(element, walk, looks, closing)
                elements += 1
                if elements > MAX_ELEMENTS or self._sheet.exhausted:
                    self._gone["longer than is read"] += 1
                    break
            else:
                looks.pop()
                self._variables.pop()
                self._out.append(closing.pop())
                self._text(element.tail, looks[-1])
        self._out += reversed(closing)

    def _open(
        self, element: _Element, walk: "etree.iterwalk[etree._Element]", looks: list[Look], closing: list[str]
    ) -> None:
        """Open an element, or skip it; whichever, its end event closes it."""
        tag = str(element.tag).lower()
        value = self._with_variables(self._sheet.style_for(element))
        why = self._why_never(element, tag) or hidden_whole(element, value, looks[-1], self._sheet)
        struck = not why and struck_out(element, value)
        if why or struck:
            texts = list(element.itertext())
            if why != "head" and (tag in _NEVER_SEEN or any(t.strip() for t in texts)):
                self._gone[why or STRUCK] += 1
            if struck and (element.tail or "")[:1].isalnum() and any(c.isspace() for text in texts for c in text):
                self._out.append(" ")  # of "sold<s> on Monday</s>today" two words are left
            walk.skip_subtree()
            looks.append(looks[-1])
            closing.append("")
            return
        looks.append(look(element, value, looks[-1], self._sheet))
        shown = _AS_PRE.get(tag, tag)
        if len(looks) > MAX_DEPTH or not _NAME.fullmatch(shown):
            closing.append(" ")
        else:
            raised = _RAISED.get(value.get("vertical-align", ""), "") if tag in INLINE else ""
            line = tag in INLINE and value.get("display", "") in _LINES and in_running_text(element)
            before, after = ("<br>", "<br>") if line else (f"<{raised}>", f"</{raised}>") if raised else ("", "")
            self._out.append(f"{before}<{shown}{self._attributes(element, tag)}>")
            closing.append("" if tag in _VOID else f"</{shown}>{after}")
        self._text(element.text, looks[-1])  # the parser also puts text into elements that have none, such as wbr

    def _with_variables(self, style: Style) -> dict[str, str]:
        """What an element declares with its variables read; it hands its own down to what is inside."""
        known, own = self._variables[-1], style.variables
        # Each copy lives as long as its element is open.
        if own and not own.items() <= known.items() and self._may_hand_down(known):
            known = {**known, **own}
        self._variables.append(known)
        if not style.pending:
            return style.values
        read: dict[str, str] = {}
        for name, value in style.values.items():
            put = with_variables(value, known) if "var(" in value else value
            final = settled(name, put) if put is not None and put is not value else put
            if final is not None:
                read[name] = final
            elif self._sheet.elsewhere or (put is None and name.startswith("background")):
                read[name] = value  # there, or by a script, it may be set to something
        return read

    def _may_hand_down(self, known: dict[str, str]) -> bool:
        return len(known) < MOST_VARIABLES and len(self._variables) <= MAX_DEPTH

    def _why_never(self, element: _Element, tag: str) -> str:
        if tag in _NEVER_SEEN:
            return _NEVER_SEEN[tag]
        parent = element.getparent()
        if parent is not None and parent.tag == "head" and tag not in _IN_HEAD:
            return "head"
        if tag == "title" and (parent is None or parent.tag != "head"):
            return "fallback"
        if tag == "object" and element.get("data"):
            return "fallback"
        if tag == "input" and (element.get("type") or "").lower() == "hidden":
            return "head"
        return ""

    def _text(self, text: str | None, seen: Look) -> None:
        if not text:
            return
        why = seen.why_unseen
        if why and text.strip():
            self._gone[why] += 1
            return
        if not text.isascii():
            text, gone = without_invisible(text)
            self._gone.update(gone)
            text, struck = without_overlaid(text)
            self._gone.update({STRUCK: struck} if struck else {})
        self._out.append(escape(text, quote=False))

    def _attributes(self, element: _Element, tag: str) -> str:
        parts = []
        for name, value in element.attrib.items():
            name, value = str(name).lower(), str(value)
            tooltip = name == "title" and tag not in _TOOLTIP_KEPT and not _is_day(value)
            if name in _SPOKEN or name.startswith("on") or tooltip:
                if len(value.split()) > 1:
                    self._gone["attribute text"] += 1
            elif name != "style" and _NAME.fullmatch(name):
                if not value.isascii():
                    value, gone = without_invisible(value)
                    self._gone.update(gone)
                parts.append(f' {name}="{escape(value)}"')
        return "".join(parts)


def _is_day(value: str) -> bool:
    """Whether a tooltip is nothing but the day that "two years ago" stands for."""
    return len(value) <= _DAY_CHARS and value.isascii() and day_in(value) is not None


def _for_screen(style: _Element) -> bool:
    kind = (style.get("type") or "text/css").strip().lower()
    return kind == "text/css" and media(style.get("media") or "") is True
