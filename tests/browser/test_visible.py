"""What a real browser shows of ordinary pages, against what is kept of them."""

import pytest
from playwright.sync_api import Page

from ghost.text import visible
from tests.web.ordinary import PAGES

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", [n for n in PAGES if n != "a page that fades in"])
def test_the_words_of_ordinary_pages_are_those_of_a_browser(page: Page, name: str) -> None:
    """The one left out shows itself by a script or an animation, which is not waited for here."""
    html, seen = PAGES[name]
    page.route("**/*", lambda route: route.abort())
    page.set_content(html, wait_until="domcontentloaded")
    shown = visible(page.evaluate("document.body.innerText"))
    assert "".join(shown.split()) == "".join(visible(seen).split())
