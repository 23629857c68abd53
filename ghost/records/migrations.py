"""Bringing a database of any earlier version to the tables of this code.

Versions have only ever added tables, columns and indexes, so what is missing is found by comparing and is added.
Changes to what is stored are listed in ``_CORRECTIONS``, each with the version that brought it.
"""

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.schema import CreateColumn

from ghost.errors import StoreError
from ghost.records import queue_tables
from ghost.records.postgresql import PostgresqlDatabase
from ghost.records.sqlite import SqliteFile
from ghost.records.tables import record_tables
from ghost.records.tables.base import metadata
from ghost.records.words_schema import create_words

HEAD = "0021"
"""The version of the tables. Raise it with every change to the tables or ``_CORRECTIONS``."""
UNFINISHED = "unfinished"
"""In place of a version: the database is being filled with a copy. An earlier Ghost takes it for a newer one."""


_DECIDED = "label IN ('True', 'False', 'Partially True', 'Misleading')"
_OPEN = f"SET label = 'Not Enough Evidence' WHERE {_DECIDED} AND"
_OTHER = """old_text <> '' OR "before" LIKE '%"source_url"%'"""
_EDITED = f"SELECT passage_id FROM passage_history WHERE action = 'edited' AND ({_OTHER})"
_BY_HAND = f"origin IN ('seed', 'curated', 'import') OR id IN ({_EDITED})"
_CORRECTIONS = (
    # The judge has a column of its own; a judge that cannot be read stays unnamed.
    ("0008", "UPDATE runs SET judge_name = coalesce(json_extract(judge, '$.name'), '') WHERE json_valid(judge)"),
    # Lists show a verdict below the bound of 0.6 as open. The verdict that the run stored stays as it was.
    ("0013", f"UPDATE runs {_OPEN} json_extract(verdict, '$.confidence') < 0.6"),
    ("0013", f"UPDATE batch_items {_OPEN} confidence < 0.6"),
    ("0013", f"UPDATE batch_items SET confidence = NULL WHERE NOT {_DECIDED}"),
    # ix_passages_sources has the same columns and one more.
    ("0020", "DROP INDEX IF EXISTS ix_passages_status_domain"),
    # What was called confidence was the judge's own probability, not what was measured.
    ("0021", "UPDATE batch_items SET confidence = NULL"),
    ("0021", "UPDATE claim_cards SET confidence = NULL"),
    # Passages have kinds. The columns begin with what is safe, also for what an earlier version still writes: entered
    # by hand. Pages that nobody changed since were read; the starter library, and what has no address, are notes.
    ("0021", f"UPDATE passages SET intake = 'read_earlier' WHERE NOT ({_BY_HAND})"),
    ("0021", "UPDATE passages SET kind = 'note' WHERE origin = 'seed' OR (intake = 'entered' AND source_url = '')"),
)


def migrate(kept: SqliteFile | PostgresqlDatabase, unfinished: bool = False, copy: bool = False) -> None:
    """Add what is missing in one transaction: a process killed in the middle leaves the database as it was.

    With ``unfinished`` the database is to be filled with a copy of another one, and is marked as that. What is a
    ``copy`` itself is not copied before.

    Raises StoreError when the database was written by a newer Ghost, or by another program.
    """
    with kept.engine.connect() as plain:
        with plain.begin():
            if _version(plain, kept, unfinished) == HEAD and not unfinished:
                return
        connection = plain.execution_options(ghost_write=True)
        with connection.begin():
            kept.begin_write(connection, alone=True)
            version = _version(connection, kept, unfinished)
            if version not in (HEAD, UNFINISHED):  # another process may have been faster
                if version is not None and not (copy or unfinished):
                    kept.back_up(version)
                _upgrade(connection, version)
            if unfinished and version != UNFINISHED:
                if version is not None and _has_records(connection):
                    raise StoreError(f"{kept.name} has records already. Nothing was changed. {kept.elsewhere}")
                _set_version(connection, UNFINISHED)


def finish(connection: Connection) -> None:
    """The copy that a database was to be filled with is complete."""
    _set_version(connection, HEAD)


def _version(connection: Connection, kept: SqliteFile | PostgresqlDatabase, unfinished: bool) -> str | None:
    """The version the database has reached, or None for an empty one."""
    kept.check(connection)
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables or "passages" not in tables:
        raise StoreError(f"{kept.name} is a database of another program. It was left untouched. {kept.elsewhere}")
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if version == UNFINISHED:
        if unfinished:
            return version
        raise StoreError(
            f"{kept.name} holds the beginning of a copy of other records. Start `python -m ghost move` again: it goes "
            f"on where it was. {kept.elsewhere}"
        )
    if version is not None and version > HEAD:
        raise StoreError(
            f"{kept.name} was written by a newer Ghost (schema {version}; this one knows {HEAD}). It was left "
            f"untouched. Upgrade Ghost. {kept.elsewhere}"
        )
    return version


def _upgrade(connection: Connection, version: str | None) -> None:
    metadata.create_all(connection)
    there = inspect(connection)
    for table in metadata.sorted_tables:
        columns = {column["name"] for column in there.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                added = CreateColumn(column).compile(dialect=connection.dialect)
                connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {added}"))
        for index in table.indexes:
            index.create(connection, checkfirst=True)
    create_words(connection)
    if connection.dialect.name == "postgresql":
        queue_tables.install(connection)
    if version is not None:
        for since, statement in _CORRECTIONS:
            if version < since:
                connection.execute(text(statement))
    # The table keeps the name that earlier versions gave it, by which they recognise a newer database.
    version_table = "alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
    connection.exec_driver_sql(f"CREATE TABLE IF NOT EXISTS {version_table}")
    _set_version(connection, HEAD)


def _set_version(connection: Connection, version: str) -> None:
    connection.execute(text("DELETE FROM alembic_version"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})


def _has_records(connection: Connection) -> bool:
    return any(connection.execute(select(table).limit(1)).first() for table in record_tables())
