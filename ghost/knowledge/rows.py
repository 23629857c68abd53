"""Rows of the database as passages and as records of the vector index, and the facts kept about the database itself."""

import hashlib
import time
import uuid
from dataclasses import fields
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, insert, select, update

from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.vectors import Record
from ghost.records import Database, from_row, meta, passages, to_column
from ghost.types import Frame, Intake, Kind, NewPassage, Origin, PageCheck, Passage, SourceType, Status

READABLE = [column for column in passages.c if column.name != "embedding"]
"""Everything but the vector, which only the index needs."""


_INDEXED = ("source_url", "domain", "title", "publisher", "origin", "source_type", "language", "topic")


def key_of(text: str, source_url: str) -> str:
    """What a passage merges by: the same normalised text from the same address."""
    return hashlib.sha256(f"{text}\0{source_url}".encode()).hexdigest()


def id_of(key: str) -> str:
    """The id that a passage gets when it is made; it keeps it when its text is edited."""
    return f"p_{key[:16]}"


def embedded_text(text: str, title: str) -> str:
    """What the encoder reads: a sentence cut from a page often leaves it to the title what it is about."""
    return f"{title}. {text}" if title and title.casefold() not in text.casefold() else text


def pack(vector: np.ndarray) -> bytes:
    """A vector as it is stored."""
    return vector.astype("<f2").tobytes()


def unpack(data: bytes) -> np.ndarray:
    """A stored vector, of length one again."""
    vector = np.frombuffer(data, dtype="<f2").astype(np.float32)
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector


def to_passage(row: Row[Any], book: CredibilityBook) -> Passage:
    """The passage in a row that has the READABLE columns."""
    kind = Kind(row.kind)
    return from_row(
        Passage,
        row,
        origin=Origin(row.origin),
        status=Status(row.status),
        source_type=SourceType(row.source_type),
        kind=kind,
        intake=Intake(row.intake),
        page_check=PageCheck(row.page_check) if row.page_check else None,
        page_excerpts=tuple(row.page_excerpts.split()),
        library_rating=book.library if kind is Kind.NOTE else None,
        credibility=book.credibility(row.source_url),
        rated=book.rated(row.source_url),
        frame=Frame.load(row.frame),
    )


def to_record(row: Row[Any]) -> Record:
    """What the vector index keeps of a row that has all columns; Chroma knows no empty values and no dates."""
    metadata = {name: getattr(row, name) for name in _INDEXED}
    day = row.published_at.isoformat() if row.published_at else ""
    return Record(row.id, unpack(row.embedding), row.text, metadata | {"published_at": day})


def to_row(
    new: NewPassage, key: str, vector: np.ndarray, model: str, mark: int, now: datetime, book: CredibilityBook
) -> dict[str, Any]:
    """The columns of a new passage."""
    given = {field.name: getattr(new, field.name) for field in fields(new) if field.name in passages.c}
    return {
        **given,
        "id": id_of(key),
        "merge_key": key,
        "domain": book.domain(new.source_url),
        "origin": new.origin.value,
        "status": new.status.value,
        "kind": new.kind.value,
        "intake": new.intake.value,
        "frame": str(new.frame),
        "source_type": book.source_type(new.source_url).value,
        "retrieved_at": to_column(new.retrieved_at),
        "indexed_at": to_column(now),
        "text_length": len(new.text),
        "kin": "",
        "embedding_model": model,
        "changed": mark,
        "embedding": pack(vector),
    }


def source_name(row: Any) -> str:
    """A short name for whose words the passage in a row holds."""
    name = row.publisher or row.domain or row.title or "An unnamed source"
    if row.kind == Kind.NOTE:
        return f"Note (page: {name})" if row.domain else "Note"
    return f"Entered by hand ({row.domain or name})" if row.intake == Intake.ENTERED else str(name)


def get_meta(connection: Connection, key: str) -> str | None:
    """A fact about the database itself."""
    return connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar()


def id_of_database(database: Database) -> str:
    """The id of a database, given to it when it is asked for the first time."""
    with database.read() as connection:
        kept = get_meta(connection, "id")
    if kept is None:
        with database.write() as connection:
            kept = get_meta(connection, "id") or uuid.uuid4().hex
            set_meta(connection, "id", kept)
    return kept


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Note a fact about the database itself."""
    if connection.execute(update(meta).where(meta.c.key == key).values(value=value)).rowcount == 0:
        connection.execute(insert(meta).values(key=key, value=value))


def watermark(connection: Connection) -> int:
    """The stamp of the last write that concerns the vector index."""
    return int(get_meta(connection, "watermark") or 0)


def next_watermark(connection: Connection) -> int:
    """A new stamp, higher than all before.

    It is made of the clock, so that a database put back from a copy does not give the same stamps a second time to
    other writes, which an index that has seen the first ones could not tell apart.
    """
    mark = max(watermark(connection) + 1, time.time_ns() // 1_000)
    set_meta(connection, "watermark", str(mark))
    return mark
