"""Amounts by arithmetic, everything else by the model."""

from ghost.judges import AmountReader
from ghost.testing import REFUTING, SUPPORTING, ScriptedReader


def test_the_model_reads_equal_amounts_in_the_same_words() -> None:
    seen: list[str] = []
    reader = AmountReader(ScriptedReader(lambda passage, statement: seen.append(passage) or SUPPORTING))
    assert reader.read([("340 million people live there.", "0.34 billion people live there.")]) == [SUPPORTING]
    assert seen == ["0.34 billion people live there."]


def test_the_same_digits_with_another_size_support_nothing() -> None:
    pair = ("The dose is 5 milligrams.", "The dose is 5 grams.")
    (stance,) = AmountReader(ScriptedReader(lambda *_: SUPPORTING)).read([pair])
    assert stance.supports == 0
    assert stance.neutral == SUPPORTING.neutral + SUPPORTING.supports
    (stance,) = AmountReader(ScriptedReader(lambda *_: REFUTING)).read([pair])
    assert stance.refutes == REFUTING.refutes
