"""What the data in a page, rather than its lines, say of it: that it is satire, was withdrawn, or was corrected."""

from collections.abc import Iterable, Sequence

from ghost.web.notice_words import SATIRE_GENRES
from ghost.web.notices import Notice, NoticeKind
from ghost.web.own_items import own_items, without_others
from ghost.web.reviews import plain
from ghost.web.schema_org import Item, types_of
from ghost.web.tree import Node, elements, text_within

MAX_ITEMS = 100
MIN_CORRECTION = 25
_SATIRE = "SatiricalArticle"
_WITHDRAWN = frozenset({"retracted", "withdrawn", "removed", "retraction"})
_TITLES = ("og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title", "prism.title", "title")
_SECTIONS = ("article:section", "section", "genre", "dc.type", "article:tag")
_TITLE_CHARS = 500
_MAX_HEADS = 5


def stated_notices(items: Sequence[Item], metas: Iterable[tuple[str, str]], url: str, title: str) -> tuple[Notice, ...]:
    """Notices in structured data and metadata about the page itself, not about what it lists or cites."""
    found: list[Notice] = []
    own = _own(items[:MAX_ITEMS], url, title)
    if any(_SATIRE in types_of(item) for item in own):
        found.append(Notice(NoticeKind.SATIRE, f"{_SATIRE} (structured data)"))
    sections = [word for item in own for name in ("genre", "articleSection") for word in _words(item.get(name))]
    sections += [content for name, content in metas if name in _SECTIONS]
    if genre := next((word for word in sections if word.strip().lower() in SATIRE_GENRES), ""):
        found.append(Notice(NoticeKind.SATIRE, f"{genre.strip()} (metadata)"))
    for item in own:
        status = next(iter(_words(item.get("creativeWorkStatus"))), "")
        if status.strip().lower() in _WITHDRAWN:
            found.append(Notice(NoticeKind.RETRACTION, f"{status.strip()} (structured data)"))
    texts = (plain(item.get("correction"), 400) for item in items[:MAX_ITEMS])
    found += [Notice(NoticeKind.CORRECTION, text) for text in texts if len(text) > MIN_CORRECTION]
    return tuple(dict.fromkeys(found))


def titles_of(
    root: Node, seen: Node, items: Sequence[Item], metas: Sequence[tuple[str, str]], url: str, title: str
) -> list[str]:
    """Every title that a page gives itself: any of them may say that it was withdrawn, and often only one does."""
    found = [title]
    found += [text_within(node, _TITLE_CHARS) for node, _ in zip(elements(root, "title"), range(2), strict=False)]
    found += [text_within(node, _TITLE_CHARS) for node, _ in zip(elements(seen, "h1"), range(_MAX_HEADS), strict=False)]
    found += [content[:_TITLE_CHARS] for name, content in metas if name in _TITLES]
    found += [plain(item.get("headline"), _TITLE_CHARS) for item in _own(items[:MAX_ITEMS], url, title)]
    return list(dict.fromkeys(" ".join(text.split()) for text in found if text.strip()))


def _own(items: Sequence[Item], url: str, title: str) -> list[Item]:
    """The items about the page: those that say so, and a single article."""
    mine = without_others(items)
    own = own_items(mine, url, title)
    articles = [i for i in mine if any(name.endswith(("Article", "BlogPosting", "Posting")) for name in types_of(i))]
    return own + [a for a in articles if len(articles) == 1 and not any(a is item for item in own)]


def _words(value: object) -> list[str]:
    parts = value[:20] if isinstance(value, list) else [value]
    return [word for part in parts if (word := plain(part, 100))]
