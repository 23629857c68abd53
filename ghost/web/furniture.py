"""What of a page is around its text: navigation, advertising, notices about cookies, calls to share."""

import re

from ghost.web.tree import Node, attribute, text_within

_TAGS = frozenset("nav footer aside form button select dialog menu".split())
_ROLES = frozenset(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist".split()
)
_WORDS = frozenset(
    """
ad ads advert adverts advertisement advertising adsense adslot banner breadcrumb breadcrumbs comments consent cookie
cookies disqus donate footer gdpr login masthead menu modal nav navbar navigation newsletter outbrain pagination paywall
popup promo promotion recommended related share sharing sidebar signup skip social sponsor sponsored subscribe
subscription taboola teaser toolbar widget
""".split()
)
_PART = re.compile(r"[a-z]+")
_KEEP = frozenset("article main content story body".split())
PAGE_SHARE = 0.4
"""With more of the page's text than this, an element is the page itself, whatever its name ("with-sidebar")."""
LINK_SHARE = 0.7
LINK_CHARS = 160


def is_furniture(node: Node, page_chars: int) -> bool:
    """Whether an element is around the text of a page of that many characters, as far as tag, role and names tell."""
    if node.tag in _TAGS or attribute(node, "role", 40).lower() in _ROLES:
        return True
    if node.tag in ("html", "body", "main", "article"):
        return False
    if node.tag == "header" and not _within_article(node):
        return True
    names = _PART.findall(f"{attribute(node, 'class', 300)} {attribute(node, 'id', 100)}".lower())
    if not _WORDS.intersection(names) or _KEEP.intersection(names):
        return False
    most = int(page_chars * PAGE_SHARE) + 1
    return len(text_within(node, most)) < most


def mostly_links(text: str, linked: int) -> bool:
    """Whether a block is a list of links in one line; a long text full of links is still a text."""
    return len(text) < LINK_CHARS and linked > len(text) * LINK_SHARE and not text.endswith((".", "!", "?", "。"))


def _within_article(node: Node) -> bool:
    return any(above.tag in ("article", "main") for above in node.iterancestors())
