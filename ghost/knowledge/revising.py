"""Giving a passage other text or other facts about it, and all that follows from that."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Self

import numpy as np
from sqlalchemy import Connection, Row, delete, insert, update

from ghost.errors import StoreError
from ghost.knowledge.changes import PLAIN, State
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.near import Lookup, bands, kin_of, replace_bands
from ghost.knowledge.rows import embedded_text, key_of, pack
from ghost.knowledge.writes import known
from ghost.records import merges, passages
from ghost.types import Origin, Passage


@dataclass(frozen=True, slots=True)
class Revision:
    """What a passage says and what is known about it, as the analyst wants it."""

    text: str
    source_url: str = ""
    title: str = ""
    publisher: str = ""
    topic: str = ""
    language: str = "en"
    published_at: date | None = None
    origin: Origin = Origin.CURATED
    as_of: str = ""

    @classmethod
    def of(cls, p: Passage) -> Self:
        """The passage as it is, to be changed with ``dataclasses.replace``."""
        return cls(p.text, p.source_url, p.title, p.publisher, p.topic, p.language, p.published_at, p.origin, p.as_of)


def read_anew(before: State, after: State) -> str | None:
    """The text that the encoder has to read again for a change from one state to another; None when it need not."""
    old, new = (embedded_text(state["text"], state["title"]) for state in (before, after))
    return new if new != old else None


def put(
    connection: Connection,
    row: Row[Any],
    now: State,
    wanted: State,
    vector: np.ndarray | None,
    mark: int,
    book: CredibilityBook,
) -> None:
    """Bring a passage from the state it is in to another one. Raises StoreError when another passage is that already.

    ``vector`` is that of the new text where ``read_anew`` asked for one. Statistics are not touched.
    """
    values: dict[str, Any] = {name: wanted[name] for name in PLAIN if wanted[name] != now[name]}
    if wanted["published_at"] != now["published_at"]:
        values["published_at"] = date.fromisoformat(wanted["published_at"]) if wanted["published_at"] else None
    if "text" in values or "source_url" in values:
        values |= _identity(connection, row, wanted, book)
    if vector is not None:
        values["embedding"] = pack(vector)
    connection.execute(update(passages).where(passages.c.id == row.id).values(changed=mark, **values))
    if "text" in values:
        replace_bands(connection, row.seq, now["text"], wanted["text"])
    if wanted["merged_into"] != now["merged_into"]:
        set_merged(connection, row.id, wanted["merged_into"])


def set_merged(connection: Connection, passage_id: str, kept: str) -> None:
    """Note which passage speaks for this one; empty when it speaks for itself."""
    connection.execute(delete(merges).where(merges.c.passage_id == passage_id))
    if kept:
        connection.execute(insert(merges).values(passage_id=passage_id, kept_id=kept))


def _identity(connection: Connection, row: Row[Any], wanted: State, book: CredibilityBook) -> dict[str, Any]:
    """What follows from text and address."""
    text, url = wanted["text"], wanted["source_url"]
    key = key_of(text, url)
    twin = known(connection, [key]).get(key)
    if twin is not None and twin.id != row.id:
        raise StoreError(f"Nothing was changed: passage {twin.id} has this text from the same source already.")
    of = bands([text])
    alike = (other for other in Lookup(connection, of).alike(text, of[0]) if other.id != row.id)
    found = kin_of(alike, url)
    return {
        "merge_key": key,
        "text_length": len(text),
        "domain": book.domain(url),
        "source_type": book.source_type(url).value,
        "kin": (found.kin or found.id) if found is not None and found.kin != row.id else "",
    }
