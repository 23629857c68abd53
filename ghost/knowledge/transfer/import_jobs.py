"""Imports that outlive the page they were started on: a file is checked, shown, then imported or dropped."""

import logging
import queue
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ghost.errors import Cancelled, GhostError
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.transfer.import_file import DEFAULT_OPTIONS, ImportCheck, ImportFile, ReadOptions, check_import
from ghost.knowledge.transfer.imports import restore_import, run_import, undo_import
from ghost.knowledge.transfer.reader import missing_columns, read_import_file
from ghost.knowledge.values import Progress
from ghost.records import OPEN_PHASES, ImportPhase, ImportRecord, ImportStore

log = logging.getLogger(__name__)

KEPT = 20
"""Jobs that stay in memory. The oldest that have ended go first."""
WAITING_FILES = 4
"""Checked files that wait for a decision. They can be large, so the oldest are dropped when there are more."""
LET_GO = "Other files were checked since, and this one was let go. Nothing was imported; choose it again."


@dataclass(frozen=True, slots=True)
class ImportJob:
    """An import at one moment. Immutable, so threads can share it."""

    id: str
    name: str
    phase: ImportPhase
    options: ReadOptions = DEFAULT_OPTIONS
    what: str = ""
    """What is being done."""
    done: int = 0
    total: int = 0
    began: float = 0.0
    """When this part of the work began, by the monotonic clock."""
    file: ImportFile | None = None
    check: ImportCheck | None = None
    record: ImportRecord | None = None
    """The import, once it is in the database."""
    changed: int = 0
    """Passages that an undoing or bringing back has changed."""
    error: str = ""
    cancelling: bool = False

    @property
    def busy(self) -> bool:
        """Whether something goes on."""
        return self.phase in OPEN_PHASES

    @property
    def left(self) -> float | None:
        """Seconds that this part of the work will probably still take. None while unknown."""
        spent = time.monotonic() - self.began
        if not self.began or not self.done or spent < 1:
            return None
        return spent / self.done * (self.total - self.done)


@dataclass
class _Work:
    """The part of a job that is not shown."""

    data: bytes = b""
    stop: threading.Event = field(default_factory=threading.Event)


