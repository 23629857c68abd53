"""Finding passages by meaning and by words, for a run and for a person who browses."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, func, or_, select

from ghost.inference import Encoder
from ghost.knowledge import queries
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.queries import Condition, conditions, telling_words
from ghost.knowledge.rows import READABLE, to_passage, unpack
from ghost.knowledge.values import Listing, PassageFilter, Sort
from ghost.records import Database, batched, passages, unindexed, word_index
from ghost.types import Candidate, Status

SEMANTIC_SHARE = 0.7
"""Part of the cosine in the joint score. Chosen on claims over passages of the training evidence."""

_CHUNK = 1_000

_ACTIVE = unindexed(passages.c.status) == "active"
"""SQLite is to look the ids up; else it goes through the index of the status, which nearly all share."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A passage's place in the joint ranking."""

    id: str
    score: float
    semantic: float | None
    lexical: float | None


@dataclass(frozen=True, slots=True)
class Rankings:
    """The two rankings that a search fuses: passage id and score, best first."""

    dense: tuple[tuple[str, float], ...]
    """By cosine."""
    lexical: tuple[tuple[str, float], ...]
    """By BM25, higher is better."""


def search_words(connection: Connection, query: str, n: int, as_of: date | None) -> list[tuple[str, float]]:
    """The best ``n`` active passages by BM25 (id, score), best first, none published after ``as_of``."""
    which = [passages.c.status == "active", *_known_by(as_of)]
    return word_index(connection, passages).best(connection, telling_words(query), which, n)


def visible_rows(connection: Connection, ids: Iterable[str], as_of: date | None) -> dict[str, Row[Any]]:
    """The rows of those passages that are active and not published after ``as_of``."""
    found: dict[str, Row[Any]] = {}
    for some in batched(dict.fromkeys(ids), _CHUNK):
        query = select(*READABLE).where(passages.c.id.in_(some), _ACTIVE, *_known_by(as_of))
        found.update((row.id, row) for row in connection.execute(query))
    return found


def _known_by(as_of: date | None) -> list[Condition]:
    """Conditions for what was published and holds by that day."""
    if as_of is None:
        return []
    published = or_(passages.c.published_at.is_(None), passages.c.published_at <= as_of)
    # As text, a year or a month comes before each of its days: what holds for a part of it is shown, with less weight,
    # and what holds for later is not.
    return [published, passages.c.as_of <= as_of.isoformat()]


def cosines(connection: Connection, ids: Sequence[str], vector: np.ndarray) -> dict[str, float]:
    """Cosine of a unit vector with each of these passages, which only the full text has found."""
    found: dict[str, float] = {}
    for some in batched(ids, _CHUNK):
        query = select(passages.c.id, passages.c.embedding).where(passages.c.id.in_(some))
        found.update((row.id, float(unpack(row.embedding) @ vector)) for row in connection.execute(query))
    return found


def fuse(
    dense: Sequence[tuple[str, float]], lexical: Sequence[tuple[str, float]], allowed: Mapping[str, Any]
) -> list[Fused]:
    """Both rankings as one, best first; only the ``allowed`` ids count.

    The score is a convex combination of the cosine and of BM25 as a part of its best (Bruch, Gai and Ingber, "An
    Analysis of Fusion Functions for Hybrid Retrieval", 2023), which keeps how far apart two passages are; their ranks
    alone, fused by reciprocal rank, found 1 to 4 points of nDCG less on four sets of claims. What the search by meaning
    did not list counts as near as the last it did.
    """
    semantic = {i: score for i, score in dense if i in allowed}
    words = {i: score for i, score in lexical if i in allowed}
    farthest = min(semantic.values(), default=0.0)
    best = max(words.values(), default=0.0)
    scores = {
        i: SEMANTIC_SHARE * semantic.get(i, farthest)
        + (1 - SEMANTIC_SHARE) * (words.get(i, 0.0) / best if best else 0.0)
        for i in {**semantic, **words}
    }
    ordered = sorted(scores, key=lambda i: (-scores[i], -semantic.get(i, -1.0), i))
    return [Fused(i, scores[i], semantic.get(i), words.get(i)) for i in ordered]


Nearest = Callable[[np.ndarray, int], list[list[tuple[str, float]]]]
"""For each vector the so many active passages that are nearest to it: id and cosine, best first."""

MAX_FOUND = 200
"""A search by meaning finds something for every word; beyond this rank nothing is worth a look."""
_OVERFETCH = 3
_MIN_FETCH = 50
_MAX_FETCH = 5_000
"""How far the nearest are looked through for those that are old enough."""
SCANNED = 20_000
"""So many passages are compared one by one, which finds all there is."""
_COMPARED = 5_000
"""Passages that are compared at a time."""


