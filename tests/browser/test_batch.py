"""A batch in a real browser: begun, its server killed in the middle, resumed on the next one."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from config import PROJECT
from tests.browser.conftest import START_SECONDS, _wait_until_healthy

pytestmark = pytest.mark.browser
CLAIMS = (
    "Vaccines cause autism",
    "The Great Wall of China is visible from the Moon",
    "Water boils at a lower temperature at high altitude",
    "Pineapple on pizza is delicious",
    *(f"The Great Wall of China is {n} kilometres long" for n in range(1, 61)),
)
"""So many that a quick machine is not through with them when its server is killed."""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The app on a data folder, killed at the end without a chance to tidy up."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["streamlit", "run", "app.py", f"--server.port={port}", "--server.headless=true"]
    log = folder / f"log-{port}.txt"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", *words], cwd=PROJECT, env={**os.environ, "GHOST_DATA_DIR": str(folder)},
            stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_healthy(address, process, log)
        yield address
    finally:
        process.kill()
        process.wait()


def test_a_batch_survives_the_death_of_its_server(tmp_path: Path, page: Page) -> None:
    with server(tmp_path) as address:
        page.goto(f"{address}/batch")
        lines = page.get_by_role("textbox", name="Claims, one per line")
        expect(lines).to_be_visible(timeout=START_SECONDS * 1000)
        lines.fill("\n".join((*CLAIMS, CLAIMS[0], "")))
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name=f"Check {len(CLAIMS)} claims").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        done = page.get_by_role("button", name="False").first  # how many there are of this verdict
        expect(done).to_be_visible(timeout=START_SECONDS * 1000)
        batch = page.url.partition("?")[2]
        page.goto("about:blank")
    with server(tmp_path) as address:
        page.goto(f"{address}/batch?{batch}")
        expect(page.get_by_text("Ghost was closed while this batch was being checked.")).to_be_visible(
            timeout=START_SECONDS * 1000
        )
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible(timeout=START_SECONDS * 1000)
        expect(page.get_by_role("button", name="Pause")).to_be_hidden(timeout=START_SECONDS * 1000)
        with page.expect_download() as download:
            page.get_by_role("button", name="Export CSV").click()
        body = download.value.path().read_text(encoding="utf-8-sig")
        assert body.count('"done"') == len(CLAIMS) + 1
        assert not page.get_by_role("button", name="Failed").count()
