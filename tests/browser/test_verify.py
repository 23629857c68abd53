"""Checking a claim in a real browser; what AppTest can see is tested in ``tests/pages``."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import STEP_MS

pytestmark = pytest.mark.browser
START_SECONDS = 240
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


def test_a_claim_is_checked_end_to_end(real: str, page: Page) -> None:
    page.goto(real)
    # The first visit opens the workbench and fills the knowledge base.
    expect(page.get_by_label("Claim", exact=True)).to_be_visible(timeout=START_SECONDS * 1000)
    page.get_by_label("Claim", exact=True).fill("The Great Wall of China is visible from the Moon")
    page.get_by_role("button", name="Check this claim").click()
    expect(page.get_by_role("heading", name="The Great Wall of China is visible from the Moon")).to_be_visible()
    expect(page.get_by_role("heading", name="Evidence", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile(r"(High|Medium) confidence")).first).to_be_visible()
    assert re.search(r"\?run=[0-9a-f]{32}$", page.url)
    address = page.url
    page.reload()
    expect(page.get_by_text(re.compile(r"(High|Medium) confidence")).first).to_be_visible()
    assert page.url == address


def test_the_bookmark_brings_a_selection_to_the_form(scripted: str, page: Page) -> None:
    page.goto(f"{scripted}/settings?section=connect")
    bookmark = page.get_by_test_id("stCode").filter(has_text="javascript:").inner_text().strip()
    elsewhere = f"{scripted}/_stcore/health?id=7"  # stands for any page
    page.goto(elsewhere)
    page.evaluate("document.body.innerHTML = 'It says that <b>honey never spoils &amp; bees dance</b>.'")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('b'))")
    with page.context.expect_page() as opened:
        page.evaluate(bookmark.removeprefix("javascript:"))
    form = opened.value
    expect(form.get_by_label("Claim", exact=True)).to_have_value("honey never spoils & bees dance")
    expect(form.get_by_role("textbox", name="Found at")).to_have_value(elsewhere)
    expect(form.get_by_text("This claim comes from a link.")).to_be_visible()
    expect(form).to_have_url(f"{scripted}/")
    assert form.evaluate("window.opener") is None
    form.close()


def test_a_mark_jumps_to_its_evidence(scripted: str, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 500})
    page.goto(f"{scripted}/?run={'f' * 32}")
    card = page.locator("#evidence-2")
    expect(card).not_to_be_in_viewport()
    page.get_by_role("link", name="[2]").click()
    expect(card).to_be_in_viewport()
    assert page.url.endswith(f"?run={'f' * 32}#evidence-2")
    expect(page.get_by_role("heading", name="False")).to_be_attached()


@pytest.mark.parametrize("run", ["f", "c", "d"])
def test_a_report_fits_two_screens_and_names_its_claim_in_the_tab(scripted: str, page: Page, run: str) -> None:
    page.goto(f"{scripted}/?run={run * 32}")
    expect(page.get_by_role("heading", name="Evidence", exact=True)).to_be_visible()
    expect(page).to_have_title(re.compile(r"^The .+ · Ghost$"))
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 2 * 900


def test_the_report_can_be_downloaded(scripted: str, page: Page) -> None:
    page.goto(f"{scripted}/?run={'f' * 32}")
    page.get_by_text("Export", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    assert download.value.suggested_filename == "ghost-ffffffff.json"
    assert '"run_id": "' + "f" * 32 in download.value.path().read_text(encoding="utf-8")


def test_a_link_to_a_page_is_also_the_first_visit(serve, page: Page) -> None:  # type: ignore[no-untyped-def]
    fresh = serve("-m", "tests.browser.scripted", "{port}", "{folder}")
    page.goto(f"{fresh}/knowledge?passage=p1")
    expect(page.get_by_role("heading", name="China's Wall Less Great")).to_be_visible()
    expect(page.get_by_role("button", name="Evidence", exact=True)).to_be_visible()


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
