"""A disk that is full, wherever something is written to it. Only an administrator can make a small one."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from ghost.errors import StoreFullError
from ghost.records import Database, back_up, move, restore
from ghost.testing import PostgresServer

ROWS, BYTES = 20, 20_000


class SmallDisk:
    """A file system in memory of a given size."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def resize(self, kilobytes: int) -> None:
        subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", self.path], check=True)


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    path = Path(tempfile.mkdtemp(prefix="ghost-disk-"))  # and not a folder of pytest's, which no server may enter
    path.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(path)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        path.rmdir()
        pytest.skip("only an administrator of Linux can make a small disk")
    yield SmallDisk(path)
    subprocess.run(["umount", "--lazy", path], check=True)
    path.rmdir()


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
    for kilobytes in (100, size + 8, size + 300):
        disk.resize(kilobytes)
        try:
            works[work]()
        except StoreFullError as error:
            assert "is full" in str(error) and "Free some space" in str(error)
            if work != "move":  # which goes on with what it has begun
                assert not list(target.parent.iterdir())
        else:
            break
    else:
        disk.resize(4 * size)
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
            with pytest.raises(StoreFullError, match="The disk of .*is full.*was not kept. Free some space"):
                fill(database)
            disk.resize(60_000)
            assert rows(database) == 0
            fill(database)
            assert rows(database) == ROWS
    finally:
        postgres_server.drop("full_disk")
        postgres_server.execute("DROP TABLESPACE small")
