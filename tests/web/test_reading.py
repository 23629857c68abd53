"""Pages and fragments of pages, each with what must come of it: ``data/page_cases.jsonl``, one row for a case.

``{article}`` and ``{after}`` stand for paragraphs of an ordinary article. A row expects some of: what the text ``has``
and ``lacks``, its ``lines`` besides those of the article, dates, notices, fact-checks, the syndication, what was
``hidden`` by kind, and whether the page is ``unreadable``.
"""

import json
import time
from collections.abc import Callable
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from ghost.web import DISOWNING, PagePassage, ReadPage, Unreadable, of_title, read

ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "page_cases.jsonl").read_text().splitlines()]
CASES = [row for row in ROWS if row["kind"] != "titles"]
TITLES = [row for row in ROWS if row["kind"] == "titles"]
PAGES = Path(__file__).with_name("read_pages")
TODAY = date(2026, 1, 1)
URL = "https://www.ostwick-courier.example/news/x"
ARTICLE = (
    "<h1>New ferry for Brackwater</h1><p>The harbour board of Brackwater bought a ferry on Monday, and it will sail to "
    "the island three times a day from the first week of June.</p><p>The new one takes 200 people and 30 cars, and a "
    "crossing lasts twenty minutes in calm weather, the harbour board said.</p>"
)
AFTER = "<p>The old one lies in its dock, as one can see from the promenade, and it will be sold in the autumn.</p>"
OWN_LINES = ("New ferry for Brackwater", "The harbour board of Brackwater", "The new one takes", "The old one lies")


def page(row: dict[str, Any]) -> ReadPage | Unreadable:
    if "file" in row:
        return read((PAGES / f"{row['file']}.html").read_bytes(), "text/html", row["url"], today=TODAY)
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
    "details": lambda found: [
        [r.reviewer, r.claimant, r.value, str(r.reviewed_at or ""), r.url] for r in found.claim_reviews
    ],
    "notes": lambda found: list(found.notes),
    **{name: attrgetter(name) for name in ("title", "site", "author", "language", "canonical", "extraction")},
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
    if isinstance(found, Unreadable):
        return [] if unreadable in (True, found.kind) and found.why.endswith(".") else [f"{row}: {found}"]
    if unreadable:
        return [f"{row}: {found}"]
    wrong = [f"{words!r} is missing" for words in expect.pop("has", ()) if words not in found.text]
    wrong += [f"{words!r} is there" for words in expect.pop("lacks", ()) if words in found.text]
    wrong += [f"{found.date_sure}" for words in (expect.pop("why", ""),) if words not in found.date_sure.why]
    wrong += [f"{found.hidden}" for kind, count in expect.pop("hidden", {}).items() if found.hidden[kind] != count]
    wrong += [f"{name}: {SEEN[name](found)}" for name, value in expect.items() if SEEN[name](found) != value]
    return [f"{row}: {said}" for said in wrong]


def test_what_a_title_says_of_its_page() -> None:
    assert not [row for row in TITLES if of_title(row["title"]) != row["expect"]]


def html(body: str, url: str = URL) -> ReadPage:
    found = read(body.encode(), "text/html; charset=utf-8", url, today=TODAY)
    assert isinstance(found, ReadPage), found
    return found


def passages(name: str) -> list[PagePassage]:
    found = page({"file": name, "url": URL})
    assert isinstance(found, ReadPage)
    return list(found.passages)


def test_passages_stand_where_they_say_and_have_their_neighbours() -> None:
    pages = [page({"file": file.stem, "url": URL}) for file in PAGES.glob("*.html")]
    readable = [found for found in pages if isinstance(found, ReadPage)]
    assert len(readable) > 20
    for found in readable:
        assert found.passages
        for number, passage in enumerate(found.passages):
            assert passage.number == number
            assert passage.text == found.text[passage.start : passage.end]
            assert passage.text in found.around(number)
            assert 0 < len(passage.text) <= 700
            if number:
                assert found.passages[number - 1].end <= passage.start
                assert found.passages[number - 1].text in found.around(number)


