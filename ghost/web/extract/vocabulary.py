"""The words that pages use, from ``words.toml`` and ``frames.toml``: lists, and parts of regular expressions."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_NAME = re.compile(r"\{([A-Z_]+)\}")


@cache
def table(name: str) -> dict[str, Any]:
    """One table of the files."""
    tables: dict[str, Any] = {}
    for file in ("words.toml", "frames.toml"):
        tables |= tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
    return dict(tables[name])


def words(section: str, entry: str) -> frozenset[str]:
    """An entry as a set of words."""
    return frozenset(table(section)[entry].split())


def alternatives(section: str, entry: str) -> list[str]:
    """The lines of an entry, each a regular expression with the named parts filled in."""
    return [filled(section, line) for line in table(section)[entry].splitlines() if line]


def any_of(section: str, entry: str) -> str:
    """The lines of an entry as one regular expression. It stands in no group of its own."""
    return "|".join(alternatives(section, entry))


def filled(section: str, pattern: str) -> str:
    """A regular expression with ``{NAME}`` replaced by the entry of that name."""
    return _NAME.sub(lambda found: any_of(section, found[1].lower()), pattern)