class Searcher:
    """Searches over database and vector index."""

    def __init__(self, database: Database, encoder: Encoder, book: CredibilityBook, nearest: Nearest) -> None:
        self._database = database
        self._encoder = encoder
        self._book = book
        self._nearest = nearest

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None) -> list[list[Candidate]]:
        """For each text the ``k`` best active passages, none published after ``as_of``; a blank text finds nothing."""
        asked = [i for i, text in enumerate(texts) if text.strip()]
        results: list[list[Candidate]] = [[] for _ in texts]
        if not asked or k < 1:
            return results
        vectors = self._encoder.encode([texts[i] for i in asked])
        n = max(_MIN_FETCH, _OVERFETCH * k)
        while True:
            dense = self._nearest(vectors, n)
            rankings, rows = self._fused([texts[i] for i in asked], dense, n, as_of)
            # Chroma must not filter, so with a date the nearest may all be too young: look further.
            short = as_of is not None and any(len(d) == n and sum(i in rows for i, _ in d) < k for d in dense)
            if not short or n >= _MAX_FETCH:
                break
            n = min(n * 4, _MAX_FETCH)
        with self._database.read() as connection:
            for i, ranking, vector in zip(asked, rankings, vectors, strict=True):
                best = ranking[:k]
                far = cosines(connection, [f.id for f in best if f.semantic is None], vector)
                results[i] = [
                    Candidate(to_passage(rows[f.id], self._book), rank, f.score, far.get(f.id, f.semantic), f.lexical)
                    for rank, f in enumerate(best, start=1)
                ]
        return results

    def rankings(self, texts: Sequence[str], n: int) -> list[Rankings]:
        """What a search fuses, apart: for each text the ``n`` best active passages by meaning and by words."""
        if not texts:
            return []
        dense = self._nearest(self._encoder.encode(texts), n)
        with self._database.read() as connection:
            lexical = [search_words(connection, text, n, None) for text in texts]
        return [Rankings(tuple(d), tuple(w)) for d, w in zip(dense, lexical, strict=True)]

    def browse(self, words: str, filter: PassageFilter, sort: Sort, limit: int, offset: int) -> Listing:
        """A page of the passages that pass the filter: those that match the words best, or all in the order given."""
        if words.strip():
            return self._matching(words, filter, limit, offset)
        with self._database.read() as connection:
            total = queries.count(connection, filter, self._book)
            found = queries.listed(connection, filter, sort, limit, offset, self._book) if total else []
        return Listing(tuple(found), total, total)

    def _matching(self, words: str, filter: PassageFilter, limit: int, offset: int) -> Listing:
        (vector,) = self._encoder.encode([words])
        with self._database.read() as connection:
            which = conditions(connection, filter, self._book)
            passing = connection.execute(select(func.count(passages.c.seq)).where(*which)).scalar_one()
            if not passing:
                return Listing((), 0, 0)
            of_known = conditions(connection, filter, self._book, of_known=True)
            if passing <= SCANNED or filter.status not in (None, Status.ACTIVE):
                dense = _best_by_cosine(connection, which, vector)
            else:
                dense = self._nearest_passing(connection, filter, of_known, vector)
            lexical = word_index(connection, passages).best(connection, telling_words(words), of_known, MAX_FOUND * 2)
            allowed = dict.fromkeys(i for i, _ in (*dense, *lexical))
            best = [f.id for f in fuse(dense, lexical, allowed)][:MAX_FOUND]
            found = queries.by_ids(connection, best[offset : offset + limit], self._book)
        return Listing(tuple(found), len(best), passing)

    def _nearest_passing(
        self, connection: Connection, filter: PassageFilter, of_known: Sequence[Condition], vector: np.ndarray
    ) -> list[tuple[str, float]]:
        """The nearest of many that pass: the index is asked, which has the active ones only."""
        n = 2 * MAX_FOUND
        while True:
            (near,) = self._nearest(vector[None], n)
            passed = {
                row[0]
                for some in batched([i for i, _ in near], _CHUNK)
                for row in connection.execute(select(passages.c.id).where(passages.c.id.in_(some), *of_known))
            }
            if len(passed) >= MAX_FOUND or len(near) < n or n >= _MAX_FETCH:
                break
            n = min(n * 4, _MAX_FETCH)
        found = [pair for pair in near if pair[0] in passed]
        if filter.status is None:
            rest = passages.c.status.in_([status.value for status in Status if status is not Status.ACTIVE])
            found = sorted((*found, *_best_by_cosine(connection, [*of_known, rest], vector)), key=lambda pair: -pair[1])
        return found[: 2 * MAX_FOUND]

    def _fused(
        self, texts: Sequence[str], dense: Sequence[Sequence[tuple[str, float]]], n: int, as_of: date | None
    ) -> tuple[list[list[Fused]], dict[str, Row[Any]]]:
        with self._database.read() as connection:
            lexical = [search_words(connection, text, n, as_of) for text in texts]
            rows = visible_rows(connection, (i for ranking in (*dense, *lexical) for i, _ in ranking), as_of)
        return [fuse(d, w, rows) for d, w in zip(dense, lexical, strict=True)], rows


def _best_by_cosine(connection: Connection, which: Sequence[Condition], vector: np.ndarray) -> list[tuple[str, float]]:
    """The nearest that pass: compared one by one, which finds all there is, also what is not in the vector index."""
    found: list[tuple[str, float]] = []
    query = select(passages.c.id, passages.c.embedding).where(*which).order_by(passages.c.seq)
    for rows in batched(connection.execute(query.execution_options(yield_per=_COMPARED)), _COMPARED):
        vectors = np.frombuffer(b"".join(row.embedding for row in rows), "<f2").reshape(len(rows), -1)
        lengths = np.linalg.norm(vectors.astype(np.float32), axis=1)
        scores = vectors.astype(np.float32) @ vector / np.where(lengths, lengths, 1)
        found += zip((row.id for row in rows), scores.tolist(), strict=True)
        found = sorted(found, key=lambda pair: -pair[1])[: 2 * MAX_FOUND]
    return found
