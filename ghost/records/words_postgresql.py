"""The words of a table on PostgreSQL: ``tsvector`` with a GIN index, and BM25, which PostgreSQL does not have.

PostgreSQL's own ranking knows neither how rare a word is nor how long a text is. But its rank of a single word tells
how often the text has it, and the rest that BM25 needs is counted.
"""

from collections.abc import Mapping, Sequence
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

from ghost.records.rare_words import rarest

_K1, _B = 1.2, 0.75
"""The constants of BM25 in FTS5."""
_SERIES = 1.64493406685
"""PostgreSQL adds 1 + 1/4 + 1/9 ... once for each time that a text has the word, and divides by what that tends to."""
_NOTED = """
SELECT greatest(c.reltuples, 0) AS rows, s.words, s.shares, s.least FROM pg_class AS c
LEFT JOIN LATERAL (
    SELECT array_agg(e.word) FILTER (WHERE e.word = ANY(CAST(:words AS text[]))) AS words,
    array_agg(e.share) FILTER (WHERE e.word = ANY(CAST(:words AS text[]))) AS shares, min(e.share) AS least
    FROM pg_stats AS p,
    unnest(CAST(CAST(p.most_common_elems AS text) AS text[]), p.most_common_elem_freqs) AS e(word, share)
    WHERE p.schemaname = current_schema() AND p.tablename = :name AND p.attname = 'words' AND e.word IS NOT NULL
) AS s ON true
WHERE c.oid = to_regclass(:name)
"""
"""What the server knows of a table's words since it last looked at some of its rows, which it does by itself."""


class PostgresqlWords:
    """The index over the words of a table."""

    def __init__(self, of: Table) -> None:
        self._of = of
        self._words = table(f"{of.name}_words", column("seq"), column("words"))

    def best(
        self, connection: Connection, words: Sequence[str], which: Sequence[Any], n: int
    ) -> list[tuple[str, float]]:
        """As ``WordIndex`` says. Where more than RANKED rows match, only those with one of the rarer words count."""
        query: Select[Any] = select(literal_column("ghost_query(word)")).select_from(
            text("unnest(CAST(:words AS text[])) AS t(word)")
        )
        terms = [term for term in connection.execute(query, {"words": list(words)}).scalars() if term]
        if not terms:
            return []
        often = self._often(connection, terms)
        rare = rarest(often)
        found = self._ranked(connection, terms, {term: often[term] for term in terms if term not in rare}, which, n)
        if len(found) < n and len(rare) < len(terms):
            return self._ranked(connection, terms, {}, which, n)  # the conditions let few of the best through
        return found

    def _often(self, connection: Connection, terms: Sequence[str]) -> dict[str, float]:
        """In how many rows each term is, as far as the server has noted it, which it does for the commoner words.

        To count them would take as long as to rank them. Of what it has not noted, a term has as many rows as the
        rarest word that it has; and none, where the server has looked at no row yet.
        """
        noted = connection.execute(text(_NOTED), {"name": self._words.name, "words": _single(terms)}).one()
        shares = dict(zip(noted.words or (), noted.shares or (), strict=True))
        rarest_noted, rows = noted.least or 0.0, max(0.0, noted.rows)
        return {term: rows * min(shares.get(word, rarest_noted) for word in _single([term])) for term in terms}

    def _ranked(
        self, connection: Connection, terms: Sequence[str], common: Mapping[str, float], which: Sequence[Any], n: int
    ) -> list[tuple[str, float]]:
        """The ``n`` best rows of those with a term that is not ``common``, by all terms. Of the common ones, which
        are not looked up, ``common`` tells in how many rows they are."""
        kinds = tuple(("<" in term, term in common) for term in terms)
        names: dict[str, Any] = {f"q{i}": term for i, term in enumerate(terms)}
        names |= {f"n{i}": common[term] for i, term in enumerate(terms) if term in common}
        whole = " | ".join(f"({term})" for term in terms if term not in common)
        scored = text(_ranking(self._of.name, kinds)).bindparams(whole=whole, **names)
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


def _single(terms: Sequence[str]) -> list[str]:
    """The words of all terms: some terms are several words, one after the other."""
    return [word for term in terms for word in term.split(" <-> ")]


@cache
def _ranking(name: str, kinds: tuple[tuple[bool, bool], ...]) -> str:
    """SQL for ``seq`` and ``score`` of all rows that ``:whole`` finds, best first.

    Of each term: whether it is several words, and whether it is so common that its rows are told and not counted.
    """
    ranks, counts, rarities, scores = [], [], [], []
    for i, (phrase, common) in enumerate(kinds):
        asked = f"CAST(:q{i} AS tsquery)"
        once = f"CASE WHEN w.words @@ {asked} THEN {0.1 / _SERIES} ELSE 0 END"
        ranks.append(f"{once if phrase else f'ts_rank(w.words, {asked})'} AS r{i}")
        rows = f"CAST(:n{i} AS double precision)" if common else f"count(*) FILTER (WHERE r{i} > 0)"
        counts.append(f"{rows} AS d{i}")
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
