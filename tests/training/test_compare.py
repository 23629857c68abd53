"""Model folders side by side: how the tasks are scored."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")
from training.compare import Task, score

pytestmark = pytest.mark.models

PAIR = ("A text.", "A claim.")
SUPPORTS, REFUTES, NEUTRAL = [0.8, 0.1, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.2, 0.2, 0.3, 0.3]


def test_neutral_and_off_topic_are_one_answer_where_there_is_such_an_answer() -> None:
    task = Task("three", [PAIR] * 3, ["SUPPORTS", "REFUTES", "NEI"])
    assert score(task, np.array([SUPPORTS, REFUTES, NEUTRAL])) == 1.0
    assert score(task, np.array([SUPPORTS, REFUTES, SUPPORTS])) < 0.6
    assert score(Task("two", [PAIR] * 2, ["SUPPORTS", "REFUTES"]), np.array([SUPPORTS, NEUTRAL])) < 1.0


def test_of_a_document_the_plainest_sentence_counts() -> None:
    task = Task("documents", [PAIR] * 4, ["SUPPORTS", "REFUTES"], np.array([0, 0, 1, 1]))
    assert score(task, np.array([NEUTRAL, SUPPORTS, REFUTES, NEUTRAL])) == 1.0
    assert score(task, np.array([REFUTES, NEUTRAL, SUPPORTS, NEUTRAL])) == 0.0
