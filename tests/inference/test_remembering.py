"""The memory in front of the encoder."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ghost.inference.remembering import KEPT, SHORT_CALL, RememberingEncoder
from ghost.testing import HashingEncoder


class Counting(HashingEncoder):
    """Counts how often each text was encoded."""

    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return super().encode(texts)


def test_a_text_is_encoded_once_and_its_vector_is_the_same():
    inner = Counting()
    encoder = RememberingEncoder(inner)
    first = encoder.encode(["Oslo is old", "Rome is older"])
    again = encoder.encode(["Rome is older", "Lima is young", "Oslo is old", "Oslo is old"])
    assert inner.asked == ["Oslo is old", "Rome is older", "Lima is young"]
    assert np.array_equal(again[[2, 0]], first)
    assert np.array_equal(again, HashingEncoder(16).encode(["Rome is older", "Lima is young", *["Oslo is old"] * 2]))


def test_it_is_the_encoder_inside():
    inner = HashingEncoder(16)
    encoder = RememberingEncoder(inner)
    assert (encoder.name, encoder.checksum, encoder.dimensions) == (inner.name, inner.checksum, 16)
    assert encoder.encode([]).shape == inner.encode([]).shape


def test_what_the_caller_does_to_a_vector_stays_with_the_caller():
    encoder = RememberingEncoder(HashingEncoder(16))
    vectors = encoder.encode(["Oslo"])
    before = vectors.copy()
    vectors[:] = 0
    assert np.array_equal(encoder.encode(["Oslo"]), before)


def test_a_library_passes_through_and_old_texts_are_forgotten():
    inner = Counting()
    encoder = RememberingEncoder(inner)
    library = [f"passage {n}" for n in range(SHORT_CALL + 1)]
    encoder.encode(library)
    encoder.encode(library)
    assert len(inner.asked) == 2 * len(library)
    for n in range(KEPT + 1):
        encoder.encode([f"claim {n}"])
    inner.asked.clear()
    encoder.encode([f"claim {KEPT}"])
    assert not inner.asked
    encoder.encode(["claim 0"])
    assert inner.asked == ["claim 0"]


def test_threads_share_it():
    encoder = RememberingEncoder(HashingEncoder(16))
    texts = [[f"claim {n % 7}", f"claim {n % 5}"] for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(encoder.encode, texts))
    assert all(np.array_equal(f, HashingEncoder(16).encode(t)) for f, t in zip(found, texts, strict=True))
