"""Where an element stands in its line: what is written right before and right after it."""

from collections.abc import Iterator

from ghost.web.tree import Node

INLINE = frozenset(
    "a abbr acronym b bdi bdo big button cite code data dfn em font i ins kbd label mark meter nobr output q ruby s "
    "samp slot small span strong sub sup time tt u var wbr".split()
)
"""Elements that are parts of a line; every other one begins a new line."""
CHARS = 60
"""So much is looked at on either side."""
_STEPS = 12


def before(node: Node) -> str:
    """The end of what stands in the same line before an element."""
    parts: list[str] = []
    for text in _backwards(node):
        parts.append(text[-CHARS:])
        if any(c.isalnum() for c in parts[-1]):
            break
    return "".join(reversed(parts))


def after(node: Node) -> str:
    """The beginning of what stands in the same line after an element."""
    parts: list[str] = []
    for text in _forwards(node):
        parts.append(text[:CHARS])
        if any(c.isalnum() for c in parts[-1]):
            break
    return "".join(parts)


def in_running_text(node: Node) -> bool:
    """Whether words of the same line stand beside an element."""
    return any(c.isalnum() for c in before(node)) or any(c.isalnum() for c in after(node))


def become(node: Node, text: str) -> None:
    """Leave only a text of an element, without any meaning of its own.

    It stays in the tree: to join its text with what stands around it would take the square of their number.
    """
    tail = node.tail
    node.clear()
    node.tag, node.text, node.tail = "span", text, tail


def _backwards(node: Node) -> Iterator[str]:
    inside = False
    for _ in range(_STEPS):
        if inside:
            if not len(node):
                yield node.text or ""
                inside = False
                continue
            last = node[-1]
        else:
            last = node.getprevious()
            if last is None:
                node = node.getparent()
                if node is None:
                    return
                yield node.text or ""
                if node.tag not in INLINE:
                    return
                continue
        yield last.tail or ""
        if last.tag not in INLINE:
            return
        node, inside = last, True


def _forwards(node: Node) -> Iterator[str]:
    inside = False
    for _ in range(_STEPS):
        if inside:
            yield node.text or ""
            if not len(node):
                inside = False
                continue
            following = node[0]
        else:
            yield node.tail or ""
            following = node.getnext()
            if following is None:
                node = node.getparent()
                if node is None or node.tag not in INLINE:
                    return
                continue
        if following.tag not in INLINE:
            return
        node, inside = following, True
