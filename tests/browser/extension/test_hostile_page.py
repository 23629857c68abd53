"""A page that restyles, observes, removes and covers the overlay neither reads it nor changes what it says."""

import re

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.extension.conftest import CLAIM, Extension, overlay
from tests.browser.extension.contract_server import Contract

pytestmark = pytest.mark.browser
WORDS = ["Contradicts", "High confidence", "contradicts the claim", "Known so far", "Finished", "workbench"]


@pytest.fixture
def hostile(extension: Extension, site: str) -> Page:
    page = extension.context.new_page()
    page.set_viewport_size({"width": 1100, "height": 800})
    page.goto(f"{site}/hostile.html")
    return page


def _ended(page: Page) -> None:
    expect(overlay(page).locator("article")).to_have_attribute("data-stage", "ended")


def test_it_reads_nothing(extension: Extension, hostile: Page) -> None:
    extension.check(hostile)
    _ended(hostile)
    overlay(hostile).get_by_role("button", name="Citation 1").click()
    hostile.keyboard.press("Shift")
    assert hostile.evaluate("hosts().length") == 1
    assert hostile.evaluate("words => pry(words)", WORDS) == []


def test_its_rules_change_nothing(extension: Extension, hostile: Page, article: Page) -> None:
    shots = []
    for page in (article, hostile):
        extension.check(page)
        _ended(page)
        box = overlay(page).frame_element().bounding_box()
        assert box
        assert (round(box["x"] + box["width"]), round(box["y"])) == (1100 - 13, 13)
        page.wait_for_timeout(500)
        shots.append(overlay(page).locator("[data-part=verdict]").screenshot())
    assert shots[0] == shots[1]


def test_what_it_writes_into_the_host_is_not_shown(extension: Extension, hostile: Page) -> None:
    hostile.evaluate("mode = 'rewrite'")
    extension.check(hostile)
    _ended(hostile)
    shown = overlay(hostile)
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    expect(shown.get_by_role("heading", level=1)).to_have_text(f"“{CLAIM}”")
    expect(shown.get_by_role("button", name="Close")).to_be_visible()
    assert hostile.evaluate("hosts()[0].innerHTML") == "<h1>True</h1>"
    assert hostile.get_by_role("heading", name="True").is_hidden()


def test_an_overlay_that_is_moved_comes_back(extension: Extension, hostile: Page) -> None:
    extension.check(hostile)
    _ended(hostile)
    hostile.evaluate("document.body.append(hosts()[0])")
    hostile.wait_for_function("hosts().length === 1")
    expect(overlay(hostile).locator("[data-part=verdict] .label")).to_have_text("False")


def test_the_check_of_a_page_that_removes_the_overlay_is_shown_in_a_tab(
    extension: Extension, hostile: Page, contract: Contract
) -> None:
    hostile.evaluate("mode = 'remove'")
    with extension.context.expect_page() as opened:
        extension.check(hostile)
    page = opened.value
    expect(page).to_have_url(re.compile("result/result.html"))
    expect(page.locator("#why")).to_have_text(re.compile("removed or covered the overlay"))
    expect(page.locator("[data-part=verdict] .label")).to_have_text("False")
    assert len(contract.bodies("/api/runs")) == 1
    assert hostile.evaluate("words => pry(words)", WORDS) == []


def test_what_lies_over_the_overlay_is_noticed(extension: Extension, hostile: Page) -> None:
    extension.check(hostile)
    _ended(hostile)
    hostile.evaluate("cover()")
    _is_on_top(hostile)
    with extension.context.expect_page() as opened:
        for _ in range(6):
            hostile.evaluate("cover()")
            hostile.wait_for_timeout(700)
    expect(opened.value.locator("[data-part=verdict] .label")).to_have_text("False")


@pytest.mark.parametrize(
    "attack",
    [
        "document.documentElement.style.display = 'none'",
        "document.documentElement.inert = true",
        "document.documentElement.remove()",
        "document.open(); document.write('<p>True'); document.close()",
        "document.documentElement.replaceChildren()",
        "setInterval(() => hosts().forEach(host => { host.inert = true }), 20)",
        "setInterval(() => hosts().forEach(host => { document.body.append(host) }), 20)",
    ],
)
def test_the_verdict_is_seen_whatever_the_page_does(extension: Extension, hostile: Page, attack: str) -> None:
    extension.check(hostile)
    _ended(hostile)
    before = len(extension.context.pages)
    hostile.evaluate(attack)
    for _ in range(25):
        hostile.wait_for_timeout(100)
        if len(extension.context.pages) > before:
            shown: Page | Frame = extension.context.pages[-1]
            break
    else:
        shown = overlay(hostile)
        assert hostile.locator(":root").evaluate("e => !!e.querySelector(':scope > :not(head, body)')")
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    expect(shown.locator("[data-part=verdict] .label")).to_be_in_viewport()


@pytest.mark.parametrize(
    "habit",
    [
        "document.documentElement.style.filter = 'invert(1)'",
        "document.body.style.transform = 'scale(.9)'",
        "document.documentElement.style.opacity = '.9'",
        "document.body.style.height = '5000px'; scrollTo(0, 3000)",
        "document.documentElement.style.zoom = '1.5'",
    ],
)
def test_what_ordinary_pages_do_is_left_alone(extension: Extension, article: Page, habit: str) -> None:
    article.evaluate(habit)
    extension.check(article)
    _ended(article)
    before = len(extension.context.pages)
    article.evaluate(habit)
    other = extension.context.new_page()
    other.wait_for_timeout(500)
    other.close()
    article.bring_to_front()
    article.wait_for_timeout(1500)
    assert len(extension.context.pages) == before
    overlay(article).get_by_role("button", name="Close").click()
    article.wait_for_function("[...document.documentElement.children].length === 2")


def test_it_works_beside_a_dialog_of_the_page(extension: Extension, article: Page) -> None:
    article.evaluate(
        """() => {
            const dialog = document.body.appendChild(document.createElement('dialog'))
            dialog.textContent = 'Cookies?'
            dialog.showModal()
        }"""
    )
    extension.check(article)
    _ended(article)
    overlay(article).get_by_role("button", name="Close").click()
    article.wait_for_function("[...document.documentElement.children].length === 2")


def _is_on_top(page: Page) -> None:
    """Whether the verdict can be seen: the lid of the page is white."""
    for _ in range(40):
        shot = page.screenshot(clip={"x": 720, "y": 90, "width": 60, "height": 60})
        page.wait_for_timeout(100)
        if len(shot) > 400:
            return
    raise AssertionError("The overlay stays covered.")
