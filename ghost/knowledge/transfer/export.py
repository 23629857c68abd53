"""Passages on their way out, one after the other, so that they need not all be in memory."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.values import EVERYTHING, PassageFilter
from ghost.text import csv_pieces, guarded
from ghost.types import Passage

EXPORT_FORMATS = {"jsonl": "application/jsonl", "csv": "text/csv"}
"""The formats of an export with their media types."""
COLUMNS = (
    *("id", "text", "source_url", "title", "publisher", "topic", "language", "published_at", "as_of", "retrieved_at"),
    *("status", "origin", "domain", "source_type", "credibility", "indexed_at", "verification_count", "avg_relevance"),
    *("access_count", "last_accessed"),
)
"""The first ones are what an import takes; the others say what is known besides."""


def export_passages(knowledge: KnowledgeBase, form: str, filter: PassageFilter = EVERYTHING) -> Iterator[bytes]:
    """The passages that pass the filter, oldest first, in pieces of a file in UTF-8.

    ``form`` is ``jsonl``, which is complete and can be imported again, or ``csv`` for spreadsheets: what they would
    take for a formula has an apostrophe before it.
    """
    values = (_values(passage) for passage in knowledge.each(filter))
    if form == "csv":
        return csv_table(COLUMNS, (each.values() for each in values))
    return ((json.dumps(each, ensure_ascii=False) + "\n").encode() for each in values)


def _values(p: Passage) -> dict[str, Any]:
    """A passage as plain values, JSON-safe."""
    values = {name: getattr(p, name) for name in COLUMNS}
    for name in ("published_at", "retrieved_at", "indexed_at", "last_accessed"):
        values[name] = values[name].isoformat() if values[name] else None
    values |= {"origin": p.origin.value, "status": p.status.value, "source_type": p.source_type.value}
    return values


def csv_table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    """A CSV file that a spreadsheet opens as text and never as formulas, and ``Table`` reads as it was."""
    return csv_pieces(columns, rows, guarded)
