"""The memories in front of the encoder and of the stance model."""

import time
from collections.abc import Sequence

import numpy as np
import pytest

from ghost.errors import Cancelled
from ghost.inference import OnnxCrossEncoder, RememberingEncoder, RememberingReader
from ghost.testing import SUPPORTING, HashingEncoder, ScriptedReader
from ghost.types import Stance


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


def test_a_library_passes_through_and_old_texts_are_forgotten():
    inner = Counting()
    encoder = RememberingEncoder(inner)
    library = [f"passage {n}" for n in range(33)]
    encoder.encode(library)
    encoder.encode(library)
    assert len(inner.asked) == 2 * len(library)
    for n in range(257):
        encoder.encode([f"claim {n}"])
    inner.asked.clear()
    encoder.encode(["claim 256"])
    assert not inner.asked
    encoder.encode(["claim 0"])
    assert inner.asked == ["claim 0"]


FIRST_PIECE, PIECE = 8, 48
PAIRS = [(f"Passage {n}: " + "the tower was finished late. " * (n % 7), f"Tower {n % 3} is old.") for n in range(120)]


def test_a_pair_is_read_once_and_all_come_back_in_the_order_given():
    asked = []

    def answer(text: str, statement: str) -> Stance:
        asked.append((text, statement))
        return Stance(len(text) / 1000, len(statement) / 1000, 0.1, 0.1)

    reader = RememberingReader(ScriptedReader(answer))
    twice = [*PAIRS, *reversed(PAIRS)]
    assert reader.read(twice) == ScriptedReader(answer).read(twice)
    asked.clear()
    assert reader.read([]) == []
    reader.read(PAIRS)
    assert not asked


def test_who_wants_to_stop_is_heard_between_the_pieces_and_what_was_read_is_kept():
    inner, stopped = ScriptedReader(lambda text, statement: SUPPORTING), []

    def check() -> None:
        if stopped:
            raise Cancelled("The run was cancelled.")

    reader = RememberingReader(inner, check)
    reader.read(PAIRS[: PIECE + 1])
    stopped.append(True)
    with pytest.raises(Cancelled):
        reader.read(PAIRS)
    assert inner.pairs_read == PIECE + 1 + PIECE
    stopped.clear()
    assert len(reader.read(PAIRS)) == len(PAIRS)
    assert inner.pairs_read == len(PAIRS)


def test_a_slow_model_is_interrupted_as_soon_as_a_quick_one():
    pieces = []

    class Slow(ScriptedReader):
        def read(self, pairs):
            pieces.append(len(pairs))
            time.sleep(0.06 * len(pairs))
            return super().read(pairs)

    RememberingReader(Slow(lambda *_: SUPPORTING)).read(PAIRS[:20])
    assert pieces[0] == FIRST_PIECE
    assert max(pieces[1:]) <= 5


def test_the_model_reads_the_same_in_pieces_to_the_last_bit(reader: OnnxCrossEncoder):
    assert RememberingReader(reader).read(PAIRS) == reader.read(PAIRS)
