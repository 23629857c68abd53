"""The claim classifier: two linear models over a sentence vector and a few numbers about the sentence."""

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ghost.errors import ModelError, WeightsDamagedError
from ghost.inference.base import Encoder
from ghost.inference.weights import HEAD, MANIFEST, ModelFolder


@dataclass(frozen=True, slots=True)
class _Weights:
    types: np.ndarray
    worth: np.ndarray
    scale: np.ndarray
    """What the vector and the other numbers are multiplied with."""


class ClaimHead:
    """Vectors and style in, probabilities out. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """Reads the manifest only. Raises WeightsMissingError or WeightsDamagedError."""
        self._folder = ModelFolder.open(folder)
        manifest = self._folder.manifest
        if manifest.kind != "claim-types":
            raise WeightsDamagedError(f"{folder / MANIFEST} describes a {manifest.kind}, not claim types.")
        self.name = manifest.name
        self.classes = manifest.classes or ()
        self.inputs = manifest.inputs or ()
        self._weights: _Weights | None = None
        self._lock = threading.Lock()

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self._folder.checksum

    def check_encoder(self, encoder: Encoder) -> None:
        """Raises WeightsDamagedError when ``encoder`` is not the one that the weights were fitted on."""
        if encoder.checksum != self._folder.manifest.encoder:
            raise WeightsDamagedError(
                f"The claim classifier in {self._folder.path} was fitted on another encoder than {encoder.name}. Bring "
                "both back with `git checkout -- ghost/models`, or fit it again as training/README.md describes."
            )

    def predict(self, vectors: np.ndarray, style: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities of ``classes`` and of check-worthiness 0, 1, 2, one row for each text.

        Raises ModelError when the weights cannot be read.
        """
        weights = self._load()
        design = np.hstack(
            [vectors * weights.scale[0], style * weights.scale[1], np.ones((len(vectors), 1), dtype=np.float32)]
        )
        return _softmax(design @ weights.types / self._folder.manifest.temperature), _softmax(design @ weights.worth)

    def _load(self) -> _Weights:
        with self._lock:
            if self._weights is None:
                self._folder.verify()
                try:
                    with np.load(self._folder.path / HEAD, allow_pickle=False) as stored:
                        self._weights = _Weights(stored["types"], stored["worth"], stored["scale"])
                except (OSError, ValueError, KeyError) as error:
                    raise ModelError(f"{self._folder.path / HEAD} cannot be read as weights ({error}).") from error
            return self._weights


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
