"""What of a page is not its text: navigation, advertising, readers' comments, embedded posts of other people.

Comments and posts are left out before anything is read: strangers write comments under somebody else's article, and a
post is often what the page is about to deny.
"""

import re
from collections.abc import Iterator

from ghost.web.extract.html import INLINE, Node, attribute, elements, empty, holders, names_of, size_of, text_within

_BOX_TAGS = frozenset("nav footer aside form button select dialog menu".split())
_ROLES = frozenset(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist".split()
)
_AROUND_WORDS = frozenset(
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
_NEUTRAL = frozenset(
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

POST_CHARS = 3_000
"""A quotation that is longer is no post."""
_PLATFORMS = frozenset(
    """
twitter facebook fb instagram tiktok mastodon bluesky bsky threads telegram reddit truthsocial vk weibo linkedin gab
tumblr imgur pinterest snapchat parler gettr
""".split()
)
_SHOWN = frozenset(
    "post posts embed embedded media video card tweet toot status bq block pub rendered provider".split()
)
_POSTS = frozenset({"tweet", "toot", "skeet"})
_WHOLE = frozenset(
    {
        ("text", "post", "media"), ("social", "embed"), ("embed", "social"), ("social", "media", "embed"),
        ("social", "post"), ("embedded", "post"), ("post", "embed"), ("social", "media", "post"),
    }
)  # fmt: skip
"""Names of other embedded posts; the first is that of Threads."""
_BOXES = frozenset("blockquote div figure section aside article".split())
_POST_ADDRESS = re.compile(
    r"https?://(?:[\w-]{1,20}\.){0,2}(?:"
    r"(?:twitter|x)\.com/\w+/status|facebook\.com/\S{0,200}?(?:posts|permalink|videos|story)|instagram\.com/(?:p|reel|tv)/"
    r"|tiktok\.com/@|bsky\.app/profile/|threads\.(?:net|com)/@|t\.me/\w+/\d|reddit\.com/r/\w+/comments|truthsocial\.com/@"
    r"|vk\.com/wall|weibo\.com/\d|linkedin\.com/(?:posts|feed/update)|tumblr\.com/\S{0,100}?/\d{6}"
    r")|https?://[\w.-]{4,60}/@[\w.@-]{1,60}/\d{6}",
    re.I,
)
"""Where single posts are; the last is how Mastodon and what is built like it name them."""
_HANDLE = re.compile(r"\(@\w[\w.@-]{0,60}\)|(?:^|\s)[—–-]\s?@\w[\w.-]{0,40}(?:\s|$)")
_LINKS = 12


def is_boilerplate(node: Node, page_chars: int) -> bool:
    """Whether an element is not part of the text of a page of that many characters, judged by tag, role and names."""
    if node.tag in _BOX_TAGS or attribute(node, "role", 40).lower() in _ROLES:
        return True
    if node.tag in ("html", "body", "main", "article"):
        return False
    if node.tag == "header" and not _within_article(node):
        return True
    names = _PART.findall(f"{attribute(node, 'class', 300)} {attribute(node, 'id', 100)}".lower())
    if not _AROUND_WORDS.intersection(names) or _KEEP.intersection(names):
        return False
    most = int(page_chars * PAGE_SHARE) + 1
    return len(text_within(node, most)) < most


def mostly_links(text: str, linked: int) -> bool:
    """Whether a block is a list of links in one line; a long text full of links is still a text."""
    return len(text) < LINK_CHARS and linked > len(text) * LINK_SHARE and not text.endswith((".", "!", "?", "。"))


def _within_article(node: Node) -> bool:
    return any(above.tag in ("article", "main") for above in node.iterancestors())


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
    return likely and not _LIKELY.isdisjoint(words) and _LIKELY.union(_NEUTRAL).issuperset(words)


def _first(parent: Node) -> Node | None:
    """The first element with text in it."""
    if (parent.text or "").strip():
        return None
    return next((child for child in parent if text_within(child, 1)), None)


def leave_out_posts(tree: Node) -> int:
    """Empty the embedded posts of a page; returns how many there were."""
    pages = holders(tree, "h1", "main")
    done: set[Node] = set()
    count = 0
    for node in list(elements(tree)):
        if node in done or node in pages or not _is_post(node):
            continue
        done.update(node.iter())
        empty(node)
        count += 1
    return count


def _is_post(node: Node) -> bool:
    if node.tag not in _BOXES and "-" not in node.tag and ":" not in node.tag:
        return False
    quoted = node.tag == "blockquote"
    if any(_names_post(words, quoted) for words in names_of(node)):
        return len(text_within(node, POST_CHARS + 1)) <= POST_CHARS
    if not quoted:
        return False
    text = text_within(node, POST_CHARS + 1)
    if len(text) > POST_CHARS:
        return False
    if _POST_ADDRESS.match(attribute(node, "cite", 300)) or _HANDLE.search(text):
        return True
    links = [link for link, _ in zip(elements(node, "a"), range(_LINKS), strict=False)]
    return any(_POST_ADDRESS.match(attribute(link, "href", 300)) for link in links)


def _names_post(words: tuple[str, ...], quoted: bool) -> bool:
    if words in _WHOLE:
        return True
    if not _POSTS.isdisjoint(words):
        return quoted or len(words) == 1 or not _SHOWN.isdisjoint(set(words) - _POSTS)
    return not _PLATFORMS.isdisjoint(words) and not _SHOWN.isdisjoint(words)
