"""Open a page that was fetched: may it count, what may a judge see of it, and what does the judge quote?"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.judges import Judge, SourceReading
from ghost.knowledge import suspicious_address
from ghost.steps.investigate.fetch import FetchResult
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.page_text import PageText
from ghost.steps.rerank.exclusions import SATIRE
from ghost.types import NewPassage, Passage, StanceLabel, Statement
from ghost.web import NoticeKind, ReadPage, Sureness

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page with its text for judges; ``refused`` says why it may not count, and then there is no text."""

    page: ReadPage
    title: str
    day: date | None
    as_late_as: date | None = None
    """The latest day that its text may be from, where that is after ``day``."""
    refused: str = ""
    text: PageText | None = None
    reading: SourceReading | None = None
    """What a language model quotes of it, where one was asked and answered."""


def open_page(
    result: FetchResult,
    hit: Passage | None,
    statements: Sequence[Statement],
    hit_filter: HitFilter,
    judge: Judge | None,
    budget: Budget,
) -> OpenedPage:
    """Check a page's final address and date, screen its text, and let the judge read that.

    ``hit`` is the snippet of the search engine. A trusted address that redirects to another site is not trusted. May
    run in any thread.
    """
    page = result.page
    assert page
    day, title = _day(page, hit), page.title or (hit.title if hit else "")
    why = hit_filter.refusal(page.url, day)
    if order := "" if why else suspicious_address(page.url):
        why = f"its address looks like an instruction: {order}"
    if why:
        return OpenedPage(page, title, day, refused=("" if page.url == result.url else f"it led to {page.url}: ") + why)
    at = result.fetched.retrieved_at if result.fetched else None
    late = _as_late_as(page, day, hit, at)
    try:
        text = PageText(page, title, day, at, hit_filter.sources, late, hit_filter.find_own_text)
    except GhostError:
        raise
    except Exception as error:  # a page that breaks the screening is lost, but never ends the run
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
    """The publication date: the page's own, or the search engine's where the page has none or it is a guess."""
    if page.published_at and page.date_sure.level is not Sureness.GUESS:
        return page.published_at
    return (hit.published_at if hit else None) or page.published_at


def _as_late_as(page: ReadPage, day: date | None, hit: Passage | None, at: datetime | None) -> date | None:
    """The latest day that the text may be from: the last change, or the day of the visit where ``day`` is a guess."""
    if day is None:
        return None
    guessed = page.date_sure.level is Sureness.GUESS and not (hit and hit.published_at)
    days = [(at or datetime.now(UTC)).date()] if guessed else []
    days += [page.modified_at] if page.modified_at else []
    return max((d for d in days if d > day), default=None)


@dataclass(frozen=True, slots=True)
class CheckedQuotes:
    """The quotes of a language model that are really in the page."""

    rows: tuple[tuple[int, Passage, NewPassage], ...]
    """Statement, the passage around the quote, and the same passage for the knowledge base."""
    stand: bool
    """Whether to use them: at least one is in the page, or there are none. Else the stance model reads the page."""
    row: dict[str, Any]


def check_quotes(reading: SourceReading, text: PageText) -> CheckedQuotes:
    """Find each quote in the page; quotes that are not there are dropped and counted."""
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
