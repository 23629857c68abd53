"""Bringing a database to the schema of this code, step by step; every step is a file in ``versions``."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from ghost.errors import StoreError

HEAD = "0014"
"""The newest step. A database that already has it is opened without loading Alembic, which takes a while."""


def migrate(engine: Engine, path: Path) -> None:
    """Run the missing steps in one transaction: a process killed in the middle leaves the database as it was.

    Raises StoreError when the database was written by a newer Ghost, or by another program.
    """
    with engine.connect() as plain:
        with plain.begin():
            if _version(plain, path) == HEAD:
                return
        connection = plain.execution_options(ghost_write=True)
        with connection.begin():
            if _version(connection, path) != HEAD:  # another process may have been faster
                _upgrade(connection)


def _version(connection: Connection, path: Path) -> str | None:
    """The step the database has reached, or None for an empty one."""
    tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
    if "alembic_version" not in tables:
        if tables:
            raise StoreError(
                f"{path} is a database of another program. It was left untouched. Move it away, or set GHOST_DATA_DIR."
            )
        return None
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if version is not None and version > HEAD:
        raise StoreError(
            f"{path} was written by a newer Ghost (schema {version}; this one knows {HEAD}). It was left untouched. "
            "Upgrade Ghost, or set GHOST_DATA_DIR to another folder."
        )
    return version


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def is_full_text_table(name: str) -> bool:
    """Whether a table belongs to the full-text index, which SQLite creates and SQLAlchemy does not describe."""
    return name == "passages_fts" or name.startswith("passages_fts_")


def tables_of(connection: Connection) -> set[str]:
    """Names of the tables there are, without those of the full-text index."""
    return {name for name in inspect(connection).get_table_names() if not is_full_text_table(name)}
