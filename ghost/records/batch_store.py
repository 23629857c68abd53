"""The batches that there are, and what came of their claims."""

import itertools
import json
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, case, func, insert, or_, select, update

from ghost.errors import StoreError
from ghost.records.batches import (
    ALL_ITEMS,
    Batch,
    BatchItem,
    BatchState,
    ItemFilter,
    ItemOrder,
    ItemState,
    NewBatch,
    NewItem,
    Tally,
)
from ghost.records.database import Database, from_row, to_column, utc_now
from ghost.records.dialect import contains_text
from ghost.records.reviews import overridden_runs, standing_label
from ghost.records.run_list import Outcome, outcomes_of
from ghost.records.tables.batches import batch_items, batches
from ghost.types import Label

PAGE = 500
"""Claims read at a time by whoever reads all of them."""


class BatchStore:
    """Keeps batches. Safe to use from any thread; ``BatchQueue`` moves them on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, new: NewBatch) -> str:
        """Keep a new batch, paused until somebody begins it, and return its id; all of it is kept or nothing."""
        batch_id = uuid.uuid4().hex
        rows = [_new_row(batch_id, number, item) for number, item in enumerate(new.items, start=1)]
        with self._database.write() as connection:
            connection.execute(
                insert(batches).values(
                    id=batch_id, name=new.name, source=new.source, state=BatchState.PAUSED.value, note="",
                    as_of=new.as_of, web=new.web, pipeline=new.pipeline, columns=_list(new.columns),
                    remarks=_list(new.remarks), owner="", created_at=to_column(utc_now()),
                )
            )  # fmt: skip
            if rows:
                connection.execute(insert(batch_items), rows)
        return batch_id

    def get(self, batch_id: str) -> Batch | None:
        """The batch, also one that was removed; None when there is none with this id."""
        with self._database.read() as connection:
            row = connection.execute(select(batches).where(batches.c.id == batch_id)).first()
        return to_batch(row) if row else None

    def tally(self, batch_id: str) -> Tally:
        """How many of its claims stand where; read from an index."""
        return self.tallies([batch_id])[batch_id]

    def tallies(self, ids: Sequence[str]) -> dict[str, Tally]:
        """``tally`` of several batches."""
        found: dict[str, Tally] = {batch_id: Tally({}, {}) for batch_id in ids}
        where = (batch_items.c.batch_id, batch_items.c.state, batch_items.c.label)
        query = select(*where, func.count()).where(batch_items.c.batch_id.in_(list(ids))).group_by(*where)
        with self._database.read() as connection:
            for batch_id, state, label, number in connection.execute(query):
                tally, key = found[batch_id], ItemState(state)
                tally.states[key] = tally.of(key) + number
                if label:
                    tally.labels[Label(label)] = number
            for batch_id, machine, own, number in connection.execute(_overridden(ids)):
                labels = found[batch_id].labels
                for label, more in ((Label(machine), -number), (Label(own), number)):
                    labels[label] = labels.get(label, 0) + more
        return found

    def count(self, batch_id: str, narrow: ItemFilter = ALL_ITEMS) -> int:
        """How many claims of a batch pass the filter."""
        with self._database.read() as connection:
            return connection.execute(_narrow(select(func.count()), batch_id, narrow)).scalar_one()

    def items(
        self,
        batch_id: str,
        narrow: ItemFilter = ALL_ITEMS,
        order: ItemOrder = ItemOrder.FILE,
        limit: int = 50,
        offset: int = 0,
    ) -> list[BatchItem]:
        """Claims of a batch that pass the filter; those without what the order goes by come last."""
        query = _narrow(_WITH_LINES, batch_id, narrow).order_by(*_ORDERS[order], batch_items.c.position)
        with self._database.read() as connection:
            return [to_item(row) for row in connection.execute(query.limit(limit).offset(offset))]

    def pace(self, batch_id: str, latest: int = 20) -> float | None:
        """Mean seconds of the claims that were checked last, in the order of the file; None before the first one."""
        c = batch_items.c
        ended = select(c.seconds).where(c.batch_id == batch_id, c.seconds.is_not(None), c.same_as.is_(None))
        newest = ended.order_by(c.position.desc()).limit(latest).subquery()
        with self._database.read() as connection:
            return connection.execute(select(func.avg(newest.c.seconds))).scalar()

    def all_items(self, batch_id: str, narrow: ItemFilter = ALL_ITEMS) -> Iterator[BatchItem]:
        """All claims that pass the filter in the order of the file, read page by page."""
        last = 0
        while True:
            query = _narrow(_WITH_LINES, batch_id, narrow).where(batch_items.c.position > last)
            with self._database.read() as connection:
                rows = list(connection.execute(query.order_by(batch_items.c.position).limit(PAGE)))
            yield from map(to_item, rows)
            if len(rows) < PAGE:
                return
            last = rows[-1].position

    def outcomes(self, batch_id: str, narrow: ItemFilter = ALL_ITEMS) -> Iterator[tuple[BatchItem, Outcome | None]]:
        """``all_items``, each with what its run came to."""
        items = self.all_items(batch_id, narrow)
        while page := tuple(itertools.islice(items, PAGE)):
            found = outcomes_of(self._database, [item.run_id for item in page if item.run_id])
            yield from ((item, found.get(item.run_id)) for item in page)

    def remove(self, batch_id: str) -> None:
        """Take a batch out of the list; nothing is deleted, and its runs stay. Raises StoreError while it runs."""
        with self._database.write() as connection:
            if _state(connection, batch_id) is BatchState.RUNNING:
                raise StoreError("The batch is being checked. It was left in the list: pause or cancel it first.")
            mark = update(batches).where(batches.c.id == batch_id)
            connection.execute(mark.values(removed_at=to_column(utc_now())))

    def restore(self, batch_id: str) -> None:
        """Bring a removed batch back into the list."""
        with self._database.write() as connection:
            connection.execute(update(batches).where(batches.c.id == batch_id).values(removed_at=None))

    def totals(self) -> tuple[int, int]:
        """How many batches are in the list, and how many were removed."""
        query = select(func.count(batches.c.id), func.count(batches.c.removed_at))
        with self._database.read() as connection:
            every, gone = connection.execute(query).one()
        return every - gone, gone

    def removed(self, limit: int = 20, offset: int = 0) -> "Sequence[Batch]":
        """The batches that were removed, the last one first."""
        shown = select(batches).where(batches.c.removed_at.is_not(None)).order_by(batches.c.removed_at.desc())
        return self._page(shown, limit, offset)

    def list(self, limit: int = 20, offset: int = 0) -> "Sequence[Batch]":
        """The batches that were not removed, newest first."""
        shown = select(batches).where(batches.c.removed_at.is_(None)).order_by(batches.c.created_at.desc())
        return self._page(shown, limit, offset)

    def _page(self, query: Any, limit: int, offset: int) -> "Sequence[Batch]":
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(batches.c.id).limit(limit).offset(offset))
            return [to_batch(row) for row in rows]


_LABELS = {label.value: number for number, label in enumerate(Label)}
_LABEL = func.coalesce(standing_label(batch_items.c.run_id), batch_items.c.label)
"""The analyst's verdict where there is one, else Ghost's: the one that is shown first."""
_FIRST = batch_items.alias("first")
_WITH_LINES = select(
    batch_items,
    select(_FIRST.c.line)
    .where(_FIRST.c.batch_id == batch_items.c.batch_id, _FIRST.c.position == batch_items.c.same_as)
    .scalar_subquery()
    .label("same_line"),
)
"""Claims, each with the line of the same claim further up where there is one."""
_ORDERS: dict[ItemOrder, tuple[Any, ...]] = {
    ItemOrder.FILE: (),
    ItemOrder.VERDICT: (case(_LABELS, value=_LABEL, else_=len(_LABELS)),),
    ItemOrder.LEAST_SURE: (batch_items.c.confidence.asc().nulls_last(),),
    ItemOrder.MOST_SURE: (batch_items.c.confidence.desc().nulls_last(),),
    ItemOrder.SLOWEST: (batch_items.c.seconds.desc().nulls_last(),),
}


def _overridden(ids: Sequence[str]) -> Any:
    """How many claims of each verdict have which one of the analyst."""
    own = standing_label(batch_items.c.run_id)
    given = batch_items.c.run_id.in_(overridden_runs())
    query = select(batch_items.c.batch_id, batch_items.c.label, own.label("own"), func.count())
    query = query.where(given, batch_items.c.batch_id.in_(list(ids)), batch_items.c.label != "")
    return query.group_by(batch_items.c.batch_id, batch_items.c.label, "own")


def _narrow(query: Any, batch_id: str, narrow: ItemFilter) -> Any:
    query = query.select_from(batch_items).where(batch_items.c.batch_id == batch_id)
    if narrow.text.strip():
        query = query.where(contains_text(batch_items.c.claim, narrow.text.strip()))
    either = []
    if narrow.states:
        either.append(batch_items.c.state.in_([state.value for state in narrow.states]))
    if narrow.labels:
        either.append(_LABEL.in_([label.value for label in narrow.labels]))
    return query.where(or_(*either)) if either else query


def _state(connection: Connection, batch_id: str) -> BatchState:
    state = connection.execute(select(batches.c.state).where(batches.c.id == batch_id)).scalar()
    if state is None:
        raise StoreError(f"Nothing was changed: there is no batch {batch_id}.")
    return BatchState(state)


def _new_row(batch_id: str, position: int, item: NewItem) -> dict[str, Any]:
    same = {name: getattr(item, name) for name in ("line", "claim", "context", "found_at", "same_as")}
    state = (ItemState.REFUSED if item.refused else ItemState.QUEUED).value
    new = {"batch_id": batch_id, "position": position, "state": state, "run_id": "", "label": ""}
    return {**same, **new, "error": item.refused, "cells": _list(item.cells)}


def to_batch(row: Row[Any]) -> Batch:
    lists = {name: tuple(json.loads(row._mapping[name])) for name in ("columns", "remarks")}
    return from_row(Batch, row, state=BatchState(row.state), removed=row.removed_at is not None, **lists)


def to_item(row: Row[Any]) -> BatchItem:
    """A row of the table as a value."""
    label = Label(row.label) if row.label else None
    return from_row(BatchItem, row, state=ItemState(row.state), label=label, cells=tuple(json.loads(row.cells)))


def _list(values: Sequence[str]) -> str:
    return json.dumps(list(values))
