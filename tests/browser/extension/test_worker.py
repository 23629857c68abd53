"""The service worker: it goes on after it was killed, after a broken connection and after a restart of the server; it
routes the judge; and what the server refuses is told with what to do."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ghost.reports import card_value
from tests.browser.extension.conftest import CLAIM, Extension, overlay
from tests.browser.extension.contract_server import Contract
from tests.ui.asking import wall_card

pytestmark = pytest.mark.browser


def _label(page: Page) -> None:
    expect(overlay(page).locator("[data-part=verdict] .label")).to_have_text("False")


def _last_ids(contract: Contract) -> list[str]:
    """The Last-Event-ID of each request for events."""
    return [headers.get("Last-Event-ID", "") for _, path, headers, _ in contract.asked if path.endswith("/events")]


def test_a_killed_worker_goes_on(extension: Extension, article: Page, contract: Contract) -> None:
    contract.holds_before = "sentence_accepted"
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator("[data-part=sources] li")).to_have_count(2)
    article.wait_for_timeout(300)  # what was heard is written a tenth of a second later
    extension.kill()
    for _ in range(100):
        if len(_last_ids(contract)) == 2:
            break
        article.wait_for_timeout(100)
    contract.goes_on.set()
    _label(article)
    assert len(contract.bodies("/api/runs")) == 1
    assert _last_ids(contract)[0] == ""
    assert _last_ids(contract)[1].startswith("log1-")
    expect(shown.locator("[data-part=sources] summary")).to_have_text("3 sources · 2 read")


def test_a_button_wakes_a_worker_that_was_ended(extension: Extension, article: Page, contract: Contract) -> None:
    contract.earlier = [card_value(wall_card())]
    extension.check(article)
    expect(overlay(article).locator("[data-part=earlier] .label")).to_have_text("False")
    extension.kill()
    overlay(article).get_by_role("button", name="Check anew").click()
    _label(article)
    assert len(contract.bodies("/api/runs")) == 1


def test_a_broken_connection_is_taken_up_again(extension: Extension, article: Page, contract: Contract) -> None:
    contract.breaks_before = "evidence_weighed"
    extension.check(article)
    _label(article)
    first, second = _last_ids(contract)
    assert (first, second.partition("-")[0]) == ("", "log1")


def test_a_stream_that_starts_over_replaces_what_was_shown(
    extension: Extension, article: Page, contract: Contract
) -> None:
    contract.breaks_before = "verdict_reached"
    contract.holds_before = "step_finished"
    extension.check(article)
    expect(overlay(article).locator("[data-part=steps] li.doing")).to_have_count(1)
    contract.goes_on.set()
    contract.log = "log2"
    _label(article)
    shown = overlay(article)
    shown.get_by_text("How it was checked").click()
    expect(shown.locator("[data-part=steps] li").first).to_contain_text("Factual claim · 1 statement to check · ")
    expect(shown.locator("[data-part=sources] summary")).to_have_text("3 sources · 2 read")


def test_a_server_that_is_gone_is_told_and_tried_again(
    extension: Extension, article: Page, contract: Contract, server: str
) -> None:
    extension.set(address="http://127.0.0.1:9")
    extension.check(article)
    shown = overlay(article)
    problem = shown.get_by_role("alert")
    expect(problem).to_contain_text("The Ghost server is not running")
    expect(problem.locator("code")).to_have_text(["python -m ghost serve", "python -m ghost up"])
    assert shown.locator("[data-part=verdict]").is_hidden()
    extension.set(address=server)
    shown.get_by_role("button", name="Try again").click()
    _label(article)


@pytest.mark.parametrize(
    ("changes", "told", "remedy"),
    [
        ({"key": "ghost_a_b"}, "The key is not known", "python -m ghost keys add"),
        ({"role": "read"}, "The key does not allow this", "the role verify"),
    ],
)
def test_a_refusal_says_what_to_do(
    extension: Extension, article: Page, contract: Contract, changes: dict[str, Any], told: str, remedy: str
) -> None:
    for name, value in changes.items():
        setattr(contract, name, value)
    extension.set(key="ghost_wrong_key")
    extension.check(article)
    problem = overlay(article).get_by_role("alert")
    expect(problem).to_contain_text(told)
    expect(problem).to_contain_text(remedy)
    contract.role = "verify"
    extension.set(key=contract.key)
    overlay(article).get_by_role("button", name="Try again").click()
    _label(article)


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({}, {"judge": "local", "cloud_fallback": False}),
        ({"cloudFallback": True}, {"judge": "local", "cloud_fallback": True}),
        ({"aiProvider": "cloud", "cloudFallback": True}, {"judge": "cloud"}),
        ({"aiProvider": "nonsense", "cloudFallback": "yes"}, {"judge": "local", "cloud_fallback": False}),
    ],
)
def test_the_brain_router(
    extension: Extension, article: Page, contract: Contract, settings: dict[str, Any], sent: dict[str, Any]
) -> None:
    extension.set(**settings)
    extension.check(article)
    _label(article)
    assert contract.bodies("/api/runs") == [{"claim": CLAIM, **sent}]


def test_requests_carry_the_key_and_nothing_of_the_page(
    extension: Extension, article: Page, contract: Contract
) -> None:
    contract.key = "ghost_id_secret"
    extension.set(key=contract.key)
    extension.check(article)
    _label(article)
    for _, path, headers, _ in contract.asked:
        assert headers["Authorization"] == "Bearer ghost_id_secret", path
        assert not {"Referer", "Cookie"} & set(headers)
        assert headers.get("Origin", f"chrome-extension://{extension.id}") == f"chrome-extension://{extension.id}"
        # By these the server knows what an extension asks without a key: a GET of one names no origin.
        assert (headers["Sec-Fetch-Site"], headers["Sec-Fetch-Mode"]) == ("none", "cors"), path
    keys = [headers.get("Idempotency-Key") for method, path, headers, _ in contract.asked if path == "/api/runs"]
    assert keys[0]


def test_a_page_cannot_ask_the_worker_for_anything(extension: Extension, article: Page) -> None:
    assert article.evaluate("typeof chrome === 'undefined' || !chrome.runtime?.sendMessage")
    extension.check(article)
    _label(article)
    read = """async () => {
        const [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true})
        const [{result}] = await chrome.scripting.executeScript({target: {tabId: tab.id}, func: async () => {
            const origin = location.origin
            const ask = type => chrome.runtime.sendMessage({type, origin, on: true}).catch(() => 'refused')
            const stored = await chrome.storage.local.get('key').then(JSON.stringify, () => 'refused')
            return [stored, await ask('recent') ?? 'refused', await ask('turn-site') ?? 'refused']
        }})
        return result
    }"""
    extension.set(key="ghost_id_secret")
    assert extension.worker.evaluate(read) == ["refused", "refused", "refused"]
