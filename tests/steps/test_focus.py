"""Evidence of several sentences is read sentence by sentence as well."""

from collections.abc import Sequence

from ghost.steps.rerank import read_by_sentence
from ghost.testing import evidence
from ghost.types import Stance, StanceLabel, Statement

STATEMENT = Statement(1, "The bridge was closed.")
PLAIN = Stance(0.9, 0.04, 0.04, 0.02)
AGAINST = Stance(0.02, 0.9, 0.06, 0.02)
VAGUE = Stance(0.2, 0.2, 0.5, 0.1)


class Reader:
    """Says what it was told to say of each text, and keeps what it was asked."""

    name, checksum = "scripted", "0"

    def __init__(self, **stances: Stance) -> None:
        self._stances = {text.replace("_", " ") + ".": stance for text, stance in stances.items()}
        self.asked: list[tuple[str, str]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.asked += pairs
        return [self._stances[text] for text, _ in pairs]


def test_a_plain_sentence_between_others_is_heard_and_named() -> None:
    reader = Reader(It_rained=VAGUE, The_bridge_is_shut=PLAIN)
    (found,) = read_by_sentence([evidence(1, "It rained. The bridge is shut.", VAGUE)], [STATEMENT], reader)
    assert found.focus == "The bridge is shut."
    assert found.stance.label is StanceLabel.SUPPORTS
    assert found.stance.supports == (0.2 + 0.9) / 2
    assert sum((found.stance.supports, found.stance.refutes, found.stance.neutral, found.stance.off_topic)) == 1.0


def test_one_sentence_is_not_read_again() -> None:
    reader = Reader()
    whole = evidence(1, "The bridge is shut.", PLAIN)
    assert read_by_sentence([whole], [STATEMENT], reader) == [whole]
    assert reader.asked == []


def test_sentences_that_say_both_stay_a_distribution() -> None:
    reader = Reader(The_bridge_is_shut=PLAIN, The_bridge_is_open=AGAINST)
    (found,) = read_by_sentence([evidence(1, "The bridge is shut. The bridge is open.", PLAIN)], [STATEMENT], reader)
    stance = found.stance
    assert abs(stance.supports + stance.refutes + stance.neutral + stance.off_topic - 1.0) < 1e-9
    assert min(stance.supports, stance.refutes) > 0.3


def test_each_sentence_is_read_against_its_own_statement() -> None:
    reader = Reader(It_rained=VAGUE, The_bridge_is_shut=PLAIN)
    other = Statement(2, "It was dry.")
    rows = [evidence(1, "It rained. The bridge is shut.", VAGUE, statement=n) for n in (1, 2)]
    read_by_sentence(rows, [STATEMENT, other], reader)
    assert {statement for _, statement in reader.asked} == {STATEMENT.text, other.text}
