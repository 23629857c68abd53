"""Vectors that ship with the texts they belong to, so that a first start does not compute them."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from ghost.inference.base import Encoder

_KEY = 16
"""Bytes of the SHA-256 of a text by which its vector is found."""


class ShippedVectors:
    """A file of vectors, read at the first use. Safe to share between threads.

    A file that is missing, damaged or of another encoder has no vectors: they are then computed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def sources(self) -> frozenset[str]:
        """Digests of the files that the texts were taken from."""
        return frozenset(self._read("sources").tolist())

    @cached_property
    def _vectors(self) -> dict[bytes, np.ndarray]:
        keys, vectors = self._read("keys"), self._read("vectors").astype(np.float32)
        return {key.tobytes(): vector for key, vector in zip(keys, vectors, strict=False)}

    def _read(self, name: str) -> np.ndarray:
        try:
            with self.path.open("rb") as file, np.load(file) as kept:
                return np.asarray(kept[name])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return np.empty(0)

    def find(self, texts: Sequence[str], checksum: str) -> dict[int, np.ndarray]:
        """By place in the list: vectors that the encoder with this checksum gave these texts, in halved precision."""
        known = self._vectors if checksum in self._read("encoder").tolist() else {}
        return {i: known[key] for i, text in enumerate(texts) if (key := _key(text)) in known}

    def write(self, encoder: Encoder, texts: Iterable[str], sources: Iterable[str]) -> None:
        """Make the file anew. Raises ModelError and OSError."""
        texts = list(dict.fromkeys(texts))
        np.savez(
            self.path,
            encoder=[encoder.checksum],
            sources=sorted(sources),
            keys=np.frombuffer(b"".join(map(_key, texts)), dtype=np.uint8).reshape(-1, _KEY),
            vectors=encoder.encode(texts).astype("<f2"),
        )


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY]
