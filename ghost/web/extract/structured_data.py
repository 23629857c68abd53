"""schema.org items in a page: JSON-LD and microdata, both in the shape of JSON-LD."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import Any

from ghost.text import normalise
from ghost.types import joined, same_page
from ghost.web.extract.html import Node, attribute, elements, text_of, text_within

Item = dict[str, Any]
"""``@type`` and properties, as the page wrote them: nothing in it may be trusted to be of any type."""

MAX_SCRIPTS = 400
NAME_CHARS = 200
MAX_ITEMS = 2_000
MAX_DEPTH = 12
_ADDRESSES = frozenset(("url", "sameAs", "mainEntityOfPage"))
"""Here the name of an item is the address that is meant, and not the item."""
_OTHERS = ("itemReviewed", "itemListElement", "citation", "isBasedOn", "mentions", "liveBlogUpdate")
"""Below these stands what a page checks, lists and cites: works with a title and a date of their own."""
_OWN_ADDRESSES = ("url", "@id", "mainEntityOfPage")
_MAX_CHARS = 2_000
_CONTENT = dict.fromkeys(("a", "link", "area"), "href") | dict.fromkeys(("data", "meter"), "value")
_CONTENT |= dict.fromkeys(("img", "audio", "video", "source", "iframe", "embed"), "src")
_CONTENT |= {"time": "datetime", "object": "data"}
JSON_CHARS = 400_000
MAX_VALUES = 40
_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*$"
)
_TRAILING = re.compile(r",(\s*[}\]])")
_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+"?|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|(?<![:\w])//[^\n"]*+', re.DOTALL)
"""Each alternative takes what it has looked at, so that no page makes it look twice."""
_BAD_ESCAPE = re.compile(r'\\(\\|["/bfnrt]|u[0-9a-fA-F]{4})|\\')
_AFTER_STRING = re.compile(r"\s*(?:[:}\]]|,\s*(?:[\"{\[\]}]|-?\d|true\b|false\b|null\b|$)|$)")
"""What may follow the quotation mark that ends a text."""
_PREFIX = re.compile(r"^(?:https?://schema\.org/|schema:)")


def items_of(root: Node) -> tuple[list[Item], int]:
    """Every typed item of the page at any depth, outer ones first, and how many JSON-LD scripts could not be read.

    In JSON-LD an item may stand in place of its ``@id``: items can then lead back to themselves.
    """
    found: list[Item] = []
    broken = 0
    for number, script in enumerate(elements(root, "script")):
        if number < MAX_SCRIPTS and "ld+json" in attribute(script, "type", 100).lower():
            written = script.text or ""
            values = _read_json_ld(written)
            broken += not values and bool(written.strip())
            for value in values:
                found += [part for part in _within([value]) if isinstance(part, dict) and "@type" in part]
        if len(found) >= MAX_ITEMS:
            break
    del found[MAX_ITEMS:]
    _follow(found)
    return found + list(_microdata(root))[: MAX_ITEMS - len(found)], broken


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


def plain(value: object, limit: int = NAME_CHARS) -> str:
    """A property of whatever type as bounded plain text without markup; cut between words."""
    text = normalise(text_of(words_of(value)))
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + "…"


def _read_json_ld(text: str) -> list[Any]:
    """The values in a script of JSON-LD, usually one: strict first, then with the faults that content systems make."""
    text = text[:JSON_CHARS].lstrip("\ufeff").strip()
    plain = _WRAPPING.sub("", _WRAPPING.sub("", text)).strip().rstrip(";")
    for attempt in (lambda: text, lambda: plain, lambda: _TRAILING.sub(r"\1", plain), lambda: _mended(plain)):
        if values := _values(attempt()):
            return [_without_prefixes(value) for value in values]
    return []


def _values(text: str) -> list[Any]:
    """One value, or several written one behind the other; empty when any of it is broken at its beginning."""
    decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
    values: list[Any] = []
    at = 0
    while at < len(text) and len(values) < MAX_VALUES:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # a number of too many digits is a ValueError too
            break
        values.append(value)
        while at < len(text) and text[at] in " \t\r\n;,":
            at += 1
    return values


def _mended(text: str) -> str:
    """The text without entities, comments, escapes that JSON does not have, and quotation marks within texts."""
    if '"' not in text or "&quot;" in text[:200]:
        text = unescape(text)
    text = _TEXT_OR_COMMENT.sub(lambda found: found[0] if _is_kept(found) else "", text)
    text = _BAD_ESCAPE.sub(lambda found: found[0] if found[1] else "", text)
    return _TRAILING.sub(r"\1", _with_quotes_escaped(text)).strip()


def _is_kept(found: re.Match[str]) -> bool:
    """Texts are kept, and what looks like a comment and runs into a text."""
    inside_line = found[0].startswith("//") and found.string[found.end() : found.end() + 1] == '"'
    return found[0].startswith('"') or inside_line


def _with_quotes_escaped(text: str) -> str:
    """A quotation mark ends a text only before a colon, a comma or a bracket; any other belongs to it."""
    parts: list[str] = []
    inside, last = False, 0
    for found in re.finditer(r'\\.|"', text, re.DOTALL):
        if found[0] != '"':
            continue
        if inside and not _AFTER_STRING.match(text, found.end()):
            parts += [text[last : found.start()], '\\"']
            last = found.end()
        else:
            inside = not inside
    return "".join([*parts, text[last:]])


def _without_prefixes(value: Any, depth: int = 0) -> Any:
    """``schema:claimReviewed`` as ``claimReviewed``, in names of properties."""
    if depth > 12 or not isinstance(value, dict | list):
        return value
    if isinstance(value, list):
        return [_without_prefixes(part, depth + 1) for part in value]
    return {_PREFIX.sub("", name): _without_prefixes(part, depth + 1) for name, part in value.items()}


def _within(level: Sequence[Any]) -> Iterator[Any]:
    """All objects and lists in some values, the outer ones first; as items may lead back to themselves, each once."""
    seen: set[int] = set()
    for _ in range(MAX_DEPTH):  # without recursion, as a page may nest them as deep as it likes
        level = [part for part in level if isinstance(part, dict | list) and id(part) not in seen][:MAX_ITEMS]
        seen.update(map(id, level))
        yield from level
        level = [value for part in level for value in (part.values() if isinstance(part, dict) else part[:MAX_ITEMS])]


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


def without_others(items: Iterable[Item]) -> list[Item]:
    """The items without those that the page only reviews, lists or cites."""
    items = list(items)
    others = set(map(id, _within([item[name] for item in items for name in _OTHERS if name in item])))
    return [item for item in items if id(item) not in others]


def own_items(items: Iterable[Item], url: str, title: str) -> list[Item]:
    """The items that say that they are the page: by its address, or by its title as their headline."""
    title = normalise(title).casefold()
    return [item for item in items if _is_at(item, url) or (title and _headline(item) == title)]


def _is_at(item: Item, url: str) -> bool:
    written: list[object] = []
    for name in _OWN_ADDRESSES:
        value = item.get(name)
        written += [value.get("@id"), value.get("url")] if isinstance(value, dict) else [value]
    return any(same_page(joined(url, value), url) for value in written if isinstance(value, str) and value)


def _headline(item: Item) -> str:
    value = item.get("headline")
    return normalise(value[:_MAX_CHARS]).casefold() if isinstance(value, str) else ""
