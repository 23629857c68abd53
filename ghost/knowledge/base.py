"""The knowledge base: passages in the database, their vectors in Chroma, and one object to use both."""

import logging
import os
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import NoReturn, Self

import numpy as np
from sqlalchemy import Connection

from ghost.errors import Cancelled, StoreBusyError, StoreError
from ghost.inference import Encoder
from ghost.knowledge import near_duplicates, queries, revisions
from ghost.knowledge.admission import Admission, admit_from_outside, normal_form, refuse_own_verdict
from ghost.knowledge.analytics import Analytics
from ghost.knowledge.change_log import Change, new_change, states, write_change
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.curation import Curation
from ghost.knowledge.index_sync import IndexSync
from ghost.knowledge.lock import OwnerLock, announced_server
from ghost.knowledge.near_duplicates import DuplicateGroup, duplicate_groups, duplicates_of
from ghost.knowledge.note_checks import keep_checks, still_hold
from ghost.knowledge.rows import embedded_text, get_meta, id_of_database, key_of, set_meta, watermark
from ghost.knowledge.search import Rankings, Searcher
from ghost.knowledge.storage import insert_or_merge, record_use, stored_rows
from ghost.knowledge.values import (
    EVERYTHING,
    Action,
    AddReport,
    Health,
    KnowledgeStats,
    Listing,
    NoteCheck,
    Outcome,
    PassageFilter,
    PassageUse,
    Progress,
    Sort,
    Use,
    no_progress,
)
from ghost.knowledge.vectors import ChromaConnection, VectorIndex
from ghost.records import Database, remember_earlier_explanations, repeated_explanations, utc_now
from ghost.types import Candidate, HistoryEntry, NewPassage, PageCheck, Passage, Status

log = logging.getLogger(__name__)
BATCH = 128
"""Passages that ``add`` writes at a time: half a second's work, so that progress is seen."""


_READ_AFTER = 5.0
"""Seconds until a large index is read: it takes all cores for a while, and the first page is drawn before."""
_CLOSE_SECONDS = 6.0
"""So long the end waits for an index that is being read: longer than that takes, and less than ``ghost up`` waits."""


