"""Every view of every page, empty and filled, both themes, wide and narrow: axe-core finds nothing grave in it, and
nothing is wider than the screen."""

from collections.abc import Callable

import pytest
import streamlit
from playwright.sync_api import Page

from tests.browser import axe
from tests.browser.conftest import Served
from tests.browser.places import EMPTY, FILLED, MAIN, go, settle

pytestmark = pytest.mark.browser
STREAMLIT = "1.67.0"
KNOWN = {
    # The sections of the navigation, which a narrow screen gets at the side.
    "list": ["[data-testid=stSidebarNavItems]"],
    "listitem": ["[data-testid=stSidebarNavItems] li"],
    # A table that is wider than its place scrolls, and cannot be reached with the keyboard.
    "scrollable-region-focusable": ["[data-testid=stTable] > div"],
}
"""What Streamlit itself causes, as selectors by rule; looked at with the version above."""
VIEWS = [*(("empty", name) for name in EMPTY), *(("filled", name) for name in FILLED)]
WIDE, NARROW = 1440, 390
_HEADINGS = f"() => [...document.querySelectorAll('{MAIN} :is(h1, h2, h3, h4, h5, h6)')].map(h => h.tagName)"
_OVERFLOW = f"""() => Math.max(
    document.querySelector('{MAIN}').scrollWidth, document.documentElement.scrollWidth
) - window.innerWidth"""


@pytest.fixture(scope="module")
def met() -> dict[tuple[str, str], set[tuple[str, str]]]:
    """What of KNOWN was met in each view."""
    return {}


@pytest.mark.parametrize(("kind", "name"), VIEWS)
def test_everybody_can_read_it(
    stores: Callable[[str], Served], page: Page, met: dict[tuple[str, str], set[tuple[str, str]]], kind: str, name: str
) -> None:
    places = EMPTY if kind == "empty" else FILLED
    go(page, stores(kind), places[name])
    # A change of theme fades colours, and what is seen half way has neither theme's contrast.
    page.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
    headings = page.evaluate(_HEADINGS)
    assert headings.index("H1") == 0, "something stands above the main heading"
    assert headings.count("H1") == 1
    found: list[axe.Finding] = []
    for width in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            settle(page)
            # A theme changes colours and nothing else.
            found += axe.findings(page, KNOWN, ("color-contrast",) if scheme == "dark" else ())
        assert page.evaluate(_OVERFLOW) <= 0, f"wider than {width} pixels"
    met[kind, name] = {(each.rule, each.known) for each in found if each.known}
    grave = [each for each in found if not each.known]
    assert not grave, "\n".join(f"{e.rule} at {e.at}: {e.html}\n{e.summary}" for e in grave)


def test_the_list_has_nothing_that_no_longer_occurs(met: dict[tuple[str, str], set[tuple[str, str]]]) -> None:
    if set(met) != set(VIEWS):
        pytest.skip("Not all views were looked at, or not all passed.")
    stale = {(rule, at) for rule, selectors in KNOWN.items() for at in selectors} - set().union(*met.values())
    assert not stale, f"Streamlit does this no longer: {stale}"


def test_the_list_is_of_this_version_of_streamlit() -> None:
    assert streamlit.__version__ == STREAMLIT, "Look at KNOWN again, with the tests above, and write the new version."
