"""What is entered on the Verify page, in a real browser: statements under review, an article, and two tabs at once."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import STEP_MS

pytestmark = pytest.mark.browser
CLAIM = "The Great Wall is visible, and it is long"
ARTICLE = "Bridge shut\nThe bridge was closed on Monday. It was built in 1931. I think that is sad.\n"


def review(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Claim", exact=True).fill(CLAIM)
    page.get_by_text("Review statements first").click()
    page.get_by_label("Claim", exact=True).press("Control+Enter")
    expect(page.get_by_role("heading", name="What will be checked")).to_be_visible()


def take_apart(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_text("An article", exact=True).click()
    page.get_by_role("textbox", name="Text of the article").fill(ARTICLE)
    page.get_by_role("button", name="List its statements").click()
    expect(page.get_by_role("heading", name="Bridge shut")).to_be_visible()


def test_statements_are_corrected_and_then_checked(scripted: str, page: Page) -> None:
    review(page, scripted)
    page.get_by_role("textbox", name="Statement 1").fill("The Great Wall is 20,000 kilometres long")
    page.get_by_role("button", name="Add a statement").click()
    page.get_by_role("textbox", name="Statement 2").fill("It can be seen from the Moon")
    page.get_by_role("textbox", name="Statement 2").blur()
    for button in page.locator(".st-key-verify_rows button").all():
        assert button.get_attribute("aria-label") or button.inner_text().strip()
    page.get_by_role("button", name="Check these").click()
    expect(page.get_by_text("Would this settle the claim?")).to_be_visible()
    expect(page.get_by_text("Statements in your words")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="You cancelled this check")).to_be_visible()


def test_an_article_is_still_there_after_a_reload_and_its_checks_lead_back(scripted: str, page: Page) -> None:
    take_apart(page, scripted)
    assert re.search(r"\?article=[0-9a-f]{32}$", page.url)
    page.reload()
    expect(page.get_by_role("heading", name="Bridge shut")).to_be_visible()
    page.get_by_text("The bridge was built in 1931.").click()
    page.get_by_role("button", name="Check 1 statement").click()
    expect(page.get_by_role("heading", name="Checks")).to_be_visible()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("Would this settle the claim?")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="You cancelled this check")).to_be_visible()
    page.get_by_role("button", name="Back to the article").click()
    expect(page.get_by_role("heading", name="Checks")).to_be_visible()
    expect(page.locator(".st-key-verify_article_checks").get_by_text("Cancelled")).to_be_visible()


def test_two_tabs_do_not_disturb_each_other(scripted: str, page: Page, browser: Browser) -> None:
    other = browser.new_page()
    other.set_default_timeout(STEP_MS)
    review(page, scripted)
    take_apart(other, scripted)
    page.get_by_role("textbox", name="Statement 1").fill("My own words")
    page.get_by_role("textbox", name="Statement 1").blur()
    other.get_by_text("The bridge was built in 1931.").click()
    expect(other.get_by_role("button", name="Check 1 statement")).to_be_enabled()
    expect(page.get_by_role("textbox", name="Statement 1")).to_have_value("My own words")
    expect(page.get_by_role("heading", name="What will be checked")).to_be_visible()
    assert "article=" not in page.url
    other.close()


@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_of_it_is_wider_than_the_screen(scripted: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for enter in (review, take_apart):
        enter(page, scripted)
        overflow = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth")
        assert overflow <= 0
