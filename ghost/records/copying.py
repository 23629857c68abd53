"""Copying all records from one database into another, whichever kinds they are, and comparing every row.

A copy is made again and again until one pass over all rows finds nothing to change. So one that was cut short goes on
where it was, what others wrote meanwhile comes along, and nothing counts as copied that was not read back.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Integer, Row, Select, Table, and_, delete, func, insert, select, text, tuple_, update

from ghost.errors import StoreError
from ghost.records.database import Database, batched
from ghost.records.tables import record_tables
from ghost.records.tables.base import meta

Told = Callable[[str, int, int], None]
"""``told(what, done, total)`` hears of progress, and may raise to stop."""

ID = "id"
"""Under this key ``meta`` has the id of the database, by which its vectors are known."""
_ROWS, _BYTES = 400, 8_000_000
"""A page ends with the row that reaches one of them, so that huge rows are not held in memory together."""
_FETCHED = 50
_PASSES = 5


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy has."""

    rows: int
    digest: str
    """SHA-256 over all rows: two databases with the same one hold the same."""
    changed: int
    """Rows that had to be written; the others were there already."""


class _Digest:
    """A hash of a set of rows, whatever their order."""

    def __init__(self) -> None:
        self._sum = 0

    def add(self, table: str, row: Sequence[Any]) -> None:
        said = repr((table, tuple(row))).encode("utf-8", "surrogatepass")
        self._sum = (self._sum + int.from_bytes(hashlib.sha256(said).digest(), "big")) % 2**256

    def __str__(self) -> str:
        return f"{self._sum:064x}"


def copy_records(
    source: Database,
    writing: Callable[[], AbstractContextManager[Connection]],
    told: Told = lambda *_: None,
) -> Copied:
    """Make a database hold exactly what ``source`` holds, from one moment of it, and compare every row.

    ``writing`` gives a transaction on the other database for each page of rows, or the same one each time. Raises
    StoreError when ``source`` changes so fast that no pass finds both the same.
    """
    changed = 0
    for number in range(_PASSES):
        done = _pass(source, writing, told, "Comparing" if number else "Copying")
        changed += done.changed
        if number and not done.changed:
            with writing() as connection:
                _set_sequences(connection)
            return Copied(done.rows, done.digest, changed)
    raise StoreError(
        f"{source.name} is being written to all the time. What was copied is kept. End the programs that use it, and "
        "start the copy again: it goes on where it was."
    )


def copy_moment(source: Database, target: Database, told: Told = lambda *_: None) -> Copied:
    """Make a database that nobody else uses hold what ``source`` holds at one moment; others may write meanwhile.

    Every row is read back. Raises StoreError when the target does not hold what was written.
    """
    copied = _pass(source, target.write, told, "Copying")
    if digest_of(target, told).digest != copied.digest:
        raise StoreError(f"{target.name} does not hold what was written to it. Check the disk.")
    return copied


def digest_of(database: Database, told: Told = lambda *_: None) -> Copied:
    """How many rows a database has, and their digest."""
    digest, rows = _Digest(), 0
    with database.read() as connection:
        total = _total(connection)
        for table in record_tables():
            for page in _pages(connection, table):
                for row in page:
                    digest.add(table.name, row)
                rows += len(page)
                told("Reading", rows, total)
    return Copied(rows, str(digest), 0)


def is_empty(connection: Connection) -> bool:
    """Whether a database has no records at all."""
    return not any(connection.execute(select(t).limit(1)).first() for t in record_tables())


def forget_id(connection: Connection) -> None:
    """Let a copy get an id of its own when it is opened."""
    connection.execute(delete(meta).where(meta.c.key == ID))


def keep_others_out(connection: Connection) -> None:
    """Let others read and not write the records of a PostgreSQL database until this transaction ends."""
    names = ", ".join(table.name for table in record_tables())
    connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def clear(connection: Connection) -> None:
    """Delete all records, in a transaction of the caller."""
    for table in reversed(record_tables()):
        connection.execute(delete(table))


