"""The migrations: whole or not at all, and to the schema that the code names."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, text, update

from config import PROJECT
from ghost.errors import StoreError
from ghost.records import Database, migrations, passages, utc_now
from ghost.records.migrations import HEAD, is_full_text_table, tables_of
from ghost.records.tables import metadata


def test_the_newest_step_is_the_one_the_code_expects() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_the_migrated_schema_is_the_one_the_code_names(database: Database) -> None:
    with database.read() as connection:
        assert tables_of(connection) == {*metadata.tables, "alembic_version"}
        options = {
            "compare_type": True,
            "include_name": lambda name, kind, _: kind != "table" or not is_full_text_table(name or ""),
        }
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []


def test_opening_a_second_time_changes_nothing_and_does_not_load_alembic(database: Database) -> None:
    with database.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('kept', 'x')"))
    database.close()
    before = database.path.read_bytes()
    script = (
        "import sys; from pathlib import Path; from ghost.records import Database; "
        f"Database.open(Path({str(database.path)!r})).close(); print('alembic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
    assert database.path.read_bytes() == before


def test_a_database_of_a_newer_ghost_is_left_as_it_is(database: Database) -> None:
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    before = database.path.read_bytes()
    with pytest.raises(StoreError, match="Upgrade Ghost"):
        Database.open(database.path)
    assert database.path.read_bytes() == before


def test_a_migration_that_is_cut_short_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ghost.db"
    upgrade = migrations._upgrade

    def upgrade_and_fail(connection: object) -> None:
        upgrade(connection)  # pyright: ignore[reportArgumentType]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_upgrade", upgrade_and_fail)
        with pytest.raises(KeyboardInterrupt):
            Database.open(path)
    left = sqlite3.connect(path)
    assert left.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    left.close()
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


def test_the_full_text_index_follows_the_table(database: Database) -> None:
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
