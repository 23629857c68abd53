"""Odds are fitted so that probabilities hold, found by the model they belong to, and cautious where there are none."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from config import PROJECT
from ghost.errors import ModelError
from ghost.inference import ModelFolder
from ghost.judges import calibration_for, fit, keep, kept_odds, odds_for, reading_bound, shipped
from ghost.types import BOUND, Label

READER = "a" * 64
ANSWERS = (Label.TRUE, Label.FALSE, Label.NOT_ENOUGH_EVIDENCE, Label.PARTIALLY_TRUE)
PLAINEST = 0.98
"""The highest bound for readings."""
CLEAR = (4.0, -4.0, 0.7)
"""Features of a statement that the evidence plainly supports."""


def claims(count: int, noise: float = 1.0, seed: int = 3) -> tuple[np.ndarray, list[Label]]:
    """Claims whose features tell their answer, with noise."""
    rng = np.random.default_rng(seed)
    centre = {Label.TRUE: (3, -3, 0.7), Label.FALSE: (-3, 3, 0.7), Label.NOT_ENOUGH_EVIDENCE: (-3, -3, 0.5),
              Label.PARTIALLY_TRUE: (3, 3, 0.7)}  # fmt: skip
    labels = [ANSWERS[i % len(ANSWERS)] for i in range(count)]
    return np.array([centre[label] + noise * rng.normal(size=3) * (1, 1, 0.1) for label in labels]), labels


def test_the_probabilities_hold_on_claims_that_were_not_fitted() -> None:
    made = fit(*claims(400), READER, "model")
    features, labels = claims(400, seed=4)
    guessed = [made.odds.probabilities(row) for row in features]
    right = [max(p, key=lambda label: p[label]) is label for p, label in zip(guessed, labels, strict=True)]
    sure = [max(p.values()) for p in guessed]
    assert abs(np.mean(right) - np.mean(sure)) < 0.04
    assert np.mean(right) > 0.9
    assert made.odds.probabilities(CLEAR)[Label.TRUE] > 0.95


def test_above_the_bound_nine_in_ten_are_right_and_it_is_never_below_the_floor() -> None:
    easy, hard = fit(*claims(400, noise=0.5), READER, "easy"), fit(*claims(600, noise=2.5), READER, "hard")
    assert easy.bound == BOUND
    assert hard.bound > BOUND
    for made in (easy, hard):
        assert made.right >= 0.9 * made.decided > 0


def test_above_the_bound_for_readings_three_in_a_hundred_are_wrong_in_each_kind() -> None:
    rng = np.random.default_rng(5)
    said = rng.uniform(0.4, 1.0, 4000)
    kinds = ["easy" if i % 4 else "hard" for i in range(4000)]
    right = [rng.random() < min(1.0, p + 0.3 if kind == "easy" else p) for p, kind in zip(said, kinds, strict=True)]
    bound = reading_bound(said.tolist(), right, kinds)
    for kind in ("easy", "hard"):
        above = [r for p, r, k in zip(said, right, kinds, strict=True) if p >= bound and k == kind]
        assert np.mean(above) > 0.93
    assert 0.85 < bound < 0.98
    assert reading_bound(said.tolist(), [False] * 4000, kinds) == PLAINEST


def test_what_cannot_be_calibrated_is_refused() -> None:
    with pytest.raises(ModelError, match="more than 8 claims"):
        fit(*claims(8), READER, "few")
    features, _ = claims(200)
    blind = np.random.default_rng(1).permutation(200)
    with pytest.raises(ModelError, match="at no bound"):
        fit(features, [ANSWERS[i % 4] for i in blind], READER, "blind")


def test_a_calibration_is_kept_and_found_by_the_checksum_of_its_model(tmp_path: Path) -> None:
    made = fit(*claims(200), READER, "model")
    assert calibration_for(READER, tmp_path) is None
    file = keep(made, tmp_path)
    assert file.parent == tmp_path
    assert calibration_for(READER, tmp_path) == made
    assert odds_for(READER, tmp_path) == made.odds
    assert calibration_for("b" * 64, tmp_path) is None
    file.write_text("{")
    with pytest.raises(ModelError, match="ghost calibrate"):
        calibration_for(READER, tmp_path)


def test_a_model_without_a_calibration_gets_cautious_odds_that_name_no_model(tmp_path: Path) -> None:
    usual, careful = shipped().odds, odds_for("b" * 64, tmp_path)
    assert careful.reader == ""
    assert careful.bound == usual.bound
    assert careful.probabilities(CLEAR)[Label.TRUE] < usual.probabilities(CLEAR)[Label.TRUE]


def test_what_ships_belongs_to_the_bundled_stance_model() -> None:
    assert shipped().reader == ModelFolder.open(PROJECT / "ghost" / "models" / "stance-mpnet").checksum
    assert shipped().bound >= BOUND
    assert shipped().right >= 0.9 * shipped().decided > 0


def test_a_run_keeps_the_odds_that_decided_it() -> None:
    kept = json.loads(json.dumps(asdict(shipped().odds)))
    assert kept_odds({"odds": kept}) == shipped().odds
    assert kept_odds({}) is None
    assert kept_odds({"odds": {"bias": 3}}) is None
