"""From what the evidence for a statement says to the probability of each answer: a fitted linear model.

The weights belong to one stance model; ``calibration.py`` fits, keeps and finds them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ghost.types import BOUND, Evidence, Label, StanceLabel

ANSWERS = (Label.TRUE, Label.FALSE, Label.NOT_ENOUGH_EVIDENCE, Label.PARTIALLY_TRUE)
"""What can be said of one statement."""
FEATURES = ("support", "refute", "nearness")

TAKES_SIDE = 0.4
"""Below this probability x relevance a stance is a guess and is not cited for a side."""
CERTAIN = 0.999
"""Probabilities are kept this far from 0 and 1, so that no single passage settles everything."""
UNKNOWN_CREDIBILITY = 0.5
CREDIBILITY_WEIGHT = 2.0
"""Log-odds that a source of credibility 1 gains over an unknown one, halved, and a source of 0 loses.

Set by hand, as all sources of the public data sets are equally unknown.
"""
LOW_CREDIBILITY = 0.6
FURTHER = 0.6
"""How far another origin must take a side to count beside the strongest one."""
MOST_FURTHER = 2
AGREEMENT = 0.5
"""Log-odds that each further independent origin adds to its side.

Set by hand: in the sets that the weights are fitted on nearly every claim has one source.
"""
NEARNESS = 8.0
"""Log-odds that a side loses for each point of cosine its passage is farther from the statement.

The stance model takes sides too easily where passage and statement share a name and nothing else. Chosen with the
weights, on claims over passages of the training evidence: 0 gives a log-loss of 1.034, 4 1.014, 8 1.003, 12 0.999.
"""
MIDWAY = 0.5
"""The cosine that takes nothing and adds nothing."""
NEAR_ENOUGH = 0.8
"""A still nearer passage gains no more: it says the same words."""
NEARNESS_UNKNOWN = 0.4
"""For evidence whose cosine nobody has measured."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The weights: for each answer a bias and one weight for each of FEATURES."""

    bias: Mapping[Label, float]
    weights: Mapping[Label, tuple[float, ...]]
    bound: float = BOUND
    """The probability that a label needs; never below ``BOUND``."""
    reader: str = ""
    """SHA-256 of the stance model that they were fitted on; empty for cautious odds that belong to none."""
    reading: float = 0.0
    """A label rests on a passage that says its side at least so plainly (``says``)."""

    def probabilities(self, features: Sequence[float]) -> dict[Label, float]:
        """The probability of each answer; they sum to one."""
        scores = {
            label: self.bias[label] + sum(w * f for w, f in zip(self.weights[label], features, strict=True))
            for label in ANSWERS
        }
        most = max(scores.values())
        powers = {label: math.exp(score - most) for label, score in scores.items()}
        total = sum(powers.values())
        return {label: power / total for label, power in powers.items()}

    def cooled(self, temperature: float) -> "Odds":
        """The same odds, less sure by a temperature above one."""
        return Odds(
            {label: value / temperature for label, value in self.bias.items()},
            {label: tuple(w / temperature for w in row) for label, row in self.weights.items()},
            self.bound,
            reading=self.reading,
        )


def features(evidence: Sequence[Evidence], credibility_weight: float = CREDIBILITY_WEIGHT) -> tuple[float, ...]:
    """FEATURES of the evidence for one statement, of which there must be some.

    The log-odds of the strongest word on either side, raised by each further independent origin that says the same
    (at most MOST_FURTHER), and how near the nearest passage is to the statement.
    """
    near = max(_nearness(e) for e in evidence)
    supports, refutes = (_side(evidence, s, credibility_weight) for s in (StanceLabel.SUPPORTS, StanceLabel.REFUTES))
    return supports, refutes, near


def says(e: Evidence, stance: StanceLabel) -> float:
    """How far a passage says one of the two things: probability of the side x relevance."""
    return (e.stance.supports if stance is StanceLabel.SUPPORTS else e.stance.refutes) * e.relevance


def plainest(evidence: Sequence[Evidence]) -> tuple[float, StanceLabel]:
    """The plainest word on either side among some evidence, and which side it takes."""
    sides = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)
    return max(((says(e, stance), stance) for e in evidence for stance in sides), key=lambda found: found[0])


def weight(e: Evidence, stance: StanceLabel, credibility_weight: float = CREDIBILITY_WEIGHT) -> float:
    """The same in log-odds: more from a source of standing, less from a doubtful one, less what its date and its
    distance from the statement take.
    """
    probability = min(CERTAIN, max(1 - CERTAIN, says(e, stance) * e.time_weight))
    gained = credibility_weight * (e.credibility - UNKNOWN_CREDIBILITY)
    # Standing makes a statement weigh more; it does not make one out of a passage that says nothing.
    near = NEARNESS * (min(NEAR_ENOUGH, _nearness(e)) - MIDWAY)
    return _log_odds(probability) + near + gained * min(1.0, probability / FURTHER)


def _nearness(e: Evidence) -> float:
    return NEARNESS_UNKNOWN if e.nearness is None else e.nearness


def strength(e: Evidence, stance: StanceLabel, credibility_weight: float = CREDIBILITY_WEIGHT) -> float:
    """``weight`` as a probability 0..1."""
    return 1.0 / (1.0 + math.exp(-weight(e, stance, credibility_weight)))


def _side(evidence: Sequence[Evidence], stance: StanceLabel, credibility_weight: float) -> float:
    best: dict[int, float] = {}
    for e in evidence:
        best[e.group] = max(best.get(e.group, -math.inf), weight(e, stance, credibility_weight))
    further = sum(w >= _log_odds(FURTHER) for w in best.values()) - 1
    return max(best.values()) + AGREEMENT * min(MOST_FURTHER, max(0, further))


def _log_odds(probability: float) -> float:
    return math.log(probability / (1.0 - probability))
