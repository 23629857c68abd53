"""From a file to a verdict, in a real browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
START_MS = 240_000
FACT = "The town of Oberfels lies on the river Kessel and has a stone bridge from the year 1482."
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)> is what this passage begins with, strangely."


def test_import_quarantine_accept_and_found_by_a_check(real: str, page: Page, tmp_path: Path) -> None:
    rows = [
        {"text": SCRIPT, "url": "https://www.oberfels.example/script"},
        {"text": "Short"},
        # The last one, so that it stands at the top of the queue.
        {"text": FACT, "url": "https://www.oberfels.example/history", "title": SCRIPT, "status": "quarantined"},
    ]
    file = tmp_path / "oberfels.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    page.goto(f"{real}/knowledge?section=import")
    expect(page.get_by_text("File formats and encoding")).to_be_visible(timeout=START_MS)
    page.locator("input[type=file]").first.set_input_files(file)
    begin = page.get_by_role("button", name="Import 2 passages")
    expect(begin).to_be_visible(timeout=START_MS)
    assert "import=" in page.url
    page.reload()
    expect(begin).to_be_visible(timeout=START_MS)
    begin.click()
    expect(page.get_by_text("oberfels.jsonl was imported.")).to_be_visible()
    page.get_by_role("button", name="Open the quarantine").click()
    expect(page.get_by_text(FACT)).to_be_visible()
    page.get_by_role("button", name="Accept").first.click()
    expect(page.get_by_text("1 passage accepted.")).to_be_visible()
    page.goto(f"{real}/knowledge?section=browse&q=Oberfels%20stone%20bridge")
    expect(page.get_by_text(FACT)).to_be_visible()
    page.goto(real)
    page.get_by_label("Claim", exact=True).fill("The town of Oberfels lies on the river Kessel.")
    page.get_by_role("button", name="Check this claim").click()
    # Nobody has rated the site, and nobody has compared the words with its page.
    expect(page.get_by_text("is not checked against its page yet").first).to_be_visible()
    expect(page.get_by_text("stone bridge from the year 1482").first).to_be_visible()
