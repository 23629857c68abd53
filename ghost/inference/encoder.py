"""The bundled encoder: texts in, unit vectors out."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ghost.errors import WeightsDamagedError
from ghost.inference.session import OnnxModel
from ghost.inference.weights import MANIFEST, ModelFolder


class OnnxEncoder:
    """Mean-pooled, normalised token vectors, as sentence-transformers makes them. Safe to share between threads."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """Reads the manifest only; the weights are loaded at the first use. ``threads`` 0 takes all cores.

        Raises WeightsMissingError or WeightsDamagedError.
        """
        self._folder = ModelFolder.open(folder)
        dimensions = self._folder.manifest.dimensions
        if self._folder.manifest.kind != "encoder" or dimensions is None:
            raise WeightsDamagedError(f"{folder / MANIFEST} describes a {self._folder.manifest.kind}, not an encoder.")
        self.name = self._folder.manifest.name
        self.dimensions = dimensions
        self._model = OnnxModel(self._folder, threads)

    @property
    def checksum(self) -> str:
        """SHA-256 of ``model.onnx``."""
        return self._folder.checksum

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimensions), in the order given.

        The vector of a text does not depend on the other texts. Any text has one, the empty text too.
        Raises ModelError when the model cannot be loaded or run.
        """
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for batch in self._model.run(texts):
            weights = batch.mask[:, :, None].astype(np.float32)
            mean = (batch.output * weights).sum(axis=1) / weights.sum(axis=1)
            vectors[batch.rows] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors
