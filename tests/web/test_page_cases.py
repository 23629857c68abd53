"""Fragments of pages, each with what must come of it: ``data/page_cases.jsonl``, one row for a case.

``{article}`` and ``{after}`` stand for paragraphs of an ordinary article. A row expects some of: what the text ``has``
and ``lacks``, its ``lines`` besides those of the article, dates, notices, fact-checks, the syndication, what was
``hidden`` by kind, and whether the page is ``unreadable``.
"""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ghost.web import DISOWNING, ReadPage, Unreadable, of_title, read

ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "page_cases.jsonl").read_text().splitlines()]
CASES = [row for row in ROWS if row["kind"] != "titles"]
TITLES = [row for row in ROWS if row["kind"] == "titles"]
TODAY = date(2026, 1, 1)
ARTICLE = (
    "<h1>New ferry for Brackwater</h1><p>The harbour board of Brackwater bought a ferry on Monday, and it will sail to "
    "the island three times a day from the first week of June.</p><p>The new one takes 200 people and 30 cars, and a "
    "crossing lasts twenty minutes in calm weather, the harbour board said.</p>"
)
AFTER = "<p>The old one lies in its dock, as one can see from the promenade, and it will be sold in the autumn.</p>"
OWN_LINES = ("New ferry for Brackwater", "The harbour board of Brackwater", "The new one takes", "The old one lies")


def page(row: dict[str, Any]) -> ReadPage | Unreadable:
    if "page" in row:
        return read(row["page"].encode(), "text/html", "https://gazette.example/ferry", "utf-8", TODAY)
    head = row.get("head", "")
    title = "" if "<title>" in head else "<title>New ferry for Brackwater</title>"
    body = row["body"].replace("{article}", ARTICLE).replace("{after}", AFTER)
    html = f"<!doctype html><html lang=en><head>{title}{head}</head><body>{body}</body></html>"
    return read(html.encode(), "text/html", row.get("url", "https://gazette.example/ferry"), "utf-8", TODAY)


def _lines(found: ReadPage) -> list[str]:
    return [line for line in found.text.split("\n") if line and not line.startswith(OWN_LINES)]


SEEN: dict[str, Callable[[ReadPage], Any]] = {
    "lines": _lines,
    "published": lambda found: found.published_at.isoformat() if found.published_at else None,
    "modified": lambda found: found.modified_at.isoformat() if found.modified_at else None,
    "sure": lambda found: [found.date_sure.level.value, found.date_sure.source],
    "notices": lambda found: [[notice.kind.value, notice.text] for notice in found.notices],
    "disowning": lambda found: sorted({n.kind.value for n in found.notices if n.kind in DISOWNING}),
    "reviews": lambda found: [[review.claim, review.rating] for review in found.claim_reviews],
    "notes": lambda found: list(found.notes),
    "syndication": lambda found: [found.syndication.source, found.syndication.how] if found.syndication else None,
}


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in CASES}))
def test_what_comes_of_a_page(kind: str) -> None:
    wrong = [said for row in CASES if row["kind"] == kind for said in _wrong(row)]
    assert not wrong, "\n".join(wrong)


def _wrong(row: dict[str, Any]) -> list[str]:
    found = page(row)
    expect = dict(row["expect"])
    unreadable = expect.pop("unreadable", False)
    if unreadable is not isinstance(found, Unreadable):
        return [f"{row}: {found}"]
    if isinstance(found, Unreadable):
        return []
    wrong = [f"{words!r} is missing" for words in expect.pop("has", ()) if words not in found.text]
    wrong += [f"{words!r} is there" for words in expect.pop("lacks", ()) if words in found.text]
    wrong += [f"{found.date_sure}" for words in (expect.pop("why", ""),) if words not in found.date_sure.why]
    wrong += [f"{found.hidden}" for kind, count in expect.pop("hidden", {}).items() if found.hidden[kind] != count]
    wrong += [f"{name}: {SEEN[name](found)}" for name, value in expect.items() if SEEN[name](found) != value]
    return [f"{row}: {said}" for said in wrong]


def test_what_a_title_says_of_its_page() -> None:
    assert not [row for row in TITLES if of_title(row["title"]) != row["expect"]]
