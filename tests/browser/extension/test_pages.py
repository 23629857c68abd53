"""The extension's own pages: the popup with its settings and the connection, and the side panel."""

from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser import axe
from tests.browser.extension.conftest import CLAIM, EXTENSION, Extension, launch, overlay
from tests.browser.extension.contract_server import WORKBENCH, Contract

pytestmark = pytest.mark.browser
PAGES = ["popup/popup.html", "panel/panel.html", "result/result.html?check=unknown&why=moved"]


def _settings(extension: Extension) -> Any:
    return extension.worker.evaluate("chrome.storage.local.get()")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_everybody_can_read_them(extension: Extension, article: Page, path: str, scheme: str) -> None:
    extension.check(article)
    expect(overlay(article).locator("article")).to_have_attribute("data-stage", "ended")
    page = extension.open(path, width=360)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    if "popup" in path:
        expect(page.get_by_role("status", name="Connection")).to_contain_text("Connected")
    if "panel" in path:
        expect(page.locator("#current .label")).to_have_text("False")
        expect(page.locator("#recent li")).to_have_count(1)
    assert axe.findings(page, {}) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({}, "", ["Connected", "without a key. Role: curate."]),
        ({"key": "ghost_a_b"}, "ghost_a_b", ["Connected", "with the key “desk”"]),
        ({"key": "ghost_a_b"}, "", ["The key is not known", "This server needs a key", "ghost keys pair"]),
        ({"key": "ghost_a_b"}, "ghost_wrong", ["The key is not known", "ghost keys add"]),
        ({"role": "read"}, "", ["Connected, but this key can only read", "--role verify"]),
        ({"status": "opening"}, "", ["The server is opening its knowledge base", "Wait until it is ready."]),
        ({"status": "failed"}, "", ["The server cannot check claims right now", "Wait until it is ready."]),
    ],
)
def test_the_popup_says_how_the_connection_is(
    extension: Extension, contract: Contract, changes: dict[str, str], key: str, words: list[str]
) -> None:
    for name, value in changes.items():
        setattr(contract, name, value)
    extension.set(key=key)
    state = extension.open("popup/popup.html").get_by_role("status", name="Connection")
    for word in words:
        expect(state).to_contain_text(word)


def test_the_popup_waits_for_a_server_that_opens(extension: Extension, contract: Contract) -> None:
    contract.status = "opening"
    page = extension.open("popup/popup.html")
    state = page.get_by_role("status", name="Connection")
    expect(state).to_contain_text("is opening")
    page.get_by_label("Key").fill("ghost_half")
    contract.status = "ready"
    expect(state).to_contain_text("Connected")
    expect(page.get_by_label("Key")).to_have_value("ghost_half")


def test_the_popup_says_what_to_do_without_a_server(extension: Extension) -> None:
    extension.set(address="http://127.0.0.1:9")
    page = extension.open("popup/popup.html")
    state = page.get_by_role("status", name="Connection")
    expect(state).to_contain_text("The Ghost server is not running")
    expect(state.locator("code")).to_have_text(["python -m ghost serve", "python -m ghost up"])


def test_settings_are_kept(extension: Extension, server: str, contract: Contract) -> None:
    extension.set(address="http://127.0.0.1:9")
    page = extension.open("popup/popup.html")
    page.get_by_role("textbox", name="Address").fill(f"{server}/api/")
    page.get_by_label("Key").fill(" ghost_id_secret ")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status", name="Connection")).to_contain_text("Connected")
    expect(page.locator("#expectation")).to_have_text("")
    page.get_by_label("Fall back to the cloud").check()
    expect(page.locator("#expectation")).to_contain_text("does not allow falling back to the cloud")
    page.get_by_label("Send the page’s address").check()
    page.get_by_label("Cloud: the language model").check()
    expect(page.locator("#expectation")).to_contain_text("has no cloud model")
    expect(page.get_by_label("Fall back to the cloud")).to_be_disabled()
    page.get_by_role("textbox", name="Address").fill("javascript:alert(1)")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#saved")).not_to_have_text("Saved.")
    assert _settings(extension) == {
        "address": server, "key": "ghost_id_secret", "aiProvider": "cloud", "cloudFallback": True, "sendAddress": True,
    }  # fmt: skip
    page.get_by_role("textbox", name="Address").fill("http://127.0.0.1:9")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Key")).to_have_value("")
    assert _settings(extension)["key"] == "", "a key is for the server that gave it"


