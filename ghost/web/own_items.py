"""Which structured data of a page is about the page itself."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urljoin

from ghost.text import normalise
from ghost.web.address import same_page
from ghost.web.schema_org import MAX_DEPTH, MAX_ITEMS, Item

_OTHERS = ("itemReviewed", "itemListElement", "citation", "isBasedOn", "mentions", "liveBlogUpdate")
"""Below these stands what a page checks, lists and cites: works with a title and a date of their own."""
_ADDRESSES = ("url", "@id", "mainEntityOfPage")
_MAX_CHARS = 2_000


def without_others(items: Iterable[Item]) -> list[Item]:
    """The items without those that the page only reviews, lists or cites."""
    items = list(items)
    others = _below([item[name] for item in items for name in _OTHERS if name in item])
    return [item for item in items if id(item) not in others]


def own_items(items: Iterable[Item], url: str, title: str) -> list[Item]:
    """The items that say that they are the page: by its address, or by its title as their headline."""
    title = normalise(title).casefold()
    return [item for item in items if _is_at(item, url) or (title and _headline(item) == title)]


def _below(level: Sequence[Any]) -> set[int]:
    """The identities of all items in some values; without recursion, as a page may nest them as deep as it likes."""
    found: set[int] = set()
    for _ in range(MAX_DEPTH):
        fresh = [part for part in level if isinstance(part, dict | list) and id(part) not in found][:MAX_ITEMS]
        if not fresh:
            break
        found.update(map(id, fresh))
        level = [value for part in fresh for value in (part.values() if isinstance(part, dict) else part[:MAX_ITEMS])]
    return found


def _is_at(item: Item, url: str) -> bool:
    written: list[object] = []
    for name in _ADDRESSES:
        value = item.get(name)
        written += [value.get("@id"), value.get("url")] if isinstance(value, dict) else [value]
    return any(same_page(_joined(url, value), url) for value in written if isinstance(value, str) and value)


def _joined(url: str, written: str) -> str:
    try:
        return urljoin(url, written[:_MAX_CHARS].strip())
    except ValueError:
        return ""


def _headline(item: Item) -> str:
    value = item.get("headline")
    return normalise(value[:_MAX_CHARS]).casefold() if isinstance(value, str) else ""
