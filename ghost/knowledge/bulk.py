"""Writing many passages as one: what an import needs of the knowledge base, with the parts laid open."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from sqlalchemy import Connection

from ghost.inference import Encoder
from ghost.knowledge.admission import Admission, admit_from_outside, refuse_own_verdict
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.index_sync import IndexSync
from ghost.knowledge.storage import insert_or_merge, stored_rows
from ghost.knowledge.values import Outcome, Progress, no_progress
from ghost.records import Database, repeated_explanations, utc_now
from ghost.types import NewPassage, Status


class Bulk:
    """The door, the reading, the writing and the index as separate steps. Safe to use from any thread."""

    def __init__(
        self,
        database: Database,
        encoder: Encoder,
        book: CredibilityBook,
        sync: IndexSync,
        model: str,
        min_credibility: float,
        writing: threading.RLock,
        send: Callable[[], None],
    ) -> None:
        """``writing`` is held while something changes; ``send`` brings the vector index up to date."""
        self._database = database
        self._encoder = encoder
        self._book = book
        self._sync = sync
        self._model = model
        self._min_credibility = min_credibility
        self._writing = writing
        self._send = send

    def admissions(self, new: Sequence[NewPassage]) -> list[Admission]:
        """What the door says of each passage; nothing is written."""
        offered = [admit_from_outside(p, self._book, self._min_credibility) for p in new]
        with self._database.read() as connection:
            ours = repeated_explanations(connection, [a.passage.text if a.passage else "" for a in offered])
        return [refuse_own_verdict(a, run) for a, run in zip(offered, ours, strict=True)]

    def statuses(self, keys: Collection[str]) -> dict[str, Status]:
        """For each merge key that is there already: the status of its passage."""
        with self._database.read() as connection:
            return {key: Status(row.status) for key, row in stored_rows(connection, list(keys)).items()}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors that ``write`` wants; this is what takes time, and is done outside of a transaction."""
        return self._encoder.encode(texts)

    def write(
        self,
        connection: Connection,
        admissions: Sequence[Admission],
        vectors: Mapping[str, np.ndarray],
        change: str = "",
        hidden: bool = False,
    ) -> list[Outcome]:
        """Insert or merge within a transaction of the caller.

        ``vectors``: by merge key, for whatever may be new. Without a ``change`` the caller knows how to take it back.
        What is ``hidden`` is out of sight until it gets its status.
        """
        return insert_or_merge(connection, admissions, vectors, self._model, utc_now(), self._book, change, hidden)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, kept at the end of the block and undone when it raises; ``catch_up`` is to follow."""
        with self._writing, self._database.write() as connection:
            yield connection

    def catch_up(self, progress: Progress = no_progress) -> None:
        """Send what the vector index lacks, page by page, so that others can write in between."""
        done = 0
        while True:
            with self._writing:
                sent, left = self._sync.send_page()
            if not sent:
                break
            done += sent
            progress("Bringing the vector index in step", done, done + left)
        with self._writing:
            self._send()
