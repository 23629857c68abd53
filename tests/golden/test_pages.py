"""The pages of a filled workbench: what stands on them today, and that none breaks."""

import pytest

from tests.golden.differences import differences
from tests.golden.pages import FOLDER, Shown, read_page, shown_pages


@pytest.fixture(scope="module")
def pages() -> dict[str, dict[str, Shown]]:
    """Each page with what stands at each of its addresses."""
    return dict(shown_pages())


def test_no_page_breaks(pages: dict[str, dict[str, Shown]]) -> None:
    broken = {page: shown for page, addresses in pages.items() for shown in addresses.values() if "exceptions" in shown}
    assert not broken


def test_every_page_says_what_is_stored(pages: dict[str, dict[str, Shown]]) -> None:
    stored = {file.stem: read_page(file.stem) for file in FOLDER.glob("*.json")}
    changed = {page: differences(stored.get(page, {}), pages.get(page, {})) for page in {*stored, *pages}}
    told = "\n".join(f"{page}\n{found}" for page, found in sorted(changed.items()) if found)
    assert not told, f"Pages differ from {FOLDER.name} (- stored, + found):\n{told}"
