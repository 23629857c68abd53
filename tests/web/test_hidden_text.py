"""Text that no reader sees goes, text that a reader sees stays, and no page takes long.

``data/hidden_text.jsonl`` has pages with the word "kept": it ``is`` *seen* by a reader, *hidden*, or hidden so that it
takes a browser to know (*leaks*). Those are listed to show how much is caught: about three in ten of them all.
"""

import json
from pathlib import Path

from lxml import html as lxml_html

from ghost.web import ReadPage, clean, read
from tests.web.ordinary import PAGES

ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "hidden_text.jsonl").read_text().splitlines()]
BLOCKS = "p h1 h2 div li td th tr header footer summary details a center marquee pre ul".split()


def words(html: str) -> str:
    """The text of a cleaned page as one line; blocks stand apart."""
    root = lxml_html.document_fromstring(clean(html).html)
    for element in root.body.iter(*BLOCKS):
        element.tail = f" {element.tail or ''}" if element.tag != "a" or not element.tail else element.tail
        if element.tag != "a":
            element.text = f" {element.text or ''}"
    return " ".join(root.body.text_content().split())


def test_an_ordinary_page_keeps_its_visible_words() -> None:
    assert len(PAGES) >= 16
    assert not [(name, words(html)) for name, (html, seen) in PAGES.items() if words(html) != seen]


def test_no_style_takes_visible_text_away() -> None:
    assert not [row for row in ROWS if row["is"] == "seen" and "kept" not in clean(row["page"]).html]


def test_plain_ways_to_hide_text_are_known() -> None:
    hidden = [row for row in ROWS if row["is"] == "hidden"]
    assert len(hidden) >= 70
    assert not [row for row in hidden if "kept" in clean(row["page"]).html]


def test_what_was_removed_is_counted_by_kind() -> None:
    found = clean(
        "<body><script>b</script><p hidden>c</p><p style='display:none'>d</p><p style='opacity:0'>e</p>"
        "<p style='font-size:0'>f</p><p style='color:#fff'>g</p><p style='position:absolute;left:-9999px'>h</p>"
        "<img alt='two words'><p class=sr-only>i</p><p>j\u200b\u202e\U000e0041k</p><p style='display:none'></p>"
    )
    assert found.removed == {
        "script": 1, "hidden attribute": 1, "display: none": 1, "invisible style": 1, "no size": 1, "same colour": 1,
        "off screen": 1, "attribute text": 1, "screen readers only": 1, "zero-width": 1, "bidi control": 1,
        "tag character": 1,
    }  # fmt: skip
    assert "jk" in found.html


def test_nothing_that_runs_is_left() -> None:
    found = clean(
        "<body onload=a()><p onclick='b()' style='color:red'>x</p><svg onload=c()><script>d()</script></svg>"
        "<iframe srcdoc='<script>e()</script>'></iframe><object data=f></object>"
        "<p title='\"><script>g()</script>'>y</p>"
        "<p>&lt;script&gt;h()&lt;/script&gt;</p>"
    ).html
    assert "<script" not in found.replace("&lt;script", "")
    assert "onload" not in found
    assert "onclick" not in found
    assert "&lt;script&gt;h()" in found


def test_deep_pages_come_out_flat_enough() -> None:
    found = read(
        ("<div>" * 1_000 + "deep" + "</div>" * 1_000 + "<p>after</p>").encode(), "text/html", "https://a.example/"
    )
    assert isinstance(found, ReadPage)
    assert "deep" in found.text
    assert "after" in found.text
