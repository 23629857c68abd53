"""What differs between what is stored and what was found, for a person to read."""

from collections.abc import Iterator, Mapping
from typing import Any

TOLERANCE = 0.0002
"""Processors add up in different orders, so the last of four decimals may differ from machine to machine."""
_WIDTH = 300
_NONE = "(none)"


def differences(stored: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """For each name the fields that differ, with both values; empty when all are equal."""
    lines: list[str] = []
    for name in list(dict.fromkeys([*stored, *found])):
        if rows := list(_between(stored.get(name, _NONE), found.get(name, _NONE))):
            lines += [f"{name}", *(line for path, was, now in rows for line in _drawn(path, was, now))]
    return "\n".join(lines)


def _drawn(path: str, was: Any, now: Any) -> tuple[str, str, str]:
    return f"  {path or 'all of it'}", f"    - {_short(was)}", f"    + {_short(now)}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}… ({len(text):,} characters)"


def _between(was: Any, now: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*was, *now]):
            yield from _between(was.get(key, _NONE), now.get(key, _NONE), f"{path}.{key}".lstrip("."))
    elif isinstance(was, list) and isinstance(now, list) and _texts(was + now):
        gone, new = [t for t in was if t not in now], [t for t in now if t not in was]
        for place in range(max(len(gone), len(new))):
            yield path, (gone[place : place + 1] or [_NONE])[0], (new[place : place + 1] or [_NONE])[0]
        if was != now and not gone and not new:
            yield f"{path} (order or number)", was, now
    elif isinstance(was, list) and isinstance(now, list):
        for place in range(max(len(was), len(now))):
            pair = (rows[place] if place < len(rows) else _NONE for rows in (was, now))
            yield from _between(*pair, f"{path}[{place}]")
    elif not _same(was, now):
        yield path, was, now


def _texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _same(was: Any, now: Any) -> bool:
    if isinstance(was, float) and isinstance(now, int | float) and not isinstance(now, bool):
        return abs(was - now) <= TOLERANCE
    return type(was) is type(now) and was == now
