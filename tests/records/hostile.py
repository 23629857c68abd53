"""Rows for every table with what is hardest to keep."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Date, DateTime, Float, Integer, LargeBinary, insert

from ghost.records import Database, record_tables

TEXT = "NUL \x00 and \ue000\ue001\ue000 its marks, 😀 \U0010ffff, ' \" \\ %s :x {} \r\n\t, é, e\u0301, \u202e"
ROWS = 3
_DAYS = (date(1, 1, 1), date(1899, 12, 31), date(9999, 12, 31))
_NUMBERS = (5e-324, -1.7976931348623157e308, 0.1 + 0.2)


def fill(database: Database, huge: int) -> int:
    """Put rows into all tables; returns how many. The last text and BLOB of each table are ``huge``."""
    made: dict[str, list[dict[str, Any]]] = {}
    with database.write() as connection:
        for table in record_tables():
            made[table.name] = rows = []
            for n in range(ROWS):
                row = {c.name: _value(c, n, table.name, huge) for c in table.columns}
                for c in table.columns:
                    for key in c.foreign_keys:
                        row[c.name] = made[key.column.table.name][n][key.column.name]
                rows.append(row)
            connection.execute(insert(table), rows)
    return sum(map(len, made.values()))


def _value(column: Column[Any], n: int, table: str, huge: int) -> Any:
    of = column.type
    if n == 2 and column.nullable:
        return None
    if isinstance(of, Boolean):
        return bool(n % 2)
    if isinstance(of, BigInteger):
        return (2**63 - 1, -(2**63), n)[n]
    if isinstance(of, Integer):
        return (2**31 - 1 - n) if not column.primary_key else n + 1
    if isinstance(of, Float):
        return _NUMBERS[n]
    if isinstance(of, DateTime):
        return datetime.combine(_DAYS[n], datetime.min.time()).replace(hour=23, microsecond=999_999 - n)
    if isinstance(of, Date):
        return _DAYS[n]
    if isinstance(of, LargeBinary):
        return (b"", bytes(range(256)), b"\0" * huge)[n]
    if column.primary_key or column.unique or column.name.endswith("key"):
        return f"{table} {n} \x00 é"
    return (TEXT, "", "x\x00" * (huge // 2) if column.name in ("text", "claim", "step") else TEXT * 2)[n]
