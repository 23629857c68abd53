"""Days written in many ways, and when a page was published and how sure that is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import product
from urllib.parse import unquote, urlsplit

from ghost.web.extract.blocks import Block
from ghost.web.extract.html import Node, attribute, elements, text_within
from ghost.web.extract.structured_data import Item, own_items, types_of, without_others, words_of
from ghost.web.extract.vocabulary import any_of, table, words

FIRST_PAGE = date(1991, 8, 6)
"""The day of the first web page: no page was published before."""

_MONTHS = {name: number for number, line in enumerate(table("dates")["months"].split("\n"), 1) for name in line.split()}
_IN_CROATIAN = {"listopada": 10}
"""In Polish, which writes no stop after the day, it is November: "4. listopada" and "4 listopada"."""
_NAME = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_STOP = r"(?P<stop>(?:st|nd|rd|th|er|º|ª|\.)?)"
_FORMS = (
    r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<y>\d{4})(?P<sep>[/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일]",
    rf"(?<!\d)(?P<d>\d{{1,2}}){_STOP}[\s-]+(?:of |de |den )?{_NAME}[\s,-]+(?:de |del )?(?P<y>\d{{4}})(?!\d)",
    rf"(?<!\w){_NAME}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
    r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
    r"(?<!\d)(?P<a>\d{1,2})(?P<sep>[/-])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4})(?!\d)",
)
_COMPILED = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
_COMPACT = re.compile(r"\s*(\d{4})(\d{2})(\d{2})(?:T?\d{2,6}Z?)?\s*")


def days_in(text: str, latest: date | None = None) -> Iterator[tuple[date, int, int]]:
    """Each day written in a text with its place; none before the web or after ``latest``.

    A day such as 03/04/2021, which Americans and Europeans read differently, is not one.
    """
    taken: list[tuple[date, int, int]] = []
    for form in _COMPILED:
        for match in form.finditer(text):
            day = _day(match.groupdict())
            if day and _possible(day, latest) and not any(a < match.end() and match.start() < b for _, a, b in taken):
                taken.append((day, match.start(), match.end()))
    yield from sorted(taken, key=lambda found: found[1])


def day_in(text: str, latest: date | None = None) -> date | None:
    """The first day in a short text such as an attribute, which may also write it as ``20210314``."""
    text = text[:200]
    if compact := _COMPACT.fullmatch(text):
        day = _day_of(*map(int, compact.groups()))
        return day if day and _possible(day, latest) else None
    return next((day for day, _, _ in days_in(text, latest)), None)


def _possible(day: date, latest: date | None) -> bool:
    """Whether a page can have been published on a day."""
    return day >= FIRST_PAGE and (latest is None or day <= latest)


def _day(parts: dict[str, str | None]) -> date | None:
    year = int(parts["y"] or 0)
    if month := parts.get("month"):
        croatian = _IN_CROATIAN.get(month.lower()) if parts.get("stop") == "." else None
        return _day_of(year, croatian or _MONTHS[month.lower()], int(parts["d"] or 0))
    if parts.get("a"):
        a, b = int(parts["a"] or 0), int(parts["b"] or 0)
        if a <= 12 and b <= 12 and a != b:
            return None
        return _day_of(year, min(a, b), max(a, b))
    return _day_of(year, int(parts["m"] or 0), int(parts["d"] or 0))


def _day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


class Sureness(StrEnum):
    """How far a publication date can be relied on."""

    SURE = "sure"
    LIKELY = "likely"
    GUESS = "guess"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DateSure:
    """How sure a date is and where it stood."""

    level: Sureness = Sureness.UNKNOWN
    source: str = ""
    """``structured data``, ``metadata``, ``time element``, ``address``, ``text`` or ``properties``."""
    why: str = ""
    """What makes it less sure than its source would; one sentence, or empty."""


@dataclass(frozen=True, slots=True)
class Dating:
    """The dates of a page; the publication date is never made up, not even from today's."""

    published: date | None = None
    sure: DateSure = DateSure()
    modified: date | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    day: date
    source: str
    level: Sureness


def _saying(entry: str) -> re.Pattern[str]:
    """Words of languages with blanks between them, and of those without."""
    return re.compile(rf"\b(?:{any_of('dates', entry)})\b|{any_of('dates', f'{entry}_without_blanks')}", re.I)


