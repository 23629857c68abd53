"""One demo web and one workbench on it for the conversations of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.types import Claim
from ghost.workbench import Workbench, build
from tests.seeded import PACKS_OFF


@pytest.fixture(scope="session")
def web() -> Iterator[DemoWeb]:
    with DemoWeb() as running:
        yield running


@pytest.fixture(scope="session")
def bench(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder: Path = tmp_path_factory.mktemp("conversation")
    settings = Settings(**values(web, folder), min_credibility=1.0, packs_off=PACKS_OFF)  # what is read does not stay
    with build(settings, judge="embedded") as workbench:
        list(workbench.verify(Claim("Bats are mammals."), web=False))  # the first run waits for the models
        yield workbench
