"""Which passages are one source said several times, so that a wire story on six sites counts once."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ghost.knowledge.similarity import ComparableText, Similarity, SimilarPair, root_of, similar_pairs
from ghost.types import Kind, Passage, SourceType, cited_as, in_own_words, page_key

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
    """With ``{}`` for whose words the passage at the other end has, and ``{publisher}`` for its publisher."""


def origins(passages: Sequence[Passage], pages: Mapping[str, str] | None = None) -> list[OriginGroup]:
    """The origin of each passage, and why it shares it.

    One origin are: passages of one page; of one publisher on one domain; copies, excerpts and texts that share long
    quotations; copies of one agency's report; a text that only repeats, with attribution, what another one says; what
    the knowledge base has marked as a copy; and all notes. ``pages`` has the whole text of pages by their address where
    it is known: passages of two copies of one page are of one origin even when they are different parts of it.
    """
    links = _library_apart(list(_links(passages, pages or {})), [p.kind is Kind.NOTE for p in passages])
    first = {i: i for i in range(len(passages))}
    for link in links:
        one, other = root_of(first, link.one), root_of(first, link.other)
        first[max(one, other)] = min(one, other)
    why: dict[int, str] = {}
    for link in links:
        for mine, theirs in ((link.one, link.other), (link.other, link.one)):
            p = passages[theirs]
            name = p.source_name if in_own_words(p) else f"a{cited_as(p)[1:]}"  # it begins with "A"
            why.setdefault(mine, link.why.format(name, publisher=p.source_name))
    numbers: dict[int, int] = {}
    found = []
    for i in range(len(passages)):
        root = root_of(first, i)
        found.append(OriginGroup(numbers.setdefault(root, len(numbers) + 1), why.get(i, "") if root != i else ""))
    return found


def _library_apart(links: Sequence[_Link], notes: Sequence[bool]) -> list[_Link]:
    """The links, with all notes as one origin, which is also that of an excerpt of a page they point at or repeat.

    Of one such excerpt only: through the notes, pages that have nothing to do with each other would become one.
    """
    kept = [link for link in links if not (notes[link.one] or notes[link.other])]
    among = [i for i, is_note in enumerate(notes) if is_note]
    kept += [_Link(other, among[0], "both are notes in the library") for other in among[1:]]
    across = (link for link in links if notes[link.one] != notes[link.other])
    return kept + list(itertools.islice(across, 1))


def _links(passages: Sequence[Passage], pages: Mapping[str, str]) -> Iterator[_Link]:
    said = [ComparableText.of(p.text) for p in passages]
    for like in similar_pairs(said):
        # A text that leans on a long quotation may deny anything beside it, and leans on it still.
        denied = like.kind is not Similarity.QUOTATION and said[like.one].denies(said[like.other])
        if not denied and not _quoted_to_be_checked(like, passages):
            yield _Link(like.one, like.other, _ALIKE[like.kind])
    yield from _same_key([page_key(p.source_url) for p in passages], "the same page as that of {}")
    yield from _same_key(_publishers(passages), "the same publisher: {publisher}")
    yield from _same_key([p.kin or p.id for p in passages], "marked as a copy of that of {} when it came in")
    agencies = [_agency_of(p) for p in passages]
    yield from _same_key(agencies, "credits the same agency as that of {}")
    yield from _repetitions(passages)
    yield from _same_pages(passages, pages)


def _quoted_to_be_checked(like: SimilarPair, passages: Sequence[Passage]) -> bool:
    """Whether what two texts share is what one of them looks into: three fact-checks of one post are three."""
    one, other = passages[like.one], passages[like.other]
    if like.kind is Similarity.QUOTATION:
        return _is_fact_check(one) or _is_fact_check(other)
    return like.kind is Similarity.EXCERPT and _is_fact_check(other) and not _is_fact_check(one)


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
    names = [_credited_names(p) for p in passages]
    if not any(names):
        return
    own = [_own_names(p) | ({agency} if (agency := _agency_of(p)) else set()) for p in passages]
    for i, mine in enumerate(names):
        for j in range(len(passages)) if mine else ():
            if i == j:
                continue
            if mine & own[j] and _repeats_content(passages[i].text, passages[j].text, mine):
                yield _Link(i, j, "repeats, with attribution, what {} says")
            elif j < i and mine & names[j] and _repeats_content(passages[i].text, passages[j].text, mine | names[j]):
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
        excerpt = like.kind is Similarity.EXCERPT and not (_is_fact_check(one) or _is_fact_check(other))
        if (like.kind is Similarity.COPY or excerpt) and not said[like.one].denies(said[like.other]):
            yield _Link(places[like.one], places[like.other], "its page is a copy of that of {}")


# Who a text credits for what it says: a news agency in its dateline, a newspaper that it repeats.

_AGENCIES: Mapping[str, tuple[str, ...]] = {
    "Reuters": ("Thomson Reuters", "reuters.com"),
    "AP": ("Associated Press", "AP News", "apnews.com"),
    "AFP": ("Agence France-Presse", "Agence France Presse", "afp.com"),
    "dpa": ("Deutsche Presse-Agentur", "dpa.com"),
    "UPI": ("United Press International", "upi.com"),
    "PA": ("PA Media", "Press Association", "PA news agency"),
    "AAP": ("Australian Associated Press", "aap.com.au"),
    "Canadian Press": ("The Canadian Press", "La Presse Canadienne"),
    "EFE": ("Agencia EFE", "efe.com"),
    "ANSA": ("ansa.it",),
    "APA": ("Austria Presse Agentur", "apa.at"),
    "Kyodo": ("Kyodo News",),
    "PTI": ("Press Trust of India",),
    "ANI": ("Asian News International",),
    "IANS": ("Indo-Asian News Service",),
    "Xinhua": ("Xinhua News Agency",),
    "TASS": ("tass.com",),
    "Interfax": (),
    "Bloomberg": ("Bloomberg News", "bloomberg.com"),
    "PRNewswire": ("PR Newswire",),
    "Business Wire": ("BUSINESS WIRE",),
    "GlobeNewswire": ("GLOBE NEWSWIRE",),
}
"""News agencies and release services, with other names and domains of theirs."""

ECHO = 0.3
"""Share of a text's content words that the credited text must have for the one to repeat the other."""

