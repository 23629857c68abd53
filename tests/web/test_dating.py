import json
import time
from datetime import date
from typing import Any

import pytest

from ghost.web import ReadPage, Sureness, read

TODAY = date(2026, 1, 1)
TEXT = (
    "<p>The dam above the village was checked in spring and found to be sound, the water board said in its report.</p>"
    * 3
)


def page(head: str = "", body: str = "", path: str = "/dam") -> ReadPage:
    html = f"<html lang=en><head><title>Dam</title>{head}</head><body><article><h1>Dam</h1>{body}{TEXT}</article>"
    found = read(html.encode(), "text/html", f"https://a.example{path}", today=TODAY)
    assert isinstance(found, ReadPage)
    return found


LD = '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2021-03-14"}</script>'
META = '<meta property="article:published_time" content="2021-03-14T10:00:00Z">'


@pytest.mark.parametrize(
    ("found", "level", "source"),
    [
        (page(LD), Sureness.SURE, "structured data"),
        (page(META), Sureness.SURE, "metadata"),
        (page('<meta name="DC.date.issued" content="2021-03-14">'), Sureness.SURE, "metadata"),
        (page(body='<time datetime="2021-03-14T10:00">Sunday</time>'), Sureness.LIKELY, "time element"),
        (page(body="<time>14 March 2021</time>"), Sureness.SURE, "time element"),
        (page(body='<span class="published" title="2021-03-14">two years ago</span>'), Sureness.LIKELY, "time element"),
        (page(path="/2021/03/14/dam"), Sureness.LIKELY, "address"),
        (page(path="/2021/mar/14/dam"), Sureness.LIKELY, "address"),
        (page(path="/dam-20210314.html"), Sureness.LIKELY, "address"),
        (page(body="<p>Published on March 14, 2021</p>"), Sureness.GUESS, "text"),
        (page(body="<p>14.03.2021</p>"), Sureness.GUESS, "text"),
        (page(body="<p>14.03.2021</p>", path="/2021-03-14/dam"), Sureness.SURE, "address"),
    ],
)
def test_where_a_date_stood_and_how_sure_it_is(found: ReadPage, level: Sureness, source: str) -> None:
    assert found.published_at == date(2021, 3, 14)
    assert (found.date_sure.level, found.date_sure.source) == (level, source)


def test_sources_that_differ_make_a_date_less_sure() -> None:
    found = page(META.replace("2021", "2024") + LD)
    assert found.published_at == date(2021, 3, 14)
    assert found.date_sure.level is Sureness.LIKELY
    assert "2024-03-14" in found.date_sure.why


def test_metadata_that_differ_make_a_date_less_sure_and_the_plainest_counts() -> None:
    found = page('<meta name="date" content="2024-01-01">' + META)
    assert (found.published_at, found.date_sure.level) == (date(2021, 3, 14), Sureness.LIKELY)
    assert "2024-01-01" in found.date_sure.why


def ld(**item: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(item)}</script>'


OTHER = {"@type": "NewsArticle", "url": "https://a.example/other", "datePublished": "2015-01-01"}
OWN = {"@type": "NewsArticle", "datePublished": "2021-03-14"}


@pytest.mark.parametrize(
    "own",
    [
        {"url": "https://a.example/dam"},
        {"@id": "https://www.a.example/dam/#article"},
        {"mainEntityOfPage": "/dam?utm_source=feed"},
        {"mainEntityOfPage": {"@type": "WebPage", "@id": "http://a.example/dam"}},
        {"headline": "Dam"},
    ],
)
def test_the_pages_own_article_dates_it_and_not_another(own: dict[str, Any]) -> None:
    found = page(
        ld(**OTHER) + ld(**OTHER, name="x") + ld(**{**OTHER, "datePublished": "2016-01-01"}) + ld(**OWN, **own)
    )
    assert (found.published_at, found.date_sure.level) == (date(2021, 3, 14), Sureness.SURE)


