"""Notices in a page that it was retracted or corrected, is doubted by its publisher, or is satire."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from ghost.text import spans
from ghost.web.extract.blocks import Block, BlockKind
from ghost.web.extract.html import Node, elements, text_within
from ghost.web.extract.structured_data import Item, own_items, plain, types_of, without_others
from ghost.web.extract.vocabulary import alternatives, any_of, filled, table

NOTICE_CHARS = 400
MAX_NOTICES = 10
_BLOCK_CHARS = 5_000
_TITLE_CHARS = 300
_AT_TOP = 8
"""A badge ("Retracted", "Satire") stands among so many first lines."""
MAX_ITEMS = 100
MIN_CORRECTION = 25
_SATIRE = "SatiricalArticle"
_WITHDRAWN = frozenset({"retracted", "withdrawn", "removed", "retraction"})
_TITLES = ("og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title", "prism.title", "title")
_SECTIONS = ("article:section", "section", "genre", "dc.type", "article:tag")
_TITLES_CHARS = 500


class NoticeKind(StrEnum):
    """What a page says happened to it."""

    RETRACTION = "retraction"
    CONCERN = "expression of concern"
    SATIRE = "satire"
    CORRECTION = "correction"
    EDITORS_NOTE = "editor's note"


DISOWNING = frozenset({NoticeKind.RETRACTION, NoticeKind.CONCERN, NoticeKind.SATIRE})
"""What a page with such a notice says besides supports nothing."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What the page says of itself, in its own words: outside text."""

    kind: NoticeKind
    text: str


_WORDS = "notices"
_RETRACTED_LABEL, _CONCERN_LABEL, _SATIRE_LABEL = (
    any_of(_WORDS, f"{kind}_labels") for kind in ("retraction", "concern", "satire")
)
_SATIRE_GENRES = frozenset(alternatives(_WORDS, "satire_genres"))
# A label stands at the beginning of its line, with a colon, a dash or a date behind it ("Correction, March 3:").
# A hyphen without white space makes another word ("Correction-fluid sales").
_BEHIND = r"(?:\s?[:：]|\s[–—-]\s|\s?[,(][^:：]{0,40}[:：)]|\s\w+ \d[^:：]{0,20}[:：])"
_LABEL = tuple(
    (kind, re.compile(rf"\W{{0,4}}(?:{label})\b{_BEHIND}", re.I))
    for kind, label in (
        (NoticeKind.RETRACTION, _RETRACTED_LABEL),
        (NoticeKind.CONCERN, _CONCERN_LABEL),
        (NoticeKind.CORRECTION, any_of(_WORDS, "correction_labels")),
        (NoticeKind.EDITORS_NOTE, any_of(_WORDS, "editors_labels")),
    )
)
_BADGE = tuple(
    (kind, re.compile(rf"\W{{0,3}}(?:{label})\W{{0,3}}", re.I))
    for kind, label in (
        (NoticeKind.RETRACTION, _RETRACTED_LABEL),
        (NoticeKind.CONCERN, _CONCERN_LABEL),
        (NoticeKind.SATIRE, _SATIRE_LABEL),
    )
)


def _in_title(label: str, colon: bool = True) -> re.Pattern[str]:
    """A label before a title or behind it, apart from it: "RETRACTED: …", "[Retracted] …", "… (withdrawn)"."""
    before = rf"\W{{0,4}}(?:{label})(?:\s(?:to|for|of))?\s?[:：]" if colon else r"(?!)"
    label = rf"(?:{label})(?: by [\w ]{{1,30}})?"
    boxed = rf"[\[(【〔]\s?(?:{label})\s?[\])】〕]"
    site = r"(?:\s[|–—-]\s[^|–—]{1,60})?"
    return re.compile(rf"{before}|{boxed}|.*(?:{boxed}|\s[|–—:-]\s?(?:{label})){site}\s*$", re.I | re.DOTALL)


_TITLE = (
    (NoticeKind.RETRACTION, _in_title(f"{_RETRACTED_LABEL}|{any_of(_WORDS, 'title_labels')}")),
    (NoticeKind.RETRACTION, re.compile(rf"\W{{0,4}}(?:{any_of(_WORDS, 'title_of_another')})", re.I)),
    (NoticeKind.CONCERN, _in_title(_CONCERN_LABEL)),
    (NoticeKind.SATIRE, _in_title(_SATIRE_LABEL, colon=False)),  # "Satire: a short history" is about it
)
_IN_CAPITALS = re.compile(r"(?:RETRACTED|WITHDRAWN|REMOVED)(?: (?:ARTICLE|PAPER|STUDY))?\s(?:[–—-]\s)?(?=\S*[a-z])")


