"""The bundled models, opened once in a process of the tests and asked once for each text or pair of texts.

Every workbench opens them anew, which takes a second, and the same claims are checked over the same passages in many
tests. What a model says of a text does not depend on others, so it is said again. ``tests/inference`` asks each time.
"""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from config import PROJECT
from ghost.inference import session, sha256

MODELS = PROJECT / "ghost" / "models"
ROOM = 150_000_000
"""Bytes that a model's answers may take in memory: some thousand texts of the encoder, and all pairs."""
open_model, hash_file = session._open, sha256
_opened: dict[tuple[Path, int, int], tuple[Any, Any]] = {}
_hashed: dict[tuple[Path, int, int], str] = {}
_lock = threading.Lock()


class Remembering:
    """A session of ONNX Runtime that gives again what it gave for a text or a pair, as long as there is room."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._known: dict[tuple[bytes, ...], np.ndarray] = {}
        self._room = ROOM
        self.get_inputs = inner.get_inputs

    def run(self, names: Sequence[str] | None, inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """Run the rows that are new. Where a model has an output for each token, those of the padding are zero."""
        lengths = inputs["attention_mask"].sum(axis=1)
        keys = [tuple(array[row, :length].tobytes() for array in inputs.values()) for row, length in enumerate(lengths)]
        found = {key: self._known[key] for key in keys if key in self._known}
        new = [row for row, key in enumerate(keys) if key not in found]
        if new:
            longest = lengths[new].max()
            (output, *_) = self._inner.run(names, {name: array[new, :longest] for name, array in inputs.items()})
            for row, numbers in zip(new, output, strict=True):
                kept = numbers if output.ndim == 2 else numbers[: lengths[row]].copy()
                found[keys[row]] = kept
                if self._room > 0:
                    self._known[keys[row]] = kept
                    self._room -= kept.nbytes
        width = inputs["attention_mask"].shape[1]
        rows = [found[key] for key in keys]
        if rows[0].ndim == 1:
            return [np.stack(rows)]
        return [np.stack([np.pad(row, ((0, width - len(row)), (0, 0))) for row in rows])]


def hash_once(file: Path, remedy: str = "") -> str:
    """In the place of what hashes a file: that of a bundled model is hashed once, as long as it is not touched."""
    if not (file.is_relative_to(MODELS) and file.is_file()):
        return hash_file(file, remedy)
    key = _state(file)
    if key not in _hashed:
        _hashed[key] = hash_file(file, remedy)
    return _hashed[key]


def _state(file: Path) -> tuple[Path, int, int]:
    about = file.stat()
    return file, about.st_mtime_ns, about.st_size


def open_once(files: session.OnnxFiles) -> tuple[Any, Any]:
    """In the place of what opens a model: a bundled one is opened the first time only."""
    if not files.weights.is_relative_to(MODELS):
        return open_model(files)
    key = _state(files.weights)
    with _lock:
        if key not in _opened:
            tokenizer, inner = open_model(files)
            _opened[key] = tokenizer, Remembering(inner)
        return _opened[key]
