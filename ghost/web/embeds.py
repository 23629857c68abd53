"""Posts of other people that a page shows: hearsay, and often what the page is about to deny."""

import re

from ghost.web.names import empty, holders, names_of
from ghost.web.tree import Node, attribute, elements, text_within

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
