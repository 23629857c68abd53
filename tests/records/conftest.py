"""An empty database, on SQLite and on PostgreSQL."""

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
def sqlite_path(tmp_path: Path, empty: Path) -> Path:
    """The file of an empty database with all its tables."""
    path = tmp_path / "data" / "ghost.db"
    path.parent.mkdir()
    shutil.copyfile(empty, path)
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Path | str:
    """Where an empty database with all its tables is, once for each kind that there is."""
    return request.getfixturevalue("sqlite_path" if request.param == "sqlite" else "postgres_url")


@pytest.fixture
def database(place: Path | str) -> Iterator[Database]:
    """An empty database with all its tables."""
    database = Database.open(place)
    yield database
    database.close()


@pytest.fixture
def sqlite_database(sqlite_path: Path) -> Iterator[Database]:
    """An empty database in a file."""
    database = Database.open(sqlite_path)
    yield database
    database.close()
