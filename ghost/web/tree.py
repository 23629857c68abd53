"""HTML as a tree: the one place that knows the parser, and keeps hostile pages within bounds."""

from collections.abc import Iterator
from typing import Any

Node = Any
"""An element of the parser's tree; the parser comes without types."""

MAX_ELEMENTS = 20_000
"""Above this a page is not given to the extraction of main text, whose time grows faster than the page."""
MAX_DEPTH = 250
"""What lies deeper is not read; the parser itself stops at 255."""
_OF_HEADS = frozenset(
    {"title", "meta", "link", "script", "style", "base", "noscript", "template", "basefont", "bgsound"}
)
_SPACE = "\t\n\x0c\r"


def parse(html: str) -> Node:
    """The root element of a page, always one, without comments; what cannot be parsed gives an empty page."""
    from lxml import etree
    from lxml import html as lxml_html

    parser = lxml_html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8", no_network=True)
    # As bytes, or the parser would trust a declaration that belongs to the bytes as they came.
    data = "".join(c if c >= " " or c in _SPACE else " " for c in html) if _has_controls(html) else html
    try:
        root = lxml_html.document_fromstring(data.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        root = lxml_html.document_fromstring(b"<html><body></body></html>", parser=parser)
    return with_body(root)


def with_body(root: Node) -> Node:
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


def text_within(node: Node, limit: int = 5_000) -> str:
    """All text in an element on one line, up to about ``limit`` characters."""
    parts: list[str] = []
    size = 0
    for part in node.itertext():
        parts.append(part[:limit])
        size += len(parts[-1])
        if size > limit:
            break
    return " ".join("".join(parts).split())[:limit]


def _has_controls(html: str) -> bool:
    return not html.isprintable() and any(c < " " and c not in _SPACE for c in html)
