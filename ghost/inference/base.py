"""What the other rooms need of a small model, whatever runs it, and how any text is made one that a model can take."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ghost.types import Stance

MAX_CHARS = 20_000
"""A text is cut here before it is tokenised. No real text fills 512 tokens with that many characters."""
_FORMS = re.compile(
    "(?![0-9])\\d|[\ufb00-\ufb06\uff01-\uff5e\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf]"
)
"""Digits of any script, in rings and brackets, ligatures and full-width forms.

The same signs to a reader, and unknown to a vocabulary.
"""


class Encoder(Protocol):
    """Turns texts into vectors."""

    name: str

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, or of what identifies them."""
        ...

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimensions), in the order given."""
        ...


class StanceReader(Protocol):
    """Reads a passage against a statement."""

    name: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, or of what identifies them."""
        ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        ...


class RelevanceScorer(Protocol):
    """Scores how much a passage bears on a statement; any sentence-transformers cross-encoder can be one."""

    name: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, or of what identifies them."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Relevance 0..1 of each (passage text, statement text), in the order given."""
        ...


def readable(text: str) -> str:
    """``text`` as a model knows it: without runs of blanks and what is beyond MAX_CHARS.

    Lone surrogates become ``?``, digits of other scripts 0 to 9, and ligatures and full-width forms plain letters. A
    raised or lowered digit stays: 10⁶ is not 106.
    """
    plain = " ".join(text.split())[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
    return plain if plain.isascii() else _FORMS.sub(_plain, plain)


def _plain(found: re.Match[str]) -> str:
    sign = found[0]
    if sign.isdecimal() or (sign >= "\u2460" and unicodedata.category(sign) == "No"):
        return f"{unicodedata.numeric(sign):g}"
    return unicodedata.normalize("NFKC", sign)
