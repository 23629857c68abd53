"""What a worker does with a file that a page has put in: check it, take it in, and undo that."""

import logging
import time
from collections.abc import Callable

from ghost.errors import (
    Cancelled,
    GhostError,
    StoreAwayError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    TakenOverError,
)
from ghost.jobs.queued.queue import ImportOrder, read_order
from ghost.jobs.task import failure_text
from ghost.knowledge import (
    ImportCheck,
    ImportFile,
    ImportStateError,
    KnowledgeBase,
    ReadOptions,
    abandon_import,
    check_import,
    missing_columns,
    read_import_file,
    restore_import,
    run_import,
    undo_import,
)
from ghost.records import (
    ImportPhase,
    ImportStatus,
    ImportStore,
    SharedImport,
    SharedImports,
    from_json,
    to_json,
)

log = logging.getLogger(__name__)
TELL_SECONDS = 0.4
"""How often progress is written down: the page looks as often."""


class ImportWork:
    """One attempt at one import. It ends with a phase that every page sees, or by what ``Work`` hands on."""

    def __init__(
        self, knowledge: KnowledgeBase, store: ImportStore, id: str, stop: Callable[[], bool], given_up: str, last: bool
    ) -> None:
        """``given_up``: why it is not begun once more, if so. ``last``: this is its last try."""
        self._knowledge, self._store, self._id = knowledge, store, id
        self._shared = SharedImports(knowledge.database)
        self._stop, self._given_up, self._last = stop, given_up, last
        self._attempt, self._told = 0, ("", float("-inf"))

    def check(self) -> None:
        """Read the file and find out what would become of it. Raises StoreError, and TakenOverError."""
        self._until_ended(ImportPhase.READING, self._check)

    def change(self, payload: str) -> None:
        """Take the file in, undo the import, or bring it back. Raises as ``check``."""

        def do(row: SharedImport) -> None:
            order = read_order(ImportOrder, payload)
            if order.step == "keep":
                self._keep(row)
            else:
                self._change(row, undo=order.step == "undo")

        row = self._shared.get(self._id)
        self._until_ended(ImportPhase.CHANGING if row and row.import_id else ImportPhase.KEEPING, do)

    def _until_ended(self, phase: ImportPhase, do: Callable[[SharedImport], None]) -> None:
        attempt = self._shared.begin(self._id, phase)
        row = self._shared.get(self._id)
        if row is None or attempt is None:
            return  # it has ended
        self._attempt = attempt
        try:
            if row.cancelling or self._stop():
                raise Cancelled("It was stopped.")
            if self._given_up:
                raise GhostError(self._given_up)
            do(row)
        except Cancelled:
            self._end(ImportPhase.CANCELLED)
        except (TakenOverError, StoreAwayError):
            raise
        except StoreError as error:
            if not self._last and not isinstance(error, _LASTING):
                raise  # the database may be back at the next attempt
            self._end(ImportPhase.FAILED, str(error))
        except Exception as error:
            if not isinstance(error, GhostError):
                log.exception("Import %s failed", self._id)
            self._end(ImportPhase.FAILED, failure_text(error))

    def _check(self, row: SharedImport) -> None:
        file = self._read(row)
        if missing_columns(file):
            self._shared.rest(self._id, self._attempt, ImportPhase.ASKING, to_json(ImportFile, file))
            return
        found = check_import(self._knowledge, file, self._tell, self._stop).beginning()
        self._shared.rest(self._id, self._attempt, ImportPhase.CHECKED, to_json(ImportCheck, found))

    def _keep(self, row: SharedImport) -> None:
        known = self._store.get(self._id)
        if known and known.status is ImportStatus.FINISHED:  # an attempt before this one came so far
            self._knowledge.catch_up(self._tell)
        else:
            # Checked again: another worker may have done it, and what is kept of that is for reading only.
            found = check_import(self._knowledge, self._read(row), self._tell, self._stop)
            run_import(self._knowledge, self._store, found, self._id, self._tell, self._stop)
        self._shared.end(self._id, self._attempt, ImportPhase.DONE, import_id=self._id)

    def _change(self, row: SharedImport, undo: bool) -> None:
        if row.changed is not None:  # an attempt before this one came so far
            self._knowledge.catch_up(self._tell)
        else:
            change = undo_import if undo else restore_import
            self._tell("Changing passages", 0, 0)
            change(
                self._knowledge, self._store, row.import_id, self._tell,
                lambda connection, n: self._shared.change(connection, self._id, self._attempt, changed=n),
            )  # fmt: skip
        self._shared.end(self._id, self._attempt, ImportPhase.DONE)

    def _read(self, row: SharedImport) -> ImportFile:
        self._tell("Reading the file", 0, 0)
        options: ReadOptions = from_json(ReadOptions, row.options, "How the file is to be read")
        return read_import_file(self._shared.data(self._id), row.name, options, self._stop)

    def _end(self, phase: ImportPhase, error: str = "") -> None:
        """Say how it ended, once nothing is left of what it has written."""
        self._shared.tell(self._id, self._attempt, "Taking back passages", 0, 0)  # or another worker has it by now
        known, row = self._store.get(self._id), self._shared.get(self._id)
        imported = known is not None and known.status is ImportStatus.FINISHED
        if imported or (row and row.changed is not None):  # only the index lacks it, and is brought in step later
            log.warning("Import %s is stored; what came after that failed: %s", self._id, error)
            self._shared.end(self._id, self._attempt, ImportPhase.DONE, import_id=self._id if imported else None)
            return
        status = ImportStatus.CANCELLED if phase is ImportPhase.CANCELLED else ImportStatus.FAILED
        abandon_import(self._knowledge, self._store, self._id, status, error, progress=self._tell)
        self._shared.end(self._id, self._attempt, phase, error)

    def _tell(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what == self._told[0] and now - self._told[1] < TELL_SECONDS:
            return
        self._told = what, now
        try:
            self._shared.tell(self._id, self._attempt, what, done, total)
        except TakenOverError:
            raise
        except StoreError:
            pass  # it only shows progress, and must not end the work


_LASTING = (StoreFullError, StoreReadOnlyError, ImportStateError)
"""What another attempt would not change."""
