"""Batches that many workers check together: each takes the next claim of the batch whose turn it is."""

import uuid
from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, cast, exists, func, not_, or_, select, update
from sqlalchemy.types import BigInteger

from ghost.errors import StoreError, TakenOverError
from ghost.records.abandoned_jobs import CALM_SECONDS, OUTAGES, TRIES
from ghost.records.batch_queue import BatchQueue, close_when_done, left, move, put_item, still_mine
from ghost.records.batch_store import to_batch, to_item
from ghost.records.batches import Batch, BatchItem, BatchState, ItemState
from ghost.records.database import Database, from_json, to_column, utc_now
from ghost.records.processes import calm, gone, server_now
from ghost.records.tables.batches import batch_items, batches
from ghost.records.tables.runs import runs
from ghost.types import DECIDED, RunStatus, Verdict, as_drawn

GIVEN_UP = (
    f"This was begun {TRIES} times, and each time its worker stopped, or lost the database, before the end. It was "
    "given up, so that it does not stop other work. Look at the worker's output before you try it again."
)
OUTAGES_GIVEN_UP = (
    f"This was begun {OUTAGES} times, and each time the database, the vector index or its worker went away before the "
    "end. It was given up, as it may be the cause. Look at the logs of the servers before you try it again."
)
CANCELLED = "The run was cancelled."
PutTurn = Callable[[Connection, bool], None]
"""Has a worker take a claim, one that is checked again where the second argument says so."""
GIVE_UP = 5
"""Failures in a row after which a batch pauses: the next claims would most likely fail for the same reason."""


