"""What SQLite and PostgreSQL say differently, in one place: each of these is an expression that both understand."""

import json
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from sqlalchemy import Boolean, ColumnElement, Connection, Float, Integer, String, Table, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

T = TypeVar("T")


def upsert(connection: Connection, table: Table) -> Any:
    """``insert`` with ``on_conflict_do_update`` and ``on_conflict_do_nothing``, as both databases know them."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


class _Expression(FunctionElement[T]):
    """What each database writes for it, with its arguments in the places of ``{0}`` and ``{1}``."""

    inherit_cache = True
    sqlite: ClassVar[str]
    postgresql: ClassVar[str]


@compiles(_Expression)
def _(element: _Expression[Any], compiler: Any, **kw: Any) -> str:
    arguments = (compiler.process(part, **kw) for part in element.clauses)
    written: str = getattr(element, compiler.dialect.name)
    return written.format(*arguments)


class _Condition(_Expression[bool]):
    """One that is true or false, in brackets of its own."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: Any = None) -> Any:
        """As it is: SQLAlchemy would compare it with 1 on SQLite, which then looks nothing up in an index."""
        del against
        return self


class json_number(_Expression[float]):
    """The number under a key of a JSON object in a text column; null where there is none."""

    type = Float()
    inherit_cache = True
    sqlite = "json_extract({0}, '$.' || {1})"
    # Its parser refuses an escaped NUL anywhere in the object, although no number has one.
    postgresql = r"CAST(CAST(replace({0}, '\u0000', '\ufffd') AS json) ->> {1} AS double precision)"

    def __init__(self, column: ColumnElement[Any], key: str) -> None:
        super().__init__(column, bindparam(None, key, String(), unique=True))


class contains_text(_Condition):
    """Whether a text has these words in it as they are, capitals aside."""

    inherit_cache = True
    sqlite = "(instr(lower({0}), lower({1})) > 0)"
    postgresql = "(strpos(ghost_lower({0}), ghost_lower({1})) > 0)"

    def __init__(self, column: ColumnElement[Any], words: str) -> None:
        super().__init__(column, bindparam(None, words, String(), unique=True))


class lowered(_Expression[str]):
    """A text in small letters, of any script."""

    type = String()
    inherit_cache = True
    sqlite = "lower({0})"
    postgresql = 'ghost_lower({0}) COLLATE "C"'


class seconds_between(_Expression[float]):
    """Seconds from one time to a later one; null where one of them is."""

    type = Float()
    inherit_cache = True
    sqlite = "((julianday({1}) - julianday({0})) * 86400.0)"
    postgresql = "CAST(extract(epoch FROM ({1}) - ({0})) AS double precision)"


class day_of(_Expression[str]):
    """The day of a time as text, such as 2026-05-31."""

    type = String()
    inherit_cache = True
    sqlite = "substr({0}, 1, 10)"
    postgresql = "to_char({0}, 'YYYY-MM-DD')"


class joined(_Expression[str]):
    """The values of a group as one text with commas between them."""

    type = String()
    inherit_cache = True
    sqlite = "group_concat({0})"
    postgresql = "string_agg(CAST({0} AS text), ',')"


class among(_Condition):
    """Whether a column has one of these values, of which there may be any number: they go as one parameter."""

    inherit_cache = True
    sqlite = "({0} IN (SELECT value FROM json_each({1})))"

    def __init__(self, column: ColumnElement[Any], values: Iterable[Any], name: str | None = None) -> None:
        """With a ``name`` the values are given when the query is run: ``{name: among.given(values)}``."""
        unique = name is None
        super().__init__(column, bindparam(name, self.given(values), String(), unique=unique))

    @property
    def postgresql(self) -> str:  # type: ignore[override]
        """As an array, so that an index of the column is used."""
        one = "CAST(value AS bigint)" if isinstance(next(iter(self.clauses)).type, Integer) else "value"
        return f"({{0}} = ANY (ARRAY(SELECT {one} FROM json_array_elements_text(CAST({{1}} AS json)) AS t(value))))"

    @staticmethod
    def given(values: Iterable[Any]) -> str:
        """The values as the parameter of the query."""
        return json.dumps(list(values))


class numbers(_Expression[Any]):
    """Whole numbers as a table with the column ``value``, to be named and joined as one: ``table_valued("value")``."""

    inherit_cache = True
    sqlite = "json_each({0})"
    postgresql = "(SELECT CAST(v AS bigint) AS value FROM json_array_elements_text(CAST({0} AS json)) AS t(v))"

    def __init__(self, name: str) -> None:
        """They are given when the query is run: ``{name: among.given(values)}``."""
        super().__init__(bindparam(name, type_=String()))


class unindexed(_Expression[Any]):
    """A column by which SQLite is not to look up rows, as another index is better; PostgreSQL decides by itself."""

    inherit_cache = True
    sqlite = "+{0}"
    postgresql = "{0}"

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(column)
        self.type = column.type
