"""The models that run on ONNX Runtime: the bundled encoder and cross-encoders, and stance models made elsewhere."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from ghost.errors import ModelError, WeightsDamagedError
from ghost.inference.nli_folder import NliFolder
from ghost.inference.session import OnnxModel
from ghost.inference.weights import MANIFEST, ModelFolder
from ghost.types import Stance, StanceLabel


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


class NliReader:
    """Stances from entailment, contradiction and neutral. Safe to share between threads.

    The passage is the premise and the statement the hypothesis. Where the model has no off-topic class, its
    probability is 0: whether a passage is on the topic must be asked of another model.
    """

    def __init__(self, folder: NliFolder, threads: int = 0) -> None:
        """Nothing is loaded yet. ``threads`` 0 takes all cores."""
        self.name = folder.name
        self._folder = folder
        self._model = OnnxModel(folder, threads, alone=True)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the ONNX file: as recorded when it was fetched, else of what is there now."""
        return self._folder.weights_checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given, whatever the other pairs are.

        Raises ModelError when the model cannot be loaded or run, or gives no usable numbers.
        """
        logits = np.empty((len(pairs), len(self._folder.columns)), dtype=np.float64)
        for batch in self._model.run(pairs):
            if batch.output.ndim != 2 or batch.output.shape[1] != logits.shape[1]:
                given = " x ".join(map(str, batch.output.shape[1:])) or "no"
                raise ModelError(
                    f"{self._folder.weights} gives {given} numbers for a pair of texts, but config.json names "
                    f"{logits.shape[1]} classes: the two files do not belong together. {self._folder.remedy}"
                )
            logits[batch.rows] = batch.output
        return self._folder.stances(logits)
