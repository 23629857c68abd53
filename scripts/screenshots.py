"""Pictures of the pages: ``make screenshots``, or ``python scripts/screenshots.py OUTDIR [--only NAME …]``.

Starts the app on a temporary data folder that is filled by real checks on the demo web, and takes each page in light
and dark, wide and narrow. With ``--tour`` it takes the pictures of docs/tour.md instead. Nothing is asked of the real
web. Needs Chromium and ``playwright``.
"""

import argparse
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from filled import Filled, fill, settings  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from views import EMPTY, TOUR, Shown, View, views  # noqa: E402

from config import load_settings  # noqa: E402
from ghost.demo_web import DemoWeb  # noqa: E402

SIZES = {"wide": 1440, "narrow": 390}
SCHEMES = ("light", "dark")
TALLEST = 6000
TOUR_WIDTH = 1200
COLOURS = 96
MOST_BYTES = 150_000
"""Of a picture in docs/images: they are part of every copy of the repository."""
PATIENCE_MS = 90_000
MAIN = ":is([data-testid=stMain], [data-testid=stAppScrollToBottomContainer])"
"""What scrolls; a page with a field for a chat has a container of its own."""
STILL_MS = 700
"""Charts and folds move for so long after the page has been drawn."""


@contextmanager
def app(folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The app on a free port, with its data in ``folder``; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", "--server.headless=true"]
    process = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, **environment, "GHOST_DATA_DIR": str(folder)})
    address = f"http://127.0.0.1:{port}"
    try:
        while process.poll() is None and not healthy(address):
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:  # a browser that still holds on must not keep the folder from the next app
            process.kill()
            process.wait()


def healthy(address: str) -> bool:
    """Whether the app answers."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def opened(browser: Browser, address: str, view: View, scheme: str, width: int) -> Iterator[Page]:
    """A page, drawn to its end. Streamlit scrolls inside the window, so the window is made as high as the page."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{address}/{view.path}")
    page.get_by_text(view.ready).first.wait_for(state="attached")
    view.before(page)
    settle(page)
    height = page.evaluate(f"document.querySelector('{MAIN}').scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(900, height), TALLEST)})
    settle(page)
    try:
        yield page
    finally:
        context.close()


def settle(page: Page) -> None:
    """Wait until nothing is drawn any more."""
    page.wait_for_function(
        "!document.querySelector('[data-testid=stSkeleton],[data-testid=stApp][data-test-script-state=running]')"
    )
    page.wait_for_timeout(STILL_MS)


def shoot(browser: Browser, address: str, view: View, outdir: Path, sizes: list[str], schemes: list[str]) -> None:
    """One page in full, in each theme and size; a page that never gets ready is told and passed over."""
    for scheme in schemes:
        for size in sizes:
            path = outdir / f"{view.name}-{scheme}-{size}.png"
            try:
                with opened(browser, address, view, scheme, SIZES[size]) as page:
                    page.screenshot(path=path, animations="disabled")
                    wider = page.evaluate(f"document.querySelector('{MAIN}').scrollWidth") - SIZES[size]
                    titles = page.locator("h1").count()
                print(
                    path, *([f"{wider} px too wide"] if wider > 0 else []), *([f"{titles} h1"] if titles != 1 else [])
                )
            except Exception as error:  # the other pictures are still worth having
                print(f"{path}: {str(error).splitlines()[0]}", file=sys.stderr)


def show(browser: Browser, address: str, shown: Shown, view: View, outdir: Path) -> None:
    """One picture of the tour, with few colours, so that it stays small."""
    with opened(browser, address, view, shown.scheme, TOUR_WIDTH) as page:
        top = 0.0
        if shown.begins:
            box = page.get_by_role("heading", name=shown.begins, exact=True).first.bounding_box()
            top = max(0, box["y"] - 24) if box else 0
        area = {"x": 0, "y": top, "width": TOUR_WIDTH, "height": shown.height}
        taken = page.screenshot(clip=area, animations="disabled")  # type: ignore[arg-type]
    path = outdir / f"{shown.file}.png"
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    print(path, f"{size:,} bytes", *(["TOO LARGE"] if size > MOST_BYTES else []))


def filled(folder: Path) -> Filled:
    """The folder's content, made when it is not there yet."""
    note = folder / "filled.json"
    if not note.exists():
        print("Checking claims for the pictures; this takes a minute or two.")
        note.write_text(json.dumps(asdict(fill(load_settings()))), encoding="utf-8")
    return Filled(**json.loads(note.read_text(encoding="utf-8")))


@contextmanager
def kept(folder: Path | None) -> Iterator[Path]:
    """A folder that was named, else one that is removed at the end."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="ghost-pictures-", ignore_cleanup_errors=True) as temporary:
            yield Path(temporary)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve()


def main() -> None:
    """Fill a folder, start the app on it, and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--only", nargs="+", default=[], help="pages whose names begin so")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=list(SCHEMES))
    parser.add_argument("--tour", action="store_true", help="take the pictures of docs/tour.md")
    parser.add_argument("--folder", type=Path, help="keep the filled folder here, and use it again the next time")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the app does not outlive this program
    args.outdir.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        sys.exit("There is no Chromium on this machine. Install the package `chromium` and try again.")

    def wanted(all_views: list[View]) -> list[View]:
        return [v for v in all_views if not args.only or v.name.startswith(tuple(args.only))]

    with kept(args.folder) as folder, DemoWeb() as web, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        for part in ("filled", "empty"):
            here = folder / part
            here.mkdir(exist_ok=True)
            environment = settings(web, here)
            os.environ.update(environment)
            chosen = wanted(views(filled(here)) if part == "filled" else [] if args.tour else EMPTY)
            if not chosen:
                continue
            with app(here, environment) as address:
                if args.tour:
                    known = {view.name: view for view in chosen}
                    for shown in (s for s in TOUR if s.view in known):
                        show(browser, address, shown, known[shown.view], args.outdir)
                    continue
                for view in chosen:
                    shoot(browser, address, view, args.outdir, args.sizes, args.schemes)
        browser.close()


if __name__ == "__main__":
    main()
