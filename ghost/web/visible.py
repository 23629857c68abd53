"""What of a page a human reader can see."""

from collections import Counter
from dataclasses import dataclass, field

from ghost.web.tree import elements, parse

_UNSEEN = ("script", "style", "template", "noscript")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A page without what its readers do not see."""

    html: str
    removed: Counter[str] = field(default_factory=Counter, hash=False)
    """How much was taken out, by kind."""


def clean(html: str) -> Cleaned:
    """The page without comments, scripts, styles, templates and what is shown without scripts only."""
    from lxml import etree
    from lxml import html as lxml_html

    removed: Counter[str] = Counter()
    if comments := html.count("<!--"):
        removed["comment"] = comments
    root = parse(html)
    for node in list(elements(root, *_UNSEEN)):
        removed[node.tag] += 1
        node.drop_tree()
    return Cleaned(lxml_html.tostring(root, encoding="unicode") if isinstance(root, etree._Element) else "", removed)
