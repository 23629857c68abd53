"""Hostile text in a real browser: every character is there, and nothing but the text, in every view that shows it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ghost.ui.shared import text as drawn
from tests.browser.conftest import START_SECONDS, Served
from tests.browser.places import FILLED, go, settle
from tests.ui.hostile import TEXTS
from tests.ui.samples import HOSTILE

pytestmark = pytest.mark.browser
LIVE = "img, script, iframe, svg.mermaid, .katex, code, pre, ul, ol, table, blockquote, hr, em, h1, h2, input, del, s"


@pytest.fixture(scope="module")
def texts(serve: Callable[..., str]) -> str:
    return serve("-m", "streamlit", "run", "tests/browser/texts.py", "--server.port={port}", "--server.headless=true")


def test_texts_are_shown_as_they_are_everywhere(texts: str, page: Page) -> None:
    page.goto(texts)
    expect(page.get_by_text("the end of the texts")).to_be_visible()
    for number, text in enumerate(TEXTS):
        seen = drawn.clean(text)
        wanted = {
            "text": seen,
            "bold": f"1 · {seen}",
            "caption": seen,
            "heading": seen,
            "button": seen,
            "marked": f"before {seen} after",
            "gray": seen,
            "link": seen,
        }
        for place, words in wanted.items():
            box = page.locator(f".st-key-{place}_{number}")
            shown = box.locator("[data-testid=stMarkdownContainer], [data-testid=stCaptionContainer], h3").first
            assert drawn.clean(shown.text_content() or "") == words, (place, text)
            assert box.locator(LIVE).count() == 0, (place, text)
            links = [a.get_attribute("href") for a in box.locator("a").all()]
            assert links == (["https://example.org/safe"] if place == "link" else []), (place, text)
    assert (page.locator(".st-key-long").text_content() or "").count(":red[z]") == 300


def test_a_hostile_run_is_shown_as_text(scripted: str, page: Page) -> None:
    page.goto(f"{scripted}/?run={'e' * 32}")
    expect(page.get_by_role("heading", name="<script>alert(2)</script>").first).to_be_visible()
    page.get_by_text("How it was checked").click()
    page.get_by_text("1 citation rejected").click()
    expect(page.get_by_text("claimed: contradicts")).to_be_visible()
    assert page.locator("main script, img[src=x], img[src*='evil']").count() == 0
    for link in page.locator("a").all():
        href = link.get_attribute("href") or ""
        assert not href.startswith(("javascript:", "data:")), href
        assert "evil.example" not in href, href


START = "<img src=x onerror=alert(1)>"
"""How it begins: what is left of it where there is little room."""
VIEWS = (
    "verify", "report", "report of a run that searched", "report of a failure", "batch", "one batch",
    "cases", "one case", "knowledge browse", "knowledge quarantine", "knowledge duplicates", "knowledge changes",
    "passage", "passage being edited", "trace", "one trace", "two runs",
)  # fmt: skip
_LIVE = """() => [...document.querySelectorAll(
    'main script, main img[src=x], img[src*=evil], main iframe, a[href^="javascript:"], a[href*="evil.example"], .katex'
)].map(element => element.outerHTML.slice(0, 200))"""
_WORDS = "() => document.body.innerText + [...document.querySelectorAll('input, textarea')].map(e => e.value).join()"


@pytest.mark.parametrize("name", VIEWS)
def test_markup_is_text(stores: Callable[[str], Served], page: Page, name: str) -> None:
    go(page, stores("filled"), FILLED[name])
    assert page.evaluate(_LIVE) == []
    assert START in page.evaluate(_WORDS)


def test_markup_is_text_in_a_box_over_a_chart(stores: Callable[[str], Served], page: Page) -> None:
    go(page, stores("filled"), FILLED["analytics map"])
    point = page.locator(".js-plotly-plot .scatterlayer .point").first
    expect(point).to_be_attached()
    point.hover(force=True)
    expect(page.locator(".hoverlayer").get_by_text(START).first).to_be_attached()
    assert page.evaluate(_LIVE) == []
    assert page.locator(".hoverlayer img, .hoverlayer a, .hoverlayer foreignObject").count() == 0


def test_markup_in_a_file_is_text_before_and_after_it_is_imported(
    stores: Callable[[str], Served], page: Page, tmp_path: Path
) -> None:
    row = {"text": f"{HOSTILE} This one comes in a file.", "source_url": "https://example.org/file", "title": HOSTILE,
           "topic": HOSTILE[:60], "publisher": HOSTILE[:60], HOSTILE: HOSTILE}  # fmt: skip
    broken = {"text": HOSTILE, "published_at": HOSTILE, "source_url": HOSTILE}
    file = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    file.write_text("\n".join((json.dumps(row), json.dumps(broken), HOSTILE)), encoding="utf-8")
    go(page, stores("filled"), FILLED["knowledge import"])
    page.locator("input[type=file]").first.set_input_files(file)
    begin = page.get_by_role("button", name=re.compile(r"Import \d passage"))
    expect(begin).to_be_visible(timeout=START_SECONDS * 1000)  # the first file of a process loads what reads files
    assert START in page.evaluate(_WORDS)
    assert page.evaluate(_LIVE) == []
    begin.click()
    expect(page.get_by_text("was imported.")).to_be_visible()
    settle(page)
    assert page.evaluate(_LIVE) == []