def _withdrawing() -> Iterator[str]:
    """How each language says that its text was withdrawn."""
    languages = [{part: filled(_WORDS, said) for part, said in row.items()} for row in table(_WORDS)["withdrawing"]]
    for w in languages:
        before = rf"{w['was']}(?: (?:{w['was']}|{w['between']})){{0,8}}"
        yield rf"\b{w['own']},?(?: (?:which|and|that))? {before} {w['gone']}\b"
        if "taking" in w:
            yield rf"\b{w['taking']} {w['own']}\b"
    yield rf"\bwe (?:have |hereby |now |are |had to )*{languages[0]['taking']} {any_of(_WORDS, 'this')}\b"
    yield any_of(_WORDS, "run_together")
    yield rf"\b(?:{any_of(_WORDS, 'disowned')})\b"


def _said(entry: str, end: str = r"\b") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(_WORDS, entry)}){end}", re.I)


_RETRACTED = re.compile("|".join(_withdrawing()), re.I)
_OF_ITSELF = ((NoticeKind.RETRACTION, _said("untrue_here")), (NoticeKind.SATIRE, _said("satire_said", end="")))
_SENTENCE = (
    (NoticeKind.RETRACTION, _RETRACTED),
    (NoticeKind.CONCERN, _said("concern_said")),
    (NoticeKind.CORRECTION, _said("correction_said")),
)
_SITE_SAID = re.compile(any_of(_WORDS, "satire_of_site"), re.I)
_NAME_WORDS = 5
_NAME_CHARS = 5
"""A shorter name ("com", "news") is no name."""
_REPORTED = re.compile(rf"{any_of(_WORDS, 'reported')}|[“\"«„]\s?$", re.I)


def notices_of(
    blocks: Iterable[Block],
    titles: Iterable[str] = (),
    stated: Iterable[Notice] = (),
    sites: Iterable[str] = (),
    checks: bool = False,
) -> tuple[Notice, ...]:
    """The notices among the lines of a page, in its titles, and ``stated`` in its structured data; each once.

    ``sites`` are names of the page's site, which may say what it is. ``checks`` means that the page checks what others
    say, and may mean their text by "this story".
    """
    found: dict[str, Notice] = {}
    for title in titles:
        if kind := of_title(title):
            found.setdefault(title, Notice(kind, title[:NOTICE_CHARS]))
    for notice in stated:
        found.setdefault(notice.text, notice)
    names = _names(sites)
    for number, block in enumerate(blocks):
        if len(found) >= MAX_NOTICES:
            break
        text = block.text[:_BLOCK_CHARS]
        badge = _badge(block) if number < _AT_TOP else None
        said = badge or _notice(text, listed=block.kind in (BlockKind.ITEM, BlockKind.ROW))
        if said is None or said.kind not in DISOWNING:
            said = _of_itself(text, names, checks) or said
        if said:
            found.setdefault(said.text, said)
    return tuple(found.values())


def of_title(title: str) -> NoticeKind | None:
    """Whether a title says that its page was withdrawn, is doubted or is satire."""
    title = title[:_TITLE_CHARS]
    if _IN_CAPITALS.match(title):
        return NoticeKind.RETRACTION
    return next((kind for kind, pattern in _TITLE if pattern.match(title)), None)


def says_retracted(sentence: str) -> bool:
    """Whether a sentence says in so many words that its text was retracted."""
    return _first(_RETRACTED, sentence) is not None


def _badge(block: Block) -> Notice | None:
    text = block.text
    if len(text) > 60 or block.kind in (BlockKind.ITEM, BlockKind.ROW):
        return None
    return next((Notice(kind, text) for kind, pattern in _BADGE if pattern.fullmatch(text)), None)


def _notice(text: str, listed: bool) -> Notice | None:
    kind = next((kind for kind, pattern in _LABEL if pattern.match(text[:200])), None)
    if listed and kind in DISOWNING:  # a paper that is cited, or another page that is linked to
        return None
    said = [(k, m.start()) for k, pattern in _SENTENCE if (m := _first(pattern, text))]
    if kind:  # an editor's note about a correction is a correction
        stronger = [k for k, at in said if at < NOTICE_CHARS]
        kind = stronger[0] if stronger and kind is NoticeKind.EDITORS_NOTE else kind
        return Notice(kind, _beginning(text)) if len(text) > 25 else None
    if not said:
        return None
    kind, at = said[0]
    return Notice(kind, _sentence(text, at))


