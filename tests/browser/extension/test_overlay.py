"""A selection is checked: the overlay shows the steps, the sources and the verdict, and leads to the run."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.extension.conftest import CLAIM, Extension, overlay
from tests.browser.extension.contract_server import WORKBENCH, Contract

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
    expect(shown.locator("[data-part=citations] .cite").first).to_contain_text("Contradicts")
    run = shown.get_by_role("link", name="Open in the workbench")
    assert run.get_attribute("href") == f"{WORKBENCH}/?run={contract.run.id}"
    assert run.get_attribute("rel") == "noopener noreferrer"
    expect(shown.locator("[data-part=account]")).to_contain_text("Nothing: no search was made")
    print(json.dumps(contract.asked)[:300])