_NAME = (
    r"(?:the |der |die |das |le |la |el |il )?"
    r"((?-i:[A-Z0-9dÀ-Þ])[\w&'’.-]*(?:\s(?:(?:of|for|and|the|de|la|du|der|von|und|&)\s){0,2}(?-i:[A-Z0-9À-Þ])[\w&'’.-]*){0,5})"
)
_CREDITED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:according to|citing|cited by|reported by|published by|told|laut|selon|según|secondo|segundo)\s+{_NAME}",
        rf"\b(?:reports?|article|story|statement|investigation|interview)\s+(?:in|by|from|with|of)\s+{_NAME}",
        rf"\b(?:appeared|published|reported)\s+(?:in|on|at)\s+{_NAME}",
        rf"(?:^|[\s\"“(])(?:source|quelle|via)\s*:?\s+{_NAME}",
        rf"\b{_NAME},?\s+(?:first\s+|has\s+|had\s+|also\s+)?(?:report(?:s|ed)|writes|wrote|reveal(?:s|ed)|berichtet|meldet|rapporte)\b",
        rf"\b{_NAME}\s+contributed to this (?:report|story)",
    )
)
_CUES = (
    "according to", "citing", "cited by", "report", "published", "told", "laut ", "selon ", "según ", "secondo ",
    "segundo ", "article", "story", "statement", "investigation", "interview", "appeared", "source", "quelle", "via ",
    "writes", "wrote", "reveal", "berichtet", "meldet", "rapporte", "contributed to",
)  # fmt: skip
"""A text without any of these words matches no pattern of ``_CREDITED``. Checking this first is quicker."""
_LETTERS = re.compile(r"[\W_]+")
_AROUND_NAME = re.compile(r"^(?:the|der|die|das|le|la|el|il)\s+|['’]s$|(?<![.,])[.,]++$", re.IGNORECASE)
_AGENCY_NAMES = {
    _LETTERS.sub("", name).casefold(): agency for agency, others in _AGENCIES.items() for name in (agency, *others)
}
_ANY_AGENCY = tuple(n for agency, others in _AGENCIES.items() for n in (agency, *others) if "." not in n)
_SHORT = "|".join(sorted(map(re.escape, _ANY_AGENCY), key=len, reverse=True))
_DATELINE = re.compile(
    # "LONDON (Reuters) - …", "(AP) — …", "PARIS, March 3 — AFP: …", "/PRNewswire/", and a bare credit at the end.
    # Brackets elsewhere are about something else: "Fetterman (PA) voted no".
    rf"^(?P<place>[^()]{{0,80}})\((?P<a>{_SHORT})(?:/[\w /]{{1,30}})?\)\s*[-–—:]|^\((?P<f>{_SHORT})\)\s"
    rf"|^[^.!?]{{0,60}}?[-–—]\s?(?P<b>{_SHORT})\s?[-–—:]|/(?P<c>{_SHORT})/"
    rf"|[.!?”\"]\s*[-–—©(]\s?(?P<d>{_SHORT})\)?\.?$|^(?P<e>{_SHORT})\s?[-–—:]\s"
)
_CHECKS = (
    r"\bindependently\b|\b(?:confirmed|told|said) (?:to )?(?:us|our)\b|\bwe (?:found|checked|asked|verified|rate)\b|"
    r"\b(?:false|untrue|incorrect|inaccurate|misleading|baseless|debunk\w*|no evidence|not true|"
    r"fact[- ]check\w*|falsch|faux|falso)\b"
)
_OWN_WORK = re.compile(
    rf"{_CHECKS}|\b(?:wrong(?:ly)?|den(?:y|ies|ied)|retract\w*|disput\w+|contradict\w*|contrary to|however)\b",
    re.IGNORECASE,
)
"""Words of a text that does more than repeat: it looked itself, or says that the other is wrong."""
_CHECKING = re.compile(_CHECKS, re.IGNORECASE)
_COMMON = frozenset(
    "about after again also been before being could does during each from further have having into more most much only "
    "other over same should some such than that their them then there these they this those through under until very "
    "were what when where which while whom will with would your said says according reported".split()
)