_PUBLISHED_WORD, _MODIFIED_WORD = _saying("published"), _saying("modified")
_BESIDE = re.compile(r"\b(?:comments?|related|sidebar|footer|teaser|recommended)\b", re.I)
_LABEL = 40
_ARTICLES, _PAGES = words("dates", "articles"), words("dates", "pages")
_PUBLISHED, _MODIFIED = words("dates", "published_metas"), words("dates", "modified_metas")
_IN_PATH = re.compile(r"(?<!\d)(\d{4})([/_-]?)(\d{2})\2(\d{2})(?!\d)")
_IN_PATH_NAMED = re.compile(r"/(\d{4})/([a-z]{3})/(\d{1,2})(?=/|$)", re.I)
_TOP_BLOCKS, _TOP_CHARS, _DATE_LINE = 15, 3_000, 90
_METADATA = "metadata"
_NEAR = timedelta(days=2)
_LEVELS = (Sureness.SURE, Sureness.LIKELY, Sureness.GUESS)


def date_page(
    items: Iterable[Item],
    metas: Sequence[tuple[str, str]],
    tree: Node,
    url: str,
    blocks: Sequence[Block],
    today: date,
    title: str = "",
) -> Dating:
    """The dates of a page: its structured data and metadata, then what a reader sees, then its address and text."""
    latest = today + timedelta(days=1)  # where it is tomorrow already
    items = without_others(items)
    own = own_items([item for item in items if types_of(item) & (_ARTICLES | _PAGES)], url, title)
    times = list(_times(tree, latest))
    lines = list(_lines(blocks, latest))
    candidates = [
        *_structured((own, items), "datePublished", latest),
        *(_Candidate(d, _METADATA, Sureness.SURE) for d in _meta(metas, _PUBLISHED, latest)),
        *(_Candidate(d, "time element", Sureness.LIKELY) for d, new in times if not new),
        *(_Candidate(d, "address", Sureness.LIKELY) for d in _in_address(url, latest)),
        *(_Candidate(d, "text", Sureness.GUESS) for d, new in lines if not new),
    ]
    changes = [c.day for c in _structured((own, items), "dateModified", latest)] + _meta(metas, _MODIFIED, latest)
    changes += [d for d, new in (*times, *lines) if new]
    modified = changes[0] if changes else None
    if not candidates:
        return Dating(modified=modified)
    best = candidates[0]
    return Dating(best.day, _weighed(best, candidates[1:], modified), modified)


def _weighed(best: _Candidate, others: Sequence[_Candidate], modified: date | None) -> DateSure:
    """One step surer where another source agrees, one less where one disagrees or the page changed before it was."""
    at = _LEVELS.index(best.level)
    why = ""
    same = [c for c in others if c.source == best.source == _METADATA and abs(c.day - best.day) > _NEAR]
    first = {c.source: c for c in reversed(others) if c.source != best.source}.values()
    other = next((c for c in first if abs(c.day - best.day) > _NEAR and c.level is not Sureness.GUESS), None)
    if same:
        why = f"The metadata also has {same[0].day.isoformat()}."
    elif other:
        why = f"The {other.source} has {other.day.isoformat()}."
    elif modified and modified < best.day - _NEAR:
        why = f"The page says it was changed {modified.isoformat()}."
    agrees = not why and any(c.day == best.day for c in others if c.source != best.source)
    return DateSure(_LEVELS[min(at + 1, 2) if why else max(at - 1, 0) if agrees else at], best.source, why)


def _structured(groups: Iterable[Sequence[Item]], name: str, latest: date) -> list[_Candidate]:
    """Of the page's own items before any, and of articles before pages.

    Several days that differ are those of a list of articles, and none of them dates the page.
    """
    for items, kinds in product(groups, (_ARTICLES, _PAGES)):
        days = [d for i in items if types_of(i) & kinds and (d := day_in(words_of(i.get(name)), latest))]
        if days and len(set(days)) <= 2:
            level = Sureness.SURE if len(set(days)) == 1 else Sureness.LIKELY
            return [_Candidate(days[0], "structured data", level)]
    return []


