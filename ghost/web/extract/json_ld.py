"""JSON-LD as pages write it: strict first, then with the faults that content systems commonly make."""

import json
import re
from html import unescape
from typing import Any

MAX_CHARS = 400_000
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


def read_json_ld(text: str) -> list[Any]:
    """The values in a script, usually one; none where it cannot be read even with its faults mended."""
    text = text[:MAX_CHARS].lstrip("\ufeff").strip()
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