@pytest.mark.parametrize(
    "item",
    [
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": OTHER}]},
        {"@type": "ClaimReview", "itemReviewed": {"@type": "SocialMediaPosting", "datePublished": "2015-01-01"}},
        {"@type": "ClaimReview", "itemReviewed": {"@type": "Claim", "appearance": [OTHER]}},
        {"@type": "Article", "citation": [OTHER]},
        {"@type": "Article", "isBasedOn": OTHER},
    ],
)
def test_what_is_listed_reviewed_or_cited_does_not_date_the_page(item: dict[str, Any]) -> None:
    assert page(ld(**item)).published_at is None
    assert page(ld(**item) + ld(**OWN)).published_at == date(2021, 3, 14)


def test_a_page_about_others_does_not_take_long_to_date() -> None:
    started = time.process_time()
    page(ld(**{"@type": "ItemList", "itemListElement": [OTHER] * 1_500}))
    assert time.process_time() - started < 3


def test_a_page_changed_before_it_was_published_is_not_sure_of_it() -> None:
    found = page(LD + '<meta property="article:modified_time" content="2019-01-01">')
    assert (found.modified_at, found.date_sure.level) == (date(2019, 1, 1), Sureness.LIKELY)


@pytest.mark.parametrize(
    "line",
    [
        "Last updated: 4 May 2022",
        "更新时间：2022年5月4日",
        "最終更新日：2022年5月4日",
        "최종수정 2022.05.04 10:00",
        "Güncelleme: 04.05.2022",
        "Päivitetty 4.5.2022",
        "Opdateret 4.5.2022",
        "Aktualizováno 4.5.2022",
    ],
)
def test_a_change_is_no_publication(line: str) -> None:
    found = page(body=f"<p>{line}</p>")
    assert (found.published_at, found.modified_at) == (None, date(2022, 5, 4))


def test_a_day_that_was_published_and_updated_at_once_is_that_of_publication() -> None:
    found = page(body='<time class="entry-date published updated" datetime="2021-03-14T10:00">3 years ago</time>')
    assert (found.published_at, found.modified_at, found.date_sure.level) == (date(2021, 3, 14), None, Sureness.LIKELY)


TIME = "<time datetime=2022-05-04>4 May</time>"


@pytest.mark.parametrize(
    "body",
    [
        f"<p>Last updated: {TIME}</p>",
        f"<p>Updated <svg></svg> {TIME}</p>",
        f"<div><span>Last updated:</span> {TIME}</div>",
        f"<div><span>Updated</span>\n{TIME}</div>",
        f"<div><b>Updated</b>: {TIME}</div>",
        f"<p><strong>Updated:</strong> <em>{TIME}</em></p>",
        f"<dl><dt>Last modified</dt><dd>{TIME}</dd></dl>",
    ],
)
def test_a_label_before_a_time_says_that_it_is_of_a_change(body: str) -> None:
    found = page(body=body)
    assert (found.published_at, found.modified_at) == (None, date(2022, 5, 4))


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Updated rules</h1> {TIME}",
        f"<p><span>Updated 3 May 2023</span> | {TIME}</p>",
        f"<p>Updated <time datetime=2023-05-03>May</time> Published {TIME}</p>",
        f"<p>The updated rules for the dam hold since the summer of last year.</p> {TIME}",
    ],
)
def test_other_words_before_a_time_do_not(body: str) -> None:
    assert page(body=body).published_at == date(2022, 5, 4)


@pytest.mark.parametrize(
    "body",
    [
        "<p>The war ended on 8 May 1995, and the dam was built after it by prisoners, as the papers show.</p>",
        "<aside class=related><time datetime=2021-03-14>14 March</time></aside>",
        "<ul>" + "".join(f"<li><time datetime=2020-0{n}-01>x</time> a story</li>" for n in range(1, 9)) + "</ul>",
        '<div class="comment"><time datetime=2021-03-14>14 March</time> I agree.</div>',
    ],
)
def test_a_day_of_something_else_is_not_the_pages(body: str) -> None:
    assert page(body=body).published_at is None


@pytest.mark.parametrize("day", ["2026-01-03", "2099-01-01", "1989-11-09", "0001-01-01"])
def test_a_day_that_cannot_be_is_not_taken(day: str) -> None:
    assert page(META.replace("2021-03-14", day)).published_at is None


def test_many_articles_do_not_date_a_page() -> None:
    many = "".join(LD.replace("2021", str(year)) for year in range(2010, 2020))
    assert page(many).published_at is None
