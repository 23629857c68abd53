"""The words of a table on PostgreSQL: ``tsvector`` with a GIN index, and BM25, which PostgreSQL does not have.

PostgreSQL's own ranking knows neither how rare a word is nor how long a text is. But its rank of a single word tells
how often the text has it, and the rest that BM25 needs is counted.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    column,
    false,
    literal_column,
    select,
    table,
    text,
    true,
)

_K1, _B = 1.2, 0.75
"""The constants of BM25 in FTS5."""
_SERIES = 1.64493406685
"""PostgreSQL adds 1 + 1/4 + 1/9 ... once for each time that a text has the word, and divides by what that tends to."""


class PostgresqlWords:
    """The index over the words of a table."""

    def __init__(self, of: Table) -> None:
        self._of = of
        self._words = table(f"{of.name}_words", column("seq"), column("words"))

    def best(
        self, connection: Connection, words: Sequence[str], which: Sequence[Any], n: int
    ) -> list[tuple[str, float]]:
        """As ``WordIndex`` says."""
        query: Select[Any] = select(literal_column("ghost_query(word)")).select_from(
            text("unnest(CAST(:words AS text[])) AS t(word)")
        )
        terms = [term for term in connection.execute(query, {"words": list(words)}).scalars() if term]
        if not terms:
            return []
        names = {f"q{i}": term for i, term in enumerate(terms)}
        ranking = text(_ranking(self._of.name, tuple("<" in term for term in terms)))
        scored = ranking.bindparams(whole=" | ".join(f"({term})" for term in terms), **names)
        s = scored.columns(column("seq"), column("score")).subquery("s")
        # Row by row from the best one on, until there are enough: the rows are wide, and most need not be read.
        row = select(self._of.c.id).where(self._of.c.seq == s.c.seq, *which).offset(0).lateral("row")
        found = select(row.c.id, s.c.score).select_from(s.join(row, true())).order_by(s.c.score.desc(), s.c.seq)
        return [(id_, float(score)) for id_, score in connection.execute(found.limit(n))]

    def having(self, words: Sequence[str]) -> ColumnElement[bool]:
        """As ``WordIndex`` says."""
        if not words:
            return false()
        parts = [f"ghost_query(:having{i})" for i in range(len(words) - 1)]
        parts.append(f"ghost_query(:having{len(words) - 1}, ':*')")
        found = text(f"{self._words.name}.words @@ CAST(concat_ws(' & ', {', '.join(parts)}) AS tsquery)")
        found = found.bindparams(**{f"having{i}": word for i, word in enumerate(words)})
        return self._of.c.seq.in_(select(self._words.c.seq).where(found))


@cache
def _ranking(name: str, phrases: tuple[bool, ...]) -> str:
    """SQL for ``seq`` and ``score`` of all rows that have any of the terms, best first."""
    ranks, counts, rarities, scores = [], [], [], []
    for i, phrase in enumerate(phrases):
        asked = f"CAST(:q{i} AS tsquery)"
        once = f"CASE WHEN w.words @@ {asked} THEN {0.1 / _SERIES} ELSE 0 END"
        ranks.append(f"{once if phrase else f'ts_rank(w.words, {asked})'} AS r{i}")
        counts.append(f"count(*) FILTER (WHERE r{i} > 0) AS d{i}")
        rarities.append(f"greatest(ln((t.rows - d{i} + 0.5) / (d{i} + 0.5)), 1e-6) AS i{i}")
        times = f"round(1 / ({_SERIES} * (1 - 10 * r{i})) - 0.5)"
        scores.append(f"CASE WHEN r{i} > 0 THEN i{i} * {times} * {_K1 + 1} / ({times} + norm) ELSE 0 END")
    return (
        f"WITH found AS MATERIALIZED (SELECT w.seq, w.length, {', '.join(ranks)} "
        f"FROM {name}_words AS w WHERE w.words @@ CAST(:whole AS tsquery)), "
        f"counts AS (SELECT {', '.join(counts)} FROM found), "
        f"rare AS (SELECT {', '.join(rarities)}, CAST(t.length AS double precision) / t.rows AS mean "
        f"FROM counts, word_totals AS t WHERE t.name = '{name}') "
        f"SELECT seq, {' + '.join(scores)} AS score FROM (SELECT found.*, rare.*, "
        f"{_K1} * ({1 - _B} + {_B} * found.length / rare.mean) AS norm FROM found, rare) AS f ORDER BY score DESC, seq"
    )
