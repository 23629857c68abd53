"""What a page says of itself: title, site, author, address, language. All of it is outside text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ghost.text import normalise
from ghost.types import host_of, joined, registrable
from ghost.web.extract.html import Node, attribute, elements, text_within
from ghost.web.extract.language import declared_language
from ghost.web.extract.structured_data import Item, plain, types_of, words_of

TITLE_CHARS = 300
MAX_METAS = 500
_ADDRESS = re.compile(r"https?://|www\.|@", re.I)
_BY = re.compile(r"^(?:by|von|par|por|di|door|av|written by|text:|author:|autor:)[:\s]+", re.I)
_SITE_END = re.compile(r"\s+(?:[|·•«»–—-]|::)\s+")
_PUBLISHERS = frozenset(
    "NewsArticle Article BlogPosting ClaimReview WebPage ReportageNewsArticle OpinionNewsArticle".split()
)


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """What a page says of itself."""

    title: str = ""
    site: str = ""
    author: str = ""
    canonical: str = ""
    """Its own address; empty when it names none, or one of another site."""
    elsewhere: str = ""
    """The host of another site that it names as the original's."""
    language: str = ""
    """As declared."""
    paid: bool = False
    """Whether it says that it is not free to read in full."""


def metas_of(root: Node) -> list[tuple[str, str]]:
    """Names, in small letters, and contents of the page's meta elements, in order."""
    found = []
    for meta in elements(root, "meta"):
        name = attribute(meta, "property", 100) or attribute(meta, "name", 100) or attribute(meta, "itemprop", 100)
        if name and (content := attribute(meta, "content")):
            found.append((name.lower(), content))
        if len(found) >= MAX_METAS:
            break
    return found


def page_metadata_of(
    root: Node, seen: Node, items: Sequence[Item], metas: Sequence[tuple[str, str]], url: str
) -> PageMetadata:
    """``root`` is the page as it came, ``seen`` what a reader sees of it."""
    said = dict(reversed(metas))  # the first of several counts
    own = _linked(root, said, url)
    elsewhere = host_of(own) if own and registrable(host_of(own)) != registrable(host_of(url)) else ""
    paid = any(words_of(item.get("isAccessibleForFree")).lower() == "false" or item.get("isAccessibleForFree") is False
               for item in items)  # fmt: skip
    return PageMetadata(
        title=_title(root, seen, items, said),
        site=_site(items, said),
        author=_author(seen, items, said),
        canonical="" if elsewhere else own,
        elsewhere=elsewhere,
        language=_language(root, said),
        paid=paid,
    )


def _linked(root: Node, said: dict[str, str], url: str) -> str:
    for link in elements(root, "link"):
        if "canonical" in attribute(link, "rel", 60).lower().split():
            return joined(url, attribute(link, "href"))
    return joined(url, said.get("og:url", ""))


def _title(root: Node, seen: Node, items: Sequence[Item], said: dict[str, str]) -> str:
    """What a reader sees as the title; what stands in metadata only helps to find where it ends."""
    shown = next((text for node in elements(root, "title") if (text := text_within(node, 500))), "")
    heads = [text for node in elements(seen, "h1") if (text := text_within(node, TITLE_CHARS))]
    hidden = [plain(said.get("og:title"), TITLE_CHARS), *(plain(i.get("headline"), TITLE_CHARS) for i in items[:20])]
    for text in (*hidden, *heads):
        if text and (text in shown or text in heads):
            return normalise(text)[:TITLE_CHARS]
    if shown:
        return normalise(_SITE_END.split(shown)[0] or shown)[:TITLE_CHARS]
    return normalise(next((t for t in (*heads, *hidden) if t), ""))[:TITLE_CHARS]


def _site(items: Sequence[Item], said: dict[str, str]) -> str:
    named = (i.get("publisher") for i in items if types_of(i) & _PUBLISHERS)
    sites = (i.get("name") for i in items if "WebSite" in types_of(i))
    choices: Iterable[object] = (said.get("og:site_name"), *named, *sites, said.get("application-name"))
    return next((name for c in choices if (name := plain(c, 100)) and not _ADDRESS.match(name)), "")


def _author(seen: Node, items: Sequence[Item], said: dict[str, str]) -> str:
    written = [i.get("author") for i in items if types_of(i) & _PUBLISHERS and i.get("author")]
    names = [_names(value) for value in written]
    names += [
        plain(said.get(name))
        for name in ("author", "article:author", "dc.creator", "parsely-author", "citation_author")
    ]
    found = next((name for name in names if name and not _ADDRESS.search(name)), "")
    return _BY.sub("", found or _byline(seen))[:200]


def _names(value: object) -> str:
    """One name, or up to five of a list."""
    parts = value[:5] if isinstance(value, list) else [value]
    return ", ".join(dict.fromkeys(name for part in parts if (name := plain(part))))


def _byline(seen: Node) -> str:
    for number, node in enumerate(elements(seen, "a", "span", "p", "div", "address", "cite")):
        if number > 3_000:
            break
        named = (
            f"{attribute(node, 'class', 200)} {attribute(node, 'itemprop', 60)} {attribute(node, 'rel', 60)}".lower()
        )
        if re.search(r"\b(?:author|byline)\b", named):
            text = text_within(node, 200)
            if 2 < len(text) < 100 and not _ADDRESS.search(text):
                return normalise(re.split(r"\s[|•·]\s|\s\d", text)[0])
    return ""


def _language(root: Node, said: dict[str, str]) -> str:
    body = root.find("body")
    written = [attribute(node, name, 20) for node in (root, body) if node is not None for name in ("lang", "xml:lang")]
    tags = [*written, *(said.get(name, "") for name in ("content-language", "og:locale", "dc.language"))]
    return next((language for tag in tags if (language := declared_language(tag[:20]))), "")
