"""The training pairs: how many words are shared tells nothing of the side."""

import random
from collections import Counter

from training.pairs import Pair, evened, shared_words

COPIED, TOLD = (
    Pair("The mill burned.", "The mill burned", "", "x"),
    Pair("It was destroyed.", "The mill burned", "", "x"),
)


def labelled(pair: Pair, label: str, count: int) -> list[Pair]:
    return [Pair(pair.evidence, pair.claim, label, str(i)) for i in range(count)]


def test_shared_words_are_a_part_of_those_of_the_claim() -> None:
    assert shared_words(COPIED) == 1.0
    assert shared_words(TOLD) == 0.0
    assert shared_words(Pair("The mill.", "The mill burned on Sunday night", "", "x")) == 2 / 5
    assert shared_words(Pair("", "?", "", "x")) == 0.0


def test_in_each_tenth_of_shared_words_either_side_is_as_frequent() -> None:
    pairs = [
        *labelled(COPIED, "SUPPORTS", 9), *labelled(COPIED, "REFUTES", 4), *labelled(COPIED, "NEUTRAL", 7),
        *labelled(TOLD, "REFUTES", 5), *labelled(TOLD, "SUPPORTS", 1),
    ]  # fmt: skip
    kept = Counter((int(10 * shared_words(p)), p.label) for p in evened(pairs, random.Random(1)))
    assert kept == {
        (10, "SUPPORTS"): 4, (10, "REFUTES"): 4, (10, "NEUTRAL"): 7, (0, "REFUTES"): 1, (0, "SUPPORTS"): 1,
    }  # fmt: skip
    assert set(evened(pairs, random.Random(1))) <= set(pairs)
