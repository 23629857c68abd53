"""The icons of the browser extension, drawn from the logo: ``python -m scripts.extension_icons`` (needs Chromium)."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
LOGO = ROOT / "assets" / "icon.svg"
ICONS = ROOT / "extension" / "icons"
SIZES = (16, 32, 48, 128)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Write one PNG for each size, transparent around the logo."""
    ICONS.mkdir(exist_ok=True)
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>* {{ margin: 0 }} svg {{ display: block; width: {size}px; height: {size}px }}</style>"
                + LOGO.read_text(encoding="utf-8")
            )
            page.screenshot(path=ICONS / f"icon-{size}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
