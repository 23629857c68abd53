"""The database file: transactions, and what goes wrong with it, in words that say what to do."""

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ghost.errors import StoreDamagedError, StoreError, StoreFullError, StoreReadOnlyError
from ghost.records import Database
from ghost.records import sqlite as module
from tests import forks


def keys(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.execute(text("SELECT key FROM meta ORDER BY key")).scalars())


def put(database: Database, key: str) -> None:
    with database.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES (:key, 'x')"), {"key": key})


def damaged_bytes(whole: bytes) -> dict[str, bytes]:
    return {
        "garbage": b"\x7fELF not a database " * 500,
        "truncated": whole[:10_000],
        "overwritten": whole[:200] + b"\xff" * 3_900 + whole[4_100:],
    }


def test_it_makes_its_folder_and_keeps_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "ghost.db"
    database = Database.open(path)
    put(database, "one")
    database.close()
    again = Database.open(path)
    assert keys(again) == ["one"]
    with again.read() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    assert again.problems() == ()
    again.close()


def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO meta VALUES ('lost', 'x')"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert keys(database) == []


def test_a_reader_sees_one_moment_and_does_not_wait(database: Database) -> None:
    with database.read() as connection:
        count = text("SELECT count(*) FROM meta")
        assert connection.execute(count).scalar() == 0
        put(database, "later")
        assert connection.execute(count).scalar() == 0
    assert keys(database) == ["later"]


def test_writers_in_many_threads_wait_for_each_other(database: Database) -> None:
    def count_up() -> None:
        for _ in range(20):
            with database.write() as connection:
                old = connection.execute(text("SELECT value FROM meta WHERE key = 'n'")).scalar_one()
                connection.execute(text("UPDATE meta SET value = :n WHERE key = 'n'"), {"n": str(int(old) + 1)})

    with database.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('n', '0')"))
    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.execute(text("SELECT value FROM meta")).scalar() == "80"


@pytest.mark.parametrize("damage", damaged_bytes(b""))
def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "ghost.db"
    Database.open(path).close()
    bad = damaged_bytes(path.read_bytes())[damage]
    path.write_bytes(bad)
    with pytest.raises(StoreDamagedError) as caught:
        Database.open(path)
    assert caught.value.path == path
    assert str(path) in str(caught.value)
    assert "Move it away" in str(caught.value)
    assert path.read_bytes() == bad


def test_damage_that_shows_later_is_named_too(sqlite_database: Database) -> None:
    database = sqlite_database
    with database.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('big', :v)"), {"v": "x" * 200_000})
    database.close()
    whole = database.path.read_bytes()
    database.path.write_bytes(whole[:-100_000] + b"\xff" * 100_000)
    again = Database.open(database.path)
    assert again.problems()
    again.close()


def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ghost.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Database.open(path)
    assert path.read_bytes() == before


def test_a_full_disk_keeps_what_was_there(sqlite_database: Database) -> None:
    database = sqlite_database
    put(database, "before")
    with database.write() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()

    def fill() -> None:
        with database.write() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))
            connection.execute(text("INSERT INTO meta VALUES ('big', :v)"), {"v": "x" * 1_000_000})

    with pytest.raises(StoreFullError, match="full"):
        fill()
    assert keys(database) == ["before"]


def test_a_file_that_cannot_be_written_says_so(sqlite_database: Database) -> None:
    database = sqlite_database

    def write() -> None:
        with database.write() as connection:
            connection.execute(text("PRAGMA query_only = 1"))  # permissions do not stop root, this does
            try:
                connection.execute(text("INSERT INTO meta VALUES ('no', 'x')"))
            finally:
                connection.execute(text("PRAGMA query_only = 0"))

    with pytest.raises(StoreReadOnlyError, match=r"ghost\.db"):
        write()
    assert keys(database) == []


@pytest.mark.parametrize("old", [False, True], ids=["this schema", "an older one"])
def test_a_database_that_cannot_be_written_is_read_from_a_copy(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch, old: bool
) -> None:
    database = sqlite_database
    put(database, "kept")
    if old:
        with database.write() as connection:
            connection.execute(text("ALTER TABLE passages DROP COLUMN as_of"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0013'"))
    database.close()
    before, connect = database.path.read_bytes(), sqlite3.connect

    def unwritable(path: str, **options: Any) -> sqlite3.Connection:
        """As SQLite does where it cannot make files beside the database; permissions do not stop root."""
        if path != str(database.path):
            return connect(path, **options)
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(sqlite3.dbapi2, "connect", unwritable)
    with pytest.raises(StoreReadOnlyError):
        Database.open(database.path)
    with Database.reading(database.path) as copy:
        assert keys(copy) == ["kept"]
        folder = copy.path.parent
    assert not folder.exists()
    assert database.path.read_bytes() == before
    with pytest.raises(StoreError, match="Nothing has been checked yet"), Database.reading(folder / "ghost.db"):
        pass


def test_a_lock_of_another_program_is_named(sqlite_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    database = sqlite_database
    database.close()
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.2)
    database = Database.open(database.path)
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StoreError, match="locked by another program"), database.write() as connection:
            raise AssertionError(connection)
    finally:
        other.execute("ROLLBACK")
        other.close()
    put(database, "after")


def test_a_killed_writer_leaves_a_sound_database(tmp_path: Path) -> None:
    path = tmp_path / "ghost.db"
    script = f"""
import os
from pathlib import Path
from sqlalchemy import text
from ghost.records import Database
database = Database.open(Path({str(path)!r}))
with database.write() as c:
    c.execute(text("INSERT INTO meta VALUES ('kept', 'x')"))
with database.write() as c:
    c.execute(text("INSERT INTO meta VALUES ('lost', :v)"), {{"v": "x" * 10_000_000}})
    os.kill(os.getpid(), 9)
"""
    assert forks.exit_code(script) == -9
    database = Database.open(path)
    assert keys(database) == ["kept"]
    assert database.problems() == ()
    database.close()