def test_passages_are_cut_at_sentences_below_their_heading() -> None:
    news = passages("news")
    assert next(p for p in news if "speed limit" in p.text).heading == "What changes for drivers"
    marsh = next(p for p in news if "Lena Marsh" in p.text)
    assert marsh.text.startswith("Dr. Lena")
    assert marsh.text.endswith("until July.")
    assert "次の橋は来年に完成する予定だ。" in [p.text for p in passages("cjk")]
    breaks = [p.text for p in passages("br_only")]
    assert any(t.endswith("There was little wind and the sea was calm all night long.") for t in breaks)
    assert any(t.startswith("In the morning the oil") for t in breaks)


def test_only_the_address_tells_of_another_site() -> None:
    body = (PAGES / "wire.html").read_text().replace("(Reuters) - ", "")
    found = html(body).syndication
    assert found
    assert (found.source, found.how) == ("www.agency.example", "canonical address")


def test_an_article_is_read_fast() -> None:
    text = "".join(
        f"<p>On day {n} the mayor said that the bridge would hold for {n} more years.</p>" for n in range(70)
    )
    body = (
        f"<html lang=en><head><title>T</title></head><body><article><h1>T</h1>{text}</article></body></html>".encode()
    )
    assert len(body) > 5_000
    read(body, "text/html", URL)
    started = time.process_time()
    for _ in range(5):
        read(body, "text/html", URL)
    assert (time.process_time() - started) / 5 < 0.05


def test_what_was_left_out_is_said() -> None:
    found = html("<body><p>" + "The sea is wide and the boat is small. " * (50_000))
    assert "The page is very long; only its beginning was read." in found.notes
    assert any(note.startswith("Only the first 200,000 characters") for note in found.notes)
    assert len(found.text) <= 200_000


def test_plain_text_is_joined_from_its_lines() -> None:
    body = (
        b"Report of the keeper\n\nThe lamp was lit at six. There was\nlittle wind.\n\n- Oil: 40 litres\n- Ships: two\n"
    )
    found = read(body, "text/plain", "https://a.example/2020/01/02/report.txt", today=TODAY)
    assert isinstance(found, ReadPage)
    assert found.title == "Report of the keeper"
    assert "There was little wind." in found.text
    assert "Oil: 40 litres\nShips: two" in found.text
    assert found.published_at == date(2020, 1, 2)


def test_nothing_that_a_page_names_is_fetched(network_attempts: list[str]) -> None:
    html(
        '<html><head><base href="http://far.example/"><link rel=stylesheet href="http://far.example/a.css">'
        '<link rel=canonical href="http://far.example/x"></head><body><img src="http://far.example/i.png">'
        '<iframe src="http://far.example/f"></iframe><p>The text of this page is short, but it is there.</p>'
    )
    assert network_attempts == []


PLAIN_TEXTS = {
    "1. First thing\n2. Second\nthing": "First thing|Second thing",
    "Shopping list\n- oil\n- bread": "Shopping list|oil|bread",
    "- oil\n- bread\n\n- ships": "oil|bread|ships",
    "(9) Nine\n(10) Ten.\n(a) Letters": "Nine|Ten. (a) Letters",
    "It is old.\n• It is high": "It is old.|It is high",
    "The town has a population of about\n600. It was founded in 1820 and has a\nchurch.": (
        "The town has a population of about 600. It was founded in 1820 and has a church."
    ),
    "The temperature fell during the night to\n- 5 degrees, which is rare.": (
        "The temperature fell during the night to - 5 degrees, which is rare."
    ),
    "1. The town has about\n600 people on an area of\n12. It is old.\n2. The village has few": (
        "The town has about 600 people on an area of 12. It is old.|The village has few"
    ),
}


@pytest.mark.parametrize("text", PLAIN_TEXTS)
def test_hard_wrapped_lines_are_joined_and_marks_make_a_list(text: str) -> None:
    found = read(text.encode(), "text/plain", URL, today=TODAY)
    assert isinstance(found, ReadPage)
    assert [line for line in found.text.split("\n") if line] == PLAIN_TEXTS[text].split("|")
