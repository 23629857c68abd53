"""The words of a table on SQLite: FTS5."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, column, false, literal_column, select, table, text

from ghost.records.rare_words import rarest

_AHEAD = 4
"""So many times the rows that are wanted are ranked before the conditions are looked at, which few rows fail."""


class SqliteWords:
    """The index over the words of a table."""

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
        rare = rarest(self._often(connection, words))
        ranked = self._ranked(connection, words, rare, _AHEAD * n)
        rows = select(self._of.c.seq, self._of.c.id).where(self._of.c.seq.in_([seq for seq, _ in ranked]), *which)
        ids = {row.seq: row.id for row in connection.execute(rows)}
        found = [(ids[seq], score) for seq, score in ranked if seq in ids][:n]
        if len(found) == n or (len(ranked) < _AHEAD * n and len(rare) == len(words)):
            return found
        return self._all_ranked(connection, words, which, n)  # the conditions let few of the best through

    def _often(self, connection: Connection, words: Sequence[str]) -> dict[str, float]:
        """In how many rows each word is."""
        count = text(f"SELECT count(*) FROM {self._name} WHERE {self._name} MATCH :word")
        return {word: connection.execute(count, {"word": f'"{word}"'}).scalar_one() for word in words}

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
