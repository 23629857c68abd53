"""Servers of their own for the browser tests, and a page in the system's Chromium."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Playwright, expect, sync_playwright

from config import PROJECT

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
START_SECONDS = 240
STEP_MS = 60_000
"""Patience for a slow machine; a quick one never waits that long."""


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Start ``python ARGS... PORT FOLDER`` and return its address once it is healthy."""
    processes: list[subprocess.Popen[bytes]] = []

    def started(*command: str, **environment: str) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        folder = tmp_path_factory.mktemp("served")
        log = folder / "log.txt"
        arguments = [part.format(port=port, folder=folder) for part in command]
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=PROJECT,
                env={**os.environ, "GHOST_DATA_DIR": str(folder), "PYTHONPATH": str(PROJECT), **environment},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        processes.append(process)
        address = f"http://127.0.0.1:{port}"
        _wait_until_healthy(address, process, log)
        return address

    yield started
    for process in processes:
        process.terminate()
        process.wait(timeout=30)


def _wait_until_healthy(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"The page did not start:\n{log.read_text(errors='replace')[-3000:]}")


@pytest.fixture(scope="session")
def scripted(serve: Callable[..., str]) -> str:
    """Address of the pages over hand-made runs."""
    return serve("-m", "tests.browser.scripted", "{port}", "{folder}")


@dataclass(frozen=True, slots=True)
class Served:
    """Pages over stores that were made for them."""

    address: str
    folder: Path

    def id_of(self, kind: str) -> str:
        """The id of the case, batch, article or passage that was made there; empty when there is none."""
        kept = self.folder / f"{kind}.txt"
        return kept.read_text() if kept.exists() else ""


@pytest.fixture(scope="session")
def stores(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Served]:
    """Pages over real stores, ``empty`` or ``filled``, each started when it is first asked for."""

    @cache
    def started(kind: str) -> Served:
        folder = tmp_path_factory.mktemp(kind)
        return Served(serve("-m", "tests.browser.stores", "{port}", str(folder), kind), folder)

    return started


@pytest.fixture(scope="session")
def real(serve: Callable[..., str]) -> str:
    """Address of the pages over the real workbench, with a new knowledge base."""
    return serve("-m", "streamlit", "run", "app.py", "--server.port={port}", "--server.headless=true")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself, of which a process can have only one."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright, browser_path: str) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page that fails the test when anything leaves this machine or a dialog opens."""
    expect.set_options(timeout=STEP_MS)
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(STEP_MS)
    outside: list[str] = []
    dialogs: list[str] = []
    page.on("request", lambda r: None if _local(r.url) else outside.append(r.url))

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    yield page
    page.close()
    assert not outside, f"The page reached for {outside}"
    assert not dialogs, f"A script ran: {dialogs}"


def _local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "about:"))
