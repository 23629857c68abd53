"""A page over real stores or scripted runs, opened at an address."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ghost.workbench import Workbench
from tests.pages.benches import real_bench
from tests.pages.visits import LIVE, SECONDS, Use, shown

OTTERS = "Otters hold hands while they sleep so that they do not drift apart."
Page = Callable[..., AppTest]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """An empty one, over real stores."""
    made = real_bench(tmp_path)
    yield made
    made.close()


@pytest.fixture
def page(use: Use, bench: Any) -> Page:
    """Opens a page of the app over the bench of the test."""
    return lambda name, **params: opened(use(bench), name, **params)


def opened(at: AppTest, page: str, **params: str) -> AppTest:
    """The page with these parameters in its address."""
    at.switch_page(f"pages/{page}.py")
    return at_address(at, **params)


def at_address(at: AppTest, **params: str) -> AppTest:
    """The same page with only these parameters in its address."""
    at.query_params.clear()
    for name, value in params.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def choose(at: AppTest, key: str, value: str) -> AppTest:
    """Click on one of several."""
    at.segmented_control(key=key).set_value(value).run()
    assert not at.exception
    return at


def elsewhere_and_back(at: AppTest, page: str) -> AppTest:
    """Look at another page and come back by the menu."""
    for name in ("trace", page):
        at.query_params.clear()
        at.switch_page(f"pages/{name}.py").run()
        assert not at.exception
    return at


def until(at: AppTest, found: Callable[[], bool]) -> None:
    """Rerun, as a browser does on a timer, until it is so."""
    deadline = time.monotonic() + SECONDS
    while not found():
        assert time.monotonic() < deadline, shown(at)
        time.sleep(0.02)
        at.run()
        assert not at.exception


def assert_plain(at: AppTest, but: str = "$^") -> None:
    """No text of the page is markup; ``but`` is a pattern of what the page itself writes."""
    kinds = (at.markdown, at.caption, at.header, at.subheader, at.title, at.success, at.error, at.warning, at.info)
    texts = [element.value for elements in kinds for element in elements]
    texts += [element.label for element in (*at.button, *at.expander)]
    texts += [str(cell) for table in at.table for cell in table.value.to_numpy().ravel()]
    for text in texts:
        assert not LIVE.search(re.sub(but, "", text)), text


def keys(at: AppTest, begins: str) -> list[str]:
    """Keys of the buttons that begin so."""
    return [button.key for button in at.button if button.key and button.key.startswith(begins)]
