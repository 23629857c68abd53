"""A disk that is full, wherever something is written to it. Only an administrator can make a small one."""

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from ghost.errors import StoreFullError
from ghost.records import Database, back_up, move, restore
from ghost.testing import PostgresServer
from tests.small_disk import SmallDisk

ROWS, BYTES = 20, 20_000


def fill(database: Database) -> None:
    with database.write() as connection:
        for number in range(ROWS):
            row = {"key": f"row {number}", "value": os.urandom(BYTES // 2).hex()}
            connection.execute(text("INSERT INTO meta VALUES (:key, :value)"), row)


def rows(database: Database) -> int:
    with database.read() as connection:
        return int(connection.execute(text("SELECT count(*) FROM meta WHERE key LIKE 'row %'")).scalar_one())


@pytest.mark.parametrize("work", ["back_up", "restore", "move"])
def test_what_does_not_fit_is_named_and_leaves_nothing_half_done(
    database: Database, disk: SmallDisk, tmp_path: Path, work: str
) -> None:
    fill(database)
    back_up(database, tmp_path / "good.db")
    size, target = (tmp_path / "good.db").stat().st_size // 1024, disk.path / "new" / "ghost.db"
    target.parent.mkdir()
    works: dict[str, Callable[[], object]] = {
        "back_up": lambda: back_up(database, target),
        "restore": lambda: restore(tmp_path / "good.db", target),
        "move": lambda: move(database, target),
    }
    for kilobytes in (100, size + 8):
        disk.resize(kilobytes)
        with pytest.raises(StoreFullError, match=r"is full.*Free some space"):
            works[work]()
        # A move goes on with what it has begun.
        assert work == "move" or not list(target.parent.iterdir())
    disk.resize(5 * size)
    works[work]()
    with closing(Database.open(target)) as copy:
        assert rows(copy) == rows(database) == ROWS


def test_a_full_disk_of_a_server_is_named_and_work_goes_on_when_there_is_space(
    postgres_server: PostgresServer, disk: SmallDisk
) -> None:
    disk.resize(60_000)
    place = disk.path / "space"
    place.mkdir()
    shutil.chown(place, "nobody")  # as whom the server runs when an administrator has started it
    postgres_server.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
    postgres_server.execute("CREATE DATABASE full_disk TABLESPACE small")
    try:
        with closing(Database.open(postgres_server.url("full_disk"))) as database:
            disk.resize(shutil.disk_usage(place).used // 1024 + 200)
            with pytest.raises(StoreFullError, match=r"The disk of .*is full.*was not kept. Free some space"):
                fill(database)
            disk.resize(60_000)
            assert rows(database) == 0
            fill(database)
            assert rows(database) == ROWS
    finally:
        postgres_server.drop("full_disk")
        postgres_server.execute("DROP TABLESPACE small")