def _meta(metas: Iterable[tuple[str, str]], names: frozenset[str], latest: date) -> list[date]:
    """The days of metadata; first that which means nothing else, as ``date`` is the last change on many sites."""
    ranked = sorted(metas, key=lambda meta: not meta[0].endswith("article:published_time"))
    return [day for name, content in ranked if name in names and (day := day_in(content, latest))]


def _in_address(url: str, latest: date) -> list[date]:
    path = unquote(urlsplit(url).path)[:500]
    found = [(m[1], m[3], m[4]) for m in _IN_PATH.finditer(path)]
    found += [(m[1], _MONTHS.get(m[2].lower(), 0), m[3]) for m in _IN_PATH_NAMED.finditer(path)]
    days = (_day_of(int(year), int(month), int(day)) for year, month, day in found)
    return [day for day in days if day and _possible(day, latest)]


def _lines(blocks: Sequence[Block], latest: date) -> Iterable[tuple[date, bool]]:
    """Days near the top that stand in a line of their own or behind a word such as "Published"."""
    size = 0
    for block in blocks[:_TOP_BLOCKS]:
        text = block.text[:400]
        size += len(block.text)
        end = 0
        for day, start, stop in days_in(text, latest):
            before = text[max(end, start - 40) : start]
            end = stop
            new = _MODIFIED_WORD.search(before) is not None
            if new or _PUBLISHED_WORD.search(before) or (len(block.text) < _DATE_LINE and block.text[-1] not in ".!?"):
                yield day, new
        if size > _TOP_CHARS:
            return


def _times(tree: Node, latest: date) -> Iterable[tuple[date, bool]]:
    """Days of time elements, and whether each is of a change. Those that name their kind come first."""
    found: list[tuple[int, date, bool]] = []
    for number, node in enumerate(elements(tree, "time", "abbr", "span", "p", "div", "relative-time")):
        if number > 5_000 or len(found) >= 20:
            break
        named = f"{attribute(node, 'itemprop', 60)} {attribute(node, 'class', 200)}".lower()
        says = "datepublished" in named or "published" in named.split() or node.get("pubdate") is not None
        if node.tag != "time" and node.tag != "relative-time" and not (says or "datemodified" in named):
            continue
        written = attribute(node, "datetime", 60) or attribute(node, "content", 60) or attribute(node, "title", 60)
        day = day_in(written, latest) or day_in(text_within(node, 100), latest)
        if day and not _beside(node):
            new = "datemodified" in named or _MODIFIED_WORD.search(_before(node)) is not None
            # "published updated" is what WordPress calls a day after which nothing was changed.
            new = new or (not says and ("modified" in named or "updated" in named))
            found.append((0 if says else 1, day, new))
    ranked = sorted(found, key=lambda f: f[0])
    top = [f for f in ranked if f[0] == ranked[0][0]] if ranked else []
    # Many days that do not say which they are belong to a list, a timeline or a discussion.
    unsaid = bool(top) and top[0][0] == 1 and len({f[1] for f in top if not f[2]}) > 3
    return [(day, new) for _, day, new in ranked if new or not unsaid]


def _before(node: Node) -> str:
    """The words right before an element, in which "Updated" would stand: in its line, or as a label before it."""
    for place in (node, node.getparent()):  # <dt>Updated</dt><dd><time>
        if place is None:
            break
        previous = place.getprevious()
        if previous is not None and not _written(previous.tail) and not text_within(previous, 1):  # an icon
            place, previous = previous, previous.getprevious()
        if previous is not None:
            return _written(previous.tail) or _label(previous)
        parent = place.getparent()
        if parent is not None and (written := _written(parent.text)):
            return written
    return ""


def _label(node: Node) -> str:
    """A few words; a headline, a sentence, and what has a day of its own say nothing of the next day."""
    words = text_within(node, 2 * _LABEL)
    return "" if node.tag == "h1" or len(words) > _LABEL or re.search(r"\d", words) else words


def _written(text: str | None) -> str:
    return (text or "").strip(" \t\n\r\xa0:|·•–—-")[-_LABEL:]


def _beside(node: Node) -> bool:
    def names(above: Node) -> str:
        return f"{attribute(above, 'class', 200)} {attribute(above, 'id', 60)}".replace("-", " ").replace("_", " ")

    around = (node, *node.iterancestors())
    return any(above.tag in ("aside", "footer", "nav") or _BESIDE.search(names(above)) for above in around)
