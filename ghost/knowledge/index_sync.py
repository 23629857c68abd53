"""Keeping the vector index in step with the database, which is the truth."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

import numpy as np
from sqlalchemy import Row, func, select, tuple_, update

from ghost.errors import StoreAwayError, StoreError, StoreFullError, StoreReadOnlyError
from ghost.inference import Encoder
from ghost.knowledge.rows import embedded_text, next_watermark, pack, set_meta, to_record, unpack, watermark
from ghost.knowledge.values import Progress, no_progress
from ghost.knowledge.vectors import Record, VectorIndex, VectorsLostError
from ghost.records import Database, passages
from ghost.types import Status

log = logging.getLogger(__name__)
READ_AT_START = 50_000
"""Passages up to which the index is read into memory at the start, to count and to probe it."""
PAGE = 512
"""Passages read and encoded at a time, and sent at a time between other work."""
SENT = 4_096
"""Passages sent at a time where many are. Chroma writes its whole graph down after each thousand, or after what is sent
at a time if that is more: of a million passages that is two gigabytes."""

WAIT_SECONDS = 15.0
"""How long a write or a search waits for another process that has the index. One that makes it anew takes longer, and
sends what others have written meanwhile.
"""
_ATTEMPTS = 10
"""How often two counts are compared that other processes change meanwhile."""
_SAME = 0.99
"""Cosine from which a vector is the one looked for, halved precision allowed for."""


class IndexSync:
    """Brings what the database says to the vector index."""

    def __init__(self, database: Database, vectors: VectorIndex, writing: RLock) -> None:
        """``writing`` is held while something changes."""
        self._database = database
        self._vectors = vectors
        self._writing = writing
        self.unread = False
        """Whether count and probe of a large index are still to be done."""

    @contextmanager
    def alone(self, wait: bool = False) -> Iterator[bool]:
        """Keep other processes from changing the index. Yields whether it does: not where another one has the index for
        long, unless it is to ``wait`` for that. Whoever has it for long then sends what others have left to it.
        """
        began = time.monotonic()
        with self._database.locked("index", WAIT_SECONDS) as held:
            if held or not wait:
                yield held
            else:
                log.warning("Another process makes the vector index, or sends much to it. This one waits for it.")
                with self._database.locked("index") as held:
                    yield held
        if held and time.monotonic() - began > WAIT_SECONDS and not self.complete():
            self.send()

    def repair(self, progress: Progress = no_progress, at_start: bool = False) -> str:
        """Compare the two by watermark, count and a probe, and put the index right; says what had to be done.

        ``at_start`` leaves count and probe of a large index for ``read``: Chroma reads all of it into memory for them.
        Raises StoreAwayError where another process has the index.
        """
        self.unread = at_start and self.active() > READ_AT_START
        with self.alone() as held:
            if not held:
                raise StoreAwayError(
                    f"The vector index in {self._vectors.place} is being made by another process. What it holds is "
                    "safe in the database. Searches by meaning work again when it is done."
                )
            for attempt in (self._compare, self._rebuild_from_scratch):
                try:
                    done = attempt(progress)
                except (StoreFullError, StoreReadOnlyError):
                    raise  # another index would not help
                except VectorsLostError:
                    pass
                except StoreError:
                    if self._vectors.url:
                        raise
                else:
                    if done is not None:
                        return done
            # The folder is there and Chroma cannot use it.
            aside = self._vectors.move_aside()
            done = self._rebuild_from_scratch(progress)
            return f"{done}; the damaged one is kept in {aside}" if aside else done

    def send(self, progress: Progress = no_progress) -> int:
        """Send every row changed since the index was complete; returns how many.

        None, where another process has the index for long: it sends them when it is done.
        """
        with self.alone() as held:
            if not held:
                log.warning("What was written is found by its words only until another process is done with the index.")
                return 0
            since = self._vectors.watermark
            if since is None:
                return self.rebuild(progress)
            with self._database.read() as connection:
                mark = watermark(connection)
            total = self._changed_since(since)
            sent = 0
            last = (since, 2**62)
            while rows := self._changed_after(last, SENT):
                self._put(rows)
                sent += len(rows)
                last = (rows[-1].changed, rows[-1].seq)
                if total > PAGE:
                    progress("Bringing the vector index in step", sent, max(sent, total))
            if mark != since:
                self._vectors.set_watermark(mark)
            return sent

    def send_or_repair(self) -> None:
        """Bring the index up to date; when it fails, once more with a fresh connection, rebuilding if need be."""
        try:
            self.send()
        except StoreError:
            self._vectors.close()
            self.repair()

    def mend(self) -> None:
        """Make the index where it is gone from its server. Raises StoreAwayError while another process makes it."""
        if self._vectors.url and self._vectors.watermark is None:
            with self._writing:
                self._vectors.close()
                self.repair()

    def nearest(self, vectors: np.ndarray, n: int) -> list[list[tuple[str, float]]]:
        """For each vector the ``n`` nearest passages, id and cosine; an index that fails is repaired first."""
        self.read()
        try:
            return self._vectors.query(vectors, n)
        except StoreError:
            with self._writing:
                self._vectors.close()
                self.repair()
            return self._vectors.query(vectors, n)

    def read(self, progress: Progress = no_progress) -> None:
        """What was left out at the start: have Chroma read the index, and repair it when it is not sound."""
        if self.unread:
            with self._writing:
                self._read(progress)

    def _read(self, progress: Progress) -> None:
        if not self.unread:
            return  # another thread was faster
        try:
            sound = self._counts_agree(progress) and self._answers()
        except StoreError as error:
            if self._vectors.url and not isinstance(error, VectorsLostError):
                raise  # a server that is away is asked again by the next search
            sound = False
        self.unread = False
        if not sound:
            self._vectors.close()
            log.warning("The vector index is not sound and is put right. Searches wait for it.")
            self.repair(progress)

    def send_page(self) -> tuple[int, int]:
        """Send a page of what is missing and note what the index holds then; returns how many, and how many are left.

        Only what was stamped in small parts can be sent so: the rows of one stamp must fit into a page. When none can,
        nothing is sent, and ``send`` must do the rest.
        """
        with self.alone() as held:
            since = self._vectors.watermark if held else None
            if since is None:
                return 0, 0
            rows = self._changed_after((since, 2**62), PAGE)
            complete = [row for row in rows if row.changed != rows[-1].changed] if len(rows) == PAGE else []
            if not complete:
                return 0, 0
            self._put(complete)
            self._vectors.set_watermark(complete[-1].changed)
            return len(complete), self._changed_since(complete[-1].changed)

    def rebuild(self, progress: Progress = no_progress) -> int:
        """Make the index anew from the database; returns the number of passages in it."""
        with self._database.read() as connection:
            mark = watermark(connection)
        total = self.active()
        done = 0

        def batches() -> Iterator[list[Record]]:
            nonlocal done
            for rows in self._pages(passages.c.status == Status.ACTIVE.value, SENT):
                yield [to_record(row) for row in rows]
                done += len(rows)
                progress("Rebuilding the vector index", done, total)

        with self.alone(wait=True):
            self._vectors.rebuild(batches(), mark)
        return done

    def reembed(self, encoder: Encoder, model: str, progress: Progress = no_progress) -> int:
        """Encode every passage with another model, page by page; a process killed in between goes on where it was."""
        with self._database.read() as connection:
            other = passages.c.embedding_model != model
            total = connection.execute(select(func.count()).where(other)).scalar_one()
        done = 0
        for rows in self._pages(other, PAGE):
            new = encoder.encode([embedded_text(row.text, row.title) for row in rows])
            with self._database.write() as connection:
                mark = next_watermark(connection)
                for row, vector in zip(rows, new, strict=True):
                    connection.execute(
                        update(passages)
                        .where(passages.c.seq == row.seq)
                        .values(embedding=pack(vector), embedding_model=model, changed=mark)
                    )
            done += len(rows)
            progress("Reading passages with another model", done, total)
        with self._database.write() as connection:
            set_meta(connection, "embedding_model", model)
        return done

    def active(self) -> int:
        """Passages that belong into the index."""
        with self._database.read() as connection:
            return connection.execute(select(func.count()).where(passages.c.status == Status.ACTIVE.value)).scalar_one()

    def complete(self) -> bool:
        """Whether the index holds the last write."""
        with self._database.read() as connection:
            return self._vectors.watermark == watermark(connection)

    def _compare(self, progress: Progress) -> str | None:
        """Send what is missing; None when that is not enough. Removes what a rebuild has left that was killed."""
        if not self._vectors.url or self._database.dialect == "postgresql":  # else others may make one now
            self._vectors.drop_unfinished()
        since = self._vectors.watermark
        if since is None or not self._has_seen(since):
            return None
        sent = self.send(progress)
        if not self.unread and not (self._counts_agree(progress) and self._answers()):
            return None
        return f"{sent} changed passages were sent to the vector index" if sent else ""

    def _counts_agree(self, progress: Progress) -> bool:
        """Whether the index has as many vectors as there are active passages, both at one moment."""
        for _ in range(_ATTEMPTS):
            with self._database.read() as connection:
                mark, query = watermark(connection), select(func.count())
                active = connection.execute(query.where(passages.c.status == Status.ACTIVE.value)).scalar_one()
            if mark == self._vectors.watermark:
                return self._vectors.count() == active
            self.send(progress)
        return True  # other processes write all the time, and nothing speaks against the index

    def _rebuild_from_scratch(self, progress: Progress) -> str:
        done = self.rebuild(progress)
        return f"the vector index was rebuilt with {done} passages" if done else ""

    def _has_seen(self, mark: int) -> bool:
        """Whether the index's watermark is one this database gave out, as far as is known without reading all of it."""
        with self._database.read() as connection:
            if watermark(connection) == mark:
                return True
            stamped = select(passages.c.seq).where(passages.c.changed == mark).limit(1)
            return connection.execute(stamped).first() is not None

    def _answers(self) -> bool:
        """Whether the index has the vectors of the oldest and the newest passage.

        Its count comes from a table of its own and is right even when the vectors are gone. They are asked for by id:
        among many that are alike, a search does not find each by its own vector.
        """
        with self._database.read() as connection:
            query = select(passages.c.id, passages.c.embedding).where(passages.c.status == Status.ACTIVE.value).limit(1)
            ends = [
                connection.execute(query.order_by(order)).first()
                for order in (passages.c.seq.asc(), passages.c.seq.desc())
            ]
        probes = {row.id: unpack(row.embedding) for row in ends if row is not None}
        found = self._vectors.stored(list(probes)) if probes else {}
        return all(i in found and (not v.any() or float(found[i] @ v) > _SAME) for i, v in probes.items())

    def _put(self, rows: Sequence[Row[Any]]) -> None:
        self._vectors.upsert([to_record(row) for row in rows if row.status == Status.ACTIVE])
        self._vectors.delete([row.id for row in rows if row.status != Status.ACTIVE])

    def _changed_since(self, since: int) -> int:
        with self._database.read() as connection:
            return connection.execute(select(func.count()).where(passages.c.changed > since)).scalar_one()

    def _changed_after(self, last: tuple[int, int], size: int) -> list[Row[Any]]:
        place = tuple_(passages.c.changed, passages.c.seq)
        query = select(passages).where(place > tuple_(*last)).order_by(passages.c.changed, passages.c.seq).limit(size)
        with self._database.read() as connection:
            return list(connection.execute(query))

    def _pages(self, condition: Any, size: int) -> Iterator[list[Row[Any]]]:
        """The rows that meet the condition, so many at a time, each time in a transaction of its own."""
        last = 0
        while True:
            query = select(passages).where(condition, passages.c.seq > last).order_by(passages.c.seq).limit(size)
            with self._database.read() as connection:
                rows = list(connection.execute(query))
            if not rows:
                return
            yield rows
            last = rows[-1].seq
