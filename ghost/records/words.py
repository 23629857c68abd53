"""Finding rows by their words."""

from sqlalchemy import Connection, text

_COLLATIONS = ("pg_unicode_fast", "pg_c_utf8", "und-x-icu", "default")
"""Those that know the letters of all scripts, the surest first; which of them a server has differs."""


def create_functions(connection: Connection) -> None:
    """What the expressions of ``dialect`` need on PostgreSQL."""
    there = set(connection.execute(text("SELECT collname FROM pg_collation")).scalars())
    collation = next(name for name in _COLLATIONS if name in there)
    connection.exec_driver_sql(
        "CREATE OR REPLACE FUNCTION ghost_lower(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE "
        f'AS $$ SELECT lower(value COLLATE "{collation}") $$'
    )
