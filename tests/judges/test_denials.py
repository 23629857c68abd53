"""Statements that deny another one are read the other way round."""

import pytest

from ghost.judges import DenialReader, denied
from ghost.testing import ScriptedReader
from ghost.types import Stance

BATS = "Bats are blind."
CASES = [
    ("It is not true that bats are blind.", BATS, True),
    ("It isn't true that bats are blind.", BATS, True),
    ("It's a myth that bats are blind.", BATS, True),
    ("It is simply false that bats are blind.", BATS, True),
    ("The idea that bats are blind is wrong.", "Bats are blind", True),
    ("The claim that bats are blind is not true.", "Bats are blind", True),
    ("It is true that bats are blind.", BATS, False),
    ("It is not a myth that bats are blind.", BATS, False),
    ("The rumour that bats are blind is not false.", "Bats are blind", False),
]
PLAIN = [
    BATS,
    "It is not known that bats are blind.",
    "He said that it is not true that bats are blind.",
    "It is wrong.",
    "The claim that bats are blind is older than the false tale of owls.",
    "The theory that made Darwin famous is true to his notes.",
]


@pytest.mark.parametrize(("statement", "said", "denies"), CASES)
def test_what_a_statement_denies(statement: str, said: str, denies: bool) -> None:
    assert denied(statement) == (said, denies)


@pytest.mark.parametrize("statement", PLAIN)
def test_other_statements_are_read_as_they_stand(statement: str) -> None:
    assert denied(statement) == (statement, False)


def test_the_sides_change_places() -> None:
    seen: list[str] = []
    reader = DenialReader(
        ScriptedReader(lambda passage, statement: seen.append(statement) or Stance(0.7, 0.1, 0.15, 0.05))
    )
    plain, turned = reader.read([("Bats see.", BATS), ("Bats see.", "It is not true that bats are blind.")])
    assert (plain.supports, plain.refutes) == (0.7, 0.1)
    assert (turned.supports, turned.refutes, turned.neutral, turned.off_topic) == (0.1, 0.7, 0.15, 0.05)
    assert seen == [BATS, BATS]
