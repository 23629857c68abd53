"""The three numbers, and the probabilities that come with Ghost."""

from pathlib import Path

import pytest

from ghost.inference import ModelFolder
from ghost.judges import features, shipped
from ghost.judges.embedded.odds import ANSWERS, FEATURES, strength
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import Label, Stance, StanceLabel

READER = Path("ghost/models/stance-mpnet")
MILD = Stance(0.7, 0.1, 0.15, 0.05)


def test_the_weights_were_fitted_on_the_stances_of_the_bundled_model() -> None:
    assert shipped().reader == ModelFolder.open(READER).checksum


def test_probabilities_sum_to_one_whatever_the_features() -> None:
    for row in ((0.0, 0.0, 0.5), (7.0, -7.0, 1.0), (-7.0, 7.0, -1.0)):
        chances = shipped().odds.probabilities(row)
        assert set(chances) == set(ANSWERS)
        assert sum(chances.values()) == pytest.approx(1.0)


def test_the_features_are_the_strongest_word_of_each_side_and_further_origins() -> None:
    rows = [
        evidence(1, "a", SUPPORTING, credibility=0.5),
        evidence(2, "b", SUPPORTING, credibility=0.5),
        evidence(3, "b again", SUPPORTING, group=2, credibility=0.5),
        evidence(4, "c", REFUTING, credibility=0.5),
    ]
    found = dict(zip(FEATURES, features(rows), strict=True))
    alone = dict(zip(FEATURES, features(rows[:1]), strict=True))
    two = dict(zip(FEATURES, features(rows[:2]), strict=True))
    assert two["support"] == found["support"] > alone["support"]  # two origins say so; the copy counts for nothing
    assert found["refute"] > alone["refute"]


def test_what_a_source_says_weighs_by_its_standing() -> None:
    weights = [strength(evidence(1, "a", MILD, credibility=c), StanceLabel.SUPPORTS) for c in (0.2, 0.5, 0.95)]
    assert weights == sorted(weights)
    assert weights[0] < weights[2]


def test_standing_makes_no_statement_out_of_silence() -> None:
    nobody, agency = (evidence(1, "a", ON_TOPIC, credibility=c) for c in (0.5, 0.95))
    gain = strength(agency, StanceLabel.SUPPORTS) - strength(nobody, StanceLabel.SUPPORTS)
    assert 0 <= gain < 0.02


@pytest.mark.parametrize(
    ("rows", "label"),
    [
        ([SUPPORTING], Label.TRUE),
        ([REFUTING], Label.FALSE),
        ([ON_TOPIC], Label.NOT_ENOUGH_EVIDENCE),
        ([SUPPORTING, REFUTING], Label.PARTIALLY_TRUE),
    ],
)
def test_plain_cases_come_out_plainly(rows: list[Stance], label: Label) -> None:
    found = [evidence(n, str(n), stance) for n, stance in enumerate(rows, start=1)]
    chances = shipped().odds.probabilities(features(found))
    assert max(chances, key=lambda answer: chances[answer]) is label


def test_more_support_never_makes_true_less_likely() -> None:
    def true(*stances: Stance) -> float:
        rows = [evidence(n, str(n), stance, credibility=0.5) for n, stance in enumerate(stances, start=1)]
        return shipped().odds.probabilities(features(rows))[Label.TRUE]

    steps = [true(ON_TOPIC), true(MILD), true(SUPPORTING), true(SUPPORTING, SUPPORTING)]
    assert steps == sorted(steps)