def key_of_name(name: str) -> str:
    """A name in the form in which names are compared; all names of an agency have one."""
    plain = _AROUND_NAME.sub("", name.strip())
    squeezed = _LETTERS.sub("", plain).casefold()
    return _AGENCY_NAMES.get(squeezed, squeezed)


def _own_names(passage: Passage) -> frozenset[str]:
    """The names by which others credit the publisher of a passage: its own, its domain, the domain's first part."""
    names = {key_of_name(passage.publisher), key_of_name(passage.domain), key_of_name(passage.domain.partition(".")[0])}
    return frozenset(n for n in names if len(n) > 1)


def _agency_of(passage: Passage) -> str:
    """The agency whose text this is by its own credit, or whose site it is from; empty when there is none."""
    for name in (passage.publisher, passage.domain):
        if (agency := key_of_name(name)) in _AGENCIES:
            return agency
    if not any(name in passage.text for name in _ANY_AGENCY):
        return ""
    match = _DATELINE.search(passage.text)
    if match is None or _is_acronym_of(match["place"] or "", match["a"] or ""):
        return ""
    return key_of_name(next(match[group] for group in "abcdef" if match[group]))


def _is_acronym_of(words: str, short: str) -> bool:
    """Whether ``words`` end with what ``short`` stands for: "American Academy of Pediatrics (AAP) - a group of"."""
    initials = "".join(word[0] for word in re.findall(r"\w+", words) if word[0].isupper())
    return len(short) > 1 and initials.endswith(short)


def _credited_names(passage: Passage) -> frozenset[str]:
    """The names that a passage gives as the source of what it says.

    Empty for a text that does more than repeat, and for fact-checkers, whose work it is to quote what they check.
    """
    low = passage.text.casefold()
    if passage.source_type is SourceType.FACT_CHECKER or not any(cue in low for cue in _CUES):
        return frozenset()
    if _OWN_WORK.search(passage.text):
        return frozenset()
    found = {key_of_name(m.group(1)) for pattern in _CREDITED for m in pattern.finditer(passage.text)}
    return frozenset(n for n in found if len(n) > 1) - _own_names(passage)


def _is_fact_check(passage: Passage) -> bool:
    """Whether a passage looks into what others say, for which it has to quote them at length."""
    return passage.source_type is SourceType.FACT_CHECKER or _CHECKING.search(passage.text) is not None


def _content_words(text: str, names: frozenset[str] = frozenset()) -> frozenset[str]:
    """The words that carry what a text says, cut to their beginnings; without those of the ``names`` it credits."""
    found = {w[:5] for w in re.findall(r"\d[\d.,]*\d|\d|[^\W\d_]{4,}", text.casefold()) if w not in _COMMON}
    return frozenset(w for w in found if not any(w in name.casefold() for name in names))


def _repeats_content(text: str, original: str, names: frozenset[str]) -> bool:
    """Whether a text that credits ``names`` says what ``original`` says."""
    mine = _content_words(text, names)
    return bool(mine) and len(mine & _content_words(original, names)) >= ECHO * len(mine)
