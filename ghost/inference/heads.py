"""Linear models over n-grams: what type a claim is (with the vector of its text), and whether it is an injection."""

import math
import re
import threading
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from ghost.errors import ModelError, WeightsDamagedError
from ghost.inference.base import Encoder
from ghost.inference.weights import HEAD, MANIFEST, ModelFolder

BITS = 18
"""Hashes of n-grams have so many bits; n-grams with the same hash share a weight."""
SHORTEST, LONGEST = 1, 4
"""Length of the character n-grams."""
WORDS = 3
"""Longest word n-gram."""
CUE_BITS = 12
LONGEST_STEM = 14
DAMPING = 0.5
"""A sum over n-grams is divided by their number to this power, so that long texts do not stand out by length."""

_WORD = re.compile(r"[^\W_]+")
_FACTOR = np.uint64(1_000_003)


class _Head:
    """The folder of such a model. Safe to share between threads."""

    kind: str

    def __init__(self, folder: Path) -> None:
        """Reads the manifest only; raises WeightsMissingError or WeightsDamagedError."""
        self._folder = ModelFolder.open(folder)
        if self._folder.manifest.kind != self.kind:
            found = self._folder.manifest.kind
            raise WeightsDamagedError(f"{folder / MANIFEST} describes the kind {found}, not {self.kind}.")
        self.name = self._folder.manifest.name
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

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        """Raises WeightsDamagedError also when ``encoder`` is not the one the weights were fitted on."""
        super().__init__(folder)
        if encoder.checksum != self._folder.manifest.encoder:
            raise WeightsDamagedError(
                f"The model in {folder} was fitted on another encoder than {encoder.name}. Bring both back with "
                "`git checkout -- ghost/models`, or fit it again as training/README.md describes."
            )
        self._encoder = encoder

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
            logits[row] += weights[np.isin(known, found, assume_unique=True)].sum(axis=0) / len(found) ** DAMPING
        types = len(self.classes)
        return _softmax(logits[:, :types] / self._folder.manifest.temperature), _softmax(logits[:, types:])


@dataclass(frozen=True, slots=True)
class Weights:
    """The injection model: what its ``weights.npz`` holds."""

    chars: np.ndarray
    """Weight of each hash of a character n-gram, as int8; times ``scale[0]``."""
    words: np.ndarray
    """The same for words; times ``scale[1]``."""
    cues: np.ndarray
    """The same for cues; times ``scale[2]``."""
    stems: np.ndarray
    """Beginnings of telling words in many languages; with $ at the end, whole words."""
    kinds: np.ndarray
    """What each of them tells of, a letter a kind: a machine, a duty, a verdict."""
    scale: np.ndarray
    line: np.ndarray
    """The score from which on a text counts as an injection."""


class InjectionHead(_Head):
    """Says how much a text reads like an attempt to steer who judges it."""

    kind = "injection"

    def suspects(self, text: str, pieces: int = 1) -> bool:
        """Whether the text, one of so many ``pieces``, is over the line: the more there are, the less likely each is.

        Raises ModelError when the weights cannot be read.
        """
        weights, stems = self._weights
        return ngram_score(weights, stems, text) >= float(weights.line) + math.log(pieces)

    @cached_property
    def _weights(self) -> tuple[Weights, Mapping[str, str]]:
        weights = Weights(**self._stored)
        return weights, dict(zip(weights.stems.tolist(), weights.kinds.tolist(), strict=True))


def ngram_score(weights: Weights, stems: Mapping[str, str], text: str) -> float:
    """How much the text reads like an injection, in logits without the constant."""
    found = ((weights.chars, char_ngrams(text)), (weights.words, word_ngrams(text)), (weights.cues, cues(stems, text)))
    sums = (w[hashes].sum(dtype=np.int64) / damped(len(hashes)) for w, hashes in found)
    return float(np.dot(list(sums), weights.scale))


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


def cues(stems: Mapping[str, str], text: str) -> np.ndarray:
    """Hashes of the kinds of telling words: which a text has, which two of them, and which follow one another.

    They are the same in all languages, so that an order that was learned in one is known in another.
    """
    words = _WORD.findall(bare(text))
    row = ["^", *(kinds for word in words for kinds in _kinds(stems, word)), "$"]
    each = sorted(set("".join(row[1:-1])))
    found = {*each, *map("".join, combinations(each, 2))}
    found |= {"_".join(row[at : at + length]) for length in (2, 3) for at in range(len(row) - length + 1)}
    return np.unique(np.array([zlib.crc32(cue.encode()) % 2**CUE_BITS for cue in found]))


def bare(text: str) -> str:
    """Small letters without accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(char))


def _kinds(stems: Mapping[str, str], word: str) -> Iterator[str]:
    """Of a word the longest stem; in a script that runs words together, every longest stem from the left."""
    if whole := stems.get(word + "$"):
        yield whole
        return
    at = 0
    while at < len(word):
        end = next((end for end in range(min(len(word), at + LONGEST_STEM), at, -1) if word[at:end] in stems), 0)
        if end:
            yield stems[word[at:end]]
        at = len(word) if word[0] < "\u0590" else end or at + 1


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
