"""What differs between what is stored and what was found, for a person to read."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

TOLERANCE = 0.0002
"""Processors add up in different orders, so the last of four decimals may differ from machine to machine."""
_WIDTH = 300
_NONE = "(none)"
Change = tuple[str, Any, Any]
"""Where, what was there, and what is there now."""


def differences(stored: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """For each name the fields that differ, with both values; empty when all are equal."""
    lines: list[str] = []
    for name in list(dict.fromkeys([*stored, *found])):
        if rows := list(_between(stored.get(name, _NONE), found.get(name, _NONE))):
            lines += [f"{name}", *(line for path, was, now in rows for line in _drawn(path, was, now))]
    return "\n".join(lines)


def _drawn(path: str, was: Any, now: Any) -> tuple[str, str, str]:
    return f"  {path or 'all of it'}", f"    - {_short(was)}", f"    + {_short(now)}"


def _short(value: Any, width: int = _WIDTH) -> str:
    text = str(value)
    return text if len(text) <= width else f"{text[:width]}…"


def _between(was: Any, now: Any, path: str = "") -> Iterator[Change]:
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*was, *now]):
            yield from _between(was.get(key, _NONE), now.get(key, _NONE), f"{path}.{key}".lstrip("."))
    elif isinstance(was, list) and isinstance(now, list):
        yield from _between_lists(was, now, path)
    elif not _same(was, now):
        yield path, was, now


def _between_lists(was: list[Any], now: list[Any], path: str) -> Iterator[Change]:
    """What is in one list only. Rows of one name are compared with each other, wherever they stand."""
    gone, new = [row for row in was if row not in now], [row for row in now if row not in was]
    if not gone and not new and was != now:
        yield f"{path} (order or number)", [_name(row) for row in was], [_name(row) for row in now]
    for row in list(gone):
        if twin := next((other for other in new if isinstance(row, dict) and _name(other) == _name(row)), None):
            gone.remove(row)
            new.remove(twin)
            yield from _between(row, twin, f"{path}[{_short(_name(row), 40)}]")
    for mine, other in zip_longest(gone, new, fillvalue=_NONE):
        yield path, mine, other


def _name(row: Any) -> Any:
    """What people would call a row: the first text in it."""
    return next((value for value in row.values() if isinstance(value, str)), "") if isinstance(row, dict) else row


def _same(was: Any, now: Any) -> bool:
    if isinstance(was, float) and isinstance(now, int | float) and not isinstance(now, bool):
        return abs(was - now) <= TOLERANCE
    return type(was) is type(now) and was == now
