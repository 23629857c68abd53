"""Finding passages by words, and fusing two rankings into one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, or_, select, text

from ghost.knowledge.rows import READABLE, unpack
from ghost.records import passages

SEMANTIC_SHARE = 0.7
"""Part of the cosine in the joint score. Chosen on claims over passages of the training evidence."""

MAX_TERMS = 32
"""Words of a text that are looked up; a long claim would otherwise match everything a little."""

_COMMON = """
a about after again all also am an and any are as at be because been before being between both but by can could did do
does doing down during each few for from further had has have having he her here hers him his how i if in into is it
its just me more most my no nor not of off on once only or other our out over own same she should so some such than
that the their them then there these they this those through to too under until up very was we were what when where
which while who whom why will with would you your yours
"""
STOP_WORDS = frozenset(_COMMON.split())
"""Left out of the lookup: common words cost most of its time and say nothing."""

_WORD = re.compile(r"[^\W_]+")
_CHUNK = 1_000

_ACTIVE = text("+passages.status = 'active'")
"""With the plus SQLite looks the ids up; else it goes through the index of the status, which nearly all share."""

_LEXICAL = text(
    "SELECT p.id, -f.rank FROM passages_fts AS f JOIN passages AS p ON p.seq = f.rowid "
    "WHERE passages_fts MATCH :query AND p.status = 'active' "
    "AND (:as_of IS NULL OR ((p.published_at IS NULL OR p.published_at <= :as_of) AND p.as_of <= :as_of)) "
    "ORDER BY f.rank LIMIT :n"
)


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


def match_any(query: str) -> str:
    """A full-text query for passages with any of the words; empty when there is none. Nothing in it is an operator."""
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    telling = [w for w in words if w not in STOP_WORDS and (len(w) > 1 or not w.isascii() or w.isdigit())]
    return " OR ".join(f'"{w}"' for w in (telling or words)[:MAX_TERMS])


def match_all(query: str) -> str:
    """A full-text query for passages with all of the words, the last of which may be unfinished."""
    words = _WORD.findall(query.casefold())[:MAX_TERMS]
    return " AND ".join(f'"{w}"' for w in words) + "*" if words else ""


def by_words(connection: Connection, query: str, n: int, as_of: date | None) -> list[tuple[str, float]]:
    """The best ``n`` active passages by BM25 (id, score), best first, none published after ``as_of``."""
    match = match_any(query)
    if not match:
        return []
    day = as_of.isoformat() if as_of else None
    return [(row[0], row[1]) for row in connection.execute(_LEXICAL, {"query": match, "n": n, "as_of": day})]


def visible(connection: Connection, ids: Iterable[str], as_of: date | None) -> dict[str, Row[Any]]:
    """The rows of those passages that are active and not published after ``as_of``."""
    wanted = list(dict.fromkeys(ids))
    found: dict[str, Row[Any]] = {}
    for start in range(0, len(wanted), _CHUNK):
        query = select(*READABLE).where(passages.c.id.in_(wanted[start : start + _CHUNK]), _ACTIVE)
        if as_of is not None:
            query = query.where(or_(passages.c.published_at.is_(None), passages.c.published_at <= as_of))
            # As text, a year or a month comes before each of its days: what holds for a part of it is shown, with
            # less weight, and what holds for later is not.
            query = query.where(passages.c.as_of <= as_of.isoformat())
        found.update((row.id, row) for row in connection.execute(query))
    return found


def cosines(connection: Connection, ids: Sequence[str], vector: np.ndarray) -> dict[str, float]:
    """Cosine of a unit vector with each of these passages, which only the full text has found."""
    found: dict[str, float] = {}
    for start in range(0, len(ids), _CHUNK):
        query = select(passages.c.id, passages.c.embedding).where(passages.c.id.in_(ids[start : start + _CHUNK]))
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
