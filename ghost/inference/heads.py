"""Linear models over the vector of a text and its n-grams: what type a claim is, and whether a text is an injection."""

import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ghost.errors import ModelError, WeightsDamagedError
from ghost.inference.base import Encoder
from ghost.inference.weights import HEAD, MANIFEST, ModelFolder

BITS = 18
"""Hashes of n-grams have so many bits; n-grams with the same hash share a weight."""
SHORTEST, LONGEST = 2, 5
"""Length of the character n-grams."""
WORDS = 3
"""Longest word n-gram."""
DAMPING = 0.3
"""A sum over n-grams is divided by their number to this power, so that long texts do not stand out by length."""
CLAIM_DAMPING = 0.5

_FACTOR = np.uint64(1_000_003)


class _Head:
    """The folder of such a model, and the encoder that it was fitted on. Safe to share between threads."""

    kind: str

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        """Reads the manifest only.

        Raises WeightsMissingError, or WeightsDamagedError when ``encoder`` is not the one the weights were fitted on.
        """
        self._folder = ModelFolder.open(folder)
        manifest = self._folder.manifest
        if manifest.kind != self.kind:
            raise WeightsDamagedError(f"{folder / MANIFEST} describes the kind {manifest.kind}, not {self.kind}.")
        if encoder.checksum != manifest.encoder:
            raise WeightsDamagedError(
                f"The model in {folder} was fitted on another encoder than {encoder.name}. Bring both back with "
                "`git checkout -- ghost/models`, or fit it again as training/README.md describes."
            )
        self.name = manifest.name
        self._encoder = encoder
        self._lock = threading.Lock()

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self._folder.checksum

    @cached_property
    def _stored(self) -> dict[str, np.ndarray]:
        with self._lock:
            self._folder.verify()
            try:
                with np.load(self._folder.path / HEAD, allow_pickle=False) as stored:
                    return dict(stored)
            except (OSError, ValueError) as error:
                raise ModelError(f"{self._folder.path / HEAD} cannot be read as weights ({error}).") from error


class ClaimHead(_Head):
    """Says what type of claim a text is, and how much a check of it is worth."""

    kind = "claim-types"

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the claim types, in the order of their probabilities."""
        return self._folder.manifest.classes or ()

    def read(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities of ``classes`` and of check-worthiness 0, 1, 2, one row for each text; raises ModelError."""
        known, weights = self._stored["ngrams"], self._stored["weights"].astype(np.float32)
        vector = self._stored["vector"]
        logits = self._encoder.encode(texts) @ vector[:-1] + vector[-1]
        for row, text in enumerate(texts):
            found = word_ngrams(text)
            logits[row] += weights[np.isin(known, found, assume_unique=True)].sum(axis=0) / len(found) ** CLAIM_DAMPING
        types = len(self.classes)
        return _softmax(logits[:, :types] / self._folder.manifest.temperature), _softmax(logits[:, types:])


@dataclass(frozen=True, slots=True)
class Weights:
    """The injection model: what its ``weights.npz`` holds."""

    chars: np.ndarray
    """Weight of each hash of a character n-gram, as int8; times ``scale[0]``."""
    words: np.ndarray
    """The same for words; times ``scale[1]``."""
    vector: np.ndarray
    """Weights of the encoder's vector, then the constant."""
    scale: np.ndarray
    line: np.ndarray
    """The score from which on a text counts as an injection, and the score of the n-grams alone below which the vector
    is not looked at."""


class InjectionHead(_Head):
    """Says how much a text reads like an attempt to steer who judges it."""

    kind = "injection"

    def suspects(self, text: str) -> bool:
        """Whether the text is over the line. Raises ModelError when the weights or the encoder cannot be read."""
        weights = self._weights
        score = ngram_score(weights, text)
        if score < weights.line[1]:
            return False
        return score + vector_score(weights, self._encoder.encode([text])[0]) >= float(weights.line[0])

    @cached_property
    def _weights(self) -> Weights:
        return Weights(**self._stored)


def ngram_score(weights: Weights, text: str) -> float:
    """The part of the score that needs no encoder, in logits."""
    chars, words = char_ngrams(text), word_ngrams(text)
    return float(
        weights.chars[chars].sum(dtype=np.int64) * weights.scale[0] / damped(len(chars))
        + weights.words[words].sum(dtype=np.int64) * weights.scale[1] / damped(len(words))
    )


def vector_score(weights: Weights, vector: np.ndarray) -> float:
    """The part of the score that comes from the vector of the text, and the constant."""
    return float(vector.astype(np.float64) @ weights.vector[:-1] + weights.vector[-1])


def damped(count: int) -> float:
    """What a sum over ``count`` n-grams is divided by."""
    return float(max(count, 1) ** DAMPING)


def char_ngrams(text: str) -> np.ndarray:
    """Hashes of the character n-grams of a text, each once. Capitals and digits make no difference."""
    codes = np.frombuffer(f" {_plain(text)} ".encode("utf-32-le", "replace"), dtype=np.uint32)
    return _hashes(codes, SHORTEST, LONGEST)


def word_ngrams(text: str) -> np.ndarray:
    """The same of words, with each sign between them by itself, and of the beginning and the end of the text."""
    spaced = "".join(char if char.isalnum() or char == "_" else f" {char} " for char in _plain(text))
    words = [zlib.crc32(word.encode("utf-8", "replace")) for word in ("^", *spaced.split(), "$")]
    return _hashes(np.array(words, dtype=np.uint32), 1, WORDS)


def _plain(text: str) -> str:
    return "".join("0" if char.isdecimal() else char for char in " ".join(text.lower().split()))


def _hashes(codes: np.ndarray, shortest: int, longest: int) -> np.ndarray:
    found = []
    rolling = np.zeros(len(codes), dtype=np.uint64)
    for length in range(1, min(longest, len(codes)) + 1):
        rolling = rolling[: len(codes) - length + 1] * _FACTOR + codes[length - 1 :]
        if length >= shortest:
            mixed = (rolling + np.uint64(length)) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
            found.append((mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(64 - BITS))
    return np.unique(np.concatenate(found)).astype(np.int64) if found else np.zeros(0, dtype=np.int64)


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
