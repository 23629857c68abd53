"""A database in a temporary folder."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.records import Database


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed database with all its tables; migrating one takes longer than most tests."""
    path = tmp_path_factory.mktemp("empty") / "ghost.db"
    Database.open(path).close()
    return path


@pytest.fixture
def database(tmp_path: Path, empty: Path) -> Iterator[Database]:
    """An empty database with all its tables."""
    path = tmp_path / "data" / "ghost.db"
    path.parent.mkdir()
    shutil.copyfile(empty, path)
    database = Database.open(path)
    yield database
    database.close()
