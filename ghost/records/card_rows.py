"""Claim cards as rows: what a change replaces, what the history keeps of it, and which rows a filter lets through."""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from time import time_ns
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ghost.errors import StoreError
from ghost.records.card_state import card_state
from ghost.records.database import from_json, from_row, to_column, to_json, utc_now
from ghost.records.dialect import contains_text
from ghost.records.tables.base import meta
from ghost.records.tables.cards import card_history, card_sources, claim_cards
from ghost.text import normalise
from ghost.types import CardCitation, CardOrigin, CardSource, CardState, Category, ClaimCard, Label

KEPT = (
    "claim", "category", "label", "confidence", "origin", "checked_at", "run_id", "publisher", "url", "as_of",
    "expires_at", "approved_at", "retired", "margin", "sources", "answer", "citations", "limitations", "would_change",
)  # fmt: skip
"""What a change can replace: the columns that the history keeps."""
READ = [column for column in claim_cards.c if column.name not in ("embedding", "embedding_model", "key", "changed")]
_TIMES = ("checked_at", "expires_at", "approved_at")
_MARK = "cards_watermark"


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards to list; what is not set does not narrow."""

    text: str = ""
    """Stands in the claim or the answer, or is the id of the card."""
    state: CardState | None = None
    category: Category | None = None
    label: Label | None = None
    origin: CardOrigin | None = None
    run_id: str = ""


ALL_CARDS = CardFilter()


@dataclass(frozen=True, slots=True)
class CardChange:
    """One change of a card."""

    id: str
    card_id: str
    at: datetime
    who: str
    action: str
    """made, replaced, edited, approved, expiry, margin, retired, restored, undone."""
    note: str
    before: dict[str, Any]
    """By column what was replaced, as text and numbers; empty for a new card."""
    after: dict[str, Any]
    undone_by: str = ""
    """Id of the change that took it back."""


def card_key(claim: str, as_of: date | None, origin: CardOrigin, author: str = "") -> str:
    """What makes two cards one: the same words, the same day, the same ``ClaimCard.author``."""
    words = normalise(claim).casefold().rstrip(" .!?")
    author = normalise(author).casefold() if origin in (CardOrigin.FACT_CHECK, CardOrigin.ANALYST) else ""
    return hashlib.sha256("\0".join((words, str(as_of or ""), origin.value, author)).encode()).hexdigest()


def to_columns(card: ClaimCard, sources: Sequence[CardSource]) -> dict[str, Any]:
    """The columns in KEPT of a card."""
    values = {name: getattr(card, name) for name in KEPT if name not in ("sources", "citations")}
    values |= {name: getattr(card, name).value for name in ("category", "label", "origin")}
    values |= {name: to_column(getattr(card, name)) for name in _TIMES}
    return values | {"sources": sources_json(sources), "citations": to_json(tuple[CardCitation, ...], card.citations)}


def sources_json(sources: Sequence[CardSource]) -> str:
    """What a card rests on, as it is kept."""
    return to_json(tuple[CardSource, ...], tuple(sources))


def to_card(row: Row[Any]) -> ClaimCard:
    """The card in a row of READ and ``stale``."""
    return from_row(
        ClaimCard,
        row,
        category=Category(row.category),
        label=Label(row.label),
        origin=CardOrigin(row.origin),
        citations=from_json(tuple[CardCitation, ...], row.citations, "A card"),
    )


def narrow(query: Any, filter: CardFilter, stale: ColumnElement[str]) -> Any:
    """The query over ``claim_cards`` for those that pass the filter."""
    c, words = claim_cards.c, filter.text.strip()
    if words:
        found = contains_text(c.claim, words) | contains_text(c.answer, words)
        query = query.where(found | (c.id == words))
    for name in ("category", "label", "origin"):
        if (value := getattr(filter, name)) is not None:
            query = query.where(c[name] == value.value)
    if filter.run_id:
        query = query.where(c.run_id == filter.run_id)
    if filter.state is not None:
        query = query.where(card_state(utc_now(), stale) == filter.state.value)
    return query


def row_of(connection: Connection, card_id: str) -> Row[Any]:
    """The row of a card. Raises StoreError when there is none."""
    row = connection.execute(select(claim_cards).where(claim_cards.c.id == card_id)).first()
    if row is None:
        raise StoreError(f"Nothing was changed: there is no card {card_id}.")
    return row


def snapshot(values: Mapping[Any, Any]) -> dict[str, Any]:
    """The columns in KEPT as JSON knows them."""
    return {name: v.isoformat() if isinstance(v := values[name], date) else v for name in KEPT}


def from_snapshot(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The way back from ``snapshot``, for any of its columns."""
    values = dict(kept)
    for name in values.keys() & {*_TIMES, "as_of"}:
        if values[name]:
            values[name] = (date if name == "as_of" else datetime).fromisoformat(values[name])
    return values


