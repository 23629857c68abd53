"""Finding rows by their words: one protocol, with SQLite's FTS5 and with the text search of PostgreSQL behind it.

Both take a text apart in the same way (letters and digits of any script, small, without the accents of Latin letters,
and with their English endings off, by Porter's first algorithm) and rank by the same BM25, so that they find the same.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Table

from ghost.records.words_postgresql import PostgresqlWords
from ghost.records.words_sqlite import SqliteWords


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
