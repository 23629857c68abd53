"""What moves a batch on: each claim is handed out once, and what a dead process left is put right."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select, update

from ghost.errors import StoreError
from ghost.records.batch_store import to_item
from ghost.records.batches import Batch, BatchItem, BatchState, ItemState
from ghost.records.database import Database, current_process, is_alive, to_column, utc_now
from ghost.records.dialect import seconds_between
from ghost.records.run_list import measured_confidence
from ghost.records.tables.batches import batch_items, batches
from ghost.records.tables.runs import runs
from ghost.types import DECIDED, Label, RunStatus

_WAITS = (ItemState.QUEUED.value, ItemState.RUNNING.value)
_OPEN = (BatchState.RUNNING, BatchState.PAUSED)
BATCH_INTERRUPTED = (
    "Ghost was closed while this batch was being checked. Nothing was lost: resume it, and it goes on where it was."
)


class BatchQueue:
    """The claims that wait, and how they end. Safe to use from any thread and by several processes.

    A claim gets the id of its run before the run begins. Whoever goes on after a crash looks that run up: when it
    came to a verdict the claim is done, else it waits again. So none is lost and none is decided twice.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = current_process()

    def begin(self, batch_id: str, at_work: str = "") -> None:
        """Make this process the one that checks the batch; what was cancelled waits again.

        ``at_work`` is the run that this process is busy with. Raises StoreError when there is no such batch or
        another process is checking it.
        """
        with self._database.write() as connection:
            row = connection.execute(select(batches.c.state, batches.c.owner).where(batches.c.id == batch_id)).first()
            if row is None:
                raise StoreError(f"Nothing was begun: there is no batch {batch_id}.")
            if row.state == BatchState.RUNNING.value and row.owner != self._owner and is_alive(row.owner):
                raise StoreError(
                    "Another Ghost is checking this batch already. Nothing was changed: pause it first, "
                    "or wait until it is done."
                )
            self._settle(connection, batch_id, at_work)
            move(connection, batch_id, ItemState.CANCELLED, ItemState.QUEUED)
            state = BatchState.RUNNING if left(connection, batch_id) else BatchState.DONE
            values = {"state": state.value, "owner": self._owner, "note": ""}
            ended = func.coalesce(batches.c.finished_at, to_column(utc_now())) if state is BatchState.DONE else None
            connection.execute(update(batches).where(batches.c.id == batch_id).values(**values, finished_at=ended))

    def is_mine(self, batch: Batch) -> bool:
        """Whether the batch is being checked, and by this process."""
        return batch.state is BatchState.RUNNING and batch.owner == self._owner

    def retry(self, batch_id: str) -> int:
        """Let the claims that failed wait again; returns how many. Somebody has to ``begin`` the batch then."""
        with self._database.write() as connection:
            return move(connection, batch_id, ItemState.FAILED, ItemState.QUEUED)

    def next(self, batch_id: str) -> BatchItem | None:
        """Hand out the next claim, with the id that its run is to have; None when there is none or the batch rests."""
        with self._database.write() as connection:
            mine = and_(
                batches.c.id == batch_id, batches.c.state == BatchState.RUNNING.value, batches.c.owner == self._owner
            )
            if connection.execute(select(batches.c.id).where(mine)).first() is None:
                return None
            c = batch_items.c
            waiting = and_(c.batch_id == batch_id, c.state == ItemState.QUEUED.value, c.same_as.is_(None))
            position = connection.execute(select(func.min(c.position)).where(waiting)).scalar()
            if position is None:
                close_when_done(connection, batch_id)
                return None
            here = and_(c.batch_id == batch_id, c.position == position)
            values = {"state": ItemState.RUNNING.value, "run_id": uuid.uuid4().hex, "error": ""}
            connection.execute(update(batch_items).where(here).values(**values))
            return to_item(connection.execute(select(batch_items).where(here)).one())

    def done(self, item: BatchItem, label: Label, confidence: float | None, seconds: float) -> None:
        """The claim has a verdict, and so have the same ones further down."""
        values = {"run_id": item.run_id, "label": label.value, "confidence": confidence, "seconds": seconds}
        self._end(item, ItemState.DONE, **values, error="")

    def failed(self, item: BatchItem, error: str, run_id: str, seconds: float) -> None:
        """The claim was tried and has no verdict; ``run_id`` is empty when no run began."""
        self._end(item, ItemState.FAILED, run_id=run_id, label="", confidence=None, seconds=seconds, error=error)

    def put_back(self, item: BatchItem) -> None:
        """The claim was given up before it was decided, and waits again; where the batch was cancelled it rests."""
        with self._database.write() as connection:
            if not still_mine(connection, item):
                return
            state = connection.execute(select(batches.c.state).where(batches.c.id == item.batch_id)).scalar()
            rests = ItemState.CANCELLED if state == BatchState.CANCELLED.value else ItemState.QUEUED
            put_item(connection, item.batch_id, item.position, state=rests.value, run_id="", error="")

    def pause(self, batch_id: str, note: str = "") -> None:
        """Hand out no more claims of it, whichever process checks it; the one at work is finished."""
        with self._database.write() as connection:
            _leave(connection, batch_id, (BatchState.RUNNING,), BatchState.PAUSED, note)

    def cancel(self, batch_id: str) -> None:
        """Give up what waits and what is at work; ``begin`` takes it up again."""
        with self._database.write() as connection:
            # First, as whoever hands out a claim locks the batch before the claim.
            connection.execute(select(batches.c.id).where(batches.c.id == batch_id).with_for_update())
            left = update(batch_items).where(batch_items.c.batch_id == batch_id, batch_items.c.state.in_(_WAITS))
            connection.execute(left.values(state=ItemState.CANCELLED.value))
            _leave(connection, batch_id, _OPEN, BatchState.CANCELLED)

    def recover(self) -> int:
        """Pause the batches whose process is gone; returns how many. To be called when the records are opened."""
        with self._database.write() as connection:
            at_work = select(batch_items.c.batch_id).where(batch_items.c.state == ItemState.RUNNING.value)
            suspects = connection.execute(
                select(batches.c.id, batches.c.owner).where(
                    or_(batches.c.state == BatchState.RUNNING.value, batches.c.id.in_(at_work))
                )
            ).all()
            gone = [row.id for row in suspects if not is_alive(row.owner)]
            for batch_id in gone:
                self._settle(connection, batch_id, "")
                _leave(connection, batch_id, (BatchState.RUNNING,), BatchState.PAUSED, BATCH_INTERRUPTED)
        return len(gone)

    def _end(self, item: BatchItem, state: ItemState, **values: Any) -> None:
        with self._database.write() as connection:
            if still_mine(connection, item):
                put_item(connection, item.batch_id, item.position, state=state.value, **values)
                close_when_done(connection, item.batch_id)

    def _settle(self, connection: Connection, batch_id: str, at_work: str) -> None:
        """Decide about the claims that were handed out and never came back."""
        query = (
            select(
                batch_items.c.position, batch_items.c.run_id, runs.c.status, runs.c.owner, runs.c.label,
                measured_confidence().label("confidence"),
                seconds_between(runs.c.started_at, runs.c.finished_at).label("seconds"),
            )
            .select_from(batch_items.outerjoin(runs, runs.c.id == batch_items.c.run_id))
            .where(batch_items.c.batch_id == batch_id, batch_items.c.state == ItemState.RUNNING.value)
        )  # fmt: skip
        for row in connection.execute(query).all():
            if row.run_id == at_work or self._elsewhere(row.status, row.owner):
                continue
            if row.status == RunStatus.FINISHED.value and row.label:
                confidence = row.confidence if row.label in DECIDED else None
                values = {"label": row.label, "confidence": confidence, "seconds": row.seconds or 0.0}
                put_item(connection, batch_id, row.position, state=ItemState.DONE.value, run_id=row.run_id, **values)
            else:
                put_item(connection, batch_id, row.position, state=ItemState.QUEUED.value, run_id="")

    def _elsewhere(self, status: str | None, owner: str | None) -> bool:
        """Whether the run goes on in another process."""
        return status == RunStatus.RUNNING.value and owner not in (None, self._owner) and is_alive(owner or "")


