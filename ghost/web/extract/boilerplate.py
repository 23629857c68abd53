"""What of a page is not its text: navigation, readers' comments, embedded posts, and notices in place of a text.

Comments and posts are left out before anything is read: strangers write comments under somebody else's article, and a
post is often what the page is about to deny.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ghost.web.extract.blocks import Block
from ghost.web.extract.html import INLINE, Node, attribute, elements, empty, holders, names_of, size_of, text_within
from ghost.web.extract.vocabulary import any_of, table, words

MIN_LEFT = 80
"""With less text than this beside the comments, the comments are the page."""
POST_CHARS = 3_000
"""A quotation that is longer is no post."""
_SURE, _MESSAGES = words("comments", "sure"), words("comments", "messages")
_LIKELY = words("comments", "likely") | _MESSAGES
_SAYING_WHETHER, _NEUTRAL = words("comments", "saying_whether"), words("comments", "neutral")
_NEVER = INLINE | frozenset("html body main p pre h1 h2 h3 h4 h5 h6 td tr tbody".split())
_HEADINGS = ("h2", "h3", "h4", "h5", "h6", "summary", "legend")
_COUNTED, _BARE = (re.compile(any_of("comments", entry), re.I) for entry in ("counted", "words"))
_HEADING_CHARS = 80
_PLATFORMS, _SHOWN = words("posts", "platforms"), words("posts", "shown")
_POSTS = frozenset({"tweet", "toot", "skeet"})
_WHOLE = frozenset(tuple(line.split()) for line in table("posts")["whole"].splitlines())
_BOXES = frozenset("blockquote div figure section aside article".split())
_POST_ADDRESS = re.compile(
    rf"https?://(?:[\w-]{{1,20}}\.){{0,2}}(?:{any_of('posts', 'places')})|https?://[\w.-]{{4,60}}/@[\w.@-]{{1,60}}/\d{{6}}",
    re.I,
)
"""Where single posts are; the last is how Mastodon and what is built like it name them."""
_HANDLE = re.compile(r"\(@\w[\w.@-]{0,60}\)|(?:^|\s)[—–-]\s?@\w[\w.-]{0,40}(?:\s|$)")
_INTERSTITIALS = {
    "It asks for consent to cookies and shows nothing else.": re.compile(any_of("interstitials", "consent"), re.I),
    "It asks whether its reader is human.": re.compile(any_of("interstitials", "human"), re.I),
    "It shows its text only to browsers that run scripts.": re.compile(any_of("interstitials", "scripts"), re.I),
    "It shows its text only to those who log in.": re.compile(any_of("interstitials", "login"), re.I),
}
"""An interstitial addresses its reader or has a button. What only mentions cookies may be a short article."""
_TOPIC, _PAYWALL = (re.compile(any_of("interstitials", entry), re.I) for entry in ("topics", "subscribers"))
_NOTICE_CHARS = 900
"""A page with more text than this is not only a notice."""
_REST_CHARS = 120


def leave_out_what_others_say(tree: Node) -> Counter[str]:
    """Empty the embedded posts and the comments of a page; returns how many there were of each kind."""
    gone = {"embedded post": _leave_out_posts(tree), "reader comments": _leave_out_comments(tree)}
    return Counter({kind: count for kind, count in gone.items() if count})


def _leave_out_comments(tree: Node) -> int:
    found = list(_comments(tree))
    if found and size_of(tree) - sum(map(size_of, found)) < MIN_LEFT:
        return 0
    for node in found:
        empty(node)
    return len(found)


def _comments(tree: Node) -> Iterator[Node]:
    pages = holders(tree, "h1", "main")  # what holds the page itself, whatever its name
    articles = list(elements(tree, "article"))
    article = next((a for a in articles if a in pages), articles[0] if articles else None)
    first = next(elements(tree, "h1"), None) if article is None else article
    within = set(first.iter()) if first is not None else set()
    done: set[Node] = set()
    begun = False
    for node in list(elements(tree)):
        begun = begun or node is first
        if node in done or node in pages:
            continue
        outside = (begun or article is not None) and node not in within
        likely = _LIKELY if outside and begun and article is not None else _MESSAGES if outside else frozenset()
        place = _place(node, likely, pages)
        if place is not None and place not in done:
            done.update(place.iter())
            yield place


def _place(node: Node, likely: frozenset[str], pages: set[Node]) -> Node | None:
    """The place of comments that an element is, or that it is the heading of."""
    if node.tag in _HEADINGS:
        text = text_within(node, _HEADING_CHARS + 1)
        parent = node.getparent()
        if len(text) > _HEADING_CHARS or parent is None or parent in pages or parent.tag in (*_NEVER, "article"):
            return None
        counted = _COUNTED.fullmatch(text) or (likely is _LIKELY and _BARE.fullmatch(text))
        first = next((c for c in parent if text_within(c, 1)), None) if not (parent.text or "").strip() else None
        return parent if counted and node is first else None
    if node.tag in _NEVER:
        return None
    stated = attribute(node, "itemtype", 200).endswith(("/Comment", "/UserComments"))
    stated = stated or "comment" in (attribute(node, "role", 40), *attribute(node, "itemprop", 100).split())
    return node if stated or any(_names_comments(name, likely) for name in names_of(node)) else None


def _names_comments(name: tuple[str, ...], likely: frozenset[str]) -> bool:
    if not _SAYING_WHETHER.isdisjoint(name):
        return False
    whole = not likely.isdisjoint(name) and likely.union(_NEUTRAL).issuperset(name)
    return whole or not _SURE.isdisjoint(name)


def _leave_out_posts(tree: Node) -> int:
    pages = holders(tree, "h1", "main")
    done: set[Node] = set()
    count = 0
    for node in list(elements(tree)):
        if node not in done and node not in pages and _is_post(node):
            done.update(node.iter())
            empty(node)
            count += 1
    return count


def _is_post(node: Node) -> bool:
    if node.tag not in _BOXES and "-" not in node.tag and ":" not in node.tag:
        return False
    quoted = node.tag == "blockquote"
    named = any(_names_post(name, quoted) for name in names_of(node))
    if not (named or quoted) or len(text := text_within(node, POST_CHARS + 1)) > POST_CHARS:
        return False
    if named or _POST_ADDRESS.match(attribute(node, "cite", 300)) or _HANDLE.search(text):
        return True
    links = [link for link, _ in zip(elements(node, "a"), range(12), strict=False)]
    return any(_POST_ADDRESS.match(attribute(link, "href", 300)) for link in links)


def _names_post(name: tuple[str, ...], quoted: bool) -> bool:
    if name in _WHOLE:
        return True
    if not _POSTS.isdisjoint(name):
        return quoted or len(name) == 1 or not _SHOWN.isdisjoint(set(name) - _POSTS)
    return not _PLATFORMS.isdisjoint(name) and not _SHOWN.isdisjoint(name)


def interstitial(blocks: Sequence[Block]) -> str:
    """Why there is nothing to read, in one sentence; empty when there is."""
    if sum(len(block.text) for block in blocks) > _NOTICE_CHARS:
        return ""
    for why, pattern in _INTERSTITIALS.items():
        rest = [block.text for block in blocks if not pattern.search(block.text)]
        if len(rest) < len(blocks) and sum(len(text) for text in rest if not _TOPIC.search(text)) < _REST_CHARS:
            return why
    return ""


def behind_payment(blocks: Sequence[Block]) -> bool:
    """Whether the page says that the rest of it is for subscribers."""
    return any(_PAYWALL.search(block.text[:600]) for block in blocks)
