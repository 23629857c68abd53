"""The extension against the real server, ``python -m ghost serve``, on a made-up web: from the selection to the run."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from config import PROJECT
from ghost.demo_web import DemoWeb, environment, values
from tests.browser import axe
from tests.browser.conftest import START_SECONDS
from tests.browser.extension.conftest import EXTENSION, Extension, launch, overlay

pytestmark = pytest.mark.browser
BRIDGE = "Foreign divers sabotaged the cables of the Saltgate Bridge."


class RealServer:
    """The server as a process of its own, over a data folder of the tests."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder, self.port, self.page_port = folder, _free_port(), _free_port()
        self.variables = {**variables, "GHOST_DATA_DIR": str(folder), "GHOST_PORT": str(self.page_port)}
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, **more: str) -> None:
        """Start it and wait until it is ready."""
        log = self.folder / "serve.log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ghost", "serve", "--port", str(self.port)],
                cwd=PROJECT, env={**self.variables, **more}, stdout=out, stderr=subprocess.STDOUT,
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/api/health", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise AssertionError(f"The server did not start:\n{log.read_text(errors='replace')[-3000:]}")

    def stop(self, kill: bool = False) -> None:
        """End it, as Ctrl+C does, or as a power cut does."""
        if self._process:
            (self._process.kill if kill else self._process.terminate)()
            self._process.wait(timeout=30)
            self._process = None

    def key(self, role: str) -> str:
        """A new key."""
        return self.keys("add", "--role", role, "extension")

    def keys(self, *words: str) -> str:
        """What ``python -m ghost keys`` answers."""
        command = [sys.executable, "-m", "ghost", "keys", *words]
        made = subprocess.run(command, cwd=PROJECT, env=self.variables, capture_output=True, text=True, check=True)
        return made.stdout.strip()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    folder = tmp_path_factory.mktemp("real")
    with DemoWeb() as web:
        variables = {**os.environ, "PYTHONPATH": str(PROJECT), **environment(values(web, folder))}
        server = RealServer(folder, {name: text for name, text in variables.items() if name != "OPENAI_API_KEY"})
        server.start()
        yield server
        server.stop()


@pytest.fixture(scope="module")
def key(real: RealServer) -> str:
    """The key that pairing has given the extension."""
    return real.key("verify")


@pytest.fixture
def extension(browsing: Extension, real: RealServer, key: str) -> Iterator[Extension]:
    browsing.worker.evaluate("chrome.storage.local.clear()")
    browsing.set(address=real.address, key=key)
    yield browsing
    for page in browsing.context.pages[1:]:
        page.close()


def test_from_the_selection_to_the_verdict(extension: Extension, article: Page) -> None:
    extension.check(article, BRIDGE)
    shown = overlay(article)
    expect(shown.locator("[data-part=sources] li").first).to_be_visible()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("False")
    expect(shown.locator("[data-part=verdict]")).to_contain_text("High confidence")
    expect(shown.locator("[data-part=citations] .cite").first).to_contain_text("Contradicts")
    expect(shown.locator("[data-part=account]")).to_contain_text("Embedded judge")
    expect(shown.locator("[data-part=account]")).to_contain_text("search")
    expect(shown.locator("[data-part=account]")).to_contain_text(
        "The selected text went to the Ghost server on this computer."
    )
    assert axe.findings(shown, {}) == []


def test_a_check_is_cancelled(extension: Extension, article: Page) -> None:
    extension.check(
        article, "Marrow Island lost a quarter of its people between 2010 and 2020, and its mayor resigned."
    )
    shown = overlay(article)
    shown.get_by_role("button", name="Cancel").click()
    expect(shown.locator("[data-part=verdict] .label")).to_have_text("Cancelled")
    expect(shown.locator("[data-part=verdict]")).to_contain_text("There is no verdict.")


def test_an_unusable_claim_is_told_in_the_words_of_the_server(extension: Extension, article: Page) -> None:
    extension.check(article, "https://example.org/article")
    expect(overlay(article).get_by_role("alert")).to_contain_text("That is the address of a page, not a claim.")


def test_a_worker_that_was_killed_goes_on(extension: Extension, article: Page) -> None:
    extension.check(article, "Henrik Dallow is the mayor of Port Ansel.")
    expect(overlay(article).locator("[data-part=steps] li.done").first).to_be_visible()
    extension.kill()
    expect(overlay(article).locator("article")).to_have_attribute("data-stage", "ended")
    expect(overlay(article).locator("[data-part=verdict] .label")).not_to_have_text("Failed")


def test_a_server_that_is_killed_leaves_an_interrupted_check(
    extension: Extension, real: RealServer, article: Page
) -> None:
    extension.check(article, "The Saltgate Bridge was closed in March 2024, and its cables were replaced by divers.")
    expect(overlay(article).locator("[data-part=steps] li.doing, [data-part=steps] li.done").first).to_be_visible()
    real.stop(kill=True)
    expect(overlay(article).locator("[data-part=notice]")).to_contain_text("The connection to the server was lost")
    real.start()
    expect(overlay(article).locator("[data-part=verdict] .label")).to_have_text("Interrupted")
    expect(overlay(article).locator("[data-part=verdict]")).to_contain_text("There is no verdict.")


