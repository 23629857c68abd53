"""Model folders side by side: how the tasks are scored."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")
from training.compare import Task, score, together, whole_pages
from training.dossiers import Dossier, DossierClaim

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


def test_a_page_leaves_open_what_no_sentence_settles() -> None:
    page = ("Ann won the race.", "It rained.", "Bo came last.")
    claims = (
        DossierClaim("Ann was first.", frozenset({0}), frozenset()),
        DossierClaim("Bo was first.", frozenset(), frozenset({0, 2})),
        DossierClaim("Cy took part.", frozenset(), frozenset()),
        DossierClaim("Both sides.", frozenset({0}), frozenset({1})),
    )
    task = whole_pages([Dossier("race", page, claims)])
    assert list(task.gold) == ["SUPPORTS", "REFUTES", "NEI"]
    assert task.pairs[1] == ("Ann won the race. It rained.", "Ann was first.")
    assert task.of is not None
    assert task.of.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    open_ones = [NEUTRAL] * 3
    assert score(task, np.array([SUPPORTS, NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL, REFUTES, *open_ones])) == 1.0
    assert score(task, np.array([NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL, REFUTES, *open_ones])) < 0.7


def test_together_is_the_mean_of_log_probabilities_and_nobody_rules_anything_out() -> None:
    one, other = np.array([[0.8, 0.1, 0.1, 0.0], SUPPORTS]), np.array([[0.2, 0.4, 0.4, 0.0], REFUTES])
    both = together([one, other])
    roots = [0.4, 0.2, 0.2]
    assert both[0, :3] == pytest.approx([root / sum(roots) for root in roots], abs=1e-5)
    assert both.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert both[1, 0] == pytest.approx(both[1, 1])
    assert both[0, 3] > 0
    assert together([one])[1] == pytest.approx(SUPPORTS, abs=1e-5)
