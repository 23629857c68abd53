"""The fit finds what was put into made-up numbers, and writes what the judge reads."""

import numpy as np
import pytest

from ghost.judges.odds import ANSWERS, FEATURES
from ghost.types import Label

pytest.importorskip("sklearn")
from training.fit_odds import Examples, fit

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
    assert [line.split(":")[0] for line in lines[1:]] == ["pairs", "contrasts"]
    assert all(float(line.split("accuracy ")[1].split(",")[0]) > 0.8 for line in lines[1:])