def test_it_is_paired_with_a_code(extension: Extension, real: RealServer, article: Page) -> None:
    extension.set(key="")
    extension.check(article, "Canberra is the capital of Australia.")
    expect(overlay(article).get_by_role("alert")).to_contain_text("ghost keys pair")
    popup = extension.open("popup/popup.html")
    state, told = popup.get_by_role("status", name="Connection"), popup.locator("#paired")
    expect(state).to_contain_text("may not call the API")
    assert axe.findings(popup, {}) == []
    pair, field = popup.get_by_role("button", name="Pair"), popup.get_by_label("Code")
    code = real.keys("pair")
    for typed, words in (("", "Enter the code first"), ("wrong", "This is not the code. Attempts left: 4.")):
        field.fill(typed)
        pair.click()
        expect(told).to_contain_text(words)
    field.fill(code)
    pair.click()
    expect(state).to_contain_text("with the key “browser extension”. Role: verify.")
    expect(popup.locator("#pair")).to_be_hidden()
    overlay(article).get_by_role("button", name="Try again").click()
    expect(overlay(article).locator("[data-part=verdict] .label")).to_have_text("True")
    key_id = next(line for line in real.keys("list").splitlines() if "browser extension" in line).split()[0]
    real.keys("revoke", key_id)
    popup.wait_for_timeout(2_500)
    popup.reload()
    expect(state).to_contain_text("The key was revoked")
    field.fill(code)
    pair.click()
    expect(told).to_contain_text("The code is no longer valid")


def test_keys_of_every_kind(extension: Extension, real: RealServer, article: Page) -> None:
    wrong = "ghost_" + "a" * 8 + "_" + "b" * 40
    state = ("status", "Connection")
    for key, words, told in (
        (wrong, "The key is not known", "The key is not known"),
        (real.key("read"), "can only read", "The key does not allow this"),
    ):
        extension.set(key=key)
        popup = extension.open("popup/popup.html")
        expect(popup.get_by_role(state[0], name=state[1])).to_contain_text(words)  # type: ignore[arg-type]
        extension.check(article)
        alert = overlay(article).get_by_role("alert")
        expect(alert).to_contain_text(told)  # and no longer what the key before it was told
        expect(alert).to_contain_text("ghost keys add")
    extension.set(key=real.key("verify"))
    overlay(article).get_by_role("button", name="Try again").click()
    expect(overlay(article).locator("[data-part=verdict] .label")).to_have_text("False")


def test_the_panel_lists_the_runs(extension: Extension, real: RealServer) -> None:
    panel = extension.open("panel/panel.html")
    row = panel.locator("#recent li").filter(has_text=BRIDGE)
    expect(row.first).to_contain_text("False")
    row.first.get_by_role("button").click()
    expect(panel.locator("#current .label")).to_have_text("False")
    assert axe.findings(panel, {}) == []


def test_as_it_is_installed_a_click_gives_it_the_page(
    playwright: Playwright, browser_path: str, tmp_path: Path, real: RealServer, site: str, key: str
) -> None:
    """With the manifest as it is: without a click nothing can be drawn, after one the overlay can."""
    context = launch(playwright, browser_path, EXTENSION, tmp_path, "--enable-unsafe-extension-debugging")
    worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
    extension = Extension(context, worker.url.split("/")[2])
    extension.set(address=real.address, key=key)
    page = context.new_page()
    page.goto(f"{site}/article.html")
    may = "chrome.scripting.executeScript({target: {tabId}, func: () => 1}).then(() => true, () => false)"
    reach = f"async () => {{ const [{{id: tabId}}] = await chrome.tabs.query({{active: true}}); return {may} }}"
    assert not worker.evaluate(reach)
    assert context.browser
    session = context.browser.new_browser_cdp_session()
    tabs = session.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
    tab = next(tab for tab in tabs if tab["url"] == page.url)
    session.send("Extensions.triggerAction", {"id": extension.id, "targetId": tab["targetId"]})
    assert worker.evaluate(reach)
    extension.check(page)
    expect(overlay(page).locator("[data-part=verdict] .label")).to_have_text("False")
    context.close()


def test_a_server_that_stops_and_comes_back(
    extension: Extension, real: RealServer, article: Page, serve: Callable[..., str]
) -> None:
    """Last in this file: the page is started over the same data, and shows the run that the overlay links to."""
    extension.check(article)
    shown = overlay(article)
    expect(shown.locator(".label").first).to_have_text("False")
    real.stop()
    extension.check(article, "Canberra is the capital of Australia.")
    expect(overlay(article).get_by_role("alert")).to_contain_text("The Ghost server is not running")
    real.start(GHOST_DEMO_WEB="0", GHOST_WEB="false")  # checks on the made-up web become no cards
    overlay(article).get_by_role("button", name="Try again").click()
    expect(overlay(article).locator("[data-part=verdict] .label")).to_have_text("True")
    extension.check(article, "Canberra is the capital of Australia.")
    expect(overlay(article).locator("[data-part=earlier]")).to_contain_text("This claim was answered before")
    expect(overlay(article).locator("[data-part=earlier] .label")).to_have_text("True")
    href = overlay(article).get_by_role("link", name="Open in the workbench").get_attribute("href")
    assert href
    assert href.startswith(f"http://127.0.0.1:{real.page_port}/?run=")
    real.stop()
    page = serve("-m", "streamlit", "run", "app.py", "--server.port={port}", "--server.headless=true", **real.variables)
    extension.context.route(
        f"http://127.0.0.1:{real.page_port}/**",
        lambda route: route.fulfill(
            status=302, headers={"Location": route.request.url.replace(f"http://127.0.0.1:{real.page_port}", page)}
        ),
    )
    with extension.context.expect_page() as opened:
        overlay(article).get_by_role("link", name="Open in the workbench").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("“Canberra is the capital of Australia.”")
    expect(opened.value.get_by_role("heading", name="True")).to_be_visible()
    assert opened.value.evaluate("window.opener") is None
