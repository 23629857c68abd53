"""JSON as passages or fact-checks: one value on each line, or one list."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ghost.knowledge.packs.fields import guess
from ghost.knowledge.packs.values import Problem

Numbered = tuple[int, Any]
_decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def values(text: str) -> Iterator[Numbered | Problem]:
    """Every value of a file with its number: by line, or by place where the file is one list.

    A line that is broken is a Problem; the others are still read.
    """
    if text.lstrip()[:1] in "[{":
        found = _whole(text)
        if isinstance(found, list):
            yield from enumerate(found, 1)
            return
        if found is not None:
            yield 1, found
            return
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip().removesuffix(",")
        if line in ("", "[", "]"):
            continue
        try:
            yield number, _decoder.decode(line)
        except json.JSONDecodeError as error:
            yield Problem(number, "", f"is not JSON ({error.msg} at character {error.pos + 1})", line[:80])
        except (ValueError, RecursionError):
            yield Problem(number, "", "is JSON that is nested too deeply or has a number that is too long", line[:80])


def flat(item: Mapping[Any, Any]) -> dict[str, Any]:
    """The fields of a passage in a JSON object, by whatever name; what stands under ``details`` belongs to it."""
    details = item.get("details")
    everything = {**details, **item} if isinstance(details, dict) else dict(item)
    names = guess(name for name in everything if isinstance(name, str))
    return {field: everything[name] for field, name in names.items()}


def _whole(text: str) -> Any:
    """The file as one value, or None when it is several, or broken."""
    try:
        return _decoder.decode(text)
    except (ValueError, RecursionError):
        return None