def change_row(
    connection: Connection, row: Row[Any], values: Mapping[str, Any], action: str, who: str, note: str
) -> str:
    """Give a card other values and write down what they replaced; returns the id of the change.

    Empty when it has these values already. Raises StoreError when another card would have the same claim.
    """
    old = dict(row._mapping)
    was, now = snapshot(old), snapshot({**old, **values})
    differing = [name for name in KEPT if was[name] != now[name]]
    if not differing:
        return ""
    new = {name: values[name] for name in differing}
    if {"claim", "as_of"} & new.keys():
        after = old | new
        origin = CardOrigin(after["origin"])
        author = after["run_id" if origin is CardOrigin.ANALYST else "publisher"]
        new["key"] = card_key(after["claim"], after["as_of"], origin, author)
    if "claim" in new:
        new |= {"embedding_model": "", "embedding": b""}
    try:
        changed = update(claim_cards).where(claim_cards.c.id == row.id)
        connection.execute(changed.values(changed=next_card_mark(connection), **new))
    except IntegrityError:
        raise StoreError("Nothing was changed: there is another card of this claim.") from None
    if "sources" in new:
        connection.execute(delete(card_sources).where(card_sources.c.card_id == row.id))
        _look_up(connection, {row.id: new["sources"]})
    before, after = ({name: state[name] for name in differing} for state in (was, now))
    return record_change(connection, row.id, action, who, note, before, after)


def insert_rows(connection: Connection, rows: Sequence[Mapping[str, Any]], who: str, note: str) -> None:
    """Insert new cards, with the first line of their history."""
    if not rows:
        return
    mark = next_card_mark(connection)
    fresh = [{**row, "changed": mark, "embedding_model": "", "embedding": b""} for row in rows]
    connection.execute(insert(claim_cards), fresh)
    _look_up(connection, {row["id"]: row["sources"] for row in rows})
    lines = [_line(row["id"], "made", who, note, {}, snapshot(row)) for row in rows]
    connection.execute(insert(card_history), lines)


def record_change(
    connection: Connection, card_id: str, action: str, who: str, note: str, before: dict[str, Any],
    after: dict[str, Any],
) -> str:  # fmt: skip
    """Write a line of the history; returns its id."""
    line = _line(card_id, action, who, note, before, after)
    connection.execute(insert(card_history).values(**line))
    return str(line["id"])


def _line(
    card_id: str, action: str, who: str, note: str, before: dict[str, Any], after: dict[str, Any]
) -> dict[str, Any]:
    line = {"id": uuid.uuid4().hex, "card_id": card_id, "at": to_column(utc_now()), "who": who[:80], "action": action}
    return line | {"note": note, "before": json.dumps(before), "after": json.dumps(after)}


def _look_up(connection: Connection, kept: Mapping[str, str]) -> None:
    """Note which passages these cards rest on, where they can be looked up."""
    rows = [
        {"card_id": card_id, "passage_id": i, "key": key}
        for card_id, sources in kept.items()
        for i, key in {s["passage_id"]: s["key"] for s in json.loads(sources) if s["passage_id"]}.items()
    ]
    if rows:
        connection.execute(insert(card_sources), rows)


def cards_watermark(connection: Connection) -> int:
    """The stamp of the last write to a card."""
    return int(connection.execute(select(meta.c.value).where(meta.c.key == _MARK)).scalar() or 0)


def next_card_mark(connection: Connection) -> int:
    """A new stamp, made of the clock as those of the passages are."""
    mark = max(cards_watermark(connection) + 1, time_ns() // 1_000)
    if connection.execute(update(meta).where(meta.c.key == _MARK).values(value=str(mark))).rowcount == 0:
        connection.execute(insert(meta).values(key=_MARK, value=str(mark)))
    return mark
