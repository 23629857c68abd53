"""One workbench without models for the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.workbench import Workbench
from tests.bulk.bench import opened


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with passages."""
    folder = tmp_path_factory.mktemp("bulk")
    opened(folder).close()
    return folder


@pytest.fixture(scope="module")
def bench(filled: Path) -> Iterator[Workbench]:
    with opened(filled) as workbench:
        yield workbench
