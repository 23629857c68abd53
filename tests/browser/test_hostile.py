"""Hostile text in a real browser: every character is there, and nothing but the text."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ghost.ui.shared import text as drawn
from tests.ui.hostile import TEXTS

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
