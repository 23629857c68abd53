"""Which passages are one source said several times, so that a wire story on six sites counts once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ghost.knowledge.attribution import agency_of, credited_names, is_fact_check, own_names, repeats_content
from ghost.knowledge.similarity import ComparableText, Similarity, SimilarPair, similar_pairs
from ghost.types import Passage, page_key

_ALIKE = {
    Similarity.COPY: "nearly the same text as that of {}",
    Similarity.EXCERPT: "one is an excerpt of the other, with that of {}",
    Similarity.QUOTATION: "shares a long quotation with that of {}",
}


@dataclass(frozen=True, slots=True)
class OriginGroup:
    """The origin of a passage among others."""

    group: int
    """Number of its origin, from 1 in order of appearance; passages of one origin share it."""
    why: str = ""
    """Why it is of the same origin as another one; empty for the first of each origin."""


@dataclass(frozen=True, slots=True)
class _Link:
    one: int
    other: int
    why: str
    """With ``{}`` for the source of the passage at the other end."""


def origins(passages: Sequence[Passage], pages: Mapping[str, str] | None = None) -> list[OriginGroup]:
    """The origin of each passage, and why it shares it.

    One origin are: passages of one page; of one publisher on one domain; copies, excerpts and texts that share long
    quotations; copies of one agency's report; a text that only repeats, with attribution, what another one says; and
    what the knowledge base has marked as a copy. ``pages`` has the whole text of pages by their address where it is
    known: passages of two copies of one page are of one origin even when they are different parts of it.
    """
    links = list(_links(passages, pages or {}))
    parent = list(range(len(passages)))
    for link in links:
        one, other = _root(parent, link.one), _root(parent, link.other)
        parent[max(one, other)] = min(one, other)
    why: dict[int, str] = {}
    for link in links:
        for mine, theirs in ((link.one, link.other), (link.other, link.one)):
            why.setdefault(mine, link.why.format(passages[theirs].source_name))
    numbers: dict[int, int] = {}
    found = []
    for i in range(len(passages)):
        root = _root(parent, i)
        found.append(OriginGroup(numbers.setdefault(root, len(numbers) + 1), why.get(i, "") if root != i else ""))
    return found


def _links(passages: Sequence[Passage], pages: Mapping[str, str]) -> Iterator[_Link]:
    said = [ComparableText.of(p.text) for p in passages]
    for like in similar_pairs(said):
        # A text that leans on a long quotation may deny anything beside it, and leans on it still.
        denied = like.kind is not Similarity.QUOTATION and said[like.one].denies(said[like.other])
        if not denied and not _quoted_to_be_checked(like, passages):
            yield _Link(like.one, like.other, _ALIKE[like.kind])
    yield from _same_key([page_key(p.source_url) for p in passages], "the same page as that of {}")
    yield from _same_key(_publishers(passages), "the same publisher: {}")
    yield from _same_key([p.kin or p.id for p in passages], "marked as a copy of that of {} when it came in")
    agencies = [agency_of(p) for p in passages]
    yield from _same_key(agencies, "credits the same agency as that of {}")
    yield from _repetitions(passages)
    yield from _same_pages(passages, pages)


def _quoted_to_be_checked(like: SimilarPair, passages: Sequence[Passage]) -> bool:
    """Whether what two texts share is what one of them looks into: three fact-checks of one post are three."""
    one, other = passages[like.one], passages[like.other]
    if like.kind is Similarity.QUOTATION:
        return is_fact_check(one) or is_fact_check(other)
    return like.kind is Similarity.EXCERPT and is_fact_check(other) and not is_fact_check(one)


def _same_key(keys: Sequence[str], why: str) -> Iterator[_Link]:
    first: dict[str, int] = {}
    for i, key in enumerate(keys):
        if key and first.setdefault(key, i) != i:
            yield _Link(i, first[key], why)


def _publishers(passages: Sequence[Passage]) -> list[str]:
    """Domain and publisher of each passage; empty where it has no domain.

    Who names no publisher, as no search snippet does, is taken for the first one of the domain: it adds no origin, and
    makes no two publishers one.
    """
    first: dict[str, str] = {}
    for p in passages:
        if p.publisher:
            first.setdefault(p.domain, p.publisher)
    return [f"{p.domain}\0{p.publisher or first.get(p.domain, '')}" if p.domain else "" for p in passages]


def _repetitions(passages: Sequence[Passage]) -> Iterator[_Link]:
    """Texts that name another one's publisher, or the same third party, for what both say."""
    names = [credited_names(p) for p in passages]
    if not any(names):
        return
    own = [own_names(p) | ({agency} if (agency := agency_of(p)) else set()) for p in passages]
    for i, mine in enumerate(names):
        for j in range(len(passages)) if mine else ():
            if i == j:
                continue
            if mine & own[j] and repeats_content(passages[i].text, passages[j].text, mine):
                yield _Link(i, j, "repeats, with attribution, what {} says")
            elif j < i and mine & names[j] and repeats_content(passages[i].text, passages[j].text, mine | names[j]):
                yield _Link(i, j, "credits the same source as that of {}")


def _same_pages(passages: Sequence[Passage], pages: Mapping[str, str]) -> Iterator[_Link]:
    """Passages of copied pages. A common quotation makes no copy of a page: footers and posts stand on many."""
    first: dict[str, int] = {}
    for i, p in enumerate(passages):
        if pages.get(p.source_url):
            first.setdefault(p.source_url, i)
    whole = [replace(passages[i], text=pages[url]) for url, i in first.items()]
    said = [ComparableText.of(page.text) for page in whole]
    places = list(first.values())
    for like in similar_pairs(said):
        one, other = whole[like.one], whole[like.other]
        excerpt = like.kind is Similarity.EXCERPT and not (is_fact_check(one) or is_fact_check(other))
        if (like.kind is Similarity.COPY or excerpt) and not said[like.one].denies(said[like.other]):
            yield _Link(places[like.one], places[like.other], "its page is a copy of that of {}")


def _root(parent: list[int], i: int) -> int:
    while parent[i] != i:
        i = parent[i]
    return i
