"""A conversation in a real browser; what AppTest can see is tested in ``tests/pages``."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
START_SECONDS = 240
KNOWN = "Can you see the Great Wall of China from the Moon?"
NEW = "Does honey spoil within ten days?"


def ask(page: Page, question: str) -> None:
    """Type it and send it with the keyboard alone."""
    field = page.get_by_role("textbox", name="Ask a question, or state what you want checked")
    expect(field).to_be_enabled()
    field.focus()
    page.keyboard.type(question)
    page.keyboard.press("Enter")


def test_a_conversation_with_the_keyboard_alone(real: str, page: Page) -> None:
    page.goto(f"{real}/ask")
    # The first visit opens the workbench and fills the knowledge base.
    expect(page.get_by_role("heading", name="Ask", exact=True)).to_be_visible(timeout=START_SECONDS * 1000)
    ask(page, KNOWN)
    answers = page.get_by_role("article").or_(page.get_by_test_id("stChatMessage"))
    expect(page.get_by_text("Answered before").first).to_be_visible()
    expect(page.get_by_text("Claim:", exact=True)).to_be_visible()
    assert re.search(r"\?conversation=[0-9a-f]{32}$", page.url)
    ask(page, "What are your sources?")
    expect(page.get_by_text("The answer rests on: ")).to_be_visible()
    expect(page.get_by_text("From earlier answers").first).to_be_visible()
    ask(page, NEW)
    expect(page.get_by_text("Newly checked").first).to_be_visible()
    expect(page.get_by_role("link", name="Open the report")).to_be_visible()
    expect(page.get_by_text("Open the report")).to_be_in_viewport()
    expect(answers).to_have_count(6)

    address = page.url
    page.reload()
    expect(answers).to_have_count(6)
    assert page.url == address
    fold = page.locator("summary").filter(has_text="How this was routed").last
    fold.focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_text("Similarity says what a claim is about")
        .or_(page.get_by_text("No earlier answers were compared."))
        .last
    ).to_be_visible()
    page.get_by_role("link", name="Open the report").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=NEW)).to_be_visible()


def test_a_check_is_watched_and_stopped(scripted: str, page: Page) -> None:
    page.goto(f"{scripted}/ask")
    ask(page, NEW)
    expect(page.get_by_text("Would this settle the claim?")).to_be_visible()
    expect(page.get_by_text("Verifying a new claim…")).to_be_visible()
    stop = page.get_by_role("button", name="Cancel")
    stop.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Cancelled").first).to_be_visible()
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()
    expect(page.get_by_role("textbox", name="Ask a question, or state what you want checked")).to_be_enabled()
