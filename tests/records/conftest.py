"""A database in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.records import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database with all its tables."""
    database = Database.open(tmp_path / "data" / "ghost.db")
    yield database
    database.close()