def _pass(source: Database, writing: Callable[[], AbstractContextManager[Connection]], told: Told, what: str) -> Copied:
    digest, rows, changed = _Digest(), 0, 0
    with source.read() as reading:
        total = _total(reading)
        for table in reversed(record_tables()):
            changed += _delete_others(reading, writing, table)
        for table in record_tables():
            for page in _pages(reading, table):
                changed += _bring(page, writing, table)
                for row in page:
                    digest.add(table.name, row)
                rows += len(page)
                told(what, rows, total)
    return Copied(rows, str(digest), changed)


def _total(connection: Connection) -> int:
    counts = (_chosen(select(func.count()).select_from(table), table) for table in record_tables())
    return sum(connection.execute(count).scalar_one() for count in counts)


def _chosen(query: Select[Any], table: Table) -> Select[Any]:
    """Without the id of the database: a copy gets its own, or both would keep their vectors in one index."""
    return query.where(meta.c.key != ID) if table is meta else query


def _pages(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    """All rows in the order of their keys, read as they are wanted."""
    query = _chosen(select(table), table).order_by(*table.primary_key.columns).execution_options(yield_per=_FETCHED)
    page, size = list[Row[Any]](), 0
    for row in connection.execute(query):
        page.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(page) >= _ROWS or size >= _BYTES:
            yield page
            page, size = [], 0
    if page:
        yield page


def _key(table: Table) -> Any:
    columns = list(table.primary_key.columns)
    return tuple_(*columns) if len(columns) > 1 else columns[0]


def _keys_of(rows: Sequence[Row[Any]], table: Table) -> list[Any]:
    names = [column.name for column in table.primary_key.columns]
    keys = [tuple(row._mapping[name] for name in names) for row in rows]
    return keys if len(names) > 1 else [key[0] for key in keys]


def _bring(page: Sequence[Row[Any]], writing: Callable[[], AbstractContextManager[Connection]], table: Table) -> int:
    """Insert or change those rows of a page that the other database does not have like that; returns how many."""
    keys = _keys_of(page, table)
    with writing() as connection:
        there_rows = connection.execute(select(table).where(_key(table).in_(keys))).all()
        there = dict(zip(_keys_of(there_rows, table), there_rows, strict=True))
        differing = [(k, row) for k, row in zip(keys, page, strict=True) if k not in there or _differ(row, there[k])]
        for key, row in differing:
            if key in there:
                mine = and_(*(c == row._mapping[c.name] for c in table.primary_key.columns))
                connection.execute(update(table).where(mine).values(dict(row._mapping)))
        if fresh := [dict(row._mapping) for key, row in differing if key not in there]:
            connection.execute(insert(table), fresh)
    return len(differing)


def _differ(one: Sequence[Any], other: Sequence[Any]) -> bool:
    # By what they look like: 1 and 1.0 and True are equal, and not the same.
    return repr(tuple(one)) != repr(tuple(other))


def _delete_others(reading: Connection, writing: Callable[[], AbstractContextManager[Connection]], table: Table) -> int:
    """Delete what the other database has and the source has not, so that nothing stands in the way of what comes."""
    key, gone = _key(table), 0
    with writing() as connection:
        listed = connection.execute(select(*table.primary_key.columns)).all()
    for some in batched(listed, _ROWS):
        keys = _keys_of(some, table)
        found = reading.execute(select(*table.primary_key.columns).where(key.in_(keys))).all()
        if others := sorted(set(keys) - set(_keys_of(found, table)), key=repr):
            with writing() as connection:
                gone += connection.execute(delete(table).where(key.in_(others))).rowcount
    return gone


def _set_sequences(connection: Connection) -> None:
    """On PostgreSQL, numbers that are given out go on after the highest that was copied."""
    if connection.dialect.name != "postgresql":
        return
    for table in record_tables():
        column = table.autoincrement_column
        if column is None or not isinstance(column.type, Integer):
            continue
        query = text("SELECT setval(pg_get_serial_sequence(:table, :column), :next, false)")
        last = connection.execute(select(func.max(column))).scalar() or 0
        connection.execute(query, {"table": table.name, "column": column.name, "next": last + 1})
