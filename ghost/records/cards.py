"""Claim cards as they are kept: each change with a line in the history by which it can be taken back."""

import json
import uuid
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, func, select, update

from ghost.errors import ClaimError, StoreError
from ghost.records.card_rows import (
    ALL_CARDS,
    READ,
    CardChange,
    CardFilter,
    card_key,
    change_row,
    from_snapshot,
    insert_rows,
    narrow,
    row_of,
    snapshot,
    sources_json,
    to_card,
    to_columns,
)
from ghost.records.card_state import card_state, stale_reason
from ghost.records.database import Database, batched, from_json, from_row, to_column, utc_now
from ghost.records.dialect import lowered
from ghost.records.earlier_citations import cards_as_cited_now
from ghost.records.tables.cards import card_history, claim_cards
from ghost.text import normalise
from ghost.types import CardSource, CardState, Category, ClaimCard

EDITABLE = ("claim", "category", "answer", "limitations", "would_change")
_AT_ONCE = 500
ANALYST = "analyst"


class CardOrder(StrEnum):
    """In which order cards are listed."""

    NEWEST = "newest"
    """Answered last."""
    CLAIM = "claim"
    EXPIRING = "expiring"
    """Soonest to expire; those that never do come last."""


class CardStore:
    """Keeps claim cards. Safe to use from any thread; each method is one transaction."""

    def __init__(self, database: Database, rated_down: Callable[[], Collection[str]] = tuple) -> None:
        """``rated_down`` names the cards with a source that is believed less than when they were made."""
        self._database = database
        self._rated_down = rated_down

    def add(
        self, card: ClaimCard, sources: Sequence[CardSource] = (), who: str = "ghost", note: str = "",
        approved: bool | None = None,
    ) -> ClaimCard:  # fmt: skip
        """Keep a card under an id of its own making, and return what is kept of its claim then.

        A card of the same claim, day and author is replaced: it keeps its id, its margin, and in its history what it
        said before. With ``approved`` an analyst stands behind it; with False nobody has asked for it, and one that an
        analyst has retired, or has approved and that still holds, stays as it is.
        """
        return self.add_many([(card, sources)], who, note, approved)[0]

    def add_many(
        self, made: Sequence[tuple[ClaimCard, Sequence[CardSource]]], who: str = "ghost", note: str = "",
        approved: bool | None = None,
    ) -> list[ClaimCard]:  # fmt: skip
        """``add`` for many, in one transaction; of two with the same claim, day and author the later one counts."""
        wanted = {card_key(card.claim, card.as_of, card.origin, card.author): (card, its) for card, its in made}
        stands = {"approved_at": to_column(utc_now())} if approved else {}
        stale, fresh = self._stale(), []
        with self._database.write() as connection:
            there = _rows_by_key(connection, list(wanted))
            for key, (card, sources) in wanted.items():
                values = to_columns(card, sources) | stands
                row = there.get(key)
                if row is None:
                    fresh.append({**values, "id": f"c_{uuid.uuid4().hex[:16]}", "key": key})
                elif approved is not False or not (row.retired or _is_held(connection, row, stale)):
                    values["margin"] = max(row.margin, card.margin)
                    change_row(connection, row, values, "replaced", who, note)
            insert_rows(connection, fresh, who, note)
        ids = {row["key"]: row["id"] for row in fresh} | {key: row.id for key, row in there.items()}
        return self.many([ids[key] for key in wanted])

    def get(self, card_id: str) -> ClaimCard | None:
        """The card as it stands now, or None."""
        return next(iter(self.many([card_id])), None)

    def many(self, ids: Sequence[str]) -> list[ClaimCard]:
        """The cards with these ids, in this order; unknown ids are left out."""
        found: dict[str, ClaimCard] = {}
        query = _by_ids(tuple(self._rated_down()))
        with self._database.read() as connection:
            for some in batched(dict.fromkeys(ids), _AT_ONCE):
                rows: Any = connection.execute(query, {"ids": some})
                found.update((card.id, card) for card in cards_as_cited_now(connection, [to_card(row) for row in rows]))
        return [found[i] for i in ids if i in found]

    def of_run(self, run_id: str) -> ClaimCard | None:
        """The card that a run became, or None; one that answers before one that does not."""
        found, now = self.browse(CardFilter(run_id=run_id)) if run_id else [], utc_now()
        return min(found, key=lambda card: card.state(now) is not CardState.ACTIVE, default=None)

    def browse(
        self, filter: CardFilter = ALL_CARDS, order: CardOrder = CardOrder.NEWEST, limit: int = 25, offset: int = 0
    ) -> list[ClaimCard]:
        """A page of the cards that pass the filter."""
        c, stale = claim_cards.c, self._stale()
        by: dict[CardOrder, tuple[ColumnElement[Any], ...]] = {
            CardOrder.NEWEST: (c.checked_at.desc(), c.seq.desc()),
            CardOrder.CLAIM: (lowered(c.claim), c.seq),
            CardOrder.EXPIRING: (c.expires_at.is_(None), c.expires_at, c.seq),
        }
        query = narrow(select(*READ, stale.label("stale")), filter, stale)
        with self._database.read() as connection:
            rows: Any = connection.execute(query.order_by(*by[order]).limit(limit).offset(offset))
            return cards_as_cited_now(connection, [to_card(row) for row in rows])

    def count(self, filter: CardFilter = ALL_CARDS) -> int:
        """How many cards pass the filter."""
        with self._database.read() as connection:
            query = narrow(select(func.count()).select_from(claim_cards), filter, self._stale())
            return connection.execute(query).scalar_one()

    def states(self) -> dict[CardState, int]:
        """How many cards are in each state now."""
        state = card_state(utc_now(), self._stale()).label("state")
        with self._database.read() as connection:
            rows = connection.execute(select(state, func.count()).select_from(claim_cards).group_by(state)).all()
        return {state: next((n for name, n in rows if name == state), 0) for state in CardState}

    def edit(
        self, card_id: str, who: str = ANALYST, note: str = "", expires_at: datetime | None = None, **values: Any
    ) -> ClaimCard:
        """Change ``EDITABLE`` fields; the analyst stands behind the card from then on.

        Raises StoreError when there is no such card or another has this claim, ClaimError for another field or for an
        empty claim or answer.
        """
        if wrong := sorted(values.keys() - set(EDITABLE)):
            raise ClaimError(f"Nothing was changed: {', '.join(wrong)} cannot be edited on a card.")
        values = {name: normalise(str(value)) if value else "" for name, value in values.items()}
        if empty := [name for name in ("claim", "answer") if name in values and not values[name]]:
            raise ClaimError(f"Nothing was changed: a card needs {' and '.join(empty)}.")
        if "category" in values:
            values["category"] = Category(values["category"]).value
        values |= {"expires_at": to_column(expires_at)} if expires_at else {}
        return self._set(card_id, "edited", who, note, approved_at=to_column(utc_now()), **values)

    def approve(
        self, card_id: str, who: str = ANALYST, note: str = "", *, expires_at: datetime | None = None,
        sources: Sequence[CardSource] | None = None,
    ) -> ClaimCard:  # fmt: skip
        """Note that an analyst stands behind the card, from now on; ``sources`` as they are now, where they changed."""
        values: dict[str, Any] = {"approved_at": to_column(utc_now())}
        values |= {"expires_at": to_column(expires_at)} if expires_at else {}
        values |= {"sources": sources_json(sources)} if sources is not None else {}
        return self._set(card_id, "approved", who, note, **values)

    def set_expiry(self, card_id: str, expires_at: datetime | None, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Let the card hold until then, for ever with None, or no longer with a time that has passed."""
        return self._set(card_id, "expiry", who, note, expires_at=to_column(expires_at))

    def set_margin(self, card_id: str, margin: float, who: str = ANALYST, note: str = "") -> ClaimCard:
        """How much surer than usual a match must be before the card answers, 0..1."""
        if not 0.0 <= margin <= 1.0:
            raise ClaimError(f"A margin is a number from 0 to 1, not {margin:g}. Nothing was changed.")
        return self._set(card_id, "margin", who, note, margin=round(float(margin), 4))

    def retire(self, card_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Take the card out of every search; nothing is deleted."""
        return self._set(card_id, "retired", who, note, retired=True)

    def restore(self, card_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Bring a retired card back."""
        return self._set(card_id, "restored", who, note, retired=False)

    def undo(self, change_id: str, who: str = ANALYST, note: str = "") -> ClaimCard:
        """Take a change back; what made a new card is taken back by retiring it. An undoing can be undone too.

        Raises StoreError when there is no such change, it was taken back already, or the card was changed since.
        """
        with self._database.write() as connection:
            line = connection.execute(select(card_history).where(card_history.c.id == change_id)).first()
            if line is None:
                raise StoreError("Nothing was undone: there is no such change of a card.")
            if line.undone_by:
                raise StoreError("Nothing was undone: this change was taken back already.")
            row = row_of(connection, line.card_id)
            now, after = snapshot(row._mapping), json.loads(line.after)
            # Of a new card only its being there is taken back, whatever became of it since.
            before = json.loads(line.before) or {"retired": True}
            if now["confidence"] is None and after.get("confidence") is not None:
                # An upgrade took it away, as it was none; nothing brings it back.
                for state in (before, after):
                    state.pop("confidence", None)
            if json.loads(line.before) and any(now[name] != value for name, value in after.items()):
                raise StoreError("Nothing was undone: the card was changed again since. Undo the later change first.")
            back = change_row(
                connection, row, from_snapshot(before), "undone", who, note or f"took back: {line.action}"
            )
            if not back:
                raise StoreError("Nothing was undone: the card is like that already.")
            undone = card_history.c.undone_by
            connection.execute(update(card_history).where(undone == change_id).values(undone_by=""))
            connection.execute(update(card_history).where(card_history.c.id == change_id).values(undone_by=back))
        found = self.get(line.card_id)
        assert found is not None
        return found

    def history(self, card_id: str) -> list[CardChange]:
        """What happened to a card, newest first."""
        query = select(card_history).where(card_history.c.card_id == card_id).order_by(card_history.c.seq.desc())
        with self._database.read() as connection:
            return [
                from_row(CardChange, row, before=json.loads(row.before), after=json.loads(row.after))
                for row in connection.execute(query)
            ]

    def sources(self, card_id: str) -> tuple[CardSource, ...]:
        """What the card rests on, as it was when the card was made or approved."""
        with self._database.read() as connection:
            kept = connection.execute(select(claim_cards.c.sources).where(claim_cards.c.id == card_id)).scalar()
        return from_json(tuple[CardSource, ...], kept, "A card") if kept else ()

    def _stale(self) -> ColumnElement[str]:
        return stale_reason(self._rated_down())

    def _set(self, card_id: str, action: str, who: str, note: str, **values: Any) -> ClaimCard:
        with self._database.write() as connection:
            change_row(connection, row_of(connection, card_id), values, action, who, note)
        found = self.get(card_id)
        assert found is not None
        return found


@lru_cache(maxsize=8)
def _by_ids(rated_down: tuple[str, ...]) -> Select[Any]:
    """The query for cards by their ids. A card is looked up often, and putting this together takes most of the time."""
    wanted = claim_cards.c.id.in_(bindparam("ids", expanding=True))
    return select(*READ, stale_reason(rated_down).label("stale")).where(wanted)


def _rows_by_key(connection: Connection, keys: Sequence[str]) -> dict[str, Row[Any]]:
    found: dict[str, Row[Any]] = {}
    for some in batched(keys, _AT_ONCE):
        rows: Any = connection.execute(select(claim_cards).where(claim_cards.c.key.in_(some)))
        found.update((row.key, row) for row in rows)
    return found


def _is_held(connection: Connection, row: Row[Any], stale: ColumnElement[str]) -> bool:
    """Whether an analyst has approved a card, and it is neither stale nor expired."""
    if row.approved_at is None:
        return False
    state = select(card_state(utc_now(), stale)).where(claim_cards.c.id == row.id)
    return bool(connection.execute(state).scalar() == CardState.ACTIVE.value)
