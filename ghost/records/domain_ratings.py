"""The analyst's own ratings of domains, with every change kept so that it can be undone."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ghost.errors import StoreError
from ghost.records.database import Database, from_column, from_json, from_row, to_column, utc_now
from ghost.records.tables.base import meta
from ghost.records.tables.sources import domain_ratings, rating_change_entries, rating_changes
from ghost.types import SourceType

_STAMP = "domain_ratings"


@dataclass(frozen=True, slots=True)
class DomainRating:
    """What the analyst thinks of a host suffix with an optional path."""

    entry: str
    """``example.org`` or ``example.org/opinion``."""
    credibility: float
    """0..1."""
    source_type: SourceType | None = None
    """What kind of publisher it is; None leaves that as Ghost knows it."""
    note: str = ""
    """Why."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """Ratings that were changed together."""

    id: str
    at: datetime
    reason: str
    undone_at: datetime | None
    entries: tuple[tuple[str, DomainRating | None, DomainRating | None], ...]
    """Entry, rating before (None: there was none) and rating after (None: it was removed). The first ones of many."""
    count: int
    """How many entries it changed."""


class DomainRatings:
    """Keeps ratings and their changes. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self) -> str:
        """Differs from before when any process has changed a rating."""
        with self._database.read() as connection:
            return connection.execute(select(meta.c.value).where(meta.c.key == _STAMP)).scalar() or ""

    def all(self) -> dict[str, DomainRating]:
        """Every rating by its entry, in order."""
        with self._database.read() as connection:
            return _all(connection)

    def change(self, ratings: Mapping[str, DomainRating | None], reason: str = "") -> str:
        """Set these ratings, remove those that are None, in one transaction.

        Returns the id of the change; empty when all of it was so already.
        """
        with self._database.write() as connection:
            before = _all(connection)
            real = {entry: new for entry, new in ratings.items() if before.get(entry) != new}
            if not real:
                return ""
            change_id = uuid.uuid4().hex
            at = to_column(utc_now())
            connection.execute(insert(rating_changes).values(id=change_id, at=at, reason=reason))
            rows = [
                {"change_id": change_id, "entry": e, "before": _text(before.get(e)), "after": _text(new)}
                for e, new in real.items()
            ]
            connection.execute(insert(rating_change_entries), rows)
            _put(connection, real)
        return change_id

    def undo(self, change_id: str) -> tuple[str, ...]:
        """Bring back what was before a change; returns the entries that were rated again since, which stay.

        Raises StoreError when there is no such change, it was undone already, or all of it was rated again since.
        """
        with self._database.write() as connection:
            row = connection.execute(select(rating_changes).where(rating_changes.c.id == change_id)).first()
            if row is None:
                raise StoreError(f"Nothing was changed: there is no change {change_id} of ratings.")
            if row.undone_at is not None:
                raise StoreError("Nothing was changed: these ratings were brought back already.")
            of = select(rating_change_entries).where(rating_change_entries.c.change_id == change_id)
            entries = connection.execute(of).all()
            now = _all(connection)
            since = tuple(e.entry for e in entries if now.get(e.entry) != _rating(e.after))
            if len(since) == len(entries):
                raise StoreError("Nothing was changed: all of it was rated again since. Undo the later rating first.")
            _put(connection, {e.entry: _rating(e.before) for e in entries if e.entry not in since})
            at = to_column(utc_now())
            connection.execute(update(rating_changes).where(rating_changes.c.id == change_id).values(undone_at=at))
        return since

    def get(self, change_id: str) -> RatingChange | None:
        """A change with all its entries, or None when there is none with this id."""
        with self._database.read() as connection:
            row = connection.execute(select(rating_changes).where(rating_changes.c.id == change_id)).first()
            return _change(connection, row, None) if row else None

    def count_changes(self) -> int:
        """How many changes there were, those that were undone included."""
        with self._database.read() as connection:
            return connection.execute(select(func.count(rating_changes.c.id))).scalar_one()

    def changes(self, limit: int = 20, offset: int = 0, shown: int = 5) -> list[RatingChange]:
        """Changes, newest first, each with the first ``shown`` of its entries."""
        newest = select(rating_changes).order_by(rating_changes.c.at.desc(), rating_changes.c.id)
        with self._database.read() as connection:
            rows = connection.execute(newest.limit(limit).offset(offset)).all()
            return [_change(connection, row, shown) for row in rows]


def _all(connection: Connection) -> dict[str, DomainRating]:
    rows = connection.execute(select(domain_ratings).order_by(domain_ratings.c.entry))
    return {
        row.entry: from_row(DomainRating, row, source_type=SourceType(row.source_type) if row.source_type else None)
        for row in rows
    }


def _put(connection: Connection, ratings: Mapping[str, DomainRating | None]) -> None:
    names = list(ratings)
    for start in range(0, len(names), 500):
        connection.execute(delete(domain_ratings).where(domain_ratings.c.entry.in_(names[start : start + 500])))
    at = to_column(utc_now())
    rows = [
        {**asdict(new), "source_type": new.source_type.value if new.source_type else "", "changed_at": at}
        for new in ratings.values()
        if new is not None
    ]
    if rows:
        connection.execute(insert(domain_ratings), rows)
    value = uuid.uuid4().hex
    if connection.execute(update(meta).where(meta.c.key == _STAMP).values(value=value)).rowcount == 0:
        connection.execute(insert(meta).values(key=_STAMP, value=value))


def _change(connection: Connection, row: Row[Any], shown: int | None) -> RatingChange:
    mine = rating_change_entries.c
    of = select(rating_change_entries).where(mine.change_id == row.id).order_by(mine.entry)
    count = connection.execute(select(func.count()).where(mine.change_id == row.id)).scalar_one()
    entries = tuple((e.entry, _rating(e.before), _rating(e.after)) for e in connection.execute(of.limit(shown)))
    return RatingChange(row.id, from_column(row.at), row.reason, from_column(row.undone_at), entries, count)


def _text(rating: DomainRating | None) -> str:
    return json.dumps(asdict(rating)) if rating else ""


def _rating(text: str) -> DomainRating | None:
    return from_json(DomainRating, text, "A rating") if text else None