def test_the_popup_turns_the_button_of_a_site_on_and_off(extension: Extension, article: Page, site: str) -> None:
    popup = extension.open("popup/popup.html")
    article.bring_to_front()
    popup.reload()
    switch = popup.get_by_label("Show a button beside selections")
    expect(popup.locator("#host")).to_have_text(site.removeprefix("http://"))
    expect(switch).not_to_be_checked()
    listed = "chrome.scripting.getRegisteredContentScripts().then(all => all.map(one => one.matches))"
    for on in (True, False):
        switch.set_checked(on)
        for _ in range(50):
            if (found := extension.worker.evaluate(listed)) == ([[f"{site}/*"]] if on else []):
                break
            popup.wait_for_timeout(50)
        assert bool(found) is on


def test_the_panel_has_the_latest_check_and_the_recent_ones(
    extension: Extension, article: Page, contract: Contract
) -> None:
    panel = extension.open("panel/panel.html")
    row = panel.locator("#recent li")
    expect(row).to_contain_text("False")
    expect(row.get_by_role("link")).to_have_attribute("href", f"{WORKBENCH}/?run={contract.run.id}")
    extension.check(article)
    expect(panel.locator("#current h2")).to_have_text(f"“{CLAIM}”")
    expect(panel.locator("#current .label")).to_have_text("False")
    before = len(contract.bodies("/api/runs"))
    row.get_by_role("button").click()
    expect(panel.locator("#current .label")).to_have_text("False")
    assert len(contract.bodies("/api/runs")) == before


def test_the_popup_opens_the_panel(extension: Extension) -> None:
    popup = extension.open("popup/popup.html")
    expect(popup.get_by_role("textbox", name="Address")).not_to_have_value("")
    popup.get_by_role("button", name="Open the side panel").click()
    assert extension.context.browser
    session = extension.context.browser.new_browser_cdp_session()
    for _ in range(100):
        if any(t["url"].endswith("panel/panel.html") for t in session.send("Target.getTargets")["targetInfos"]):
            return
        extension.context.pages[0].wait_for_timeout(50)
    raise AssertionError("The side panel did not open.")


def test_the_panel_says_what_to_do_without_a_server(extension: Extension) -> None:
    extension.set(address="http://127.0.0.1:9")
    panel = extension.open("panel/panel.html")
    expect(panel.locator("#recent")).to_contain_text("The Ghost server is not running")
    expect(panel.locator("#recent code").first).to_have_text("python -m ghost serve")


def test_as_it_is_installed_it_reaches_its_server_and_no_page(
    playwright: Playwright, browser_path: str, tmp_path: Any, site: str
) -> None:
    context = launch(playwright, browser_path, EXTENSION, tmp_path)
    worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
    may = "origins => chrome.permissions.contains({origins})"
    assert worker.evaluate(may, ["http://127.0.0.1:5000/*", "http://localhost:5000/*"])
    assert not worker.evaluate(may, [f"{site}/*"])
    page = context.new_page()
    page.goto(f"{site}/article.html")
    inject = """async () => {
        const tabs = await chrome.tabs.query({})
        const told = tabs.filter(tab => tab.url).map(tab => tab.url)
        const ends = await Promise.allSettled(tabs.map(({id}) =>
            chrome.scripting.executeScript({target: {tabId: id}, func: () => 1})))
        return [told, ends.map(end => end.status)]
    }"""
    told, ends = worker.evaluate(inject)
    assert not [url for url in told if url.startswith("http")]
    assert set(ends) == {"rejected"}
    popup = context.new_page()
    popup.goto(worker.url.replace("background/worker.js", "popup/popup.html"))
    expect(popup.get_by_role("status", name="Connection")).to_contain_text("The Ghost server is not running")
    worker.evaluate("chrome.storage.local.set({address: 'https://ghost.example'})")
    popup.reload()
    expect(popup.get_by_role("status", name="Connection")).to_contain_text("Not allowed to reach the server yet")
    expect(popup.get_by_role("button", name="Allow")).to_be_visible()
    context.close()
