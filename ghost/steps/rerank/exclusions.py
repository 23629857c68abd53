"""What is never evidence: the page a claim was found at and its copies, and pages that take back what they say."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ghost.knowledge import EXCERPT_SHARE, ComparableText, Similarity, sentences, similar_pairs
from ghost.types import Evidence, StanceLabel, same_page
from ghost.web import DISOWNING, Notice, NoticeKind, ReadPage, of_title, says_retracted

RETRACTED = "the page says that it was retracted"
CONCERN = "the publisher of the page has expressed concern about it"
SATIRE = "the page says that it is satire"
OUTDATED = "its page does not say it any more"
_WHY = {NoticeKind.RETRACTION: RETRACTED, NoticeKind.CONCERN: CONCERN, NoticeKind.SATIRE: SATIRE}
_RETRACTION = re.compile(r"\b(?:retract|withdr[ae]w|expression of concern)", re.IGNORECASE)
WINDOW = 3
"""The most sentences of the found page that are compared together: as many as a passage has."""
_ITSELF = "it is the page the claim was found at"
_COPIED = "its text is that of the page the claim was found at"
_OF_COPY = "its page is a copy of the one the claim was found at"


@dataclass(frozen=True, slots=True)
class FoundPageCopies:
    """Pages that were read and contain the text of the page the claim was found at."""

    whole: frozenset[str] = frozenset()
    """Addresses of copies and excerpts."""
    partly: frozenset[str] = frozenset()
    """Addresses of pages that contain all of it beside text of their own."""
    text: ComparableText = field(default_factory=lambda: ComparableText.of(""))
    """The text of the page the claim was found at."""

    @classmethod
    def among(cls, pages: Mapping[str, str], found_text: str) -> "FoundPageCopies":
        """Compare ``pages`` (address -> text) with the text that was found."""
        if not found_text or not pages:
            return cls()
        urls, found = list(pages), ComparableText.of(found_text)
        whole: set[str] = set()
        partly: set[str] = set()
        for url in urls:  # one at a time: how they resemble each other does not matter here
            for like in similar_pairs([found, ComparableText.of(pages[url])]):
                longer = like.kind is Similarity.EXCERPT and like.one == 0
                if like.kind is not Similarity.QUOTATION:
                    (partly if longer else whole).add(url)
        return cls(frozenset(whole), frozenset(partly), found)

    def has(self, e: Evidence) -> bool:
        """Whether a passage is text of the found page. A short one is recognized by its page: anyone might say it."""
        if e.passage.source_url in self.whole:
            return e.stance.label is not StanceLabel.REFUTES or self._holds(e.passage.text)
        return e.passage.source_url in self.partly and self._holds(e.passage.text)

    def _holds(self, text: str) -> bool:
        mine = ComparableText.of(text).distinct
        return len(mine & self.text.distinct) >= EXCERPT_SHARE * len(mine)


def found_page_copies(
    evidence: Sequence[Evidence], found_at: str | None, found_text: str = "", copies: FoundPageCopies | None = None
) -> dict[str, str]:
    """Passage id -> why it is no evidence: it comes from the page the claim was found at, or from a copy of it.

    A page that quotes the found page to contradict it, or repeats its words with a "not", is no copy and stays.
    """
    if not found_at and not found_text:
        return {}
    why: dict[str, str] = {}
    texts = [found_text] if found_text else []
    for e in evidence:
        if found_at and same_page(e.passage.source_url, found_at):
            why[e.passage.id] = _ITSELF
            texts.append(e.passage.text)
    others = [e for e in evidence if e.passage.id not in why]
    for e in others:
        if copies and copies.has(e) and not _denied(e, texts):
            why[e.passage.id] = _OF_COPY
    known = len(texts)
    for like in similar_pairs([ComparableText.of(text) for text in (*texts, *(e.passage.text for e in others))]):
        found, other = sorted((like.one, like.other))
        if not found < known <= other:
            continue
        e = others[other - known]
        copied = like.kind is Similarity.COPY or (like.kind is Similarity.EXCERPT and like.one == other)
        if (copied and not _denied(e, texts)) or e.stance.label is not StanceLabel.REFUTES:
            why.setdefault(e.passage.id, _COPIED)
    return why


def _denied(e: Evidence, texts: Sequence[str]) -> bool:
    """Whether a passage refutes, and denies the most similar part of the found page."""
    if e.stance.label is not StanceLabel.REFUTES:
        return False
    mine = ComparableText.of(e.passage.text)
    near = max(
        (ComparableText.of(w) for text in texts for w in _windows(text)), key=lambda w: _alike(mine, w), default=None
    )
    return near is not None and mine.denies(near)


def _windows(text: str) -> Iterator[str]:
    """The sentences of a text, alone and together with those after them."""
    said = sentences(text)
    for size in range(1, WINDOW + 1):
        yield from (" ".join(said[i : i + size]) for i in range(len(said) - size + 1))


def _alike(one: ComparableText, other: ComparableText) -> float:
    return len(one.distinct & other.distinct) / (len(one.distinct | other.distinct) or 1)


def disowning(page: ReadPage) -> tuple[Notice, ...]:
    """The notices in a page that take back everything else it says."""
    return tuple(notice for notice in page.notices if notice.kind in DISOWNING)


def why_disowned(text: str, title: str, notices: Sequence[Notice]) -> str:
    """Why a text of a page with such notices, or with such a title, does not count; empty where it does.

    What a retracted page says about the retraction still counts. Of satire nothing does.
    """
    kinds = [notice.kind for notice in notices]
    kind = NoticeKind.SATIRE if NoticeKind.SATIRE in kinds else kinds[0] if kinds else of_title(title)
    if kind is None:
        return ""
    stands = kind is not NoticeKind.SATIRE and _about_retraction(text, title, notices)
    return "" if stands else _WHY[kind]


def is_about_retraction(text: str) -> bool:
    """Whether a text is about a retraction."""
    return _RETRACTION.search(text) is not None


def _about_retraction(text: str, title: str, notices: Iterable[Notice]) -> bool:
    """Whether a text is about the retraction, and not the title, which mentions it and repeats the claim."""
    if text in title or (of_title(text) and not says_retracted(text)):
        return False
    return is_about_retraction(text) or any(text in " ".join(n.text.split()) for n in notices if not of_title(n.text))
