"""Reader comments: written by anybody under somebody else's article, they are no part of what the page says."""

import re
from collections.abc import Iterator

from ghost.web.inline import INLINE
from ghost.web.names import empty, holders, names_of, size_of
from ghost.web.tree import Node, attribute, elements, text_within

MIN_LEFT = 80
"""With less text than this beside the comments, the comments are the page."""
_SURE = frozenset(
    """
comment comments commentlist commentbox commentsection commentarea commentform commentthread commenting usercomments
readercomments disqus dsq livefyre remark42 commento giscus utterances wpdiscuz wpd viafoura spotim vuukle hyvor
kommentar kommentare leserkommentare kommentarbereich commentaire commentaires comentario comentarios commenti
comentários reacties komentarze kommentarer комментарии コメント
""".split()
)
_LIKELY = frozenset(
    """
talk discussion discussions discuss conversation conversations reply replies respond response responses reaction
reactions feedback community debate chat posts thread threads opinions voices ugc guestbook forum
""".split()
)
"""These name comments only where they are the whole name, beside an article."""
_AROUND = frozenset(
    """
user users reader readers visitor visitors member public list section area box block wrap wrapper container holder the
thread your our join latest new all feed items main embed widget article page site
""".split()
)
_SAYING_WHETHER = frozenset(
    "with has no non without open opened closed enabled disabled off on allow allowed status single type".split()
)
"""Beside these the name says something of the page: ``comments-open``, ``has-comments``."""
_NEVER = frozenset({"html", "body", "main"}) | INLINE | frozenset("p pre h1 h2 h3 h4 h5 h6 td tr tbody".split())
_TYPES = ("/Comment", "/UserComments")
_HEADINGS = ("h2", "h3", "h4", "h5", "h6", "summary", "legend")
_WORDS = (
    "comments?|responses?|replies|reactions?|kommentare?|leserkommentare|commentaires?|comentarios?|commenti"
    r"|comentários?|reacties|komentarze|kommentarer|комментари\w+|コメント"
)
_COUNTED = re.compile(
    r"(?:\d[\d,.]*|no|one|all|latest|reader|readers['’]?|user|your|top|most recent)\s(?:(?:reader|user)\s)?"
    rf"(?:{_WORDS})|(?:{_WORDS})\s?[(:\[]\s?\d[\d,.]*\s?[)\]]?|\d+ thoughts? on\b.*"
    r"|(?:leave|post|write|add) (?:a|your) (?:reply|comment|response)|join the (?:discussion|conversation)"
    "|have your say|what do you think\\??|schreiben sie einen kommentar|laisser un commentaire"
    "|deja (?:un comentario|una respuesta)",
    re.I,
)
_BARE = re.compile(_WORDS, re.I)
_HEADING_CHARS = 80


def leave_out_comments(tree: Node) -> int:
    """Empty what holds the comments of a page's readers; returns how many such places there were."""
    found = list(_outermost(tree))
    if not found:
        return 0
    left = size_of(tree) - sum(map(size_of, found))
    if left < MIN_LEFT:
        return 0
    for node in found:
        empty(node)
    return len(found)


def _outermost(tree: Node) -> Iterator[Node]:
    pages = holders(tree, "h1", "main")  # what holds the page itself, whatever its name
    articles = list(elements(tree, "article"))
    article = next((a for a in articles if a in pages), articles[0] if articles else None)
    within = set(article.iter()) if article is not None else set()
    done: set[Node] = set()
    begun = False
    for node in list(elements(tree)):
        begun = begun or node is article
        if node in done or node in pages:
            continue
        likely = begun and node not in within
        place = _place(node, likely, pages)
        if place is not None and place not in done:
            done.update(place.iter())
            yield place


def _place(node: Node, likely: bool, pages: set[Node]) -> Node | None:
    """The place of comments that an element is, or that it is the heading of."""
    if node.tag in _HEADINGS:
        text = text_within(node, _HEADING_CHARS + 1)
        parent = node.getparent()
        if len(text) > _HEADING_CHARS or parent is None or parent in pages or parent.tag in (*_NEVER, "article"):
            return None
        counted = _COUNTED.fullmatch(text) or (likely and _BARE.fullmatch(text))
        return parent if counted and node is _first(parent) else None
    if node.tag in _NEVER:
        return None
    if attribute(node, "itemtype", 200).endswith(_TYPES) or "comment" in attribute(node, "itemprop", 100).split():
        return node
    if attribute(node, "role", 40) == "comment":
        return node
    return node if any(_names_comments(words, likely) for words in names_of(node)) else None


def _names_comments(words: tuple[str, ...], likely: bool) -> bool:
    if not _SAYING_WHETHER.isdisjoint(words):
        return False
    if not _SURE.isdisjoint(words):
        return True
    return likely and not _LIKELY.isdisjoint(words) and _LIKELY.union(_AROUND).issuperset(words)


def _first(parent: Node) -> Node | None:
    """The first element with text in it."""
    if (parent.text or "").strip():
        return None
    return next((child for child in parent if text_within(child, 1)), None)
