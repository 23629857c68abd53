"""Every figure against a calculation by hand."""

from collections.abc import Sequence
from math import log2

import numpy as np
import pytest

from bench import metrics


def test_macro_f1_counts_small_labels_as_much() -> None:
    assert metrics.macro_f1(["A", "A", "A", "B"], ["A", "A", "A", "A"]) == round((6 / 7) / 2, 4)
    assert metrics.macro_f1(["A", "B"], ["A", "B"]) == 1.0
    assert metrics.accuracy(["A", "B"], ["A", "A"]) == 0.5

    # A label that never occurs does not count, even when it is found.
    assert metrics.macro_f1(["A", "A", "B"], ["A", "C", "B"]) == round((2 / 3 + 1) / 2, 4)


def test_each_class_by_hand() -> None:
    found = metrics.by_class(["A", "A", "A", "B"], ["A", "A", "B", "B"])
    assert found["A"] == {"n": 3, "precision": 1.0, "recall": 2 / 3, "f1": 0.8}
    assert found["B"] == {"n": 1, "precision": 0.5, "recall": 1.0, "f1": 2 / 3}
    assert metrics.by_class(["A"], ["B"])["A"]["precision"] == 0.0

    assert metrics.confusion(["A", "A", "B"], ["A", "C", "A"]) == {"A": {"A": 1, "C": 1}, "B": {"A": 1}}


def test_calibration_error_over_bins_of_equal_mass() -> None:
    sure = [0.9, 0.1, 0.8, 0.2]
    right = [True, False, False, False]
    # Two bins: {0.1, 0.2} with gap |0 - 0.3| and {0.8, 0.9} with gap |1 - 1.7|.
    assert metrics.ece(sure, right, bins=2) == pytest.approx((0.3 + 0.7) / 4)
    # One bin per answer.
    assert metrics.ece(sure, right, bins=4) == pytest.approx((0.1 + 0.1 + 0.8 + 0.2) / 4)
    assert metrics.ece(sure, right) == pytest.approx((0.1 + 0.1 + 0.8 + 0.2) / 4)


def test_bins_hold_equally_many_however_the_confidences_lie() -> None:
    sure = [0.5 + i / 1000 for i in range(20)]  # of equal width there would be one bin
    right = [i >= 10 for i in range(20)]
    gaps = [abs(sum(right[i : i + 2]) - sum(sure[i : i + 2])) for i in range(0, 20, 2)]
    assert metrics.ece(sure, right) == pytest.approx(sum(gaps) / 20, abs=1e-4)


def test_equal_confidences_stay_in_one_bin() -> None:
    right = [True, False] * 50
    assert metrics.ece([0.5] * 100, right) == 0
    assert metrics.ece([0.5] * 100, sorted(right)) == 0
    assert metrics.ece([0.9] * 100, right) == pytest.approx(0.4)


def test_brier_score_by_hand() -> None:
    assert metrics.brier([1.0, 0.5, 0.2], [True, False, False]) == round((0 + 0.25 + 0.04) / 3, 4)


def test_coverage_takes_the_surest_first() -> None:
    sure = [0.1, 0.9, 0.5, 0.7]
    right = [False, True, False, True]
    curve = {point["coverage"]: point for point in metrics.coverage_accuracy(sure, right)}
    assert len(curve) == 10
    assert curve[0.1] == {"coverage": 0.1, "n": 1, "confidence": 0.9, "accuracy": 1.0}
    assert curve[0.5] == {"coverage": 0.5, "n": 2, "confidence": 0.7, "accuracy": 1.0}
    assert curve[0.8] == {"coverage": 0.8, "n": 3, "confidence": 0.5, "accuracy": 0.6667}
    assert curve[1.0] == {"coverage": 1.0, "n": 4, "confidence": 0.1, "accuracy": 0.5}


def test_ndcg_by_hand() -> None:
    assert metrics.ndcg(["x", "a"], {"a"}) == pytest.approx(1 / log2(3))
    assert metrics.ndcg(["a", "x", "b"], {"a", "b"}) == pytest.approx((1 + 1 / 2) / (1 + 1 / log2(3)))
    assert metrics.ndcg([], {"a"}) == 0
    assert metrics.ndcg(["x"] * 10 + ["a"], {"a"}) == 0


def test_recall_and_reciprocal_rank_by_hand() -> None:
    found = ["x", "a", "y", "b"]
    assert metrics.recall(found, {"a", "b", "c"}, 3) == pytest.approx(1 / 3)
    assert metrics.recall(found, {"a", "b", "c"}, 5) == pytest.approx(2 / 3)
    assert metrics.reciprocal_rank(found, {"a", "b"}) == 0.5
    assert metrics.reciprocal_rank(found, {"z"}) == 0.0


def test_an_interval_is_the_same_for_a_seed_and_as_wide_as_theory_says() -> None:
    values = [i / 39 for i in range(40)]

    def average(rows: Sequence[int]) -> float:
        return sum(values[i] for i in rows) / len(rows)

    first = metrics.interval(40, average, 1)
    assert first == metrics.interval(40, average, 1)
    assert first != metrics.interval(40, average, 2)
    half = 1.96 * np.std(values) / np.sqrt(40)
    assert first == pytest.approx((0.5 - half, 0.5 + half), abs=0.02)

    assert metrics.interval(5, lambda rows: 1.0, 1) == (1.0, 1.0)


def test_figures_of_one_result_share_their_samples() -> None:
    values = [0.1, 0.4, 0.9]
    found = metrics.intervals(3, [("a", lambda rows: values[rows[0]]), ("b", lambda rows: values[rows[0]])], seed=1)
    assert found["a"] == found["b"]


def test_a_perfect_judge_is_not_without_error_and_the_less_the_more_it_answers() -> None:
    few, many = (metrics.ece_if_perfect([0.4 + 0.5 * i / n for i in range(n)], 1, 10, 40) for n in (100, 2000))
    assert 0 < many["mean"] < few["mean"] / 2
    for found in (few, many):
        assert found["mean"] < found["below"]
        assert found["mean"] < found["upper"]
    assert metrics.ece_if_perfect([1.0] * 50, 1, 10, 40) == {"mean": 0.0, "below": 0.0, "upper": 0.0}


def test_the_reliability_curve_has_all_answers() -> None:
    sure = [0.1, 0.2, 0.3, 0.4, 0.9, 0.9, 0.9, 0.9]
    right = [False, False, True, False, True, True, True, False]
    curve = metrics.reliability(sure, right, bins=4)
    assert sum(point["n"] for point in curve) == 8
    assert curve[0] == {"n": 2, "low": 0.1, "high": 0.2, "confidence": 0.15, "accuracy": 0.0}
    assert curve[-1] == {"n": 4, "low": 0.9, "high": 0.9, "confidence": 0.9, "accuracy": 0.75}
    distance = sum(p["n"] * abs(p["confidence"] - p["accuracy"]) for p in curve) / 8
    assert metrics.ece(sure, right, bins=4) == pytest.approx(distance, abs=1e-4)
