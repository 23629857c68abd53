"""schema.org items in a page: JSON-LD and microdata, both in the shape of JSON-LD."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ghost.web.tree import Node, attribute, elements, text_within

Item = dict[str, Any]
"""``@type`` and properties, as the page wrote them: nothing in it may be trusted to be of any type."""

MAX_SCRIPTS = 40
MAX_SCRIPT_CHARS = 400_000
MAX_ITEMS = 2_000
MAX_DEPTH = 12
_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*$"
)
_ADDRESSES = frozenset(("url", "sameAs", "mainEntityOfPage"))
"""Here the name of an item is the address that is meant, and not the item."""
_TRAILING = re.compile(r",(\s*[}\]])")
_CONTENT = {"meta": "content", "a": "href", "link": "href", "area": "href", "time": "datetime", "data": "value",
            "meter": "value", "img": "src", "audio": "src", "video": "src", "source": "src", "iframe": "src",
            "embed": "src", "object": "data"}  # fmt: skip


def items_of(root: Node) -> list[Item]:
    """Every typed item of the page at any depth, outer ones first; what is broken is left out.

    In JSON-LD an item may stand in place of its ``@id``: items can then lead back to themselves.
    """
    found: list[Item] = []
    for number, script in enumerate(elements(root, "script")):
        if number < 10 * MAX_SCRIPTS and "ld+json" in attribute(script, "type", 100).lower():
            for value in _parsed(script.text or ""):
                found += _typed(value, MAX_ITEMS - len(found))
        if len(found) >= MAX_ITEMS:
            break
    _follow(found)
    return found + list(_microdata(root))[: MAX_ITEMS - len(found)]


def types_of(item: Item) -> set[str]:
    """Names of the item's types, without the vocabulary they come from."""
    written = item.get("@type")
    names = written if isinstance(written, list) else [written]
    return {re.split(r"[/#:]", name)[-1] for name in names[:20] if isinstance(name, str)}


def words_of(value: object, depth: int = 0) -> str:
    """The text of a property, however the page wrapped it: text, a number, ``{"name": …}``, or the first of a list."""
    if isinstance(value, str):
        return value[:5_000]
    if isinstance(value, bool) or value is None or depth > 4:
        return ""
    if isinstance(value, int | float):
        return str(value) if abs(value) < 1e15 else ""
    if isinstance(value, list):
        return next((words for part in value[:10] if (words := words_of(part, depth + 1))), "")
    if isinstance(value, dict):
        names = ("@value", "name", "alternateName", "text", "headline", "@id")
        return next((words for name in names if (words := words_of(value.get(name), depth + 1))), "")
    return ""


def _parsed(text: str) -> list[Any]:
    """The values in a script: usually one; strict first, then without what pages commonly get wrong."""
    text = text[:MAX_SCRIPT_CHARS].strip()
    for attempt in (text, _WRAPPING.sub("", _WRAPPING.sub("", text)).strip().rstrip(";")):
        for candidate in (attempt, _TRAILING.sub(r"\1", attempt)):
            if values := _all(candidate):
                return values
    return []


def _all(text: str) -> list[Any]:
    """One value, or several written one behind the other; empty when any of it is broken at its beginning."""
    decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
    values: list[Any] = []
    at = 0
    while at < len(text) and len(values) < MAX_SCRIPTS:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # a number of too many digits is a ValueError too
            break
        values.append(value)
        while at < len(text) and text[at] in " \t\r\n;,":
            at += 1
    return values


def _typed(value: Any, room: int) -> list[Item]:
    """Items with a type, breadth first and without recursion: a page may nest them as deep as it likes."""
    found: list[Item] = []
    level: Sequence[Any] = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for part in level:
            if isinstance(part, dict):
                if "@type" in part:
                    found.append(part)
                below += part.values()
            elif isinstance(part, list):
                below += part[:MAX_ITEMS]
        level = [part for part in below if isinstance(part, dict | list)][:MAX_ITEMS]
        if not level or len(found) >= room:
            break
    return found[: max(room, 0)]


def _follow(items: Sequence[Item]) -> None:
    """Put items in place of the references to them, once: a reference within what a reference leads to stays one."""
    # Copies, so that what a page refers to is not taken for what stands there.
    named = {name: dict(item) for item in reversed(items) if (name := _name(item)) and not _refers(item)}
    for item in items:
        for key, value in item.items():
            if key in _ADDRESSES:
                continue
            if isinstance(value, list):
                item[key] = [named.get(_name(part), part) if _refers(part) else part for part in value]
            elif _refers(value):
                item[key] = named.get(_name(value), value)


def _name(item: Item) -> str:
    name = item.get("@id")
    return name if isinstance(name, str) else ""


def _refers(value: Any) -> bool:
    """Whether a value is only the name of an item that stands elsewhere."""
    return isinstance(value, dict) and "@id" in value and value.keys() <= {"@id", "@type"}


def _microdata(root: Node) -> Iterator[Item]:
    """Items in attributes; an item within another is a property of it and comes by itself as well."""
    built: dict[Node, Item] = {}
    scopes = [node for node in elements(root) if node.get("itemscope") is not None][:MAX_ITEMS]
    for node in scopes:
        kind = attribute(node, "itemtype", 200)
        built[node] = {"@type": kind} if kind else {}
    if not built:
        return
    count = 0
    for node in elements(root):
        names = attribute(node, "itemprop", 200).split()
        if not names or count > 20 * MAX_ITEMS:
            continue
        count += 1
        owner = next((above for above in node.iterancestors() if above in built), None)
        if owner is not None:
            value = built[node] if node in built else _value(node)
            for name in names[:5]:
                _add(built[owner], name, value)
    yield from (item for item in built.values() if "@type" in item)


def _value(node: Node) -> str:
    written = attribute(node, "content") or attribute(node, _CONTENT.get(node.tag, "content"))
    return written or text_within(node)


def _add(item: Item, name: str, value: Any) -> None:
    if name.startswith("@"):
        return
    if name not in item:
        item[name] = value
    elif isinstance(item[name], list):
        item[name].append(value)
    else:
        item[name] = [item[name], value]
