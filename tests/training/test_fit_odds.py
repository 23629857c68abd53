"""The fit finds what was put into made-up numbers, and writes what the judge reads."""

import numpy as np
import pytest

from ghost.judges.odds import ANSWERS, FEATURES
from ghost.types import Label

pytest.importorskip("sklearn")
from training.fit_odds import Examples, best_temperature, fit, tempered

pytestmark = pytest.mark.models


def made_up(name: str, count: int, seed: int) -> Examples:
    """Claims that are true where support is strong, false where refutation is, contested where both are."""
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.uniform(-6, 6, count), rng.uniform(-6, 6, count), rng.uniform(0.2, 0.9, count)])
    both, support, refute = (x[:, :2] > 1).all(axis=1), x[:, 0] > 1, x[:, 1] > 1
    answer = np.select([both, support, refute], [3, 0, 1], 2)
    return Examples(name, x, answer, without=0)


def test_what_was_put_in_comes_out() -> None:
    kept, lines = fit([made_up("pairs", 800, 1), made_up("contrasts", 400, 2)])
    weights = {Label(name): row for name, row in kept["answers"].items()}
    assert set(weights) == set(ANSWERS)
    assert set(weights[Label.TRUE]) == {"bias", *FEATURES}
    assert weights[Label.TRUE]["support"] > 0 > weights[Label.NOT_ENOUGH_EVIDENCE]["support"]
    assert weights[Label.FALSE]["refute"] > 0 > weights[Label.TRUE]["refute"]
    assert kept["claims"] == {"pairs": 800, "contrasts": 400}
    assert [line.split(":")[0] for line in lines[2:]] == ["pairs", "contrasts"]
    assert all(float(line.split("accuracy ")[1].split(",")[0]) > 0.8 for line in lines[2:])


def noisy(examples: Examples, part: float, seed: int) -> Examples:
    """The same claims with a part of the answers drawn at random, as a set of a harder kind has them."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(ANSWERS), len(examples.answers))
    answers = np.where(rng.uniform(size=len(drawn)) < part, drawn, examples.answers)
    return Examples(examples.name, examples.features, answers, without=0)


def test_sets_that_foretell_one_another_badly_make_the_odds_cooler() -> None:
    alike = [made_up("pairs", 800, 1), made_up("contrasts", 400, 2)]
    assert best_temperature(alike) == 1.0
    assert best_temperature([alike[0], noisy(alike[1], 0.8, 3)]) > 1.0


def test_a_temperature_evens_the_probabilities_out_and_keeps_their_order() -> None:
    sure = np.array([[0.8, 0.15, 0.05, 0.0]])
    assert tempered(sure, 1.0) == pytest.approx(sure)
    cooled = tempered(sure, 1.5)
    assert cooled.sum() == pytest.approx(1.0)
    assert cooled[0, 0] < 0.8
    assert list(cooled[0].argsort()) == list(sure[0].argsort())
