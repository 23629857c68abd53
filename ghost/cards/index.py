"""Finding cards by meaning and by words. The vectors are in a Chroma collection of their own, never beside passages.

The collection holds nothing that the database does not have: it can be deleted at any time and is made again.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from sqlalchemy import Row, func, select, tuple_, update

from ghost.errors import StoreError
from ghost.inference import Encoder
from ghost.knowledge import Progress, Record, VectorIndex, fuse, no_progress, pack, telling_words, unpack
from ghost.records import Database, cards_watermark, claim_cards, next_card_mark, word_index

COLLECTION = "claim_cards"
_PAGE = 256
_AT_ONCE = 256
"""Cards that are encoded at most before a search is answered: a few seconds' work. After a large import the rest
follows with the next searches, or at the next start; until then words alone find them."""
_SAME = 0.99
"""Cosine from which a vector found is the one looked for, halved precision allowed for."""
_FETCHED = 50
"""Candidates by meaning, and as many by words."""


@dataclass(frozen=True, slots=True)
class Near:
    """A card that a search has found."""

    id: str
    cosine: float
    """Of the question and the card's claim."""


class CardIndex:
    """Keeps vectors of all cards that are not retired, and searches them. Safe to use from any thread."""

    def __init__(self, database: Database, vectors: VectorIndex, encoder: Encoder) -> None:
        self._database = database
        self._vectors = vectors
        self._encoder = encoder
        self._sending = threading.RLock()
        self._sent = -1
        """Up to which write of the database the collection is complete, as far as this process knows."""
        self._behind = False
        """Whether there are cards that were not encoded yet."""

    def repair(self, progress: Progress = no_progress) -> None:
        """Encode what was not, and put the collection right where it does not hold what the database says."""
        with self._sending, self._database.locked("cards"):
            while self._encode_missing(progress):
                pass
            try:
                if not self._vectors.url or self._database.dialect == "postgresql":  # else others may make one now
                    self._vectors.drop_unfinished()
                since = self._vectors.watermark
                if since is not None:
                    self._send(since)
                whole = since is not None and self._vectors.count() == self._count() and self._answers()
            except StoreError:
                whole = False
                self._vectors.close()
            if not whole:
                self._rebuild()

    def catch_up(self) -> None:
        """Bring the collection up to date, or nearer to it; costs one look at the database when it is."""
        with self._database.read() as connection:
            mark = cards_watermark(connection)
        if mark == self._sent and not self._behind:
            return
        with self._sending, self._database.locked("cards"):
            try:
                self._behind = self._encode_missing(no_progress)
                since = self._vectors.watermark
                if since is None:
                    self._rebuild()
                else:
                    self._send(since)
            except StoreError:
                self._vectors.close()
                self.repair()

    def search(self, question: str, n: int, as_of: date | None = None) -> list[Near]:
        """The ``n`` cards that match best, best first; only those that answer as of the same day."""
        if not question.strip() or n < 1:
            return []
        self.catch_up()
        (vector,) = self._encoder.encode([question])
        dense = self._nearest(vector)
        with self._database.read() as connection:
            c = claim_cards.c
            fitting = (~c.retired, c.as_of.is_not_distinct_from(as_of))
            index = word_index(connection, claim_cards)
            lexical = index.best(connection, telling_words(question), fitting, _FETCHED)
            ids = [i for i, _ in (*dense, *lexical)]
            query = select(c.id, c.embedding).where(c.id.in_(ids), *fitting)
            cosines = {row.id: _cosine(row.embedding, vector) for row in connection.execute(query)}
        return [Near(f.id, cosines[f.id]) for f in fuse(dense, lexical, cosines)[:n]]

    def _nearest(self, vector: np.ndarray) -> list[tuple[str, float]]:
        try:
            return self._vectors.query(vector[None, :], _FETCHED)[0]
        except StoreError:
            self._vectors.close()
            self.repair()
            return self._vectors.query(vector[None, :], _FETCHED)[0]

    def _count(self) -> int:
        """Cards that belong into the collection."""
        with self._database.read() as connection:
            return connection.execute(select(func.count()).where(~claim_cards.c.retired)).scalar_one()

    def _answers(self) -> bool:
        """Whether the collection finds the newest card by its own vector; its count is right also without vectors."""
        newest = select(claim_cards.c.id, claim_cards.c.embedding).where(~claim_cards.c.retired)
        with self._database.read() as connection:
            row = connection.execute(newest.order_by(claim_cards.c.seq.desc()).limit(1)).first()
        if row is None or not (vector := unpack(row.embedding)).any():
            return True
        found = self._vectors.query(vector[None, :], _FETCHED)[0]
        return bool(found) and found[0][1] > _SAME

    def _encode_missing(self, progress: Progress) -> bool:
        """Give vectors to cards that have none, or those of another model; returns whether there are more of them."""
        c, model = claim_cards.c, self._vectors.model
        with self._database.read() as connection:
            other = c.embedding_model != model
            total = connection.execute(select(func.count()).where(other)).scalar_one()
            rows = connection.execute(select(c.seq, c.claim).where(other).order_by(c.seq).limit(_AT_ONCE)).all()
        if not rows:
            return False
        vectors = self._encoder.encode([row.claim for row in rows])
        with self._database.write() as connection:
            mark = next_card_mark(connection)
            for row, vector in zip(rows, vectors, strict=True):
                # Unless its claim was edited meanwhile: then it is encoded in the next turn.
                same = update(claim_cards).where(c.seq == row.seq, c.claim == row.claim)
                connection.execute(same.values(embedding=pack(vector), embedding_model=model, changed=mark))
        progress("Reading claim cards", len(rows), total)
        return total > len(rows)

    def _send(self, since: int) -> None:
        """Send every card that was changed after this mark."""
        with self._database.read() as connection:
            mark = cards_watermark(connection)
        for rows in self._pages(since):
            self._vectors.upsert([_record(row) for row in rows if not row.retired])
            self._vectors.delete([row.id for row in rows if row.retired])
        if mark != since:
            self._vectors.set_watermark(mark)
        self._sent = mark

    def _rebuild(self) -> None:
        with self._database.read() as connection:
            mark = cards_watermark(connection)
        pages = ([_record(row) for row in rows if not row.retired] for rows in self._pages(-1))
        self._vectors.rebuild(pages, mark)
        self._sent = mark

    def _pages(self, since: int) -> Iterator[Sequence[Any]]:
        """The encoded cards changed after this mark, oldest change first."""
        c = claim_cards.c
        columns = (c.seq, c.id, c.changed, c.claim, c.origin, c.retired, c.embedding)
        last = (since, 2**62)
        while True:
            place = tuple_(c.changed, c.seq)
            query = select(*columns).where(place > tuple_(*last), c.embedding_model != "")
            with self._database.read() as connection:
                rows = connection.execute(query.order_by(c.changed, c.seq).limit(_PAGE)).all()
            if not rows:
                return
            yield rows
            last = (rows[-1].changed, rows[-1].seq)


def _record(row: Row[Any]) -> Record:
    return Record(row.id, unpack(row.embedding), row.claim, {"origin": row.origin})


def _cosine(embedding: bytes, vector: np.ndarray) -> float:
    return float(unpack(embedding) @ vector) if embedding else 0.0
