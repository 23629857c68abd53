"""Text with a line through it is never in the text of a page."""

import time
from datetime import date

import pytest

from ghost.web import ReadPage, read
from ghost.web.struck import without_overlaid

ABOUT = (
    "The harbour board of Brackwater bought a ferry on Monday, and it will sail to the island three times a day from "
    "the first week of June."
)


def line(html: str, style: str = "") -> tuple[str, int]:
    body = f"<article><h1>Ferry</h1><p>{ABOUT}</p>{html}<p>{ABOUT.replace('board', 'office')}</p></article>"
    whole = f"<!doctype html><html lang=en><head><title>Ferry</title>{style}</head><body>{body}</body></html>"
    found = read(whole.encode(), "text/html", "https://gazette.example/ferry", "utf-8", date(2026, 1, 1))
    assert isinstance(found, ReadPage)
    left = [line for line in found.text.split("\n") if line and line != "Ferry" and "Brackwater" not in line]
    return " ".join(left), found.hidden["struck out"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>It carries <s>2,000</s> 200 people.</p>", "It carries 200 people."),
        ("<p>It carries <del>2,000</del><ins>200</ins> people.</p>", "It carries 200 people."),
        ("<p>It carries 200<del>0</del> people.</p>", "It carries 200 people."),
        ("<p>It sank<strike> on Monday</strike>.</p>", "It sank."),
        ("<p>It sank<s> on Monday</s>again.</p>", "It sank again."),
        ("<p>It <span style='text-decoration: underline line-through red'>sank</span> sails.</p>", "It sails."),
        ("<p>It <span style='text-decoration-line:line-through'>sank</span> sails.</p>", "It sails."),
        ("<p>It <span style='-webkit-text-decoration: line-through'>sank <b>twice</b></span> sails.</p>", "It sails."),
        ("<p>It <span class=gone>sank</span> sails.</p>", "It sails."),
        ("<p>It <span class='text-decoration-line-through'>sank</span> sails.</p>", "It sails."),
        ("<div style='text-decoration:line-through'><p>It sank.</p></div><p>It sails.</p>", "It sails."),
        ("<p>It s̶a̶n̶k̶ ̶t̶w̶i̶c̶e̶ sails.</p>", "It sails."),
    ],
)  # fmt: skip
def test_struck_text_goes(html: str, text: str) -> None:
    assert line(html, "<style>.gone{text-decoration:line-through}</style>") == (text, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<p>It <u>sails</u> again.</p>",
        "<p>It <span style='text-decoration: underline'>sails</span> again.</p>",
        "<p>It <s style='text-decoration: none'>sails</s> again.</p>",
        "<p>It <span style='text-decoration: line-through; text-decoration: none'>sails</span> again.</p>",
        "<p>It <ins>sails</ins> again.</p>",
    ],
)
def test_text_without_a_line_through_it_stays(html: str) -> None:
    assert line(html) == ("It sails again.", 0)


def test_a_single_crossed_sign_belongs_to_a_formula() -> None:
    assert without_overlaid("a ∉ B and x ≠ y") == ("a ∉ B and x ≠ y", 0)


def test_overlaid_text_is_read_in_time() -> None:
    started = time.process_time()
    for text in ("a\u0336" * 300_000, "a\u0336 " * 300_000, "\u0336" * 300_000, "a \u0336 " * 300_000):
        without_overlaid(text)
    assert time.process_time() - started < 3