class SharedBatchQueue(BatchQueue):
    """Offers what ``BatchQueue`` offers, where no process owns a batch. Safe to use from any process.

    A claim that was given to a worker which is gone waits again, with the same run. What that worker may still write
    is not taken: it no longer has the claim.
    """

    def begin(self, batch_id: str, at_work: str = "") -> None:
        """Let the workers check the batch; what was cancelled waits again. Raises StoreError when there is none."""
        del at_work  # a worker's claim is known by its owner
        with self._database.write() as connection:
            if connection.execute(select(batches.c.id).where(batches.c.id == batch_id)).first() is None:
                raise StoreError(f"Nothing was begun: there is no batch {batch_id}.")
            self._take_back(connection, CALM_SECONDS)
            move(connection, batch_id, ItemState.CANCELLED, ItemState.QUEUED)
            state = BatchState.RUNNING if left(connection, batch_id) else BatchState.DONE
            ended = func.coalesce(batches.c.finished_at, to_column(utc_now())) if state is BatchState.DONE else None
            values = {"state": state.value, "owner": "", "note": "", "failures": 0, "finished_at": ended}
            connection.execute(update(batches).where(batches.c.id == batch_id).values(**values))

    def is_mine(self, batch: Batch) -> bool:
        """Never: a batch belongs to no process."""
        del batch
        return False

    def take(self, then: PutTurn, again: bool = False) -> tuple[Batch, BatchItem] | None:
        """Hand out the next claim of the batch whose turn it is; None when no claim waits.

        Those that were begun before are handed out where ``again`` is asked for, and only there. ``then`` is called in
        the same transaction when more claims wait after it. Raises StoreError.
        """
        ready = _ready(again).order_by(batches.c.turn, batches.c.created_at, batches.c.id)
        with self._database.write(alone=False) as connection:
            row = connection.execute(ready.limit(1).with_for_update()).first()
            if row is None:
                return None
            item = _next_item(connection, row.id, self._owner, again)
            if item is None:  # another worker took the last one while this one waited for the row
                then(connection, again)
                return None
            now = cast(func.extract("epoch", server_now()) * 1_000_000, BigInteger)
            connection.execute(update(batches).where(batches.c.id == row.id).values(turn=now))
            if connection.execute(ready.limit(1)).first() is not None:
                then(connection, again)
        return to_batch(row), item

    def when_waiting(self, then: PutTurn) -> None:
        """Call ``then`` in a transaction when any claim waits. Raises StoreError."""
        with self._database.write(alone=False) as connection:
            for again in (False, True):
                if connection.execute(_ready(again).limit(1)).first() is not None:
                    then(connection, again)

    def wanted(self, item: BatchItem) -> bool:
        """Whether a claim that was handed out is still to be checked: not where it was cancelled.

        Raises StoreError, and TakenOverError when it was taken back from whoever asks.
        """
        with self._database.read() as connection:
            there = and_(batch_items.c.batch_id == item.batch_id, batch_items.c.position == item.position)
            row = connection.execute(select(batch_items).where(there)).one()
        if row.state == ItemState.CANCELLED.value:
            return False
        if (row.state, row.attempts) != (ItemState.RUNNING.value, item.attempts):
            raise TakenOverError("This claim was taken from this worker. What it found for it is not kept.")
        return True

    def done(self, item: BatchItem, *verdict: Any) -> None:
        """As for ``BatchQueue``; the failures before it count no more."""
        super().done(item, *verdict)
        self._failures(item.batch_id, 0)

    def failed(self, item: BatchItem, error: str, run_id: str, seconds: float) -> None:
        """As for ``BatchQueue``; a batch pauses after ``GIVE_UP`` failures in a row."""
        super().failed(item, error, run_id, seconds)
        if self._failures(item.batch_id, batches.c.failures + 1) >= GIVE_UP:
            self.pause(item.batch_id, f"Paused after {GIVE_UP} failures in a row. The last one: {error}")

    def cancel(self, batch_id: str) -> None:
        """As for ``BatchQueue``. The runs of claims that a worker has handed back end here: nobody else would do it."""
        super().cancel(batch_id)
        c = batch_items.c
        handed_back = select(c.run_id).where(
            c.batch_id == batch_id, c.state == ItemState.CANCELLED.value, c.owner == "", c.run_id != ""
        )
        left = and_(runs.c.id.in_(handed_back), runs.c.status == RunStatus.RUNNING.value)
        ended = {"status": RunStatus.CANCELLED.value, "finished_at": to_column(utc_now()), "error": CANCELLED}
        with self._database.write(alone=False) as connection:
            connection.execute(update(runs).where(left).values(**ended))

    def hand_back(self, item: BatchItem, then: PutTurn, failed: bool = False) -> None:
        """A worker lets go of a claim. Where its run has not ended another one gets it.

        ``failed``: this was a try. ``then`` is called in the same transaction.
        """
        here = and_(batch_items.c.batch_id == item.batch_id, batch_items.c.position == item.position)
        with self._database.write() as connection:
            row = connection.execute(_WITH_RUNS.where(here)).one()
            # What was handed back has the same number of attempts again: whoever repeats that must not take it away.
            mine = row.owner == self._owner and still_mine(connection, item)
            if mine and row.state == ItemState.RUNNING.value:
                _let_go(connection, row, failed)
            then(connection, True)

    def mine(self) -> list[BatchItem]:
        """The claims that the records say this process is checking. Raises StoreError."""
        c = batch_items.c
        given = and_(c.state == ItemState.RUNNING.value, c.owner == self._owner, c.same_as.is_(None))
        with self._database.read() as connection:
            return [to_item(row) for row in connection.execute(select(batch_items).where(given))]

    def recover(self, then: PutTurn = lambda *_: None, calm_seconds: float = CALM_SECONDS) -> int:
        """Take the claims back from workers that are gone; returns how many. ``then`` is called if any wait again.

        Those that have one try left stay until no worker has died for ``calm_seconds``.
        """
        with self._database.read() as connection:  # most of the time none is gone, and no writer has to wait
            if not self._abandoned(connection):
                return 0
        with self._database.write() as connection:
            back = self._take_back(connection, calm_seconds)
            if back:
                then(connection, True)
        return back

    def _take_back(self, connection: Connection, calm_seconds: float) -> int:
        owners = self._abandoned(connection)
        now = or_(batch_items.c.attempts != TRIES - 1, calm(calm_seconds))
        given = and_(batch_items.c.state == ItemState.RUNNING.value, batch_items.c.owner.in_(owners), now)
        rows = connection.execute(_WITH_RUNS.where(given, batch_items.c.same_as.is_(None))).all()
        for row in rows:
            _let_go(connection, row)
        return len(rows)

    def _abandoned(self, connection: Connection) -> list[str]:
        """The processes that claims were given to, and that are gone."""
        c = batch_items.c
        given = select(c.owner).where(c.state == ItemState.RUNNING.value, c.same_as.is_(None)).distinct()
        return gone(connection, connection.execute(given).scalars().all())

    def _failures(self, batch_id: str, number: Any) -> int:
        change = update(batches).where(batches.c.id == batch_id).values(failures=number).returning(batches.c.failures)
        with self._database.write(alone=False) as connection:
            return connection.execute(change).scalar_one()


