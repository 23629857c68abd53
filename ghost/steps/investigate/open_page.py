"""A page opened: may it count, what of it may be shown, and how does the judge read and quote that?"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.judges import Judge, SourceReading
from ghost.knowledge import suspicious_address
from ghost.steps.investigate.fetch_pages import FetchResult
from ghost.steps.investigate.hits import HitFilter, SourceRatings
from ghost.steps.investigate.page_text import PageText
from ghost.steps.rerank.exclusions import SATIRE
from ghost.types import NewPassage, Passage, StanceLabel, Statement
from ghost.web import NoticeKind, ReadPage, Sureness

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page whose text is laid out for judges; ``refused`` says why it may not count, and then nothing is shown."""

    page: ReadPage
    title: str
    day: date | None
    as_late_as: date | None = None
    """The latest day that its text may be from, where ``day`` does not tell."""
    refused: str = ""
    text: PageText | None = None
    reading: SourceReading | None = None
    """How a language model reads it, where one was asked and had an answer."""


def open_page(
    result: FetchResult,
    page: ReadPage,
    hit: Passage | None,
    statements: Sequence[Statement],
    hit_filter: HitFilter,
    sources: SourceRatings,
    judge: Judge | None,
    budget: Budget,
) -> OpenedPage:
    """Check where a page led and its own date, lay out what may be shown of it, and let the judge read that.

    ``hit`` is what a search engine showed of it. A trusted address that redirects to another site is not trusted.
    Works in any thread, beside the next page that is on its way.
    """
    day, title = _day(page, hit), page.title or (hit.title if hit else "")
    if why := hit_filter.refusal(page.url, day) or _disguised(page.url):
        return OpenedPage(page, title, day, refused=("" if page.url == result.url else f"it led to {page.url}: ") + why)
    at = result.fetched.retrieved_at if result.fetched else None
    late = _as_late_as(page, day, hit, at)
    try:
        text = PageText(page, title, day, at, sources, late, hit_filter.find_own_text)
    except GhostError:
        raise
    except Exception as error:  # a page that trips the screening is a page less, never the end of a run
        _log.warning("A page could not be screened: %s", type(error).__name__)
        return OpenedPage(page, title, day, late, f"its text could not be screened ({type(error).__name__})")
    if text.ours:
        return OpenedPage(page, title, day, late, text.ours)
    if any(notice.kind is NoticeKind.SATIRE for notice in text.disowned):
        return OpenedPage(page, title, day, late, SATIRE)
    chunks = text.chunks(statements) if judge else []
    reading = judge.read_source(statements, title, chunks, budget) if judge and chunks else None
    return OpenedPage(page, title, day, late, text=text, reading=reading)


def _day(page: ReadPage, hit: Passage | None) -> date | None:
    """The publication date: the page's own, and the search engine's where the page has none or it is guessed."""
    if page.published_at and page.date_sure.level is not Sureness.GUESS:
        return page.published_at
    return (hit.published_at if hit else None) or page.published_at


def _as_late_as(page: ReadPage, day: date | None, hit: Passage | None, at: datetime | None) -> date | None:
    """The latest day that the text may be from: the last change, or that of the visit where the day is a guess."""
    if day is None:
        return None
    guessed = page.date_sure.level is Sureness.GUESS and not (hit and hit.published_at)
    days = [(at or datetime.now(UTC)).date()] if guessed else []
    days += [page.modified_at] if page.modified_at else []
    return max((d for d in days if d > day), default=None)


def _disguised(url: str) -> str:
    order = suspicious_address(url)
    return f"its address looks like an instruction: {order}" if order else ""


@dataclass(frozen=True, slots=True)
class CheckedQuotes:
    """The quotes of a reading that stand in the page."""

    rows: tuple[tuple[int, Passage, NewPassage], ...]
    """Statement, passage with the quote in it, and the same as it may be admitted."""
    stand: bool
    """Whether to go by it: it found nothing, or something that is there. Else the stance model reads the page."""
    row: dict[str, Any]


def check_quotes(reading: SourceReading, text: PageText) -> CheckedQuotes:
    """Each quote with the sentences it stands in, and what the quotes come to for each statement."""
    rows: dict[tuple[int, str], tuple[int, Passage, NewPassage]] = {}
    sides: dict[int, set[str]] = {}
    missing = 0
    for quote in reading.quotes:
        if (made := text.quoted(quote.text)) is None:
            missing += 1
            continue
        rows.setdefault((quote.statement, made[0].id), (quote.statement, *made))
        if quote.stance in (StanceLabel.SUPPORTS, StanceLabel.REFUTES):
            sides.setdefault(quote.statement, set()).add(quote.stance.lower())
    said = {n: next(iter(s)) if len(s) == 1 else "both" for n, s in sides.items()}
    stand = bool(rows) or not missing
    return CheckedQuotes(
        tuple(rows.values()),
        stand,
        {
            "by": reading.judge,
            "chunks": reading.chunks,
            "quotes": len(reading.quotes),
            "not_in_page": missing,
            "verdict": {str(number): side for number, side in said.items()},
            **({} if stand else {"replaced": "none of its quotes stands in the page, so the stance model read it"}),
        },
    )
