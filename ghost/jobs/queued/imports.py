"""Imports that workers make: a file is put into the database here, and watched by what the worker writes there."""

import time
import uuid
from dataclasses import replace
from typing import Any

from ghost.jobs.queued.queue import CheckOrder, ImportOrder, Queue
from ghost.jobs.queued.watched import LOST_SECONDS
from ghost.knowledge import (
    DEFAULT_OPTIONS,
    LET_GO,
    ImportCheck,
    Importer,
    ImportFile,
    ImportFileError,
    ImportJob,
    ReadOptions,
    check_size,
)
from ghost.records import (
    OPEN_PHASES,
    ImportPhase,
    ImportStatus,
    ImportStore,
    SharedImport,
    SharedImports,
    from_json,
    to_json,
)

WAITING_FILES = 20
"""Checked files of all people that wait for a decision. When there are more, the oldest are dropped."""
LOST = (
    "This was lost: it is no longer in the queue, and no worker has reported how it ended. The list of imports shows "
    "whether it was imported. If not, choose the file again."
)
_RESTING = (ImportPhase.CHECKED, ImportPhase.ASKING)


class QueuedImports(Importer):
    """Offers what ``Importer`` offers, of all processes over one database. Nothing is read in this one.

    All of it raises StoreError when the database does not answer.
    """

    def __init__(self, store: ImportStore, queue: Queue) -> None:
        self.store = store
        self._queue = queue
        self._shared = SharedImports(queue.database)

    def check(self, data: bytes, name: str, options: ReadOptions = DEFAULT_OPTIONS) -> str:
        """As for ``Importer``."""
        job_id, kept = uuid.uuid4().hex, to_json(ReadOptions, options)
        try:
            check_size(data)
        except ImportFileError as error:  # nothing that a worker had to read
            self._shared.add(job_id, name, ImportPhase.FAILED, kept, error=str(error))
            return job_id
        self._forget()
        self._shared.add(
            job_id, name, ImportPhase.WAITING, kept, data,
            then=lambda connection: self._queue.put_within(connection, job_id, CheckOrder()),
        )  # fmt: skip
        return job_id

    def again(self, job_id: str, options: ReadOptions) -> None:
        """As for ``Importer``."""
        kept = to_json(ReadOptions, options)
        self._order(job_id, _RESTING, CheckOrder(), options=kept)

    def keep(self, job_id: str) -> None:
        """As for ``Importer``."""
        self._order(job_id, (ImportPhase.CHECKED,), ImportOrder("keep"))

    def undo(self, import_id: str) -> str:
        """As for ``Importer``."""
        job_id, record = uuid.uuid4().hex, self.store.get(import_id)
        order = ImportOrder("restore" if record and record.status is ImportStatus.UNDONE else "undo")
        self._shared.add(
            job_id, record.name if record else "", ImportPhase.WAITING, to_json(ReadOptions, DEFAULT_OPTIONS),
            import_id=import_id, then=lambda connection: self._queue.put_within(connection, job_id, order),
        )  # fmt: skip
        return job_id

    def snapshot(self, job_id: str) -> ImportJob | None:
        """As for ``Importer``, whichever process has begun it."""
        row = self._shared.get(job_id)
        if row and row.phase in OPEN_PHASES and row.silent > LOST_SECONDS and self._queue.find(job_id) is None:
            self._shared.drop(job_id, OPEN_PHASES, ImportPhase.FAILED, LOST)  # nothing, if it has news after all
            row = self._shared.get(job_id)
        if row is None:
            return None
        job = self._job(row)
        return replace(job, what=why, done=0) if job.busy and (why := self._queue.unattended()) else job

    def cancel(self, job_id: str) -> None:
        """As for ``Importer``."""
        begun = self.store.get(job_id)
        # Of one that has written something, whichever worker has it, or gets it, takes that back.
        kept = begun is not None and begun.status is ImportStatus.RUNNING
        told = kept or ((job := self._queue.stop(job_id)) and job.running)
        # A worker that has it may just have come to the end of it.
        if not (told and self._shared.put(job_id, OPEN_PHASES, cancelling=True)):
            self._shared.drop(job_id, (*OPEN_PHASES, *_RESTING), ImportPhase.CANCELLED)

    def close(self, seconds: float = 2.0) -> None:
        """Watch no more; the imports are left to the workers."""

    def _order(
        self, job_id: str, phases: tuple[ImportPhase, ...], order: CheckOrder | ImportOrder, **values: Any
    ) -> None:
        values |= {"phase": ImportPhase.WAITING, "cancelling": False}
        self._shared.put(job_id, phases, lambda connection: self._queue.put_within(connection, job_id, order), **values)

    def _forget(self) -> None:
        """Make room: files can be large."""
        self._shared.forget()
        resting = self._shared.resting(_RESTING)
        for job_id in resting[: max(0, len(resting) - WAITING_FILES + 1)]:
            self._shared.drop(job_id, _RESTING, ImportPhase.FAILED, LET_GO)

    def _job(self, row: SharedImport) -> ImportJob:
        file = check = None
        if row.phase is ImportPhase.CHECKED:
            check = from_json(ImportCheck, row.found, "The check of a file")
            file = check.file
        elif row.phase is ImportPhase.ASKING:
            file = from_json(ImportFile, row.found, "The check of a file")
        return ImportJob(
            row.id, row.name, row.phase, from_json(ReadOptions, row.options, "How a file is read"), row.what, row.done,
            row.total, time.monotonic() - row.spent, file, check,
            self.store.get(row.import_id) if row.import_id else None, row.changed or 0, row.error, row.cancelling,
        )  # fmt: skip
