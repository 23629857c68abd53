"""Sentences in one piece: whatever inline elements a page uses, the extraction must neither drop nor part them."""

from ghost.web.extract.html import INLINE, Node, after, before, elements

_AS_THEY_ARE = frozenset({"a", "b", "strong", "i", "em", "sup", "sub", "br", "img", "wbr"})
"""These the extraction keeps; only names that it could take for something else than text go."""
_CONTROLS = frozenset({"button", "label", "summary"})
"""They belong to a sentence only where it goes on behind them; elsewhere they are controls of the page."""
_FIGURES = frozenset({"td", "th", "dd", "dt", "caption"})
"""In these a day or a number that stands alone is what they have to say."""
_KEPT = ("href", "rend")
_OPENING = "\"'“”„‚‘’«»‹›「『"


def write_quotation_marks(tree: Node) -> None:
    """Put the quotation marks that browsers draw around ``q`` into the text."""
    for node in list(elements(tree, "q")):
        said = "".join(node.itertext()).strip() if len(node) else (node.text or "").strip()
        node.tag = "span"
        node.attrib.clear()
        if not said or said[0] in _OPENING:
            continue
        node.text = f"“{node.text or ''}"
        if len(node):
            node[-1].tail = f"{node[-1].tail or ''}”"
        else:
            node.text = f"{node.text}”"


def unite_sentences(tree: Node) -> None:
    """Make plain spans of all inline elements that stand in running text.

    The extraction drops some for their tag (``time``, ``label``, ``output``), and others for their class, wherever they
    stand: "was closed on <time>4 May</time>" would be left without its day.
    """
    for node in list(elements(tree, "rt", "rtc")):  # how a word is pronounced stands above it, not in the sentence
        tail = node.tail
        node.clear()
        node.tail = tail
    for node in list(elements(tree)):
        tag = node.tag
        if (tag in INLINE or "-" in tag) and _stands_in_text(node, tag):
            if tag not in _AS_THEY_ARE:
                node.tag = "span"
            for name in [name for name in node.attrib if name not in _KEPT]:
                del node.attrib[name]


def _stands_in_text(node: Node, tag: str) -> bool:
    left, right = (any(c.isalnum() for c in text) for text in (before(node), after(node)))
    if tag in _CONTROLS:
        return left and right
    parent = node.getparent()
    return left or right or (parent is not None and parent.tag in _FIGURES and tag not in _AS_THEY_ARE)
