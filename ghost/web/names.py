"""The names that a page gives to its parts, in words, and what a part holds."""

import re
from collections.abc import Iterator

from ghost.web.tree import Node, attribute, elements

_CHARS = 400
_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")


def names_of(node: Node) -> Iterator[tuple[str, ...]]:
    """The words of each class of an element, of its id, and of its tag where a page made that up."""
    written = (
        f"{attribute(node, 'class', _CHARS)} {attribute(node, 'id', 100)} {attribute(node, 'data-component', 100)}"
    )
    names = written.split()
    if "-" in node.tag or ":" in node.tag:
        names.append(node.tag)
    for name in names:
        if words := tuple(word.lower() for word in _WORD.findall(name)):
            yield words


def holders(tree: Node, *tags: str) -> set[Node]:
    """The elements with these tags and all that they stand in."""
    found: set[Node] = set()
    for node in elements(tree, *tags):
        while node is not None and node not in found:
            found.add(node)
            node = node.getparent()
    return found


def size_of(node: Node) -> int:
    """Characters of text in an element, white space at the ends of its pieces aside."""
    return sum(len(text.strip()) for text in node.itertext())


def empty(node: Node) -> None:
    """Leave nothing of an element but its place."""
    tail = node.tail
    node.clear()
    node.tag, node.tail = "div", tail
