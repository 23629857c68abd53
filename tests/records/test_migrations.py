"""The migrations: whole or not at all, and to the tables that the code names."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, insert, text, update

from config import PROJECT
from ghost.errors import StoreError
from ghost.records import Database, passages, utc_now

DUMPS = sorted((PROJECT / "tests" / "data" / "old_folders").glob("*.sql"))


def schema(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Tables with their columns and indexes, and the full-text index with its triggers."""
    with closing(sqlite3.connect(path)) as c:
        own = "FROM sqlite_master WHERE sql != '' AND name NOT LIKE '%_fts%'"
        tables = [name for (name,) in c.execute(f"SELECT name {own} AND type = 'table'")]
        found = {t: sorted(row[1:4] + row[5:] for row in c.execute(f"PRAGMA table_info({t})")) for t in tables}
        for (name,) in c.execute(f"SELECT name {own} AND type = 'index'"):
            found[name] = [(row[2],) for row in c.execute(f"PRAGMA index_info({name})")]
        full = "type = 'trigger' OR name LIKE '%_fts'"
        return found | {"full text": sorted(c.execute(f"SELECT name, sql FROM sqlite_master WHERE {full}"))}


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.stem)
def test_every_old_schema_becomes_the_one_of_today(dump: Path, sqlite_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "ghost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    Database.open(path).close()
    assert schema(path) == schema(sqlite_path)


def test_opening_a_second_time_changes_nothing(sqlite_database: Database) -> None:
    database = sqlite_database
    with database.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('kept', 'x')"))
    database.close()
    before = database.path.read_bytes()
    Database.open(database.path).close()
    assert database.path.read_bytes() == before


def test_a_database_of_a_newer_ghost_is_left_as_it_is(sqlite_database: Database) -> None:
    database = sqlite_database
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    before = database.path.read_bytes()
    with pytest.raises(StoreError, match="Upgrade Ghost"):
        Database.open(database.path)
    assert database.path.read_bytes() == before


def test_a_migration_that_is_cut_short_leaves_nothing_behind(tmp_path: Path) -> None:
    from sqlalchemy import Engine

    path = tmp_path / "ghost.db"

    def cut_short(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if "INSERT INTO alembic_version" in statement:
            raise KeyboardInterrupt

    event.listen(Engine, "before_cursor_execute", cut_short)
    try:
        with pytest.raises(KeyboardInterrupt):
            Database(path)  # no copy of one that is made already, as ``open`` gives to tests
    finally:
        event.remove(Engine, "before_cursor_execute", cut_short)
    with closing(sqlite3.connect(path)) as left:
        assert left.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    Database.open(path).close()


def test_two_processes_can_open_a_new_database_at_once(tmp_path: Path) -> None:
    path = tmp_path / "ghost.db"
    script = f"from pathlib import Path; from ghost.records import Database; Database.open(Path({str(path)!r}))"
    both = [subprocess.Popen([sys.executable, "-c", script], cwd=PROJECT, env=os.environ) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]


def found(database: Database, words: str) -> list[int]:
    with database.read() as connection:
        query = text("SELECT rowid FROM passages_fts WHERE passages_fts MATCH :words")
        return list(connection.execute(query, {"words": words}).scalars())


def test_the_full_text_index_follows_the_table(sqlite_database: Database) -> None:
    database = sqlite_database
    row = dict.fromkeys(("source_url", "title", "domain", "publisher", "topic", "origin", "status"), "")
    row |= {"source_type": "", "language": "en", "embedding_model": "m", "embedding": b"", "changed": 1}
    row |= {"id": "p_1", "merge_key": "k", "text": "Bees are dancing", "text_length": 16, "indexed_at": utc_now()}
    with database.write() as connection:
        connection.execute(insert(passages).values(row))
    assert found(database, "dance") == found(database, "bees") == [1]
    with database.write() as connection:
        connection.execute(update(passages).values(text="Wasps sting", title="Élan"))
    assert found(database, "bees") == []
    assert found(database, "wasp") == found(database, "elan") == [1]
    with database.write() as connection:
        connection.execute(update(passages).values(access_count=7))
        connection.execute(text("INSERT INTO passages_fts(passages_fts) VALUES ('integrity-check')"))
        connection.execute(text("DELETE FROM passages"))
    assert found(database, "wasp") == []
