"""Where a selection can be: in a frame, a field, a PDF, a page with a strict policy, a page of the browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.extension.conftest import CLAIM, Extension, overlay
from tests.browser.extension.contract_server import Contract

pytestmark = pytest.mark.browser
_BELOW = """() => {
    const {right, bottom} = [...getSelection().getRangeAt(0).getClientRects()].at(-1)
    return [Math.min(right, innerWidth - 150) + 20, Math.min(bottom, innerHeight - 46) + 22]
}"""
_SHORTCUT = """async () => {
    const [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true})
    await ghost.handlers.checkFromShortcut(tab)
}"""


def _claims(contract: Contract) -> list[str]:
    return [body["claim"] for body in contract.bodies("/api/runs")]


def _label(page: Page) -> None:
    expect(overlay(page).locator("[data-part=verdict] .label")).to_have_text("False")


def test_the_shortcut_checks_what_is_selected(extension: Extension, article: Page, contract: Contract) -> None:
    article.locator("#claim").select_text()
    extension.worker.evaluate(_SHORTCUT)
    _label(article)
    assert _claims(contract) == [CLAIM]


def test_a_selection_in_a_frame_is_checked_over_the_page(
    extension: Extension, article: Page, contract: Contract
) -> None:
    inner = article.frame_locator("#inner").locator("#inside")
    inner.click()
    inner.select_text()
    extension.worker.evaluate(_SHORTCUT)
    _label(article)
    extension.check(article, "Honey never spoils.", frame_url="https://frame.example/honey#part")
    _label(article)
    assert _claims(contract) == ["Honey never spoils when it is kept dry.", "Honey never spoils."]


def test_a_selection_in_a_field_is_checked(extension: Extension, article: Page, contract: Contract) -> None:
    article.locator("#field").focus()
    article.keyboard.press("Control+A")
    extension.worker.evaluate(_SHORTCUT)
    _label(article)
    assert _claims(contract) == ["Canberra is the capital of Australia."]


def test_without_a_selection_it_says_what_to_do(extension: Extension, article: Page, contract: Contract) -> None:
    extension.worker.evaluate(_SHORTCUT)
    shown = overlay(article)
    expect(shown.get_by_role("alert")).to_contain_text("No text is selected")
    assert shown.get_by_role("button", name="Try again").count() == 0
    assert not contract.asked


def test_a_selection_that_is_too_long_is_not_sent(extension: Extension, article: Page, contract: Contract) -> None:
    extension.check(article, "word " * 1001)
    expect(overlay(article).get_by_role("alert")).to_contain_text("It has 5,004 characters; at most 5,000")
    assert not contract.asked
    extension.check(article, "𝐀" * 5000)  # characters, not UTF-16 units
    _label(article)


def test_only_the_selection_travels_unless_the_user_says_so(
    extension: Extension, article: Page, contract: Contract, site: str
) -> None:
    extension.check(article)
    _label(article)
    assert "found_at" not in contract.bodies("/api/runs")[0]
    assert "article.html" not in str(contract.asked)
    extension.set(sendAddress=True)
    extension.check(article, frame_url="https://frame.example/honey#part")
    _label(article)
    extension.check(article)
    expect(overlay(article).locator("[data-part=note]")).to_contain_text("article.html")
    _label(article)
    sent = [body.get("found_at") for body in contract.bodies("/api/runs")]
    assert sent == [None, "https://frame.example/honey", f"{site}/article.html"]


@pytest.mark.parametrize("name", ["plain.html?strict", "paper.pdf"])
def test_strict_pages_and_pdfs_take_the_overlay(extension: Extension, site: str, name: str) -> None:
    page = extension.context.new_page()
    page.goto(f"{site}/{name}")
    extension.check(page)
    _label(page)
    assert overlay(page).evaluate("getComputedStyle(document.querySelector('.band')).borderRadius") == "6px"
    expect(overlay(page).locator("[data-part=verdict] .label")).to_be_in_viewport()


@pytest.mark.parametrize("address", ["chrome://version", "{site}/plain.html?sandbox", "{site}/drawing.svg"])
def test_other_pages_get_a_tab_instead(extension: Extension, contract: Contract, site: str, address: str) -> None:
    page = extension.context.new_page()
    page.goto(address.format(site=site))
    with extension.context.expect_page() as opened:
        extension.check(page)
    expect(opened.value).to_have_url(re.compile("result/result.html"))
    expect(opened.value.locator("[data-part=verdict] .label")).to_have_text("False")
    expect(opened.value.locator("#why")).to_be_hidden()
    assert _claims(contract) == [CLAIM]


def test_the_button_appears_on_sites_where_it_is_wanted(extension: Extension, site: str, contract: Contract) -> None:
    panel = extension.open("panel/panel.html")
    turn = "([origin, on]) => chrome.runtime.sendMessage({type: 'turn-site', origin, on})"
    panel.evaluate(turn, [site, True])
    page = extension.context.new_page()
    page.goto(f"{site}/article.html")
    _select_by_mouse(page)
    page.wait_for_function("document.documentElement.children.length === 3")
    page.evaluate("document.dispatchEvent(new PointerEvent('pointerup'))")
    page.evaluate("document.documentElement.lastElementChild.click()")
    assert not _claims(contract)
    _press_button(page)
    _label(page)
    assert _claims(contract) == [CLAIM]
    # Turned off, a page that still has the button loses it.
    panel.evaluate(turn, [site, False])
    _select_by_mouse(page)
    page.wait_for_function("document.documentElement.children.length === 4")
    _press_button(page)
    page.wait_for_function("document.documentElement.children.length === 3")
    page.reload()
    _select_by_mouse(page)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.children.length") == 2
    assert _claims(contract) == [CLAIM]


def test_the_button_appears_in_frames_of_the_site(extension: Extension, site: str, contract: Contract) -> None:
    extension.worker.evaluate("origin => ghost.handlers.turnSite(origin, true)", site)
    page = extension.context.new_page()
    page.goto(f"{site}/article.html")
    inner = page.frame_locator("#inner").locator("#inside")
    inner.click(click_count=3)
    frame = page.frames[1]
    frame.wait_for_function("document.documentElement.children.length === 3")
    where = frame.frame_element().bounding_box()
    x, y = frame.evaluate(_BELOW)
    assert where
    page.mouse.click(where["x"] + x, where["y"] + y)
    _label(page)
    assert _claims(contract) == ["Honey never spoils when it is kept dry."]
    extension.worker.evaluate("origin => ghost.handlers.turnSite(origin, false)", site)


def _select_by_mouse(page: Page) -> None:
    box = page.locator("#claim").bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.click(box["x"], box["y"] - 20)  # what is selected already would be dragged
    page.mouse.move(box["x"] + 1, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 500, y, steps=4)
    page.mouse.up()


def _press_button(page: Page) -> None:
    """Where the button is: below the end of the selection."""
    page.mouse.click(*page.evaluate(_BELOW))
