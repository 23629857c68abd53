"""The injection model: one linear model over the character and word n-grams of a text and its vector."""

import threading
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ghost.errors import ModelError, WeightsDamagedError
from ghost.inference.base import Encoder
from ghost.inference.weights import HEAD, MANIFEST, ModelFolder

BITS = 18
"""The tables of n-gram weights have 2 to this power entries; n-grams with the same hash share one."""
SHORTEST, LONGEST = 2, 5
"""Length of the character n-grams."""
WORDS = 3
"""Longest word n-gram."""
DAMPING = 0.3
"""A sum over n-grams is divided by their number to this power, so that long texts do not stand out by length."""

_FACTOR = np.uint64(1_000_003)


@dataclass(frozen=True, slots=True)
class Weights:
    """The model: what ``weights.npz`` holds."""

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


class InjectionHead:
    """Says how much a text reads like an attempt to steer who judges it. Safe to share between threads."""

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        """Reads the manifest only.

        Raises WeightsMissingError, or WeightsDamagedError when ``encoder`` is not the one the weights were fitted on.
        """
        self._folder = ModelFolder.open(folder)
        manifest = self._folder.manifest
        if manifest.kind != "injection":
            raise WeightsDamagedError(f"{folder / MANIFEST} describes a {manifest.kind}, not an injection model.")
        if encoder.checksum != manifest.encoder:
            raise WeightsDamagedError(
                f"The injection model in {folder} was fitted on another encoder than {encoder.name}. Bring both back "
                "with `git checkout -- ghost/models`, or fit it again as training/README.md describes."
            )
        self.name = manifest.name
        self._encoder = encoder
        self._weights: Weights | None = None
        self._lock = threading.Lock()

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self._folder.checksum

    def suspects(self, text: str) -> bool:
        """Whether the text is over the line. Raises ModelError when the weights or the encoder cannot be read."""
        weights = self._load()
        score = ngram_score(weights, text)
        if score < weights.line[1]:
            return False
        return score + vector_score(weights, self._encoder.encode([text])[0]) >= float(weights.line[0])

    def _load(self) -> Weights:
        with self._lock:
            if self._weights is None:
                self._folder.verify()
                try:
                    with np.load(self._folder.path / HEAD, allow_pickle=False) as stored:
                        self._weights = Weights(**{name: stored[name] for name in Weights.__slots__})
                except (OSError, ValueError, KeyError) as error:
                    raise ModelError(f"{self._folder.path / HEAD} cannot be read as weights ({error}).") from error
            return self._weights


def ngram_score(weights: Weights, text: str) -> float:
    """The part of the score that needs no encoder, in logits."""
    chars, words = ngrams(text)
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


def ngrams(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Hashes of the character and of the word n-grams of a text, each once. Capitals and digits make no difference."""
    low = "".join("0" if char.isdecimal() else char for char in " ".join(text.lower().split()))
    codes = np.frombuffer(f" {low} ".encode("utf-32-le", "replace"), dtype=np.uint32)
    words = [zlib.crc32(word.encode("utf-8", "replace")) for word in ("^", *_words(low), "$")]
    return _hashes(codes, SHORTEST, LONGEST), _hashes(np.array(words, dtype=np.uint32), 1, WORDS)


def _words(low: str) -> list[str]:
    """Words, and each sign between them by itself."""
    return "".join(char if char.isalnum() or char == "_" else f" {char} " for char in low).split()


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
