"""HTML as a tree: the one place that knows the parser, and keeps hostile pages within bounds."""

import html as entities
import re
from collections.abc import Iterator
from typing import Any

Node = Any
"""An element of the parser's tree; the parser comes without types."""

MAX_DEPTH = 250
INLINE = frozenset(
    "a abbr acronym b bdi bdo big button cite code data dfn em font i ins kbd label mark meter nobr output q ruby s "
    "samp slot small span strong sub sup time tt u var wbr del strike".split()
)
"""Elements that are parts of a line; every other one begins a new line."""
NEAR_CHARS = 60
_NEAR_STEPS = 12
_OF_HEADS = frozenset("title meta link script style base noscript template basefont bgsound".split())
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")
_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")
_UNSEEN_TAGS = frozenset("script style template noscript".split())
_BREAK_TAGS = frozenset("br p div li td tr h1 h2 h3".split())


def parse(html: str) -> Node:
    """The root element of a page, always one, without comments; what cannot be parsed gives an empty page."""
    from lxml import etree
    from lxml import html as lxml_html

    parser = lxml_html.HTMLParser(
        remove_comments=True, remove_pis=True, encoding="utf-8", no_network=True, huge_tree=True
    )
    # As bytes, or the parser would trust a declaration that belongs to the bytes as they came.
    data = _CONTROLS.sub(" ", html)
    try:
        root = lxml_html.document_fromstring(data.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        root = lxml_html.document_fromstring(b"<html><body></body></html>", parser=parser)
    return _with_body(root)


def _with_body(root: Node) -> Node:
    """A page may leave out the tags of its body. The parser then keeps elements that are newer than it in the head."""
    head = root.find("head")
    strays = [] if head is None else [n for n in head if isinstance(n.tag, str) and n.tag not in _OF_HEADS]
    if not strays:
        return root
    body = root.find("body")
    if body is None:
        body = root.makeelement("body")
        root.append(body)
    for at, node in enumerate(list(head)[head.index(strays[0]) :]):
        body.insert(at, node)  # with the text behind it
    return root


def elements(root: Node, *tags: str) -> Iterator[Node]:
    """Elements in the order of the page."""
    return (node for node in root.iter(*tags) if isinstance(node.tag, str))


def attribute(node: Node, name: str, limit: int = 2_000) -> str:
    """An attribute, bounded; empty when it is missing."""
    return (node.get(name) or "")[:limit].strip()


def text_within(node: Node, limit: int = 5_000, between: str = "") -> str:
    """All text in an element on one line, up to about ``limit`` characters, with ``between`` between its pieces."""
    parts: list[str] = []
    size = 0
    for part in node.itertext():
        parts.append(part[:limit])
        size += len(parts[-1])
        if size > limit:
            break
    return " ".join(between.join(parts).split())[:limit]


def size_of(node: Node) -> int:
    """Characters of text in an element, white space at the ends of its pieces aside."""
    return sum(len(text.strip()) for text in node.itertext())


def empty(node: Node, tag: str = "div") -> None:
    """Leave nothing of an element but its place, under another name."""
    tail = node.tail
    node.clear()
    node.tag, node.tail = tag, tail


def names_of(node: Node) -> Iterator[tuple[str, ...]]:
    """The words of each class of an element, of its id, and of its tag where a page made that up."""
    names = [attribute(node, "class", 400), attribute(node, "id", 100), attribute(node, "data-component", 100)]
    names += [node.tag] if "-" in node.tag or ":" in node.tag else []
    for name in " ".join(names).split():
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


def before(node: Node) -> str:
    """The end of what stands in the same line before an element."""
    return "".join(reversed(_near(_backwards(node), slice(-NEAR_CHARS, None))))


def after(node: Node) -> str:
    """The beginning of what stands in the same line after an element."""
    return "".join(_near(_forwards(node), slice(NEAR_CHARS)))


def _near(texts: Iterator[str], part: slice) -> list[str]:
    """The nearest texts up to the first with a letter or a digit."""
    parts: list[str] = []
    for text in texts:
        parts.append(text[part])
        if any(c.isalnum() for c in parts[-1]):
            break
    return parts


def in_running_text(node: Node) -> bool:
    """Whether words of the same line stand beside an element."""
    return any(c.isalnum() for c in before(node) + after(node))


def _backwards(node: Node) -> Iterator[str]:
    inside = False
    for _ in range(_NEAR_STEPS):
        if inside and not len(node):
            yield node.text or ""
            inside = False
            continue
        last = node[-1] if inside else node.getprevious()
        if last is None:
            node = node.getparent()
            if node is None:
                return
            yield node.text or ""
            last = node
        else:
            yield last.tail or ""
            node, inside = last, True
        if last.tag not in INLINE:
            return


def _forwards(node: Node) -> Iterator[str]:
    inside = False
    for _ in range(_NEAR_STEPS):
        yield (node.text if inside else node.tail) or ""
        if inside and not len(node):
            inside = False
            continue
        following = node[0] if inside else node.getnext()
        if following is None:
            node = node.getparent()
        else:
            node, inside = following, True
        if node is None or node.tag not in INLINE:
            return


def text_of(markup: str) -> str:
    """The text of a piece of markup on one line. Twice escaped text (``&amp;lt;``) is unescaped twice, once parsed."""
    if "<" not in markup:
        return " ".join(entities.unescape(entities.unescape(markup)).split())
    root = parse(f"<body>{markup.replace('<![', ' ')}")  # "<![x[" is no markup of any kind
    for node in elements(root):
        if node.tag in _UNSEEN_TAGS:
            empty(node)
        elif node.tag in _BREAK_TAGS:
            node.text, node.tail = f" {node.text or ''}", f" {node.tail or ''}"
    return " ".join(entities.unescape("".join(root.itertext())).split())
