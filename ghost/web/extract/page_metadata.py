"""What a page says of itself: title, site, author, address, language, where its text was first. Outside text, all."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ghost.text import normalise
from ghost.types import host_of, joined, registrable
from ghost.web.extract.blocks import Block, BlockKind
from ghost.web.extract.decoding import declared_language
from ghost.web.extract.html import Node, attribute, elements, text_within
from ghost.web.extract.structured_data import Item, plain, types_of, words_of
from ghost.web.extract.vocabulary import table

TITLE_CHARS = 300
MAX_METAS = 500
_ADDRESS = re.compile(r"https?://|www\.|@", re.I)
_BY = re.compile(r"^(?:by|von|par|por|di|door|av|written by|text:|author:|autor:)[:\s]+", re.I)
_SITE_END = re.compile(r"\s+(?:[|·•«»–—-]|::)\s+")
_PUBLISHERS = frozenset(
    "NewsArticle Article BlogPosting ClaimReview WebPage ReportageNewsArticle OpinionNewsArticle".split()
)
_AGENCIES, _FORMS = table("syndication")["agencies"], table("syndication")["forms"]
_ANY = "|".join(_AGENCIES.values())
_DATELINE = re.compile(rf"^[^()]{{0,80}}\((?P<who>{_ANY})(?:/[\w /]{{1,30}})?\)\s*[-–—:.,]", re.I)
_DATELINE_END = re.compile(rf"\(\s*(?:©\s*)?(?P<who>{_ANY})\s*\)\s*\.?$", re.I)
_RIGHTS = re.compile(
    r"(?:©|\(c\)|copyright|alle rechte:?)\s*(?:©\s*)?(?:\d{4}(?:\s*[-–]\s*\d{2,4})?,?\s+)?(?:by\s+)?"
    rf"(?P<who>{_ANY})\b(?!['’]s)",
    re.I,
)
"""“Copyright 2024 The Associated Press. All rights reserved.”, “© AFP”."""
_INPUTS = re.compile(
    r"\b(?:(?:with|and) (?:additional )?(?:input|reporting|report|content|contribution|file|material|information)s? "
    r"(?:by|from)|syndicated (?:news )?feed (?:by|from|of)) (?:the )?(?:news )?(?:agenc(?:y|ies) )?"
    rf"(?P<who>{_ANY})\b(?!['’]s)",
    re.I,
)
"""“(With inputs from PTI)”."""
_PICTURE = re.compile(r"\b(?:photo\w*|foto\w*|image|picture|bild|video|getty)\b", re.I)
"""What such a credit is of, where it is not the text."""
_FROM = "by|from|source|quelle|fuente|fonte|mit material von|con información de|avec"
_CREDIT = re.compile(rf"^(?:{_FROM})\s?:?\s+(?P<who>{_ANY})\s*(?:[|,.–—-].{{0,60}})?$", re.I)
_CAPITAL = r"(?-i:[A-Z\u00c0-\u00de\u0400-\u042f])"
_NAME = rf"((?:the )?{_CAPITAL}[\w.&'’-]*(?: (?:of |the |and |& )?{_CAPITAL}[\w.&'’-]*){{0,5}})"
_REPUBLISHED = tuple(
    re.compile(line.replace("DONE", _FORMS["done"].strip()).replace("NAME", _NAME), re.I)
    for line in _FORMS["stated"].splitlines()
)
_FIRST, _LAST, _CHARS = 12, 6, 600
_SMALL = frozenset(("dpa", "apa", "sda"))
"""Agencies that write themselves small; any other short name is one only in capitals ("Ani" is a person)."""


@dataclass(frozen=True, slots=True)
class Syndication:
    """What a page says of where its text was first."""

    source: str
    """The agency, publisher or host named; outside text."""
    how: str
    """``dateline``, ``credit``, ``stated`` or ``canonical address``."""


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


def syndication_of(blocks: Sequence[Block], author: str, host: str, canonical_host: str) -> Syndication | None:
    """What the page says; None when it says nothing, or names only itself."""
    said = _said(blocks, author)
    if said and not _is_host(said.source, host):
        return said
    return Syndication(canonical_host, "canonical address") if canonical_host else None


def _said(blocks: Sequence[Block], author: str) -> Syndication | None:
    for number, block in enumerate([*blocks[:_FIRST], *blocks[-_LAST:]]):
        text = block.text[:_CHARS]
        if (found := _DATELINE.match(text)) and (who := _agency(found["who"])):
            return Syndication(who, "dateline")
        if who := next((found[1] for form in _REPUBLISHED if (found := form.search(text))), ""):
            return Syndication(who.rstrip(".")[:100], "stated")
        found = (_CREDIT.match(text) if len(text) < 100 else None) or _DATELINE_END.search(text)
        if not found and block.kind is not BlockKind.HEADING and not _PICTURE.search(text):
            found = _INPUTS.search(text) or (_RIGHTS.search(text) if number >= len(blocks) - _LAST else None)
        if found and (who := _agency(found["who"])):
            return Syndication(who, "credit")
    who = _agency(re.sub(r"^by ", "", author, flags=re.I))
    return Syndication(who, "credit") if who else None


def _agency(written: str) -> str:
    if len(written) <= 4 and not written.isupper() and written not in _SMALL:
        return ""
    return next((name for name, words in _AGENCIES.items() if re.fullmatch(words, written, re.I)), "")


def _is_host(name: str, host: str) -> bool:
    """Whether the source is the site itself: reuters.com credits Reuters on every page."""
    bare = re.sub(r"\W|^the ", "", name.lower())
    return (bool(bare) and bare in re.sub(r"\W", "", host)) or (name == "Associated Press" and "apnews" in host)
