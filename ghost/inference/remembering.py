"""An encoder that remembers its last vectors: one run reads the same statement in several of its steps."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from ghost.inference.base import Encoder

KEPT = 256
"""Vectors that are remembered, less than half a megabyte of them."""
SHORT_CALL = 32
"""A longer list is a library being indexed, not a claim: it passes through and pushes nothing out."""


class RememberingEncoder:
    """The same vectors as the encoder inside, which is asked once for each text. Safe to share between threads."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
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
            return self._encoder.encode(texts)
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
