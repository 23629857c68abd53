"""Pictures of the pages: ``python scripts/screenshots.py OUTDIR``.

Starts the app on a temporary data folder, checks a few claims in it, and takes each page in light and dark, wide and
narrow. Nothing is searched on the web unless GHOST_WEB=true is set. Needs Chromium and ``playwright``.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
CLAIMS = {
    "false": "Vaccines cause autism",
    "true": "Water boils at a lower temperature at high altitude",
    "mixed": "The Great Wall of China is visible from the Moon, and the Moon orbits the Earth",
    "open": "The mayor of Springfield owns nine llamas",
    "opinion": "Pineapple on pizza is delicious",
}
SIZES = {"wide": 1440, "narrow": 390}
TALLEST = 6000
PATIENCE_MS = 120_000


@contextmanager
def app(folder: Path) -> Iterator[str]:
    """The app on a free port, with its data in ``folder``; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", "--server.headless=true"]
    environment = {"GHOST_WEB": "false", **os.environ, "GHOST_DATA_DIR": str(folder)}
    process = subprocess.Popen(command, cwd=PROJECT, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        while process.poll() is None and not healthy(address):
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def healthy(address: str) -> bool:
    """Whether the app answers."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def check(page: Page, address: str, claim: str) -> str:
    """Check a claim in the page and return the address of its report."""
    page.goto(address)
    page.get_by_label("Claim", exact=True).fill(claim)
    page.get_by_role("button", name="Check this claim").click()
    page.get_by_text("% confident").first.wait_for()
    return page.url


def shoot(browser: Browser, address: str, ready: str, path: Path, scheme: str, width: int) -> None:
    """One page in full; Streamlit scrolls inside the window, so the window is made as high as the page."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.get_by_text(ready).first.wait_for()
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(900, height), TALLEST)})
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, animations="disabled")
    context.close()
    print(path)


def main() -> None:
    """Start the app, check the claims, take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outdir", type=Path)
    outdir = parser.parse_args().outdir
    outdir.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        sys.exit("There is no Chromium on this machine. Install the package `chromium` and try again.")
    with tempfile.TemporaryDirectory() as folder, app(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        pages = {
            "verify-empty": (address, "Try one of these"),
            "knowledge": (f"{address}/knowledge", "passages, newest"),
        }
        for name, claim in CLAIMS.items():
            pages[f"verify-{name}"] = (check(page, address, claim), "% confident")
        page.goto(f"{address}/knowledge")
        page.get_by_role("button", name="Details").first.click()
        page.get_by_role("heading", name="History").wait_for()
        pages["passage"] = (page.url, "History")
        page.close()
        for name, (url, ready) in pages.items():
            for scheme in ("light", "dark"):
                for size, width in SIZES.items():
                    shoot(browser, url, ready, outdir / f"{name}-{scheme}-{size}.png", scheme, width)
        browser.close()


if __name__ == "__main__":
    main()
