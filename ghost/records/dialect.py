"""What SQLite and PostgreSQL say differently, in one place: each of these is an expression that both understand."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Connection, Float, Integer, String, Table, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


def upsert(connection: Connection, table: Table) -> Any:
    """``insert`` with ``on_conflict_do_update`` and ``on_conflict_do_nothing``, as both databases know them."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


class json_number(FunctionElement[float]):
    """The number under a key of a JSON object in a text column; null where there is none."""

    type = Float()
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], key: str) -> None:
        super().__init__(column, bindparam(None, key, String(), unique=True))


@compiles(json_number, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    column, key = (compiler.process(part, **kw) for part in element.clauses)
    return f"json_extract({column}, '$.' || {key})"


@compiles(json_number, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    column, key = (compiler.process(part, **kw) for part in element.clauses)
    # Its parser refuses an escaped NUL anywhere in the object, although no number has one.
    return rf"CAST(CAST(replace({column}, '\u0000', '\ufffd') AS json) ->> {key} AS double precision)"


class contains_text(FunctionElement[bool]):
    """Whether a text has these words in it as they are, capitals aside."""

    type = Boolean()
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], words: str) -> None:
        super().__init__(column, bindparam(None, words, String(), unique=True))


@compiles(contains_text, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    column, words = (compiler.process(part, **kw) for part in element.clauses)
    return f"(instr(lower({column}), lower({words})) > 0)"


@compiles(contains_text, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    column, words = (compiler.process(part, **kw) for part in element.clauses)
    return f"(strpos(ghost_lower({column}), ghost_lower({words})) > 0)"


class lowered(FunctionElement[str]):
    """A text in small letters, of any script."""

    type = String()
    inherit_cache = True


@compiles(lowered, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"lower({compiler.process(element.clauses, **kw)})"


@compiles(lowered, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f'ghost_lower({compiler.process(element.clauses, **kw)}) COLLATE "C"'


class seconds_between(FunctionElement[float]):
    """Seconds from one time to a later one; null where one of them is."""

    type = Float()
    inherit_cache = True


@compiles(seconds_between, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    start, end = (compiler.process(part, **kw) for part in element.clauses)
    return f"((julianday({end}) - julianday({start})) * 86400.0)"


@compiles(seconds_between, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    start, end = (compiler.process(part, **kw) for part in element.clauses)
    return f"CAST(extract(epoch FROM ({end}) - ({start})) AS double precision)"


class day_of(FunctionElement[str]):
    """The day of a time as text, such as 2026-05-31."""

    type = String()
    inherit_cache = True


@compiles(day_of, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"substr({compiler.process(element.clauses, **kw)}, 1, 10)"


@compiles(day_of, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"to_char({compiler.process(element.clauses, **kw)}, 'YYYY-MM-DD')"


class joined(FunctionElement[str]):
    """The values of a group as one text with commas between them."""

    type = String()
    inherit_cache = True


@compiles(joined, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"group_concat({compiler.process(element.clauses, **kw)})"


@compiles(joined, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"string_agg(CAST({compiler.process(element.clauses, **kw)} AS text), ',')"


class among(FunctionElement[bool]):
    """Whether a column has one of these values, of which there may be any number: they go as one parameter."""

    type = Boolean()
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], values: Iterable[Any], name: str | None = None) -> None:
        """With a ``name`` the values are given when the query is run: ``{name: among.given(values)}``."""
        unique = name is None
        super().__init__(column, bindparam(name, self.given(values), String(), unique=unique))

    @staticmethod
    def given(values: Iterable[Any]) -> str:
        """The values as the parameter of the query."""
        return json.dumps(list(values))


@compiles(among, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    column, values = (compiler.process(part, **kw) for part in element.clauses)
    return f"({column} IN (SELECT value FROM json_each({values})))"


@compiles(among, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    column, values = (compiler.process(part, **kw) for part in element.clauses)
    kind = next(iter(element.clauses)).type
    one = "CAST(value AS bigint)" if isinstance(kind, Integer) else "value"
    # As an array, so that an index of the column is used.
    return f"({column} = ANY (ARRAY(SELECT {one} FROM json_array_elements_text(CAST({values} AS json)) AS t(value))))"


class numbers(FunctionElement[Any]):
    """Whole numbers as a table with the column ``value``, to be named and joined as one: ``table_valued("value")``."""

    inherit_cache = True

    def __init__(self, name: str) -> None:
        """They are given when the query is run: ``{name: among.given(values)}``."""
        super().__init__(bindparam(name, type_=String()))


@compiles(numbers, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **kw)})"


@compiles(numbers, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    given = compiler.process(element.clauses, **kw)
    return f"(SELECT CAST(v AS bigint) AS value FROM json_array_elements_text(CAST({given} AS json)) AS t(v))"


class unindexed(FunctionElement[Any]):
    """A column by which SQLite is not to look up rows, as another index is better; PostgreSQL decides by itself."""

    inherit_cache = True

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(column)
        self.type = column.type


@compiles(unindexed, "sqlite")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return f"+{compiler.process(element.clauses, **kw)}"


@compiles(unindexed, "postgresql")
def _(element: Any, compiler: Any, **kw: Any) -> str:
    return str(compiler.process(element.clauses, **kw))
