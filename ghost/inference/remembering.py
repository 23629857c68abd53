"""Models that remember: one run reads the same statement and the same passages in several of its steps."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ghost.inference.base import Encoder, StanceReader
from ghost.types import Stance

KEPT = 256
"""Vectors that are remembered, less than half a megabyte of them."""
SHORT_CALL = 32
"""A longer list is a library being indexed, not a claim: it passes through and pushes nothing out."""
PIECE = 48
"""Pairs that are read at most before somebody who wants to stop is heard."""
FIRST_PIECE = 8
"""Before it is known how long this model takes; the large ones take a tenth of a second for a pair."""
PIECE_SECONDS = 0.3
"""What a piece should take."""


Shipped = Callable[[Sequence[str], str], Mapping[int, np.ndarray]]
"""By place in a list of texts: vectors that are known of an encoder with this checksum."""


class RememberingEncoder:
    """The same vectors as the encoder inside, which is asked once for each text. Safe to share between threads."""

    def __init__(self, encoder: Encoder, shipped: Shipped = lambda *_: {}) -> None:
        """A long list takes from ``shipped`` what is known already; a claim is always read with full precision."""
        self._encoder, self._shipped = encoder, shipped
        self.name = encoder.name
        self._known: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._encoder.dimensions

    @property
    def checksum(self) -> str:
        """Of the encoder inside."""
        return self._encoder.checksum

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, in the order given; the caller may change them. Raises ModelError."""
        if not 0 < len(texts) <= SHORT_CALL:
            return self._library(texts)
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        fresh = [text for text in dict.fromkeys(texts) if text not in found]
        if fresh:
            # Outside the lock: two threads may ask for the same text, which costs time but is never wrong.
            found |= zip(fresh, self._encoder.encode(fresh), strict=True)
        with self._lock:
            for text in dict.fromkeys(texts):
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return np.stack([found[text] for text in texts])

    def _library(self, texts: Sequence[str]) -> np.ndarray:
        found = dict(self._shipped(texts, self.checksum)) if texts else {}
        fresh = [i for i in range(len(texts)) if i not in found]
        vectors = self._encoder.encode([texts[i] for i in fresh])
        if not found:
            return vectors
        found |= zip(fresh, vectors, strict=True)
        return np.stack([found[i] for i in range(len(texts))])


class RememberingReader:
    """Keeps what it has read for as long as it lives, which is one run. For one thread."""

    def __init__(self, reader: StanceReader, check: Callable[[], None] = lambda: None, whole: bool = False) -> None:
        """``check`` is called now and then while much is read, and raises when nothing more is wanted.

        With ``whole`` everything that is asked at a time is read at a time.
        """
        self._reader = reader
        self._check = check
        self._read: dict[tuple[str, str], Stance] = {}
        self._whole = whole
        self._piece = FIRST_PIECE
        self.name = reader.name

    @property
    def checksum(self) -> str:
        """That of the reader behind it."""
        return self._reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given.

        A pair is read the same in any company, so reading in pieces changes no stance. Raises what ``check`` raises.
        """
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._read]
        # Pairs of like length together, as the model would group them itself: pieces then cost no time.
        new.sort(key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
        start = 0
        while start < len(new):
            if start:
                self._check()
            piece = new if self._whole else new[start : start + self._piece]
            began = time.perf_counter()
            self._read.update(zip(piece, self._reader.read(piece), strict=True))
            start += len(piece)
            self._piece = _next_piece(len(piece), time.perf_counter() - began)
        return [self._read[pair] for pair in pairs]


def _next_piece(read: int, seconds: float) -> int:
    """How many pairs take PIECE_SECONDS, where so many took so long."""
    return max(2, min(PIECE, int(read * PIECE_SECONDS / max(seconds, 1e-6))))
