"""From a claim to its trace and to what if, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
START_SECONDS = 240


def test_a_claim_is_checked_looked_into_and_decided_again(real: str, page: Page) -> None:
    page.goto(real)
    expect(page.get_by_label("Claim", exact=True)).to_be_visible(timeout=START_SECONDS * 1000)
    page.get_by_label("Claim", exact=True).fill("The Great Wall of China is visible from the Moon")
    page.get_by_role("button", name="Check this claim").click()
    page.get_by_role("link", name="Open the trace").click()
    expect(page.get_by_role("heading", name="Time line")).to_be_visible()
    expect(page.get_by_role("heading", name="Read and weigh")).to_be_visible()
    page.get_by_role("button", name="Next step").click()
    expect(page.get_by_role("heading", name="Enough evidence?")).to_be_visible()
    page.get_by_role("tab", name="Candidates").click()
    expect(page.get_by_text("kept as evidence")).to_be_visible()
    page.get_by_role("tab", name="What if").click()
    expect(page.get_by_role("heading", name="How stable is it?")).to_be_visible()
    for site in ("britannica.com", "wikipedia.org"):
        page.get_by_role("combobox", name="Leave out sources").click()
        page.get_by_role("option", name=site).click()
    page.keyboard.press("Escape")
    expect(page.get_by_text("changes from False to")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_text("change something to see the effect")).to_be_visible()
    page.get_by_role("button", name="All runs").click()
    expect(page.get_by_role("heading", name="Trace", exact=True)).to_be_visible()
