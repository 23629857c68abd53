"""Finding rows by their words: one protocol, with SQLite's FTS5 and with the text search of PostgreSQL behind it.

Both take a text apart in the same way (letters and digits of any script, small, without the accents of Latin letters,
and with their English endings off, by Porter's first algorithm) and rank by the same BM25, so that they find the same.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Table, column, false, literal_column, select, table, text

from ghost.records.words_postgresql import PostgresqlWords

RANKED = 20_000
"""So many rows are ranked for a text; of more, those with its rarer words."""
_AHEAD = 4
"""So many times the rows that are wanted are ranked before the conditions are looked at, which few rows fail."""


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
        """As ``WordIndex`` says. Where more than RANKED rows match, only those with one of the rarer words count."""
        if not words:
            return []
        rare = self._rarest(connection, words)
        ranked = self._ranked(connection, words, rare, _AHEAD * n)
        rows = select(self._of.c.seq, self._of.c.id).where(self._of.c.seq.in_([seq for seq, _ in ranked]), *which)
        ids = {row.seq: row.id for row in connection.execute(rows)}
        found = [(ids[seq], score) for seq, score in ranked if seq in ids][:n]
        if len(found) == n or len(ranked) < _AHEAD * n:
            return found
        return self._all_ranked(connection, words, which, n)  # the conditions let few of the best through

    def _rarest(self, connection: Connection, words: Sequence[str]) -> Sequence[str]:
        """The rarest words which together are in RANKED rows at most, or the rarest one; all where that is so of all.

        To rank a row takes fifteen times as long as to find it, and what only has the commoner words of a claim is
        seldom among the best.
        """
        count = text(f"SELECT count(*) FROM {self._name} WHERE {self._name} MATCH :word")
        often = {word: connection.execute(count, {"word": f'"{word}"'}).scalar_one() for word in words}
        rare: list[str] = []
        rows = 0
        for word in sorted((word for word in words if often[word]), key=lambda word: often[word]):
            rows += often[word]
            if rare and rows > RANKED:
                return rare
            rare.append(word)
        return words

    def _ranked(
        self, connection: Connection, words: Sequence[str], rare: Sequence[str], n: int
    ) -> list[tuple[int, float]]:
        """The ``n`` best rows of those that have one of the ``rare`` words, by all words: ``seq`` and BM25."""
        match, name = _any(words), self._name
        if len(rare) == len(words):
            query = f"SELECT rowid, -rank FROM {name} WHERE {name} MATCH :match ORDER BY rank LIMIT :n"
            return [(row[0], row[1]) for row in connection.execute(text(query), {"match": match, "n": n})]
        # With the plus all that match is run through once, and ranked where it is among them.
        query = (
            f"SELECT rowid, -bm25({name}) AS score FROM {name} WHERE {name} MATCH :match "
            f"AND +rowid IN (SELECT rowid FROM {name} WHERE {name} MATCH :rare) ORDER BY score DESC, rowid LIMIT :n"
        )
        found = connection.execute(text(query), {"match": match, "rare": _any(rare), "n": n})
        return [(row[0], row[1]) for row in found]

    def _all_ranked(
        self, connection: Connection, words: Sequence[str], which: Sequence[Any], n: int
    ) -> list[tuple[str, float]]:
        rank: ColumnElement[float] = literal_column(f"{self._name}.rank")
        both = self._index.join(self._of, self._of.c.seq == self._index.c.rowid)
        found = text(f"{self._name} MATCH :match").bindparams(match=_any(words))
        query = select(self._of.c.id, -rank).select_from(both).where(found, *which).order_by(rank).limit(n)
        return [(row[0], row[1]) for row in connection.execute(query)]

    def having(self, words: Sequence[str]) -> ColumnElement[bool]:
        """As ``WordIndex`` says."""
        if not words:
            return false()  # text without any word or figure is in no row
        match = " AND ".join(f'"{word}"' for word in words) + "*"
        found = text(f"{self._name} MATCH :having").bindparams(having=match)
        return self._of.c.seq.in_(select(self._index.c.rowid).where(found))


def _any(words: Sequence[str]) -> str:
    """A query of FTS5 for rows with any of the words."""
    return " OR ".join(f'"{word}"' for word in words)
