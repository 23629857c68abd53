"""Batches that workers check: begun and stopped here, and watched in the records."""

from ghost.jobs.batches import BatchEngine, BatchView
from ghost.jobs.queued.queue import Queue
from ghost.jobs.runs import JobWorkbench
from ghost.records import BatchState, ItemFilter, ItemState, NewBatch


class QueuedBatches(BatchEngine):
    """Offers what ``BatchEngine`` offers, for batches that all workers check together. No claim is checked here."""

    def __init__(self, workbench: JobWorkbench, queue: Queue) -> None:
        self._store, self._records, self._turns = workbench.batches, workbench.batch_queue, queue

    def start(self, new: NewBatch) -> str:
        """Store a new batch, hand it to the workers, and return its id. Raises StoreError."""
        batch_id = self._store.create(new)
        self.resume(batch_id)
        return batch_id

    def resume(self, batch_id: str) -> None:
        """Have the workers go on with the claims that are waiting or were cancelled. Raises StoreError."""
        self._records.begin(batch_id)
        # A process that ends between the two leaves a batch without a turn; the workers look for such now and then.
        with self._turns.database.write(alone=False) as connection:
            self._turns.put_turn(connection)

    def cancel(self, batch_id: str) -> None:
        """Skip the waiting claims; the workers stop those they are checking within a second. Raises StoreError."""
        self._records.cancel(batch_id)

    def snapshot(self, batch_id: str) -> BatchView | None:
        """The batch as it stands now; None when there is none. Raises StoreError."""
        batch = self._store.get(batch_id)
        if batch is None:
            return None
        tally = self._store.tally(batch_id)
        at_work = self._store.items(batch_id, ItemFilter(states=(ItemState.RUNNING,)), limit=1)
        item = at_work[0] if at_work else None
        waits = self._turns.unattended() if batch.state is BatchState.RUNNING else ""
        seconds = self._store.pace(batch_id)
        pace = seconds / max(1, tally.of(ItemState.RUNNING)) if seconds is not None else None
        return BatchView(batch, tally, batch.state is BatchState.RUNNING, item, waits, pace)

    def close(self, seconds: float = 2.0) -> None:
        """Nothing to stop here: the batches are left to the workers."""
        del seconds
