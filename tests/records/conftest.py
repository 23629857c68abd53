"""An empty database, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.records import Database
from tests.seeded import Seeded


@pytest.fixture
def sqlite_path(tmp_path: Path, seeded: Seeded) -> Path:
    """The file of an empty database with all its tables."""
    path = tmp_path / "data" / "ghost.db"
    path.parent.mkdir()
    seeded.begin_records(path)
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