def _of_itself(text: str, names: frozenset[str], checks: bool) -> Notice | None:
    """A notice in which a page does not say "retracted" or "Satire:", and might mean another text than its own."""
    for m in _SITE_SAID.finditer(text) if names else ():
        if not names.isdisjoint(_tails(text[max(0, m.start() - _NAME_WORDS * 20) : m.start()])):
            return Notice(NoticeKind.SATIRE, _sentence(text, m.start()))
    if checks:
        return None
    for kind, pattern in _OF_ITSELF:
        if found := _first(pattern, text):
            return Notice(kind, _sentence(text, found.start()))
    return None


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match that is neither a quotation nor a condition."""
    for m in pattern.finditer(text):
        start = max(text.rfind(mark, 0, m.start()) for mark in (". ", "! ", "? ", ": ")) + 1
        if not _REPORTED.search(text, start, m.start()):
            return m
    return None


def _names(sites: Iterable[str]) -> frozenset[str]:
    """The names of a site, by which it speaks of itself; its host stands for its name without spaces."""
    found = {_run_together(part) for site in sites for part in (site, *site.removeprefix("www.").split("."))}
    return frozenset(name for name in found if len(name) >= _NAME_CHARS)


def _tails(name: str) -> Iterator[str]:
    """The last words of a text, which may be a name: "Read more: the Daily Heron"."""
    parts = name.split()[-_NAME_WORDS:]
    for at in range(len(parts)):
        yield _run_together("".join(parts[at:]))


def _run_together(name: str) -> str:
    name = re.sub(r"[\W_]", "", name.lower())
    return name.removeprefix("the") if len(name) > _NAME_CHARS + 2 else name


def _sentence(text: str, at: int) -> str:
    return next(text[a:b] for a, b in spans(text) if b > at)[:NOTICE_CHARS]


def _beginning(text: str) -> str:
    ends = [b for _, b in spans(text) if b <= NOTICE_CHARS]
    return text[: ends[-1]] if ends else text[:NOTICE_CHARS]


def stated_notices(items: Sequence[Item], sections: Iterable[str], url: str, title: str) -> tuple[Notice, ...]:
    """Notices in structured data and metadata about the page itself, not about what it lists or cites.

    ``sections`` are those of ``sections_of``.
    """
    found: list[Notice] = []
    own = _own(items[:MAX_ITEMS], url, title)
    if any(_SATIRE in types_of(item) for item in own):
        found.append(Notice(NoticeKind.SATIRE, f"{_SATIRE} (structured data)"))
    if genre := next((word for word in sections if word.lower() in _SATIRE_GENRES), ""):
        found.append(Notice(NoticeKind.SATIRE, f"{genre} (metadata)"))
    for item in own:
        status = next(iter(_words(item.get("creativeWorkStatus"))), "")
        if status.strip().lower() in _WITHDRAWN:
            found.append(Notice(NoticeKind.RETRACTION, f"{status.strip()} (structured data)"))
    texts = (plain(item.get("correction"), 400) for item in items[:MAX_ITEMS])
    found += [Notice(NoticeKind.CORRECTION, text) for text in texts if len(text) > MIN_CORRECTION]
    return tuple(dict.fromkeys(found))


def sections_of(items: Sequence[Item], metas: Iterable[tuple[str, str]], url: str, title: str) -> list[str]:
    """The parts of its site and the genres that a page says it belongs to."""
    own = _own(items[:MAX_ITEMS], url, title)
    found = [word for item in own for name in ("genre", "articleSection") for word in _words(item.get(name))]
    return [word.strip() for word in (*found, *(content for name, content in metas if name in _SECTIONS))]


def titles_of(
    root: Node, seen: Node, items: Sequence[Item], metas: Sequence[tuple[str, str]], url: str, title: str
) -> list[str]:
    """Every title that a page gives itself: any of them may say that it was withdrawn, and often only one does."""
    heads = (*islice(elements(root, "title"), 2), *islice(elements(seen, "h1"), 5))
    found = [title, *(text_within(node, _TITLES_CHARS) for node in heads)]
    found += [content[:_TITLES_CHARS] for name, content in metas if name in _TITLES]
    found += [plain(item.get("headline"), _TITLES_CHARS) for item in _own(items[:MAX_ITEMS], url, title)]
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
