"""Empty databases on a PostgreSQL server: one that a test has used is emptied and lent again."""

import json
import time
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import sql

from ghost.records import Database
from ghost.testing import PostgresServer

CLOSING_SECONDS = 1.0
"""How long the connections of a test that has ended may need to be gone."""
_TABLES = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public'
"""
_SHAPE = """
    SELECT md5(concat(
        (SELECT string_agg(concat_ws(' ', oid, relname, relnamespace, relacl), ',' ORDER BY oid) FROM pg_class
            WHERE oid >= 16384),
        (SELECT string_agg(concat_ws(' ', attrelid, attname, atttypid, attnotnull), ',' ORDER BY attrelid, attnum)
            FROM pg_attribute WHERE attrelid >= 16384),
        (SELECT string_agg(concat_ws(' ', oid, prosrc), ',' ORDER BY oid) FROM pg_proc WHERE oid >= 16384),
        (SELECT string_agg(concat_ws(' ', tgname, tgenabled), ',' ORDER BY oid) FROM pg_trigger),
        (SELECT string_agg(concat_ws(' ', oid, nspname, nspacl), ',' ORDER BY oid) FROM pg_namespace
            WHERE nspname NOT LIKE 'pg_%temp%'),
        (SELECT count(*) FROM pg_db_role_setting)
    ))
"""
_OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class EmptyDatabases:
    """Copying a database takes longer than most tests; emptying one does not."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self.template = server.create()
        """The name of an empty database with all its tables, that nobody is connected to."""
        Database.open(server.url(self.template)).close()
        with self._connected(self.template) as connection:
            self._tables = [name for (name,) in connection.execute(_TABLES)]
            self._shape = connection.execute(_SHAPE).fetchone()
            self._rows = {table: _rows(connection, table) for table in self._filled(connection)}
        self._free: list[str] = []

    def lend(self) -> str:
        """The name of one for a single test."""
        return self._free.pop() if self._free else self._server.create(self.template)

    def take_back(self, name: str) -> None:
        """Empty it for the next test, or drop it when somebody is still connected or its tables were changed."""
        try:
            with self._connected(name) as connection:
                usable = _left_alone(connection) and self._as_it_was(connection)
                if usable:
                    self._empty(connection)
        except psycopg.Error:
            usable = False
        if usable:
            self._free.append(name)
        else:
            self._server.drop(name)

    def _connected(self, name: str) -> psycopg.Connection[Any]:
        return psycopg.connect(self._server.url(name).replace("+psycopg", ""), autocommit=True)

    def _as_it_was(self, connection: psycopg.Connection[Any]) -> bool:
        return connection.execute(_SHAPE).fetchone() == self._shape

    def _filled(self, connection: psycopg.Connection[Any]) -> list[str]:
        first = sql.SQL(" UNION ALL ").join(
            sql.SQL("(SELECT {} FROM {} LIMIT 1)").format(name, sql.Identifier(name)) for name in self._tables
        )
        return [name for (name,) in connection.execute(first)]

    def _empty(self, connection: psycopg.Connection[Any]) -> None:
        with connection.transaction():
            connection.execute("SET LOCAL session_replication_role = replica")  # no triggers, in no order
            for table in self._filled(connection):
                connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
            for table, rows in self._rows.items():
                fill = "INSERT INTO {0} SELECT * FROM json_populate_recordset(NULL::{0}, %s)"
                connection.execute(sql.SQL(fill).format(sql.Identifier(table)), [rows])
            connection.execute("SELECT setval(seqrelid, seqstart, false) FROM pg_sequence")


def _rows(connection: psycopg.Connection[Any], table: str) -> str:
    found = connection.execute(sql.SQL("SELECT json_agg(t) FROM {} AS t").format(sql.Identifier(table))).fetchone()
    assert found is not None
    return json.dumps(found[0])


def _left_alone(connection: psycopg.Connection[Any]) -> bool:
    return _soon(lambda: connection.execute(_OTHERS).fetchone() == (0,))


def _soon(so: Callable[[], bool]) -> bool:
    until = time.monotonic() + CLOSING_SECONDS
    while not (found := so()) and time.monotonic() < until:
        time.sleep(0.005)
    return found
