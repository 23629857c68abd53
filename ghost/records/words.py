"""Finding rows by their words: one protocol, with SQLite's FTS5 and with the text search of PostgreSQL behind it.

Both take a text apart in the same way (letters and digits of any script, small, without the accents of Latin letters,
and with their English endings off, by Porter's first algorithm) and rank by the same BM25, so that they find the same.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Table, column, false, literal_column, select, table, text

from ghost.records.words_postgresql import PostgresqlWords


class WordIndex(Protocol):
    """An index over the words of a table. Words are runs of letters and digits; nothing in them is an operator."""

    def best(
        self, connection: Connection, words: Sequence[str], which: Sequence[Any], n: int
    ) -> list[tuple[str, float]]:
        """The ``n`` rows that have any of the words and meet all conditions: id and BM25, best first."""

    def having(self, words: Sequence[str]) -> ColumnElement[bool]:
        """A condition for a query over the table: all of the words, the last of which may be unfinished."""


def word_index(connection: Connection, of: Table) -> WordIndex:
    """The index over the words of a table: of ``passages`` or of ``claim_cards``."""
    return PostgresqlWords(of) if connection.dialect.name == "postgresql" else SqliteWords(of)


class SqliteWords:
    """FTS5."""

    def __init__(self, of: Table) -> None:
        self._of = of
        self._name = f"{of.name}_fts"
        self._index = table(self._name, column("rowid"), column("rank"))

    def best(
        self, connection: Connection, words: Sequence[str], which: Sequence[Any], n: int
    ) -> list[tuple[str, float]]:
        """As ``WordIndex`` says."""
        if not words:
            return []
        rank: ColumnElement[float] = literal_column(f"{self._name}.rank")
        both = self._index.join(self._of, self._of.c.seq == self._index.c.rowid)
        found = text(f"{self._name} MATCH :match").bindparams(match=" OR ".join(f'"{word}"' for word in words))
        query = select(self._of.c.id, -rank).select_from(both).where(found, *which).order_by(rank).limit(n)
        return [(row[0], row[1]) for row in connection.execute(query)]

    def having(self, words: Sequence[str]) -> ColumnElement[bool]:
        """As ``WordIndex`` says."""
        if not words:
            return false()  # text without any word or figure is in no row
        match = " AND ".join(f'"{word}"' for word in words) + "*"
        found = text(f"{self._name} MATCH :having").bindparams(having=match)
        return self._of.c.seq.in_(select(self._index.c.rowid).where(found))
