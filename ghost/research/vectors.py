"""Memories found by meaning. Their vectors are kept in the database and held in one matrix, read again as it grows."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ghost.inference import Encoder
from ghost.knowledge import pack, unpack
from ghost.records import MemoryStore, Remembered

_AT_ONCE = 512
"""Memories that are encoded before one search, where another encoder has made their vectors: the rest follow later."""


@dataclass(frozen=True, slots=True)
class Near:
    """A memory and its cosine with what was looked for."""

    id: str
    cosine: float


class MemoryVectors:
    """The vectors of one kind of memory. Safe to use from any thread."""

    def __init__(self, store: MemoryStore, kind: Remembered, encoder: Encoder) -> None:
        self._store = store
        self._kind = kind
        self._encoder = encoder
        self.model = f"{encoder.name}@{encoder.checksum[:12]}"[:200]
        """The encoder, as stored vectors name it."""
        self._lock = threading.Lock()
        self._mark = (0, 0)
        self._ids: list[str] = []
        self._matrix = np.zeros((0, encoder.dimensions), dtype=np.float32)

    def nearest(self, vectors: np.ndarray, n: int) -> list[list[Near]]:
        """For each vector the ``n`` nearest memories, nearest first. Raises StoreError and ModelError."""
        ids, matrix = self._current()
        if not ids:
            return [[] for _ in vectors]
        cosines = vectors @ matrix.T
        n = min(n, len(ids))
        best = np.argpartition(-cosines, n - 1, axis=1)[:, :n]
        return [
            [Near(ids[i], float(row[i])) for i in chosen[np.argsort(-row[chosen], kind="stable")]]
            for row, chosen in zip(cosines, best, strict=True)
        ]

    def _current(self) -> tuple[Sequence[str], np.ndarray]:
        """Ids and matrix as the database has them: what came in is added, and all is read where something went."""
        with self._lock:
            mark = self._store.mark(self._kind)
            if mark == self._mark:
                return self._ids, self._matrix
            missing = self._store.without_vectors(self._kind, self.model, _AT_ONCE)
            if missing:
                made = self._encoder.encode(list(missing.values()))
                self._store.set_vectors(
                    self._kind, self.model, {seq: pack(v) for seq, v in zip(missing, made, strict=True)}
                )
            rows = self._store.vectors(self._kind, self.model, 0 if missing else self._mark[1])
            if missing or len(self._ids) + len(rows) != mark[0]:
                rows, self._ids = self._store.vectors(self._kind, self.model), []
                self._matrix = self._matrix[:0]
            if rows:
                added = np.stack([unpack(row.embedding) for row in rows]).astype(np.float32)
                self._ids = [*self._ids, *(row.id for row in rows)]
                self._matrix = np.concatenate([self._matrix, added])
            whole = len(self._ids) == mark[0]
            self._mark = mark if whole else (len(self._ids), rows[-1].seq if rows else self._mark[1])
            return self._ids, self._matrix
