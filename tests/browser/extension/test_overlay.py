"""A selection is checked: the overlay shows the steps, the sources and the verdict, and leads to the run."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from ghost.reports import card_value
from ghost.types import Intake, Kind, RunStatus
from tests.browser import axe
from tests.browser.extension.conftest import CLAIM, Extension, overlay
from tests.browser.extension.contract_server import WORKBENCH, Contract
from tests.ui import samples
from tests.ui.asking import wall_card

pytestmark = pytest.mark.browser


def test_a_selection_is_checked_and_the_verdict_leads_to_the_run(
    extension: Extension, article: Page, contract: Contract
) -> None:
    extension.check(article)
    shown = overlay(article)
    expect(shown.get_by_role("heading", level=1)).to_have_text(f"“{CLAIM}”")
    verdict = shown.locator("[data-part=verdict]")
    expect(verdict).to_contain_text("False")
    expect(verdict).to_contain_text("High confidence (93%). The evidence contradicts the claim.")
    cited = shown.locator("[data-part=citations] .cite")
    expect(cited.first).to_contain_text("Contradicts")
    expect(cited.first).to_contain_text("The Great Wall of China cannot be seen from the Moon with the unaided eye.")
    expect(shown.locator("[data-part=account]")).to_contain_text("Embedded judge, on this machine")
    expect(shown.locator("[data-part=account]")).to_contain_text("Nothing left this machine: no search was made")
    expect(shown.get_by_role("status")).to_have_text("Verdict: False. High confidence (93%).")
    run = shown.get_by_role("link", name="Open in the workbench")
    assert run.get_attribute("href") == f"{WORKBENCH}/?run={contract.run.id}"
    assert {link.get_attribute("rel") for link in shown.get_by_role("link").all()} == {"noopener noreferrer"}
    assert contract.bodies("/api/runs") == [{"claim": CLAIM, "judge": "local", "cloud_fallback": False}]


def test_a_note_is_no_quotation_and_what_was_entered_by_hand_says_so(
    extension: Extension, article: Page, contract: Contract
) -> None:
    assert contract.run.verdict
    note, entered, refused = contract.run.verdict.citations
    cited = (replace(note, kind=Kind.NOTE, intake=Intake.ENTERED), replace(entered, intake=Intake.ENTERED), refused)
    contract.run = replace(contract.run, verdict=replace(contract.run.verdict, citations=cited))
    extension.check(article)
    shown = overlay(article).locator("[data-part=citations] .cite")
    expect(shown.first).to_contain_text("A note in the library, check it at")
    assert shown.first.locator("blockquote").count() == 0
    expect(shown.nth(1)).to_contain_text("Entered by hand, not checked against the page yet")
    assert shown.nth(1).locator("blockquote").count() == 1


def test_steps_and_sources_come_one_by_one(extension: Extension, article: Page, contract: Contract) -> None:
    contract.run, contract.holds_before = samples.searched_run(), "sentence_accepted"
    extension.check(article)
    shown = overlay(article)
    sources = shown.locator("[data-part=sources] li")
    expect(sources).to_have_count(2)
    expect(sources.first).to_contain_text("Contradicts")
    expect(sources.first.get_by_role("link", name="The wall from space")).to_be_visible()
    expect(sources.nth(1)).to_contain_text("<img src=x onerror=alert(1)>")
    assert sources.nth(1).get_by_role("link").count() == 0
    expect(shown.locator("[data-part=sources]")).to_contain_text("1 hit left out")
    expect(shown.locator("[data-part=steps] li.done")).to_have_count(7)
    expect(shown.locator("[data-part=known]")).to_contain_text("4 passages weighed")
    assert shown.locator("[data-part=verdict]").is_hidden()
    contract.goes_on.set()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")


def test_sources_of_an_earlier_attempt_do_not_stand_under_a_later_one(
    extension: Extension, article: Page, contract: Contract
) -> None:
    contract.run = samples.searched_run()
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=sources]")).to_contain_text("The wall from space")
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    contract.run = samples.broken_run(RunStatus.FAILED, "The judge gave no answer.")
    shown.get_by_role("button", name="Check again").click()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("Failed")
    expect(shown.locator("[data-part=sources]")).to_be_hidden()
    assert shown.locator("[data-part=sources] li").count() == 0


def test_a_check_is_cancelled(extension: Extension, article: Page, contract: Contract) -> None:
    contract.holds_before = "step_finished"
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=steps] li.doing")).to_contain_text("Understand the claim")
    shown.get_by_role("button", name="Cancel").click()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("Cancelled")
    expect(shown.locator("[data-part=verdict]")).to_contain_text("There is no verdict.")
    assert contract.cancelled


def test_a_check_is_cancelled_before_it_is_started(extension: Extension, article: Page, contract: Contract) -> None:
    contract.holds_lookup = True
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator(".kicker").first).to_have_text("Looking for an earlier answer")
    shown.get_by_role("button", name="Cancel").click()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("Cancelled")
    shown.get_by_role("button", name="Check again").click()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    contract.goes_on.set()
    article.wait_for_timeout(300)
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    assert len(contract.bodies("/api/runs")) == 1


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.INTERRUPTED, RunStatus.CANCELLED])
def test_a_failure_is_never_a_verdict(
    extension: Extension, article: Page, contract: Contract, status: RunStatus
) -> None:
    contract.run = replace(samples.false_run(), status=status, error="The judge gave no answer.")
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=verdict] .label")).to_have_text(status.value.capitalize())
    expect(shown.locator("[data-part=verdict]")).to_contain_text("The judge gave no answer.")
    expect(shown.locator("[data-part=verdict]")).not_to_contain_text("False")
    assert shown.locator("[data-part=citations]").is_hidden()
    assert shown.get_by_role("button", name="Copy").count() == 0


def test_an_abstention_has_a_reason_in_place_of_a_confidence(
    extension: Extension, article: Page, contract: Contract
) -> None:
    contract.run = samples.leaning_run()
    extension.check(article)
    verdict = overlay(article).locator("[data-part=verdict]")
    expect(verdict.locator(".label")).to_have_text("Not Enough Evidence")
    expect(verdict).to_contain_text("Why there is no verdict")
    expect(verdict).to_contain_text("Leans towards")
    expect(verdict).not_to_contain_text("confidence")


def test_hostile_texts_are_shown_as_text(extension: Extension, article: Page, contract: Contract) -> None:
    contract.run = samples.hostile_run()
    dialogs: list[str] = []
    article.on("dialog", lambda dialog: dialogs.append(dialog.message))
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=verdict]")).to_contain_text("<img src=x onerror=alert(1)>")
    assert shown.locator("img, script").count() == 0
    assert all((link.get_attribute("href") or "").startswith("http") for link in shown.get_by_role("link").all())
    assert not dialogs


def test_an_earlier_answer_is_offered_first(extension: Extension, article: Page, contract: Contract) -> None:
    contract.earlier = [card_value(replace(wall_card(), run_id="1" * 32)) | {"relation": "same", "probability": 0.99}]
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=earlier]")).to_contain_text("This claim was answered before")
    expect(shown.locator("[data-part=earlier] .label")).to_have_text("False")
    expect(shown.locator("[data-part=steps]")).to_be_hidden()
    expect(shown.get_by_role("link", name="Open in the workbench")).to_have_attribute(
        "href", f"{WORKBENCH}/?run={'1' * 32}"
    )
    assert not contract.bodies("/api/runs")
    shown.get_by_role("button", name="Check anew").click()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    assert len(contract.bodies("/api/runs")) == 1


def test_copy_puts_plain_text_on_the_clipboard(extension: Extension, article: Page) -> None:
    extension.check(article)
    shown = overlay(article)
    shown.get_by_role("button", name="Copy").click()
    expect(shown.get_by_role("button", name="Copied")).to_be_visible()
    article.locator("#field").fill("")
    article.locator("#field").press("Control+V")
    pasted = article.locator("#field").input_value()
    assert pasted.startswith(f"Claim: {CLAIM}\nVerdict: False. High confidence (93%)\n[1] NASA says")
    assert "https://www.nasa.gov" in pasted


def test_the_keyboard_is_enough(extension: Extension, article: Page) -> None:
    article.locator("#link").focus()
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    assert shown.evaluate("document.activeElement.tagName") == "H1"
    for name in ("Citation 1", "Citation 2"):
        article.keyboard.press("Tab")
        assert shown.evaluate("document.activeElement.getAttribute('aria-label')") == name
    article.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.dataset.citation") == "2"
    article.keyboard.press("Escape")
    article.wait_for_function("document.activeElement.id === 'link'")
    assert len(article.frames) == 2  # the page and its own frame


def test_a_screen_reader_meets_a_dialog(extension: Extension, article: Page) -> None:
    extension.check(article)
    expect(overlay(article).locator("article")).to_have_attribute("data-stage", "ended")
    nodes = extension.context.new_cdp_session(article).send("Accessibility.getFullAXTree")["nodes"]
    found = [(n["role"]["value"], n.get("name", {}).get("value")) for n in nodes if not n["ignored"]]
    assert ("dialog", "Ghost: check of the selected text") in found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(extension: Extension, article: Page, contract: Contract, scheme: str) -> None:
    article.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    contract.holds_before = "sentence_accepted"
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=sources] li")).to_have_count(2)
    back = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == ("rgb(20, 23, 27)" if scheme == "dark" else "rgb(252, 251, 248)")
    assert axe.findings(shown, {}) == []
    contract.goes_on.set()
    expect(shown.locator("article")).to_have_attribute("data-stage", "ended")
    for summary in shown.locator("summary").all():
        summary.click()
    assert axe.findings(shown, {}) == []
    article.set_viewport_size({"width": 360, "height": 640})
    article.wait_for_timeout(200)
    assert shown.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    box = shown.frame_element().bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert axe.findings(shown, {}) == []