def _waiting(again: bool) -> ColumnElement[bool]:
    """Claims that were not begun yet, or that were."""
    c = batch_items.c
    begun = or_(c.attempts > 0, c.run_id != "")
    return and_(c.state == ItemState.QUEUED.value, c.same_as.is_(None), begun if again else not_(begun))


def _ready(again: bool) -> Select[Any]:
    """The batches of which claims wait."""
    waiting = exists().where(batch_items.c.batch_id == batches.c.id, _waiting(again))
    return select(batches).where(batches.c.state == BatchState.RUNNING.value, waiting)


def _next_item(connection: Connection, batch_id: str, owner: str, again: bool) -> BatchItem | None:
    """Hand out the first claim of a batch that waits. The row of the batch has to be locked."""
    c = batch_items.c
    waiting = select(c.position, c.run_id).where(c.batch_id == batch_id, _waiting(again))
    if again:  # the one that was interrupted the fewest times goes first
        waiting = waiting.outerjoin(runs, runs.c.id == c.run_id).order_by(c.attempts, runs.c.attempt.nulls_first())
    row = connection.execute(waiting.order_by(c.position).limit(1)).first()
    if row is None:
        return None
    here = and_(c.batch_id == batch_id, c.position == row.position)
    values = {"state": ItemState.RUNNING.value, "run_id": row.run_id or uuid.uuid4().hex, "owner": owner, "error": ""}
    connection.execute(update(batch_items).where(here).values(**values, attempts=c.attempts + 1))
    return to_item(connection.execute(select(batch_items).where(here)).one())


def _let_go(connection: Connection, row: Any, tried: bool = True) -> None:
    """Decide about a claim whose worker has let go of it; ``tried``: that was a try."""
    values = _outcome(row, tried)
    put_item(connection, row.batch_id, row.position, **values)
    if values["state"] == ItemState.FAILED.value and row.status == RunStatus.RUNNING.value:
        ended = {"status": RunStatus.FAILED.value, "finished_at": to_column(utc_now()), "error": values["error"]}
        connection.execute(update(runs).where(runs.c.id == row.run_id).values(**ended))
    close_when_done(connection, row.batch_id)


def _outcome(row: Any, tried: bool) -> dict[str, Any]:
    """What becomes of a claim whose worker has let go of it: its run may have ended nevertheless."""
    if row.status == RunStatus.FINISHED.value and row.label:
        confidence = as_drawn(from_json(Verdict, row.verdict)).confidence if row.label in DECIDED else None
        seconds = (row.finished_at - row.started_at).total_seconds()
        return {"state": ItemState.DONE.value, "label": row.label, "confidence": confidence, "seconds": seconds}
    if row.status == RunStatus.FAILED.value:
        return {"state": ItemState.FAILED.value, "error": row.run_error}
    if tried and row.attempts >= TRIES:
        return {"state": ItemState.FAILED.value, "error": GIVEN_UP}
    if (row.begun or 0) >= OUTAGES:
        return {"state": ItemState.FAILED.value, "error": OUTAGES_GIVEN_UP}
    rests = ItemState.CANCELLED if row.batch_state == BatchState.CANCELLED.value else ItemState.QUEUED
    # A run that was cancelled has ended, so the claim gets another one.
    run_id = "" if row.status == RunStatus.CANCELLED.value else row.run_id
    return {"state": rests.value, "owner": "", "run_id": run_id, "attempts": row.attempts - (not tried)}


_WITH_RUNS = select(
    batch_items.c.batch_id, batch_items.c.position, batch_items.c.state, batch_items.c.owner, batch_items.c.attempts,
    batch_items.c.run_id, runs.c.status, runs.c.label, runs.c.verdict, runs.c.started_at, runs.c.finished_at,
    runs.c.error.label("run_error"), runs.c.attempt.label("begun"), batches.c.state.label("batch_state"),
).select_from(
    batch_items.join(batches, batches.c.id == batch_items.c.batch_id).outerjoin(
        runs, runs.c.id == batch_items.c.run_id
    )
)  # fmt: skip
"""Claims with their runs and the state of their batch."""


def batch_queue_of(database: Database) -> BatchQueue:
    """The queue of batches that fits a database: one process checks a batch, or all workers together."""
    return BatchQueue(database) if database.dialect == "sqlite" else SharedBatchQueue(database)
