"""What all pages draw with: outside text in Markdown and in charts, dates and stars, and the progress of opening.

What a browser makes of the texts is checked in tests/browser/test_hostile.py.
"""

import threading
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from ghost.testing import passage
from ghost.ui.analytics import cumulated
from ghost.ui.shared import charts, resources, theme
from ghost.ui.shared.text import capitalized, cited, clean, coloured, highlighted, link, plain, safe_url, shorten
from tests.ui.hostile import TEXTS

GAP = ":small[]"
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


def rendered(markdown: str) -> str:
    """What a reader sees of our Markdown, by a parser that is not Streamlit's; the gap is Streamlit's own."""
    tokens = MARKDOWN.parse(markdown.replace(GAP, ""))
    assert [t.type for t in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"]), markdown
    children = [child for t in tokens if t.type == "inline" for child in t.children or []]
    assert all(child.type in ("text", "text_special") for child in children), markdown
    return "".join(child.content for child in children)


def test_every_text_is_shown_as_it_is_and_nothing_is_left_for_streamlit_to_rewrite() -> None:
    assert len(TEXTS) >= 45
    for text in TEXTS:
        assert rendered(plain(text)) == clean(text)
        for piece in plain(text).split(GAP):
            bare = piece.replace("\\", "")
            assert "://" not in bare
            assert "www." not in bare.lower()
            assert not any(mark in ":@" and after and not after.isspace()
                           for mark, after in zip(bare, [*bare[1:], ""], strict=True))  # fmt: skip
            assert not any(pair in bare for pair in ("->", "<-", "--", ">=", "<=", "~="))
    for mark in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~":
        assert plain(f"a {mark} b") == f"a \\{mark} b"


def test_only_what_deceives_is_dropped() -> None:
    for text, seen in (
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("nul\x00bell\x07esc\x1b[31m", "nulbellesc[31m"),
        ("two\n\n  lines\ttab\u2028sep", "two lines tab sep"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\ud800 lone", "lone"),
        ("", ""),
    ):
        assert clean(text) == seen


def test_shorten_cuts_at_a_word_and_only_the_first_letter_becomes_a_capital() -> None:
    assert shorten("one two three", 20) == "one two three"
    assert shorten("one two three", 9) == "one two…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"
    assert capitalized("reads like an order to an AI") == "Reads like an order to an AI"
    assert capitalized("") == ""


def test_only_plain_web_addresses_become_links_and_they_lose_their_markup() -> None:
    for url in (
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
        "data:text/html,<script>", "file:///etc/passwd", "//evil.example/x", "/knowledge", "https://",
        "https://nasa.gov@evil.example/", "https://user:pass@evil.example/", "http://[::1",
        "https://evil.example:notaport/", "https://exa mple.org/", "https://<b>.example/", "ftp://example.org", "",
    ):  # fmt: skip
        assert safe_url(url) == ""
        assert "](" not in link("label", url)
    for url, address in (
        ("https://www.nasa.gov/a/b_c.html", "https://www.nasa.gov/a/b_c.html"),
        ("HTTP://Example.ORG:8080/x?a=1&b=2#f", "http://example.org:8080/x?a=1&amp;b=2#f"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://e.example/a(b)[c]<d>\\e", "https://e.example/a%28b%29%5Bc%5D%3Cd%3E%5Ce"),
        ("https://e.example/$x$/:material/home:", "https://e.example/%24x%24/%3Amaterial/home%3A"),
        ("https://e.example/?q=&copy;", "https://e.example/?q=&amp;copy;"),
    ):
        assert safe_url(url) == address
    for text in TEXTS:
        inline = MARKDOWN.parseInline(link(text, "https://example.org/a").replace(GAP, ""))[0].children or []
        assert [t.attrs.get("href") for t in inline if t.type == "link_open"] == ["https://example.org/a"]
        assert all(t.type in ("link_open", "link_close", "text", "text_special") for t in inline)


def test_marks_lead_to_their_cards_and_quotes_are_marked_where_they_stand() -> None:
    assert cited("[1] NASA says so [2].", frozenset({1, 2})) == (
        "[\\[1\\]](#evidence-1) NASA says so [\\[2\\]](#evidence-2)\\."
    )
    assert cited("[9] [x](y) [0]", frozenset({1})) == "\\[9\\] \\[x\\]\\(y\\) \\[0\\]"
    assert "(#" not in cited("[1](https://evil.example)", frozenset())
    for text, quotes, marked in (
        ("One two. Three four.", ("Three four.",), "One two\\. :yellow-background[Three four\\.]"),
        ("It’s  “so”", ('It\'s "so"',), ":yellow-background[It’s “so”]"),
        ("One two.", ("nothing like it",), "One two\\."),
        ("abc def ghi", ("abc def", "def ghi"), ":yellow-background[abc def ghi]"),
    ):
        assert highlighted(text, quotes) == marked


def test_a_colour_never_holds_more_than_markdown_can_take() -> None:
    for text in ("a ] b [ c", "word " * 400, "x" * 3000, "::::" * 300, "[" * 500):
        pieces = coloured("gray", text).split(":gray[")[1:]
        assert pieces
        assert all(len(piece) <= 999 for piece in pieces)
        assert rendered("".join(p.rstrip(" ")[:-1] + " " * p.endswith(" ") for p in pieces)) == clean(text)


def test_no_label_of_a_chart_is_read_as_markup() -> None:
    for text in ("<img src=x>", "<a href='javascript:x'>y</a>", "a&lt;b", "%{customdata}", "$x$"):
        shown = charts.escaped(text)
        assert not [mark for mark in ("<", "%{", "$") if mark in shown]
        assert "&lt;" not in shown.replace("&amp;lt;", "") or text.startswith("<")
    lines = charts.wrapped("x" * 150 + " <b> end", 60).split("<br>")
    assert [len(line) for line in lines[:2]] == [60, 60]
    assert "&lt;b&gt; end" in lines[-1]


def test_a_click_leads_to_its_bar_and_a_share_is_never_drawn_tiny() -> None:
    find = charts.nth([{"domain": "nasa.gov"}, None])
    assert find({"point_index": 0}) == {"domain": "nasa.gov"}
    for point in ({"point_number": 1}, {"point_index": 7}, {"point_index": "0"}, {}):
        assert find(point) is None
    parts = [charts.Part("Supports", [0.1], "#000"), charts.Part("Other", [0.9], "#fff")]
    drawn = charts.stacked_rows(["All"], parts, "Stances", "share")
    assert drawn["layout"]["uniformtext"]["mode"] == "hide"
    assert drawn["layout"]["uniformtext"]["minsize"] >= 10


def test_a_source_that_is_not_rated_has_no_stars_and_when_a_fact_holds_is_told() -> None:
    assert "★" in theme.stars(0.5)
    assert theme.stars(0.5, False) == ":gray[unrated, counts as 0.50]"
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "Published unknown"),
        ({"published_at": date(2025, 11, 21)}, "Published 21 Nov 2025"),
        ({"as_of": "2024"}, "As of 2024"),
        ({"as_of": "2024-05"}, "As of May 2024"),
        ({"as_of": "2024-05-31", "published_at": date(2025, 1, 2)}, "As of 31 May 2024, published 2 Jan 2025"),
    )
    for fields, words in cases:
        assert theme.dated(replace(passage("The tower is tall."), **fields)) == words


class Place:
    """A place on the page that remembers what was drawn there."""

    def __init__(self) -> None:
        self.drawn: list[tuple[float, str]] = []
        self.emptied = 0

    def progress(self, value: float, text: str) -> None:
        self.drawn.append((value, text))

    def empty(self) -> None:
        self.emptied += 1


def test_progress_is_drawn_while_it_opens_and_again_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    place, opening = Place(), resources.Opening()
    monkeypatch.setattr(resources, "POLL_SECONDS", 0.005)
    monkeypatch.setattr(resources, "st", SimpleNamespace(empty=lambda: place))
    with pytest.raises(OSError, match="disk"), opening.shown():
        raise OSError("the disk is full")
    with opening.shown():
        for done in (128, 512):
            opening.progress("Adding passages", done, 512)
            for _ in range(1_000):
                if place.drawn and place.drawn[-1][0] == done / 512:
                    break
                threading.Event().wait(0.005)
    assert place.drawn == [(0.25, "Adding passages: 128 of 512"), (1.0, "Adding passages: 512 of 512")]
    assert place.emptied == 2
    with opening.shown():
        pass
    assert place.emptied == 2, "nothing is drawn once it is open"


def test_growth_adds_up_by_day_and_by_month() -> None:
    step, days, series = cumulated(((date(2026, 1, 30), "seed", 2), (date(2026, 2, 1), "web", 3)))
    assert step == "by day"
    assert days == [date(2026, 1, 30), date(2026, 1, 31), date(2026, 2, 1)]
    assert series == {"seed": [2, 2, 2], "web": [0, 0, 3]}
    step, days, series = cumulated(((date(2025, 11, 30), "seed", 2), (date(2026, 11, 1), "seed", 3)))
    assert step == "by month"
    assert (days[0], days[-1], len(days)) == (date(2025, 11, 1), date(2026, 11, 1), 13)
    assert (series["seed"][0], series["seed"][-2], series["seed"][-1]) == (2, 2, 5)
    assert cumulated(()) == ("by day", [], {})


def test_shares_never_round_to_nothing_or_to_all() -> None:
    assert [theme.share(part, whole) for part, whole in ((0, 10), (1, 1000), (999, 1000), (10, 10))] == [
        "none",
        "under 1%",
        "99%",
        "100%",
    ]
