"""What was typed on Verify and not yet checked."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("mode", "field"), [("One claim", "Claim"), ("An article", "Text of the article")])
def test_what_was_typed_is_still_there_after_a_look_at_another_page(
    scripted: str, page: Page, mode: str, field: str
) -> None:
    page.goto(scripted)
    page.get_by_text(mode, exact=True).click()
    page.get_by_label(field, exact=True).fill("Bees dance in the dark.")
    page.get_by_role("button", name="Evidence", exact=True).click()
    page.get_by_text("Knowledge base", exact=True).click()
    expect(page.get_by_role("heading", name="Knowledge base")).to_be_visible()
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("Verify", exact=True).click()
    expect(page.get_by_label(field, exact=True)).to_have_value("Bees dance in the dark.")
