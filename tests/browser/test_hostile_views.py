"""Script and markup in claims, passages, titles, batches, cases and imports: text in every view that shows them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import START_SECONDS, Served
from tests.browser.places import FILLED, go, settle
from tests.ui.samples import HOSTILE

pytestmark = pytest.mark.browser
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
