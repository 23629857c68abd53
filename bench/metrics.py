"""How good answers and rankings are, as numbers: pure functions over what was expected and what was found.

Also used by ``training/``, so that a figure means the same wherever it stands.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log2

import numpy as np

BINS = 10
"""Bins of the calibration error."""
COVERAGES = tuple(step / 10 for step in range(1, 11))
"""Shares of the answers, surest first, for which accuracy is told."""
RESAMPLES = 1_000
"""Samples that an interval is made of."""
LEVEL = 0.95
"""Share of the samples that lie within an interval."""


def mean(values: Sequence[float]) -> float:
    """The mean, to four digits; ZeroDivisionError without values."""
    return round(sum(values) / len(values), 4)


# Answers


def accuracy(gold: Sequence[str], found: Sequence[str]) -> float:
    """Share of equal labels."""
    return mean([float(g == f) for g, f in zip(gold, found, strict=True)])


def macro_f1(gold: Sequence[str], found: Sequence[str]) -> float:
    """Mean F1 over the labels that occur in ``gold``."""
    return mean([scores["f1"] for scores in by_class(gold, found).values()])


def by_class(gold: Sequence[str], found: Sequence[str]) -> dict[str, dict[str, float]]:
    """For each label that occurs in ``gold``: how often (``n``), precision, recall and F1.

    The precision of a label that was never found is 0.
    """
    wanted, given = Counter(gold), Counter(found)
    hits = Counter(g for g, f in zip(gold, found, strict=True) if g == f)
    return {
        label: {
            "n": wanted[label],
            "precision": hits[label] / given[label] if given[label] else 0.0,
            "recall": hits[label] / wanted[label],
            "f1": 2 * hits[label] / (wanted[label] + given[label]),
        }
        for label in sorted(wanted)
    }


def confusion(gold: Sequence[str], found: Sequence[str]) -> dict[str, dict[str, int]]:
    """Expected label -> found label -> how often."""
    counts: dict[str, Counter[str]] = {label: Counter() for label in sorted(set(gold))}
    for g, f in zip(gold, found, strict=True):
        counts[g][f] += 1
    return {label: dict(sorted(row.items())) for label, row in counts.items()}


# Confidence


def ece(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> float:
    """Expected calibration error over bins that hold equally many answers.

    Equal confidences are never torn apart: they all go where the middle one of them belongs, since which of them
    would go left and which right is chance, and chance looks like bad calibration.
    """
    sure, hit = np.asarray(confidences, dtype=float), np.asarray(right, dtype=float)
    gaps = np.bincount(_bin_of(sure, bins), weights=hit - sure, minlength=bins)
    return round(float(np.abs(gaps).sum()) / len(sure), 4)


def reliability(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> list[dict[str, float]]:
    """The bins of ``ece``, least sure first: how many, between which confidences, mean confidence, share of right ones.

    A bin that equal confidences have left empty is not there.
    """
    sure, hit = np.asarray(confidences, dtype=float), np.asarray(right, dtype=float)
    bin_of = _bin_of(sure, bins)
    return [
        {
            "n": int(inside.sum()),
            "low": round(float(sure[inside].min()), 4),
            "high": round(float(sure[inside].max()), 4),
            "confidence": round(float(sure[inside].mean()), 4),
            "accuracy": round(float(hit[inside].mean()), 4),
        }
        for inside in (bin_of == number for number in range(bins))
        if inside.any()
    ]


def _bin_of(sure: np.ndarray, bins: int) -> np.ndarray:
    """The bin of each answer, from 0 for the least sure."""
    _, which, counts = np.unique(sure, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts + 1) / 2  # 0-based rank of the middle one among equals
    return np.asarray(np.floor(middle * bins / len(sure)).astype(int)[which])


def brier(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Mean squared distance of the confidence from 1 where the answer was right and from 0 where it was wrong."""
    return mean([(sure - hit) ** 2 for sure, hit in zip(confidences, right, strict=True)])


def coverage_accuracy(confidences: Sequence[float], right: Sequence[bool]) -> list[dict[str, float]]:
    """Accuracy among the surest tenth, two tenths, … all; ``confidence`` is the least among them.

    Among equal confidences the earlier answer comes first.
    """
    order = sorted(range(len(right)), key=lambda i: -confidences[i])
    curve = []
    for coverage in COVERAGES:
        taken = order[: max(1, round(coverage * len(order)))]
        curve.append(
            {
                "coverage": coverage,
                "n": len(taken),
                "confidence": round(confidences[taken[-1]], 4),
                "accuracy": mean([float(right[i]) for i in taken]),
            }
        )
    return curve


# Rankings


def ndcg(found: Sequence[str], wanted: set[str], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with gains of 0 and 1."""
    gain = sum(1 / log2(i + 2) for i, doc_id in enumerate(found[:depth]) if doc_id in wanted)
    return gain / sum(1 / log2(i + 2) for i in range(min(depth, len(wanted))))


def recall(found: Sequence[str], wanted: set[str], depth: int) -> float:
    """Share of what was wanted that is among the first ``depth``."""
    return len(wanted.intersection(found[:depth])) / len(wanted)


def reciprocal_rank(found: Sequence[str], wanted: set[str]) -> float:
    """One over the place of the first that was wanted; 0 when none was found."""
    return next((1 / place for place, doc_id in enumerate(found, 1) if doc_id in wanted), 0.0)


# Chance


def interval(
    count: int, figure: Callable[[Sequence[int]], float], seed: int, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Between which values ``figure`` lies in 95 of 100 samples of ``count`` rows drawn with replacement.

    ``figure`` is told the numbers of the rows drawn. The same seed draws the same samples.
    """
    rng = random.Random(seed)
    values = [figure(rng.choices(range(count), k=count)) for _ in range(resamples)]
    low, high = np.percentile(values, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return round(float(low), 4), round(float(high), 4)


def ece_if_perfect(confidences: Sequence[float], seed: int, draws: int = 40, resamples: int = 200) -> dict[str, float]:
    """What ``ece`` would be were every confidence exactly the probability of being right: never 0, as chance alone is
    an error too, and the more so the fewer answers there are.

    ``mean`` of so many made-up outcomes, the value that 95 in 100 of them stay ``below``, and where the interval of
    such a judge ends on average (``upper``).
    """
    rng = np.random.default_rng(seed)
    sure = np.asarray(confidences, dtype=float)
    errors, uppers = [], []
    for _ in range(draws):
        right = rng.random(len(sure)) < sure
        errors.append(ece(sure.tolist(), right.tolist()))
        drawn = (rng.integers(0, len(sure), len(sure)) for _ in range(resamples))
        again = [ece(sure[rows].tolist(), right[rows].tolist()) for rows in drawn]
        uppers.append(float(np.percentile(again, 50 * (1 + LEVEL))))
    return {
        "mean": round(float(np.mean(errors)), 4),
        "below": round(float(np.percentile(errors, 100 * LEVEL)), 4),
        "upper": round(float(np.mean(uppers)), 4),
    }


def intervals(
    count: int, figures: Iterable[tuple[str, Callable[[Sequence[int]], float]]], seed: int
) -> dict[str, tuple[float, float]]:
    """``interval`` for several figures by name, each over the same samples."""
    return {name: interval(count, figure, seed) for name, figure in figures}