def still_mine(connection: Connection, item: BatchItem) -> bool:
    """Whether the claim is still the one that was handed out, and not taken up by somebody else meanwhile."""
    c = batch_items.c
    mine = and_(
        c.batch_id == item.batch_id, c.position == item.position, c.run_id == item.run_id, c.attempts == item.attempts
    )
    return connection.execute(select(c.position).where(mine)).first() is not None


def put_item(connection: Connection, batch_id: str, position: int, **values: Any) -> None:
    """Change a claim and the same ones further down."""
    here = or_(batch_items.c.position == position, batch_items.c.same_as == position)
    connection.execute(update(batch_items).where(batch_items.c.batch_id == batch_id, here).values(**values))


def move(connection: Connection, batch_id: str, of: ItemState, to: ItemState) -> int:
    there = and_(batch_items.c.batch_id == batch_id, batch_items.c.state == of.value)
    values: dict[str, Any] = {
        "state": to.value, "run_id": "", "label": "", "confidence": None, "seconds": None, "error": "", "owner": "",
        "attempts": 0,
    }  # fmt: skip
    return connection.execute(update(batch_items).where(there).values(**values)).rowcount


def left(connection: Connection, batch_id: str) -> bool:
    query = select(batch_items.c.position).where(batch_items.c.batch_id == batch_id, batch_items.c.state.in_(_WAITS))
    return connection.execute(query.limit(1)).first() is not None


def close_when_done(connection: Connection, batch_id: str) -> None:
    if not left(connection, batch_id):
        _leave(connection, batch_id, _OPEN, BatchState.DONE)


def _leave(connection: Connection, batch_id: str, states: Sequence[BatchState], to: BatchState, note: str = "") -> None:
    """Bring the batch from one of these states to another one."""
    ended = None if to is BatchState.PAUSED else to_column(utc_now())
    there = batches.c.state.in_([state.value for state in states])
    change = update(batches).where(batches.c.id == batch_id, there)
    connection.execute(change.values(state=to.value, note=note, finished_at=ended))