class KnowledgeBase:
    """Everything the analyst has gathered. Safe to use from any thread; searches do not wait for writes.

    A write goes to the database in one transaction and then to the vector index. When the second part fails, the
    passages are kept, the error says so, and the index is put right by the next write or the next start.
    """

    def __init__(
        self,
        database: Database,
        vectors: VectorIndex,
        encoder: Encoder,
        book: CredibilityBook,
        lock: OwnerLock | None = None,
        progress: Progress = no_progress,
        min_credibility: float = 0.0,
        frozen: bool = False,
    ) -> None:
        """Put the parts together and bring them in step; ``open`` makes the parts as well."""
        self.frozen = frozen
        """Whether runs only read it: their use of passages is not recorded, and nothing comes in."""
        self.database = database
        self.analytics = Analytics(database, book)
        self._vectors = vectors
        self._encoder = encoder
        self.book = book
        self._min_credibility = min_credibility
        self._lock = lock
        self._model = _model_name(encoder)
        self._writing = threading.RLock()
        self._sync = IndexSync(database, vectors, self._writing)
        nearest = vectors.query if frozen else self._sync.nearest  # which repairs an index that fails
        self._reading: threading.Thread | None = None
        self._closing = threading.Event()
        self._searcher = Searcher(database, encoder, book, nearest)
        self.curation = Curation(database, encoder, book, self._writing, self._sync.send_or_repair)
        self.repaired = "" if frozen else self._start(progress)
        """What had to be put right when the knowledge base was opened; empty when nothing had to."""

    @classmethod
    def open(
        cls,
        place: Path | str,
        chroma_path: Path,
        chroma_url: str,
        encoder: Encoder,
        book: CredibilityBook,
        progress: Progress | None = None,
        min_credibility: float = 0.0,
        frozen: bool = False,
        served_at: str = "",
    ) -> Self:
        """Open or create the knowledge base and repair what an earlier end left behind.

        ``place`` is the file of an SQLite database, or the address of one on PostgreSQL, which needs a ``chroma_url``.
        With a ``chroma_url`` several processes may share it; without, this process becomes the owner of
        ``chroma_path``. When there is another owner, the server that it has announced is used, and StoreBusyError is
        raised when there is none. What a run fetches from a source below
        ``min_credibility`` waits in quarantine. With ``frozen`` it is only read, and must have been opened before;
        ``served_at`` is then the server that its owner runs over the folder. Raises StoreError and its kinds.
        """
        if not chroma_url and not isinstance(place, Path):
            raise StoreError(
                "Records on PostgreSQL need a Chroma server, which all processes share. Start one with `chroma run` "
                "and set GHOST_CHROMA_URL to its address."
            )
        with ExitStack() as unwound:
            lock, found = None, (lambda: served_at) if served_at else None
            chroma_url = chroma_url or served_at
            try:
                if isinstance(place, Path) and not chroma_url:
                    lock = unwound.enter_context(OwnerLock(place.parent, chroma_path))
            except StoreBusyError:
                assert isinstance(place, Path)
                found = partial(announced_server, place.parent)
                if not (chroma_url := found()):
                    raise
            database = Database.open(place)
            unwound.callback(database.close)
            name, database_id = _model_name(encoder), id_of_database(database)
            chroma = ChromaConnection(chroma_path, chroma_url, found)
            vectors = VectorIndex(chroma, encoder.dimensions, name, database_id)
            unwound.callback(vectors.close)
            opened = cls(database, vectors, encoder, book, lock, progress or no_progress, min_credibility, frozen)
            unwound.pop_all()
            return opened

    def as_frozen(self) -> Self:
        """The same knowledge base for runs that only read it. It is closed with this one."""
        view = copy(self)
        view.frozen = True
        return view

    def get_ready(self) -> None:
        """Soon read a large vector index in the background, so that the first search need not wait; returns at once."""
        if self._reading is None and self._sync.unread:
            self._reading = threading.Thread(target=self._read_index, name="ghost-index", daemon=True)
            self._reading.start()

    def _read_index(self) -> None:
        if self._closing.wait(_READ_AFTER):
            return
        try:
            self._sync.read(self._until_closing)
        except Cancelled:
            pass
        except StoreError as error:
            log.warning("The vector index could not be read: %s", error)

    def _until_closing(self, *_: object) -> None:
        if self._closing.is_set():
            raise Cancelled("The index is made at the next start.")

    def close(self) -> None:
        """Give files and lock back; safe to repeat. While an index is read, that is left to the process's end."""
        if self._closing.is_set() and self._reading is not None and self._reading.is_alive():
            return
        self._closing.set()
        if self._reading is not None:
            self._reading.join(_CLOSE_SECONDS if self._lock else 0.0)  # a server may be left while it is at work
            if self._reading.is_alive():
                _left_at_work.append(self._reading)
                return
        self.analytics.map.close()
        with self._writing:
            self._vectors.close()
            self.database.close()
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing

    def add(
        self, new: Iterable[NewPassage], progress: Progress | None = None, *, run_id: str = "",
        uses: Sequence[Use] = (), screened: bool = False,
    ) -> AddReport:  # fmt: skip
        """Admit passages: duplicates merge, what is in doubt is quarantined, what is no text or our own is refused.

        ``uses`` says for each passage how the run ``run_id`` used it (their ids are not known yet and are ignored);
        it is booked together with the passage, so that none is there without the run that brought it. What was
        ``screened`` before is not looked through again. Works in batches, each of which is kept whole or not at all.
        """
        offered = list(new)
        if self.frozen:
            raise StoreError("This view of the knowledge base is for reading only.")
        if uses and len(uses) != len(offered):
            raise ValueError("There must be one use for each passage.")
        outcomes: list[Outcome] = []
        change = new_change()
        try:
            for start in range(0, len(offered), BATCH):
                admissions = self.admissions(offered[start : start + BATCH], screened)
                outcomes += self._add_batch(admissions, run_id, uses[start : start + BATCH], change)
                if progress is not None:
                    progress("Adding passages", len(outcomes), len(offered))
        finally:
            if outcomes:
                with self._writing:
                    self._sync.send_or_repair()  # all at once: Chroma takes longer for many small parts
        came = any(o.action in (Action.ADDED, Action.QUARANTINED) for o in outcomes)
        return AddReport(tuple(outcomes), change if came else "")

    def record_checks(self, checks: Sequence[NoteCheck], change: str = "") -> Change | None:
        """Keep what came of comparing notes with their pages, and the excerpts found there; None when nothing did.

        It is one change, or goes on with the ``change`` that is given. A note that was edited since is left alone.
        """
        reached = [c for c in checks if c.outcome is not PageCheck.NOT_REACHED]
        if self.frozen or not reached:
            return None
        change, found = change or new_change(), list(dict.fromkeys(e for c in reached for e in c.excerpts))
        admissions = dict(zip(found, self.admissions(found), strict=True))
        with self._writing:
            vectors = self._vectors_of_new([*admissions.values()])
            with self.database.write() as connection:
                before = states(connection, [c.note for c in reached])
                kept = still_hold(reached, before)
                if not kept:
                    return None
                write_change(connection, change, "checked", "against the source", len(kept), utc_now())
                new = list(dict.fromkeys(e for c in kept for e in c.excerpts))
                outcomes = self.insert(connection, [admissions[e] for e in new], vectors, change)
                ids = {e: o.passage_id for e, o in zip(new, outcomes, strict=True)}
                keep_checks(connection, kept, ids, before, change, self.book, utc_now())
            self._sync.send_or_repair()
        return self.curation.change(change)

    def retire(self, ids: Sequence[str], note: str = "") -> int:
        """Take passages out of every search without losing them; returns how many were not retired before."""
        change = self.curation.retire(ids, note)
        return change.passages if change else 0

    def restore(self, ids: Sequence[str], note: str = "") -> int:
        """Bring retired passages back, accept quarantined ones; returns how many were not active before."""
        change = self.curation.restore(ids, note)
        return change.passages if change else 0

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        """Book that a run used these passages, and update their statistics; repeating it changes nothing.

        Nothing is booked in one that is ``frozen``.
        """
        if uses and not self.frozen:
            with self.database.write() as connection:
                record_use(connection, run_id, uses, utc_now())

    # In steps, as an import does

    def admissions(self, new: Sequence[NewPassage], screened: bool = False) -> list[Admission]:
        """What the door says of each passage; nothing is written. What was ``screened`` before comes in."""
        door = partial(admit_from_outside, book=self.book, min_credibility=self._min_credibility)
        offered = [Admission(normal_form(p)) if screened else door(p) for p in new]
        ours = self.ours([a.passage.text if a.passage else "" for a in offered])
        return [refuse_own_verdict(a, run) for a, run in zip(offered, ours, strict=True)]

    def statuses(self, keys: Collection[str]) -> dict[str, Status]:
        """For each merge key that is there already: the status of its passage."""
        with self.database.read() as connection:
            return {key: Status(row.status) for key, row in stored_rows(connection, [*keys]).items()}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors that ``insert`` wants; this is what takes time, and is done outside of a transaction."""
        return self._encoder.encode(texts)

    def insert(
        self, connection: Connection, admissions: Sequence[Admission], vectors: Mapping[str, np.ndarray],
        change: str = "", hidden: bool = False,
    ) -> list[Outcome]:  # fmt: skip
        """Insert or merge within a transaction of the caller.

        ``vectors``: by merge key, for whatever may be new. Without a ``change`` the caller knows how to take it back.
        What is ``hidden`` is out of sight until it gets its status.
        """
        return insert_or_merge(connection, admissions, vectors, self._model, utc_now(), self.book, change, hidden)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, kept at the end of the block and undone when it raises; ``catch_up`` is to follow."""
        with self._writing, self.database.write() as connection:
            yield connection

    def catch_up(self, progress: Progress = no_progress) -> None:
        """Send what the vector index lacks, page by page, so that others can write in between."""
        done = 0
        while True:
            with self._writing:
                sent, left = self._sync.send_page()
                if not sent:
                    return self._sync.send_or_repair()
            done += sent
            progress("Bringing the vector index in step", done, done + left)

    # Finding

    def search(self, text: str, k: int, as_of: date | None = None) -> list[Candidate]:
        """The ``k`` best active passages for a text, by meaning and by words, none published after ``as_of``."""
        return self.search_many([text], k, as_of)[0]

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        """``search`` for several texts at once, in their order; a blank text finds nothing."""
        return self._searcher.search_many(texts, k, as_of)

    def rankings(self, texts: Sequence[str], n: int) -> list[Rankings]:
        """What ``search`` fuses, apart: for each text the ``n`` best active passages by meaning and by words."""
        return self._searcher.rankings(texts, n)

    def browse(
        self, words: str = "", filter: PassageFilter = EVERYTHING, sort: Sort = Sort.NEWEST, limit: int = 25,
        offset: int = 0,
    ) -> Listing:  # fmt: skip
        """A page of the passages that pass the filter: with words those that match best, else in the order given.

        Words are looked for by meaning and as they are; only the best matches are counted then.
        """
        return self._searcher.browse(words, filter, sort, limit, offset)

    def alike(self, passage_id: str) -> list[str]:
        """Ids of the other passages of nearly the same text, whatever their status."""
        with self.database.read() as connection:
            return duplicates_of(connection, passage_id)

    def duplicates(self, progress: Progress | None = None) -> list[DuplicateGroup]:
        """Groups of active passages of nearly one text; looks at all of them. ``progress`` may raise to stop."""
        return duplicate_groups(self.database, progress or no_progress)

    # Looking

    def get(self, ids: Sequence[str]) -> list[Passage]:
        """The passages with these ids, in this order; unknown ids are left out."""
        with self.database.read() as connection:
            return queries.by_ids(connection, ids, self.book)

    def each(self, filter: PassageFilter = EVERYTHING) -> Iterator[Passage]:
        """Every passage that passes the filter, oldest first, all of them as they are at one moment."""
        with self.database.read() as connection:
            yield from queries.each(connection, filter, self.book)

    def count(self, filter: PassageFilter = EVERYTHING) -> int:
        """How many passages pass the filter."""
        with self.database.read() as connection:
            return queries.count(connection, filter, self.book)

    def stats(self, domains: int = 20) -> KnowledgeStats:
        """The knowledge base in figures, with the ``domains`` most frequent domains."""
        with self.database.read() as connection:
            return queries.stats(connection, domains)

    def by_status(self) -> dict[str, int]:
        """How many passages have each status."""
        with self.database.read() as connection:
            return dict(queries.values_of(connection, "status"))

    def values_of(self, name: str) -> list[tuple[str, int]]:
        """The values that a field has (``language``, ``topic``, ``domain``) with their number, most frequent first."""
        with self.database.read() as connection:
            return queries.values_of(connection, name)

    def watermark(self) -> int:
        """A number that another one takes the place of whenever a passage comes in or changes; use does not count."""
        with self.database.read() as connection:
            return watermark(connection)

    def merged(self, passage_id: str) -> tuple[str, list[str]]:
        """The passage that speaks for this duplicate (empty when none does), and the duplicates it speaks for."""
        with self.database.read() as connection:
            return revisions.relatives(connection, passage_id)

    def why_quarantined(self, ids: Sequence[str]) -> dict[str, str]:
        """For each of these passages why it was put into quarantine, where that was noted."""
        with self.database.read() as connection:
            return queries.why_quarantined(connection, ids)

    def history(self, passage_id: str) -> list[HistoryEntry]:
        """What happened to a passage, oldest first."""
        with self.database.read() as connection:
            return queries.history_of(connection, passage_id)

    def runs_using(self, passage_id: str, limit: int = 100) -> list[PassageUse]:
        """The runs that had the passage among their evidence, newest first."""
        with self.database.read() as connection:
            return queries.uses_of(connection, passage_id, limit)

    # Keeping

    def rebuild(self, progress: Progress | None = None) -> int:
        """Make the vector index anew from the database; searches go on meanwhile. Returns the number of vectors."""
        with self._writing:
            return self._sync.rebuild(progress or no_progress)

    def ours(self, texts: Sequence[str]) -> list[str]:
        """For each text the id of the run of ours whose explanation it repeats; empty where it repeats none."""
        with self.database.read() as connection:
            return repeated_explanations(connection, texts)

    def check(self) -> Health:
        """Whether database and index are sound and agree. Reads the whole database file, changes nothing."""
        problems = list(self.database.problems())
        active, vectors, in_step = self._sync.active(), -1, False
        try:
            vectors = self._vectors.count()
            in_step = vectors == active and self._sync.complete()
        except StoreError as error:
            problems.append(str(error))
        return Health(active, vectors, in_step, self.repaired, tuple(problems), self._model)

    def ask_index(self) -> int:
        """How many vectors the index has, as a sign that it answers. Raises StoreError when it does not."""
        return self._vectors.count()

    def mend_index(self) -> None:
        """Make the index where it is gone from its server.

        Raises StoreError when that does not answer, or while another process makes the index.
        """
        self._sync.mend()
        self.ask_index()

    def beside(self, collection: str) -> VectorIndex:
        """Another collection of the vector index, for what is kept in the same database and is no passage."""
        return self._vectors.beside(collection)

    def _start(self, progress: Progress) -> str:
        with self._sync.alone(wait=True):
            near_duplicates.add_missing_bands(self.database)
            remember_earlier_explanations(self.database)
            with self.database.read() as connection:
                model = get_meta(connection, "embedding_model")
            if model is None:
                with self.database.write() as connection:
                    set_meta(connection, "embedding_model", self._model)
            elif model != self._model:
                done = self._sync.reembed(self._encoder, self._model, progress)
                self._sync.repair(progress)
                return f"{done} passages were read again with {self._model}" if done else ""
            return self._sync.repair(progress, at_start=True)

    def _add_batch(
        self, admissions: Sequence[Admission], run_id: str, uses: Sequence[Use], change: str
    ) -> list[Outcome]:
        with self._writing:
            vectors = self._vectors_of_new(admissions)
            with self.database.write() as connection:
                outcomes = self.insert(connection, admissions, vectors, change)
                pairs = zip(uses, outcomes, strict=bool(uses))
                used = [replace(use, passage_id=o.passage_id) for use, o in pairs if o.passage_id]
                record_use(connection, run_id, used, utc_now())
        return outcomes

    def _vectors_of_new(self, admissions: Sequence[Admission]) -> dict[str, np.ndarray]:
        """By merge key. Encoding takes time; it is done for new texts only and outside of the transaction."""
        by_key = {key_of(a.passage.text, a.passage.source_url): a.passage for a in admissions if a.passage is not None}
        with self.database.read() as connection:
            there = stored_rows(connection, list(by_key))
        fresh = [key for key in by_key if key not in there]
        texts = [embedded_text(by_key[key].text, by_key[key].title) for key in fresh]
        return dict(zip(fresh, self._encoder.encode(texts) if texts else [], strict=True))

    # Last, because in this class the name is no longer the built-in type from here on.

    def list(self, filter: PassageFilter = EVERYTHING, limit: int = 50, offset: int = 0) -> list[Passage]:
        """Passages that pass the filter, newest first."""
        with self.database.read() as connection:
            return queries.listed(connection, filter, Sort.NEWEST, limit, offset, self.book)


_left_at_work: list[threading.Thread] = []
"""Those in Chroma's native part when their knowledge base was closed."""


def exit_with(code: int) -> NoReturn:
    """End the process with ``code``, at once where a thread is in Chroma's native part.

    Such a thread would crash the interpreter on its way out.
    """
    if any(thread.is_alive() for thread in _left_at_work):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _model_name(encoder: Encoder) -> str:
    """What the stored vectors were made with: the encoder's name and the beginning of its checksum."""
    return f"{encoder.name}@{encoder.checksum[:12]}"[:200]
