"""A page that was opened: which day it gets, and how late its text may be."""

from datetime import UTC, date, datetime

import pytest

from ghost.budget import Budget, Limits
from ghost.knowledge import CredibilityBook
from ghost.steps import SearchRules
from ghost.steps.investigate.fetch import FetchResult, SourceState
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.open_page import OpenedPage, open_page
from ghost.testing import passage
from ghost.types import Passage, Statement
from ghost.web import Fetched, ReadPage, Stage, read

URL = "https://northport.example/bridge"
BOOK = CredibilityBook({}, ())
VISIT = datetime(2026, 1, 1, 9, tzinfo=UTC)
SURE = '<meta property="article:published_time" content="2019-05-01">'
CHANGED = '<meta property="article:modified_time" content="{}">'
GUESS = "<p>Published 1 May 2019</p>"


def opened(head: str = "", body: str = "", hit: Passage | None = None, as_of: date | None = None) -> OpenedPage:
    text = "<p>The bridge of Northport was opened to traffic again after it had been closed for nine weeks.</p>" * 2
    html = f"<html><head><title>Bridge</title>{head}</head><body><article>{body}{text}</article></body></html>"
    page = read(html.encode(), "text/html", URL, "utf-8", VISIT.date(), 5)
    assert isinstance(page, ReadPage)
    came = FetchResult(
        URL, SourceState.READ, page=page, fetched=Fetched(URL, URL, 200, "text/html", "", b"", 1, 0.1, VISIT)
    )
    hit_filter = HitFilter(Stage.BROAD, SearchRules(), BOOK, as_of)
    return open_page(came, page, hit, (Statement(1, "The bridge is open."),), hit_filter, BOOK, None, Budget(Limits()))


@pytest.mark.parametrize(
    ("head", "body", "late"),
    [
        (SURE, "", None),
        (SURE + CHANGED.format("2019-05-01"), "", None),
        (SURE + CHANGED.format("2024-05-01"), "", date(2024, 5, 1)),
        ("", GUESS, VISIT.date()),
        (CHANGED.format("2024-05-01"), GUESS, VISIT.date()),
        ("", "", None),  # without any day it is undated anyway
    ],
)
def test_the_text_may_be_as_late_as_its_last_change_or_the_visit(head: str, body: str, late: date | None) -> None:
    found = opened(head, body, as_of=date(2020, 1, 1))
    assert found.refused == ""
    assert found.as_late_as == late
    assert found.text is not None
    assert found.text.passages
    assert {(p.as_late_as, new.as_late_as) for p, new in found.text.passages} == {(late, late)}


def test_the_day_of_a_search_engine_stands_in_for_a_guess() -> None:
    hit = passage("The bridge is open.", "w", published_at=date(2019, 5, 3))
    found = opened("", GUESS, hit)
    assert (found.day, found.as_late_as) == (date(2019, 5, 3), None)
