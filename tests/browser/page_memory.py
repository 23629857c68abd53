"""Measure the memory of a page's process over PostgreSQL while an analyst visits all pages and does usual things.

    python -m tests.browser.page_memory

A PostgreSQL server, a Chroma server, a worker and a page, in Chromium, over the starter library. It is no part of the
tests, as it takes minutes.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from bench.page import memory
from config import PROJECT
from ghost.jobs import Queue
from ghost.records import Database
from ghost.testing import ChromaServer, PostgresServer
from tests.browser.conftest import FLAGS, Served
from tests.browser.places import EMPTY, go

ARTICLE = "Harbour news\n\n" + "\n\n".join(
    f"The bridge of harbour {n} was opened in {1700 + n} and cost {n + 2} million crowns." for n in range(300)
)
CLAIM = "Lightning never strikes twice in the same place"


def main() -> None:
    """Print the memory after each thing that is done."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ended:
        database, index = PostgresServer(), ChromaServer()
        ended.callback(database.remove)
        ended.callback(index.remove)
        places = {"GHOST_DATABASE_URL": database.url(database.create()), "GHOST_CHROMA_URL": index.url}
        environment = os.environ | places | {"GHOST_DATA_DIR": folder, "GHOST_WEB": "false", "GHOST_JUDGE": "embedded"}
        worker = ended.enter_context(_process(environment, "-m", "ghost", "worker", "--slots", "3"))
        _wait_for_worker(places["GHOST_DATABASE_URL"], worker)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = (f"--server.port={port}", "--server.headless=true")
        page = ended.enter_context(_process(environment, "-m", "streamlit", "run", "app.py", *options))
        address = f"http://127.0.0.1:{port}"
        while page.poll() is None and not _healthy(address):
            time.sleep(0.2)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            _visit(browser.new_page(), Served(address, Path(folder)), lambda what: _say(what, page.pid))
            browser.close()
        _say("the worker", worker.pid)


def _wait_for_worker(url: str, worker: "subprocess.Popen[bytes]") -> None:
    """Return when it takes work: whichever process is first reads the starter library, and that takes the models."""
    database = Database.open(url)
    while worker.poll() is None and not Queue(database).standing().workers:
        time.sleep(0.2)
    database.close()


def _visit(page: Page, served: Served, say: Callable[[str], None]) -> None:
    page.set_default_timeout(120_000)
    go(page, served, EMPTY["verify"])
    say("the first page")
    for place in EMPTY.values():
        go(page, served, place)
    say("all pages")
    go(page, served, EMPTY["verify"])
    page.get_by_label("Claim", exact=True).fill(CLAIM)
    page.get_by_role("button", name="Check this claim").click()
    page.get_by_text("Export").first.wait_for()
    say("a claim checked")
    go(page, served, EMPTY["verify"])
    page.get_by_text("An article", exact=True).click()
    page.get_by_label("Text of the article").fill(ARTICLE)
    page.get_by_role("button", name="List its statements").click()
    page.get_by_text("Minimum check-worthiness").wait_for()
    say("an article read")
    go(page, served, EMPTY["ask"])
    question = page.get_by_test_id("stChatInputTextArea")
    question.fill("Can you see the Great Wall of China from the Moon?")
    question.press("Enter")
    page.get_by_text("How this was routed").first.wait_for()
    say("a question asked")
    go(page, served, EMPTY["knowledge browse"])
    words = page.get_by_role("textbox").first
    words.fill("great wall moon")
    words.press("Enter")
    page.wait_for_timeout(5_000)
    say("passages searched")


@contextmanager
def _process(environment: dict[str, str], *command: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([sys.executable, *command], cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def _healthy(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def _say(what: str, pid: int) -> None:
    print(f"{what:20} {memory(pid):5.0f} MB", flush=True)


if __name__ == "__main__":
    main()
