"""Checking a claim in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
START_SECONDS = 240


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


def test_an_opinion_is_not_verifiable(real: str, page: Page) -> None:
    page.goto(real)
    page.get_by_role("button", name="Pineapple on pizza is delicious").click()
    expect(page.get_by_label("Claim", exact=True)).to_have_value("Pineapple on pizza is delicious")
    page.get_by_role("button", name="Check this claim").click()
    expect(page.get_by_role("heading", name="Not Verifiable")).to_be_visible()
    expect(page.get_by_role("heading", name="Why there is no verdict")).to_be_visible()


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


def test_a_run_goes_on_while_the_reader_is_elsewhere(scripted: str, page: Page) -> None:
    page.goto(scripted)
    page.get_by_label("Claim", exact=True).fill("A claim that takes long")
    page.get_by_role("button", name="Check this claim").click()
    expect(page.get_by_text("Would this settle the claim?")).to_be_visible()
    address = page.url
    page.get_by_role("button", name="Evidence", exact=True).click()
    page.get_by_text("Knowledge base", exact=True).click()
    expect(page.get_by_role("heading", name="Knowledge base")).to_be_visible()
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("Verify", exact=True).click()
    expect(page.get_by_text("Would this settle the claim?")).to_be_visible()
    expect(page).to_have_url(address)
    page.reload()
    expect(page.get_by_text("Would this settle the claim?")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="You cancelled this check")).to_be_visible()
    page.get_by_role("button", name="Check it again").click()
    expect(page.get_by_label("Claim", exact=True)).to_have_value("A claim that takes long")


def test_an_unknown_run_leads_back_to_the_form(scripted: str, page: Page) -> None:
    page.goto(f"{scripted}/?run=nonsense")
    expect(page.get_by_role("heading", name="This check is not here")).to_be_visible()
    page.get_by_role("button", name="Check a claim").click()
    expect(page.get_by_label("Claim", exact=True)).to_be_visible()
    assert "run=" not in page.url


def test_a_recent_run_can_be_reopened(scripted: str, page: Page) -> None:
    page.goto(scripted)
    page.get_by_role("button", name="Not Verifiable").click()
    expect(page.get_by_role("heading", name="Pineapple on pizza is delicious")).to_be_visible()
    assert page.url.endswith(f"?run={'b' * 32}")


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
