"""The extension in the system's Chromium, servers for it, and pages to select text on."""

import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Frame, Page, Playwright, Worker, expect

from config import PROJECT
from tests.browser.conftest import FLAGS, STEP_MS
from tests.browser.extension.contract_server import Contract, serving
from tests.ui import samples

EXTENSION = PROJECT / "extension"
PAGES = Path(__file__).parent / "pages"
CLAIM = "The Great Wall of China is visible from the Moon"
KINDS = {".pdf": "application/pdf", ".svg": "image/svg+xml"}
POLICIES = {
    "strict": "default-src 'none'; require-trusted-types-for 'script'",
    "sandbox": "default-src 'none'; sandbox",
}
"""Content policies of pages, by the query of their address."""
ANYWHERE = "http://127.0.0.1/*"
"""Stands for the permission that the browser gives with the context menu and the shortcut, which tests cannot press."""


@dataclass(frozen=True, slots=True)
class Extension:
    """A browser with the extension."""

    context: BrowserContext
    id: str

    @property
    def worker(self) -> Worker:
        """Its service worker, which is started when it does not run."""
        if not self.context.service_workers:
            with self.context.expect_event("serviceworker") as started:
                self.wake()
            return started.value
        return self.context.service_workers[0]

    def wake(self) -> None:
        """Open one of its pages, which calls the worker."""
        self.open("panel/panel.html").close()

    def open(self, path: str, **size: int) -> Page:
        """One of its own pages."""
        page = self.context.new_page()
        page.set_viewport_size({"width": 400, "height": 800, **size})
        page.goto(f"chrome-extension://{self.id}/{path}")
        return page

    def set(self, **settings: object) -> None:
        """Change its settings."""
        self.worker.evaluate("settings => chrome.storage.local.set(settings)", settings)

    def kill(self) -> None:
        """End the service worker, as the browser does with one that it thinks idle."""
        assert self.context.browser
        session = self.context.browser.new_browser_cdp_session()
        targets = session.send("Target.getTargets")["targetInfos"]
        for target in targets:
            if target["type"] == "service_worker" and self.id in target["url"]:
                session.send("Target.closeTarget", {"targetId": target["targetId"]})
        session.detach()

    def check(self, page: Page, text: str = CLAIM, frame_url: str = "") -> None:
        """Do what the context menu does with a selection in the page."""
        page.bring_to_front()
        self.worker.evaluate(
            """async ([text, frameUrl]) => {
                const [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true})
                await ghost.handlers.checkFromMenu({selectionText: text, frameUrl, pageUrl: tab.url}, tab)
            }""",
            [text, frame_url],
        )


def overlay(page: Page) -> Frame:
    """The document of the overlay, which no script of the page can reach."""
    for _ in range(100):
        found = [frame for frame in page.frames if frame.parent_frame == page.main_frame and frame.url == "about:blank"]
        if found:
            return found[-1]
        page.wait_for_timeout(50)
    raise AssertionError("There is no overlay.")


@pytest.fixture(scope="session")
def extension_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the extension that may also draw on the pages of the tests."""
    folder = tmp_path_factory.mktemp("extension") / "extension"
    shutil.copytree(EXTENSION, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["host_permissions"].append(ANYWHERE)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def launch(playwright: Playwright, browser_path: str, folder: Path, profile: Path, *flags: str) -> BrowserContext:
    """A browser with an extension from a folder."""
    loaded = [f"--disable-extensions-except={folder}", f"--load-extension={folder}", "--headless=new"]
    return playwright.chromium.launch_persistent_context(
        profile, executable_path=browser_path, headless=False, args=[*FLAGS, *loaded, *flags]
    )


@pytest.fixture(scope="module")
def browsing(
    playwright: Playwright, browser_path: str, extension_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Extension]:
    """One browser for the tests of a file."""
    expect.set_options(timeout=STEP_MS)
    context = launch(playwright, browser_path, extension_folder, tmp_path_factory.mktemp("profile"))
    context.set_default_timeout(STEP_MS)
    worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
    yield Extension(context, worker.url.split("/")[2])
    context.close()


@pytest.fixture
def extension(browsing: Extension, contract: Contract, server: str) -> Iterator[Extension]:
    """The extension with its settings as at first, and the server of the test."""
    browsing.worker.evaluate("chrome.storage.local.clear()")
    browsing.set(address=server)
    yield browsing
    for page in browsing.context.pages[1:]:
        page.close()


@pytest.fixture
def contract() -> Contract:
    """How the server of a test behaves: every check finds that the claim is false."""
    return Contract(samples.false_run())


@pytest.fixture
def server(contract: Contract) -> Iterator[str]:
    """Address of a server that speaks the contract."""
    with serving(contract) as address:
        yield address


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """A file of the folder ``pages``."""
        file = PAGES / Path(self.path.partition("?")[0]).name
        body = file.read_bytes() if file.is_file() else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", KINDS.get(file.suffix, "text/html; charset=utf-8"))
        if policy := POLICIES.get(self.path.partition("?")[2]):
            self.send_header("Content-Security-Policy", policy)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of a website with the pages of this folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def article(extension: Extension, site: str) -> Page:
    """An ordinary page with something to select."""
    page = extension.context.new_page()
    page.set_viewport_size({"width": 1100, "height": 800})
    page.goto(f"{site}/article.html")
    return page
