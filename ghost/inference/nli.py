"""A stance model that was made elsewhere, run on ONNX Runtime: any three-way NLI model."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ghost.errors import ModelError
from ghost.inference.nli_folder import NliFolder
from ghost.inference.session import OnnxModel
from ghost.inference.weights import sha256
from ghost.types import Stance, StanceLabel


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
        return weights_checksum(self._folder)

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
        return stances(logits, self._folder)


def stances(logits: np.ndarray, folder: NliFolder) -> list[Stance]:
    """From the outputs of a model, a row for each pair, to stances; raises ModelError for what is no number."""
    if not np.isfinite(logits).all():
        raise ModelError(
            f"The model {folder.name} gave numbers that are not finite, so its weights are damaged. {folder.remedy}"
        )
    powers = np.exp(logits - logits.max(axis=1, keepdims=True)) if len(logits) else logits
    shares = powers / powers.sum(axis=1, keepdims=True) if len(logits) else powers
    columns = [folder.columns.get(label) for label in StanceLabel]
    return [Stance(*(0.0 if c is None else float(row[c]) for c in columns)) for row in shares]


def weights_checksum(folder: NliFolder) -> str:
    """SHA-256 of the weights; read from the disk where it was not recorded."""
    recorded = folder.checksums.get(folder.weights.relative_to(folder.path).as_posix())
    return recorded or sha256(folder.weights, folder.remedy)