class Importer:
    """One thread that checks and takes in files, one after the other. Safe to share by threads."""

    def __init__(self, knowledge: KnowledgeBase, store: ImportStore) -> None:
        self.store = store
        self._knowledge = knowledge
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, ImportJob] = OrderedDict()
        self._work: dict[str, _Work] = {}
        self._waiting: queue.SimpleQueue[tuple[str, Callable[[str], None]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def check(self, data: bytes, name: str, options: ReadOptions = DEFAULT_OPTIONS) -> str:
        """Begin to read a file and to find out what would become of it; returns the id of the job."""
        return self._begin(ImportJob(uuid.uuid4().hex, name, ImportPhase.WAITING, options), self._check, data)

    def again(self, job_id: str, options: ReadOptions) -> None:
        """Read the same file another way, such as with other columns."""
        with self._lock:
            job, work = self._jobs.get(job_id), self._work.get(job_id)
            if not job or not work or job.busy or job.phase in (ImportPhase.DONE, ImportPhase.CANCELLED):
                return
            self._jobs[job_id] = ImportJob(job_id, job.name, ImportPhase.WAITING, options)
        self._put(job_id, self._check)

    def keep(self, job_id: str) -> None:
        """Take a checked file in; nothing happens unless it is checked and waits for this."""
        with self._lock:
            job = self._jobs.get(job_id)
            if not job or job.phase is not ImportPhase.CHECKED:
                return
            self._jobs[job_id] = replace(job, phase=ImportPhase.WAITING)
        self._put(job_id, self._keep)

    def undo(self, import_id: str) -> str:
        """Begin to undo an import, or to bring an undone one back; returns the id of the job."""
        record = self.store.get(import_id)
        name = record.name if record else ""
        return self._begin(ImportJob(uuid.uuid4().hex, name, ImportPhase.WAITING, record=record), self._change)

    def snapshot(self, job_id: str) -> ImportJob | None:
        """The job as it is now. None when it is unknown or was forgotten."""
        with self._lock:
            return self._jobs.get(job_id)

    def cancel(self, job_id: str) -> None:
        """Ask a job to stop; one that waits for the analyst is dropped."""
        with self._lock:
            job, work = self._jobs.get(job_id), self._work.get(job_id)
            if not job or not work:
                return
            work.stop.set()
            if job.busy:
                self._jobs[job_id] = replace(job, cancelling=True)
            elif job.phase in (ImportPhase.CHECKED, ImportPhase.ASKING):
                self._jobs[job_id] = ImportJob(job_id, job.name, ImportPhase.CANCELLED)
                self._work.pop(job_id)

    def close(self, seconds: float = 2.0) -> None:
        """Stop everything and wait a moment; what was being written is not kept."""
        with self._lock:
            for work in self._work.values():
                work.stop.set()
            thread = self._thread
        if thread:
            self._waiting.put(None)
            thread.join(seconds)

    def _begin(self, job: ImportJob, do: Callable[[str], None], data: bytes = b"") -> str:
        with self._lock:
            self._jobs[job.id] = job
            self._work[job.id] = _Work(data)
            self._forget()
        self._put(job.id, do)
        return job.id

    def _put(self, job_id: str, do: Callable[[str], None]) -> None:
        with self._lock:
            if self._thread is None:
                # A daemon, because closing the program must not wait for it: what is half written is not kept.
                self._thread = threading.Thread(target=self._serve, name="ghost-import", daemon=True)
                self._thread.start()
        self._waiting.put((job_id, do))

    def _serve(self) -> None:
        """Do one part of a job after the other. In any case the job then ends or waits for the analyst."""
        while (waiting := self._waiting.get()) is not None:
            job_id, do = waiting
            try:
                do(job_id)
            except Cancelled:
                self._end(job_id, ImportPhase.CANCELLED)
            except GhostError as error:
                self._end(job_id, ImportPhase.FAILED, str(error))
            except Exception as error:
                log.exception("Import %s failed", job_id)
                what = f"Unexpected {type(error).__name__}: {error}. Nothing was imported."
                self._end(job_id, ImportPhase.FAILED, what)

    def _check(self, job_id: str) -> None:
        job, work = self._now(job_id, phase=ImportPhase.READING, what="Reading the file"), self._work[job_id]
        file = read_import_file(work.data, job.name, job.options, work.stop.is_set)
        self._now(job_id, file=file)
        if missing_columns(file):
            self._now(job_id, phase=ImportPhase.ASKING, what="")
            return
        found = check_import(self._knowledge, file, self._notice(job_id), work.stop.is_set)
        self._now(job_id, phase=ImportPhase.CHECKED, check=found, what="", done=0, total=0, began=0.0)

    def _keep(self, job_id: str) -> None:
        job, work = self._now(job_id, phase=ImportPhase.KEEPING), self._work[job_id]
        assert job.check is not None
        record = run_import(self._knowledge, self.store, job.check, job_id, self._notice(job_id), work.stop.is_set)
        self._now(job_id, phase=ImportPhase.DONE, record=record, check=None, file=None, what="")
        self._drop(job_id)

    def _change(self, job_id: str) -> None:
        job = self._now(job_id, phase=ImportPhase.CHANGING, what="Changing passages")
        import_id = job.record.id if job.record else ""
        change = restore_import if job.record and job.record.status.value == "undone" else undo_import
        changed = change(self._knowledge, self.store, import_id, self._notice(job_id))
        self._now(job_id, phase=ImportPhase.DONE, changed=changed, record=self.store.get(import_id), what="")
        self._drop(job_id)

    def _now(self, job_id: str, **changes: object) -> ImportJob:
        with self._lock:
            self._jobs[job_id] = job = replace(self._jobs[job_id], **changes)  # type: ignore[arg-type]
        return job

    def _notice(self, job_id: str) -> Progress:
        def tell(what: str, done: int, total: int) -> None:
            with self._lock:
                job = self._jobs[job_id]
                began = job.began if job.what == what else time.monotonic()
                self._jobs[job_id] = replace(job, what=what, done=done, total=total, began=began)

        return tell

    def _end(self, job_id: str, phase: ImportPhase, error: str = "") -> None:
        self._now(job_id, phase=phase, error=error, check=None, what="", cancelling=False)
        self._drop(job_id)

    def _drop(self, job_id: str) -> None:
        """Let go of the file, which may be large."""
        with self._lock:
            self._work.pop(job_id, None)

    def _forget(self) -> None:
        asked = (ImportPhase.CHECKED, ImportPhase.ASKING)
        waiting = [job_id for job_id, job in self._jobs.items() if job.phase in asked]
        for job_id in waiting[: max(0, len(waiting) - WAITING_FILES + 1)]:
            self._jobs[job_id] = ImportJob(job_id, self._jobs[job_id].name, ImportPhase.FAILED, error=LET_GO)
            self._work.pop(job_id, None)
        ended = [job_id for job_id, job in self._jobs.items() if not job.busy]
        for job_id in ended[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[job_id]
            self._work.pop(job_id, None)
