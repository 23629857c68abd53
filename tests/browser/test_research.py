"""A research in a real browser; what AppTest can see is tested in ``tests/pages``."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
START_SECONDS = 240
TOPIC = "The Great Wall of China"
QUESTION = "Is the Great Wall of China visible from the Moon?"


def press(page: Page, name: str) -> None:
    """Press a button with the keyboard."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")


def test_a_research_with_the_keyboard_alone(real: str, page: Page) -> None:
    page.goto(f"{real}/research")
    # The first visit opens the workbench and fills the knowledge base.
    expect(page.get_by_role("heading", name="Research", exact=True)).to_be_visible(timeout=START_SECONDS * 1000)
    page.get_by_label("Topic", exact=True).focus()
    page.keyboard.type(TOPIC)
    page.keyboard.press("Tab")
    web = page.get_by_role("switch", name="Search the web")
    web.focus()
    page.keyboard.press("Space")
    expect(web).not_to_be_checked()
    press(page, "Plan this research")
    expect(page.get_by_text("COST AT MOST")).to_be_visible()
    assert re.search(r"\?research=[0-9a-f]{32}$", page.url)
    expect(page.get_by_text("No searches, no pages")).to_be_visible()

    first = page.get_by_label("Question 1", exact=True)
    first.focus()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Memory has not been asked about this wording yet.")).to_be_visible()
    press(page, "Ask memory again")
    expect(page.get_by_text("Your questions")).to_be_visible()
    expect(first).to_have_value(QUESTION)

    planned = page.url
    press(page, "Start research")
    expect(page.get_by_text("SAVED AND SPENT")).to_be_visible()
    assert page.url == planned, "the plan has become the research"
    answer = page.locator(".st-key-research_answer_1")
    expect(answer.get_by_role("heading", name=QUESTION)).to_be_visible()
    answer.get_by_role("link", name="[1]", exact=True).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#source-1")).to_be_in_viewport()

    page.reload()
    expect(page.get_by_text("SAVED AND SPENT")).to_be_visible()
    press(page, "All research")
    expect(page.locator(".st-key-research_earlier").get_by_role("button", name=TOPIC)).to_be_visible()
