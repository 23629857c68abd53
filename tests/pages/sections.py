"""The sections of the knowledge base's page, over real stores."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ghost.workbench import Workbench
from tests.pages.benches import real_bench
from tests.pages.visits import SECONDS, shown

OTTERS = "Otters hold hands while they sleep so that they do not drift apart."


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """An empty one."""
    made = real_bench(tmp_path)
    yield made
    made.close()


def opened(at: AppTest, **params: str) -> AppTest:
    """The page with these parameters in its address, ``section`` among them."""
    at.run()
    at.switch_page("pages/knowledge.py")
    for name, value in params.items():
        at.query_params[name] = value
    at.run()
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
