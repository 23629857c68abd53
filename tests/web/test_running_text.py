"""Sentences stay in one piece, whatever inline elements are in them, and headings stay apart from them."""

import time
from datetime import date

import pytest

from ghost.web import ReadPage, read
from ghost.web.running_text import unite_sentences, write_quotation_marks
from ghost.web.tree import parse

ABOUT = (
    "The harbour board of Brackwater bought a ferry on Monday, and it will sail to the island three times a day from "
    "the first week of June."
)


def lines(html: str, style: str = "") -> list[str]:
    body = f"<article><h1>Ferry</h1><p>{ABOUT}</p>{html}<p>{ABOUT.replace('board', 'office')}</p></article>"
    whole = f"<!doctype html><html lang=en><head><title>Ferry</title>{style}</head><body>{body}</body></html>"
    found = read(whole.encode(), "text/html", "https://gazette.example/ferry", "utf-8", date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    return [line for line in found.text.split("\n") if line and line != "Ferry" and "Brackwater" not in line]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>It opened <time datetime=2020-03-02>2 March</time>, not before.</p>", "It opened 2 March, not before."),
        ("<p>It did <label>not</label> sink.</p>", "It did not sink."),
        ("<p><output>Three</output> of <data value=9>nine</data> sank.</p>", "Three of nine sank."),
        ("<p>The <abbr title='Royal Navy'>RN</abbr> has <mark>no</mark> <dfn>ferry</dfn>.</p>", "The RN has no ferry."),
        ("<p>She <button>never</button> had a <hover-card>ferry</hover-card>.</p>", "She never had a ferry."),
        ("<p>It is <ins>not</ins> <small>so</small> <u>old</u>, <cite>I</cite> say.</p>", "It is not so old, I say."),
        ("<p>A <span class=timestamp>first</span> and <span class=author-name>last</span>.</p>", "A first and last."),
        ("<p>It is <a class='related share' href=/x>not</a> <em class=meta>for sale</em>.</p>", "It is not for sale."),
        ("<p>The <ruby>港<rp>(</rp><rt>minato</rt><rp>)</rp></ruby> is closed.</p>", "The 港 is closed."),
        ("<p>He said <q>never</q> and <q>“always”</q>.</p>", "He said “never” and “always”."),
        ("<p>He said <q>it is <b>not</b></q> so.</p>", "He said “it is not” so."),
        ("<ul><li>It is on <time>2 March</time> at <label>last</label> so.</li></ul>", "It is on 2 March at last so."),
        ("<blockquote><p>It opened on <time>2 March</time>.</p></blockquote>", "It opened on 2 March."),
        ("<table><tr><th>A<th>B<tr><td><time>2 May</time><td>7</table>", "A: 2 May; B: 7"),
    ],
)  # fmt: skip
def test_nothing_is_dropped_or_torn_out(html: str, text: str) -> None:
    assert lines(html) == [text]


@pytest.mark.parametrize(
    "html",
    [
        "<h2>Ferry sank</h2>No ferry sank, he said.",
        "<p><b>Ferry sank</b><br>No ferry sank, he said.</p>",
        "<div><strong>Ferry sank</strong><p>No ferry sank, he said.</p></div>",
        "<p><span style='display:block'>Ferry sank</span>No ferry sank, he said.</p>",
        "<p><b class=head>Ferry sank</b>No ferry sank, he said.</p>",
    ],
)
def test_a_heading_has_a_line_of_its_own(html: str) -> None:
    assert lines(html, "<style>.head{display:block}</style>") == ["Ferry sank", "No ferry sank, he said."]


def test_controls_of_a_page_are_not_read_for_text() -> None:
    assert lines("<div><label>E-mail</label> <button>Subscribe</button></div>") == []


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "a <time>b</time> c" * 6_000,
        "<p>" + "<span>" * 200 + "x" * 1_000_000,
        "<p>" + "<q>" * 200 + "x" * 100_000,
        "<p>" + "<b></b>" * 15_000,
    ],
)
def test_time_grows_with_the_page(html: str) -> None:
    tree = parse(html)
    started = time.process_time()
    write_quotation_marks(tree)
    unite_sentences(tree)
    assert time.process_time() - started < 3
