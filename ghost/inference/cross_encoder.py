"""The bundled cross-encoder: reads a passage against a statement."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ghost.errors import WeightsDamagedError
from ghost.inference.session import OnnxModel
from ghost.inference.weights import MANIFEST, ModelFolder
from ghost.types import Stance, StanceLabel


class OnnxCrossEncoder:
    """Stance and relevance of (passage text, statement text) pairs. Safe to share between threads."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """Reads the manifest only; the weights are loaded at the first use. ``threads`` 0 takes all cores.

        Raises WeightsMissingError or WeightsDamagedError.
        """
        self._folder = ModelFolder.open(folder)
        classes = self._folder.manifest.classes or ()
        if sorted(classes) != sorted(StanceLabel):
            raise WeightsDamagedError(
                f"{folder / MANIFEST} does not describe a stance model: its classes are not {', '.join(StanceLabel)} "
                f"but {', '.join(classes) or 'none'}."
            )
        self.name = self._folder.manifest.name
        self._columns = [classes.index(label) for label in StanceLabel]
        self._model = OnnxModel(self._folder, threads)

    @property
    def checksum(self) -> str:
        """SHA-256 of ``model.onnx``."""
        return self._folder.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given.

        The stance of a pair does not depend on the other pairs. Raises ModelError when the model cannot be loaded or
        run.
        """
        return [Stance(*row) for row in self._probabilities(pairs).tolist()]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Relevance 0..1 of each pair: the probability that the passage is on the statement's topic at all."""
        return [stance.relevance for stance in self.read(pairs)]

    def _probabilities(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Shape (len(pairs), 4) in the order of StanceLabel; rows sum to one."""
        logits = np.empty((len(pairs), len(self._columns)), dtype=np.float64)
        for batch in self._model.run(pairs):
            logits[batch.rows] = batch.output[:, self._columns]
        logits /= self._folder.manifest.temperature
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
